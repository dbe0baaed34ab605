"""Tasks to be done at a given time: reminders, clocks, deadlines of votes.

Nothing waits in memory: a task is a row of the database, written with the change that schedules it.
One loop checks for all tables. So a restart forgets nothing, a table costs no loop of its own, and
of two processes that check only one does a task.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

from bot.store import NO_TABLE, ScheduledRow
from bot.tables.core.errors import StoreUnavailable
from bot.tables.core.failures import describe
from bot.tables.core.unit_of_work import UnitOfWork, from_store

logger = logging.getLogger(__name__)

EVERY_S = 5.0
"""Seconds between two checks."""

AT_MOST = 200
"""How many due tasks one check takes up; the rest waits for the next one."""

LEASE = timedelta(minutes=2)
"""When a task that was taken up, but not done, is due again."""

Handler = Callable[[ScheduledRow], Awaitable[None]]


class Scheduler:
    """Finds due tasks and has them done, one after the other."""

    def __init__(self, unit_of_work: UnitOfWork, every_s: float = EVERY_S) -> None:
        self._unit_of_work = unit_of_work
        self._every_s = every_s
        self._handlers: dict[str, Handler] = {}
        self._stopped = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def on(self, kind: str, handler: Handler) -> None:
        """Registers `handler` for tasks of that kind.

        It must check under its table's lock whether the reason still holds, and drop or move the
        row in the batch that does the task; where it fails, the task is due again after a while.
        """
        self._handlers[kind] = handler

    def start(self) -> None:
        """Starts checking."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stops after the task that is being done."""
        self._stopped.set()
        if self._task is not None:
            await self._task

    async def tick(self) -> int:
        """Checks once; returns how many tasks were taken up. Raises StoreUnavailable."""
        now = self._unit_of_work.clock.now()
        rows = await from_store(self._unit_of_work.store.overdue(now, AT_MOST))
        for row in rows:
            handler = self._handlers.get(row.kind)
            # Of a kind that this program does not know: another version's, kept for it.
            if (
                await from_store(self._unit_of_work.store.postpone(row, now + LEASE))
                and handler is not None
            ):
                await self._do(handler, row)
        return len(rows)

    async def _do(self, handler: Handler, row: ScheduledRow) -> None:
        try:
            if row.table == NO_TABLE or not await self._is_elsewhere(row.table):
                await handler(row)
        # Whatever one thing meets with, the next one is done.
        except Exception as error:  # noqa: BLE001
            logger.error("table %d: %s failed: %s", row.table, row.kind, describe(error))

    async def _is_elsewhere(self, table_id: int) -> bool:
        """Whether only another version of the program can go on with a table that is not over."""
        loaded = await self._unit_of_work.cache.read(table_id)
        return loaded.is_elsewhere and not loaded.table.is_over

    async def _work(self) -> None:
        while not self._stopped.is_set():
            try:
                await self.tick()
            except StoreUnavailable:
                logger.warning("what is due waits for the database")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), self._every_s)
