"""Scheduled tasks: reminders, clocks, deadlines of votes.

A task is a database row, written in the same transaction as the change that schedules it. One loop
checks for all tables. So tasks survive a restart, tables need no loops of their own, and only one
process does each task.

The scheduler postpones a task before it starts it, so that the task is found again if the process
dies. Handlers may take long: a process does its tasks one after the other. Another process takes
over a task only when it holds the table's shard, and from then on the database refuses writes of
the first process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.store import NO_TABLE, OutboxKind, ScheduledRow, Status, WriteBatch
from bot.tables.core.cache import from_store
from bot.tables.core.calendar import Span
from bot.tables.core.errors import NotOurs, StoreUnavailable, UnknownTable
from bot.tables.core.seating import has_clock
from bot.tables.core.unit_of_work import TableChange, UnitOfWork
from bot.workers import describe

logger = logging.getLogger(__name__)

BEAT_EVERY = timedelta(minutes=1)
"""Minimum time between two heartbeats."""
MIN_OUTAGE = timedelta(minutes=5)
"""How long the bot must have been away for an outage to count: longer than a restart takes."""
HEARTBEAT = "heartbeat"
CHECK_EVERY_S = 5.0
"""Seconds between two checks."""
BATCH = 200
"""Due tasks that one check starts; the rest waits for the next check."""
LEASE = timedelta(minutes=2)
"""How long after its start an unfinished task is due again."""
SHARED_LEASE = timedelta(seconds=20)
"""The lease if other processes can take over the task."""
Handler = Callable[[ScheduledRow], Awaitable[None]]


class Outages:
    """The bot's outages, found by heartbeats in the database."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._at: datetime | None = None

    async def spans(self, table_id: int) -> tuple[Span, ...]:
        """Return when the bot was away for a table, in order.

        The last span ends now if the bot still cannot post there. Raise StoreUnavailable.
        """
        rows = await from_store(self._unit_of_work.store.outages(table_id))
        now = self._unit_of_work.clock.now()
        return tuple(
            (row.since, row.until or now)
            for row in rows
            if row.until is not None or row.table != NO_TABLE
        )

    async def beat(self) -> None:
        """Record a heartbeat, and postpone deadlines by the outage before it, if there was one.

        One transaction does both, so that an outage never counts twice. Raise StoreUnavailable.
        """
        now = self._unit_of_work.clock.now()
        if self._at is None or now - self._at >= BEAT_EVERY:
            await self._beat(now, MIN_OUTAGE)

    async def last_beat(self) -> None:
        """Record a heartbeat at shutdown, unless there was none before. Raise StoreUnavailable."""
        if self._at is not None:
            await self._beat(self._unit_of_work.clock.now(), timedelta.max)

    async def _beat(self, now: datetime, min_outage: timedelta) -> None:
        async def work(batch: WriteBatch) -> None:
            rows = await from_store(self._unit_of_work.store.outages(NO_TABLE))
            for last in [row.since for row in rows if row.until is None]:
                if now - last > min_outage:
                    batch.end_outage(NO_TABLE, now)
                    batch.put_off(last, now - last)
                    batch.prune_outages()
            batch.start_outage(NO_TABLE, now)

        await self._unit_of_work.guarded(HEARTBEAT, work)
        self._at = now

    async def begin(self, table_id: int) -> None:
        """Begin an outage of one table, as Discord refused a message there.

        Its clocks stop until the board, which is queued again, gets through (see
        `Outbox.acknowledge`). Raise StoreUnavailable.
        """

        async def work(change: TableChange) -> None:
            if change.table.status is not Status.PLAYING or not has_clock(change.table):
                return
            rows = await from_store(self._unit_of_work.store.outages(table_id))
            if not any(row.table == table_id and row.until is None for row in rows):
                change.batch.start_outage(table_id, self._unit_of_work.clock.now())
                change.post(OutboxKind.BOARD)

        await self._unit_of_work.carry_out(table_id, None, work)


