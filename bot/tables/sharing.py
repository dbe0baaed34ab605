"""A database that several processes share: what others have written is forgotten at once, and
followed up where it is our part.

For a table that is ours the hooks run as they do after a change of our own, once for all that was
heard of it in the meantime.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.store import Status
from bot.store.sharing import Notice, Shards
from bot.tables.computers import Computers
from bot.tables.core import Rejected, StoreUnavailable, UnitOfWork, UnknownTable, from_store
from bot.tables.people import People
from bot.tables.plans import Plans
from bot.tables.servers import Servers

logger = logging.getLogger(__name__)

CONCURRENT_READS = 8
"""Tables that are read at once because of what was heard."""
RETRY_S = 5.0
"""Seconds until a table is followed up again that could not be read."""


class TableSharing:
    """Hears of what other processes have written, and takes up what is due at tables or leaves it
    to others."""

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
        """Called with the id of each table that was heard of, whoever it belongs to."""
        self._following: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._room = asyncio.Semaphore(CONCURRENT_READS)
        self._is_closed = False

    async def take_over(self, shards: Shards) -> None:
        """From now on what is due at the tables of these shards is for this process to do.

        It is no error if it was before: all that is due is looked through again. Raises
        StoreUnavailable.
        """
        store = self._unit_of_work.store
        for table_id in await from_store(store.computer_turns(Status.PLAYING, shards)):
            self._computers.queue(table_id)
        self._plans.resume(await from_store(store.armed_plans(shards)))
        for table_id in await from_store(store.tables_to_send(shards)):
            for subscriber in self._unit_of_work.subscribers:
                asyncio.get_running_loop().call_soon(subscriber, table_id)
            # They begin to post: others get their turn in between.
            await asyncio.sleep(0)

    def give_up(self, shards: Shards) -> None:
        """What is due at the tables of these shards is not for this process to do any more.

        What it has begun there is refused by the database.
        """
        # The tables of which the server is not known have not been looked at yet; when they are,
        # that they are not ours is found out.
        tables = [*self._computers.tables(), *self._plans.tables()]
        guilds = self.cache.known_guilds(tables)
        gone = {table_id for table_id, guild in guilds.items() if shards.has(guild)}
        self._computers.give_up(gone)
        self._plans.give_up(gone)

    def receive(self, notice: Notice) -> None:
        """Another process has written this: what is in memory of it is dropped.

        Tables that are ours are read again soon, and everybody here is told of them.
        """
        for table_id, revision in notice.tables.items():
            self._computers.note_write(table_id)
            self.cache.drop_older(table_id, revision)
            for listener in self.listeners:
                asyncio.get_running_loop().call_soon(listener, table_id)
            self._follow(table_id)
        for name in notice.names:
            for settings in self._settings:
                settings.invalidate(name)

    def drop_all(self) -> None:
        """Drops all that may have been written by other processes without our hearing of it.

        What is due at the tables that are ours is looked through by `take_over`.
        """
        self.cache.drop_all()
        self._computers.drop_all()
        for settings in self._settings:
            settings.drop_all()

    async def finish(self) -> None:
        """Waits for what is in progress, and begins nothing more."""
        self._is_closed = True
        self._again.clear()
        if self._following:
            await asyncio.wait(self._following.values())

    def _follow(self, table_id: int) -> None:
        if table_id in self._following:
            self._again.add(table_id)
            return
        guilds = self.cache.known_guilds([table_id])
        is_other = table_id in guilds and not self._unit_of_work.ownership.owns(guilds[table_id])
        if not self._is_closed and not is_other:
            self._following[table_id] = asyncio.create_task(self._tell(table_id))

    async def _tell(self, table_id: int) -> None:
        try:
            async with self._room:
                self._again.discard(table_id)
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
        if table_id in self._again:
            self._follow(table_id)
