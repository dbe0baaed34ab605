"""Changes by other processes that share the database.

Cached copies of changed tables are dropped at once. If a table is ours, its hooks then run as after
a change made here, once for all changes announced in the meantime.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.store import Status
from bot.store.sharing import Announcement, Shards
from bot.tables.computers import Computers
from bot.tables.core import Rejected, StoreUnavailable, UnitOfWork, UnknownTable, from_store
from bot.tables.people import People
from bot.tables.plans import Plans
from bot.tables.servers import Servers

logger = logging.getLogger(__name__)

CONCURRENT_READS = 8
"""Changed tables that are read in parallel."""
RETRY_S = 5.0
"""Seconds before a table that could not be read is tried again."""


class TableSharing:
    """Follows changes by other processes, and takes over or gives up work at tables."""

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        computers: Computers,
        plans: Plans,
        people: People,
        servers: Servers,
    ) -> None:
        self._unit_of_work = unit_of_work
        self.cache = unit_of_work.cache
        self._computers = computers
        self._plans = plans
        self._settings = (people, servers)
        self.listeners: list[Callable[[int], None]] = []
        """Called with the id of each table that another process has changed."""
        self._following: dict[int, asyncio.Task[None]] = {}
        self._changed_again: set[int] = set()
        self._reading = asyncio.Semaphore(CONCURRENT_READS)
        self._is_closed = False

    async def take_over(self, shards: Shards) -> None:
        """Take over the work at the tables of these shards.

        A repeated call for shards that are ours looks for due work again. Raise StoreUnavailable.
        """
        store = self._unit_of_work.store
        for table_id in await from_store(store.computer_turns(Status.PLAYING, shards)):
            self._computers.queue(table_id)
        self._plans.resume(await from_store(store.armed_plans(shards)))
        for table_id in await from_store(store.tables_to_send(shards)):
            for subscriber in self._unit_of_work.subscribers:
                asyncio.get_running_loop().call_soon(subscriber, table_id)
            # Let other tasks run while the subscribers begin to post.
            await asyncio.sleep(0)

    def give_up(self, shards: Shards) -> None:
        """Give up the work at the tables of these shards.

        The database refuses the results of work in progress.
        """
        # A table of unknown server has not been read yet. When it is, its owner is checked.
        tables = [*self._computers.tables(), *self._plans.tables()]
        guilds = self.cache.cached_guilds(tables)
        lost = {table_id for table_id, guild in guilds.items() if shards.has(guild)}
        self._computers.give_up(lost)
        self._plans.give_up(lost)

    def receive(self, announcement: Announcement) -> None:
        """Drop cached data that another process has changed.

        Tables that are ours are soon read again, and their subscribers notified.
        """
        for table_id, revision in announcement.tables.items():
            self._computers.note_write(table_id)
            self.cache.drop_older(table_id, revision)
            for listener in self.listeners:
                asyncio.get_running_loop().call_soon(listener, table_id)
            self._follow(table_id)
        for name in announcement.names:
            for settings in self._settings:
                settings.invalidate(name)

    def drop_all(self) -> None:
        """Drop all cached data, after announcements of other processes were missed.

        `take_over` then looks for due work at our tables.
        """
        self.cache.drop_all()
        self._computers.drop_all()
        for settings in self._settings:
            settings.drop_all()

    async def finish(self) -> None:
        """Stop following changes, and wait for work in progress."""
        self._is_closed = True
        self._changed_again.clear()
        if self._following:
            await asyncio.wait(self._following.values())

    def _follow(self, table_id: int) -> None:
        if table_id in self._following:
            self._changed_again.add(table_id)
            return
        guilds = self.cache.cached_guilds([table_id])
        is_not_ours = table_id in guilds and not self._unit_of_work.ownership.owns(guilds[table_id])
        if not self._is_closed and not is_not_ours:
            self._following[table_id] = asyncio.create_task(self._notify(table_id))

    async def _notify(self, table_id: int) -> None:
        try:
            async with self._reading:
                self._changed_again.discard(table_id)
                if self._unit_of_work.ownership.owns(await self.cache.guild(table_id)):
                    await self._plans.read_armed(table_id)
                    self._unit_of_work.notify(await self.cache.read(table_id))
        except StoreUnavailable:
            asyncio.get_running_loop().call_later(RETRY_S, self._follow, table_id)
        except UnknownTable:
            self._unit_of_work.notify_deleted(table_id)
        except Rejected as error:
            logger.info("change not followed table=%d code=%s", table_id, error.code)
        finally:
            del self._following[table_id]
        if table_id in self._changed_again:
            self._follow(table_id)