class Scheduler:
    """Runs due tasks one after the other."""

    def __init__(
        self, unit_of_work: UnitOfWork, outages: Outages, every_s: float = CHECK_EVERY_S
    ) -> None:
        self._unit_of_work = unit_of_work
        self._outages = outages
        self.is_reachable: Callable[[], bool] = lambda: True
        """Whether users can reach the bot. While they cannot, no task is done."""
        self._every_s = every_s
        self._handlers: dict[str, Handler] = {}
        self._stopped = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def on(self, kind: str, handler: Handler) -> None:
        """Register the handler for a kind of task. It gets the row as postponed.

        Under the table's lock it must check whether the task is still needed, and delete or
        reschedule the row in the batch that does the task. If it fails, the task is retried later.
        """
        self._handlers[kind] = handler

    def at_table(
        self, kind: str, work: Callable[[TableChange, ScheduledRow], Awaitable[None]]
    ) -> None:
        """Register the work of a kind of task, which runs under the table's lock.

        The task is then done, unless `work` schedules it again.
        """

        async def handle(row: ScheduledRow) -> None:
            async def unschedule_and_work(change: TableChange) -> None:
                change.batch.schedule(row.table, row.seat, row.kind, None)
                await work(change, row)

            await self._unit_of_work.carry_out(row.table, None, unschedule_and_work)

        self.on(kind, handle)

    def about(self, kind: str, work: Callable[[int], Awaitable[datetime | None]]) -> None:
        """Register the work of a kind of task about a user, a server or a cup, which is its seat.

        The work returns when to do it again, or None. If the task is scheduled during the work, it
        stays at that time.
        """

        async def handle(row: ScheduledRow) -> None:
            await from_store(self._unit_of_work.store.postpone(row, await work(row.seat)))

        self.on(kind, handle)

    async def schedule(self, table: int, seat: int, kind: str, at: datetime | None) -> None:
        """Schedule a task outside a change of a table, or unschedule it (None).

        Raise StoreUnavailable.
        """
        batch = WriteBatch()
        batch.schedule(table, seat, kind, at)
        await from_store(self._unit_of_work.store.commit(batch))

    def start(self) -> None:
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stop after the current task."""
        self._stopped.set()
        if self._task is not None:
            await self._task
        if self.is_reachable():
            with suppress(StoreUnavailable):
                await self._outages.last_beat()

    async def tick(self) -> int:
        """Check once, and return the number of tasks started. Raise StoreUnavailable."""
        now, store = self._unit_of_work.clock.now(), self._unit_of_work.store
        shards = self._unit_of_work.ownership.shards()
        if shards is not None and not shards.held:
            return 0
        rows = await from_store(store.overdue(now, BATCH, shards))
        lease = LEASE if shards is None else SHARED_LEASE
        started = 0
        for row in rows:
            ours = self._unit_of_work.ownership.shards()
            if shards is not None and (ours is None or not shards.held <= ours.held):
                break  # To postpone another process's tasks would only delay them.
            handler = self._handlers.get(row.kind)
            # Read the clock each time: the tasks before may have taken long.
            until = self._unit_of_work.clock.now() + lease
            # Tasks of unknown kinds stay for the version of the program that knows them.
            if await from_store(store.postpone(row, until)) and handler is not None:
                await self._do(handler, replace(row, at=until))
            started += 1
        return started

    async def _do(self, handler: Handler, row: ScheduledRow) -> None:
        try:
            loaded = None
            if row.table != NO_TABLE:
                loaded = await self._unit_of_work.cache.read(row.table)
            # Leave running games of other rules to the version of the program that has them.
            if loaded is None or not loaded.needs_other_version or loaded.table.is_over:
                with self._unit_of_work.on_behalf(None if loaded is None else loaded.table):
                    await handler(row)
        except UnknownTable:
            await self.schedule(row.table, row.seat, row.kind, None)
        except NotOurs:
            logger.info("job is done by another process table=%d kind=%s", row.table, row.kind)
        except StoreUnavailable:
            logger.debug("job waiting for database table=%d kind=%s", row.table, row.kind)
        # One failing task must not stop the others.
        except Exception as error:  # noqa: BLE001
            logger.error(
                "job failed table=%d kind=%s error=%s", row.table, row.kind, describe(error)
            )

    async def _work(self) -> None:
        while not self._stopped.is_set():
            try:
                if self.is_reachable():
                    # First, as it postpones due tasks by the length of an outage.
                    await self._outages.beat()
                    await self.tick()
            except StoreUnavailable:
                logger.debug("scheduler waiting for database")
            # One failed check must not stop the loop.
            except Exception as error:  # noqa: BLE001
                logger.error("scheduler failed, retrying error=%s", describe(error))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), self._every_s)
