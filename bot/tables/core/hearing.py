"""What other processes have written: forgotten at once, and followed up where it is our part.

For a table that is ours the hooks run as they do after a change of our own, once for all that was
heard of it in the meantime.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.tables.core.errors import Rejected, StoreUnavailable, UnknownTable
from bot.tables.core.unit_of_work import UnitOfWork

logger = logging.getLogger(__name__)

AT_ONCE = 8
"""Tables that are read at once because of what was heard."""
RETRY_S = 5.0
"""Seconds until a table is followed up again that could not be read."""


class Hearing:
    """Hears of tables that other processes have written."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self.listeners: list[Callable[[int], None]] = []
        """Called with the id of each table that was heard of, whoever it belongs to."""
        self.readers: list[Callable[[int], Awaitable[None]]] = []
        """Read anew what is kept in memory of a table that is ours, before the hooks run."""
        self._following: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._is_closed = False

    def heard(self, table_id: int, revision: int) -> None:
        """Another process has written the table, which has that revision now."""
        self._unit_of_work.cache.heard(table_id, revision)
        loop = asyncio.get_running_loop()
        for listener in self.listeners:
            loop.call_soon(listener, table_id)
        self._follow(table_id)

    async def finish(self) -> None:
        """Waits for what is in progress, and begins nothing more."""
        self._is_closed = True
        self._again.clear()
        if self._following:
            await asyncio.wait(self._following.values())

    def _follow(self, table_id: int) -> None:
        if self._is_closed:
            return
        if table_id in self._following:
            self._again.add(table_id)
            return
        guilds = self._unit_of_work.cache.known_guilds([table_id])
        if table_id in guilds and not self._unit_of_work.ownership.owns(guilds[table_id]):
            return
        self._following[table_id] = asyncio.create_task(self._tell(table_id))

    async def _tell(self, table_id: int) -> None:
        cache = self._unit_of_work.cache
        try:
            async with self._room:
                self._again.discard(table_id)
                if self._unit_of_work.ownership.owns(await cache.guild(table_id)):
                    for read in self.readers:
                        await read(table_id)
                    self._unit_of_work.tell(await cache.read(table_id))
        except StoreUnavailable:
            asyncio.get_running_loop().call_later(RETRY_S, self._follow, table_id)
        except UnknownTable:
            self._unit_of_work.tell_deleted(table_id)
        except Rejected as error:
            logger.info("table %d: what was heard of is not followed: %s", table_id, error.code)
        finally:
            del self._following[table_id]
        if table_id in self._again:
            self._follow(table_id)
