"""Tasks to be done at a given time: reminders, clocks, deadlines of votes.

Nothing waits in memory: a task is a row of the database, written with the change that schedules it.
One loop checks for all tables. So a restart forgets nothing, a table costs no loop of its own, and
of two processes that check only one does a task.

A task that is taken up is postponed first, so that it is found again where its process dies. How
long a handler takes does not matter: within a process tasks are done one after the other; another
process takes it up only once it holds the table's shard, and from then on whatever the
first one would store is refused.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta

from bot.store import NO_TABLE, OutboxKind, ScheduledRow, Status, WriteBatch
from bot.tables.core.cache import from_store
from bot.tables.core.calendar import Span
from bot.tables.core.errors import NotOurs, StoreUnavailable, UnknownTable
from bot.tables.core.seating import has_clock
from bot.tables.core.unit_of_work import TableChange, UnitOfWork
from bot.workers import describe

logger = logging.getLogger(__name__)

EVERY = timedelta(minutes=1)
"""How long the bot is there between two heartbeats at least."""
NOTICED = timedelta(minutes=5)
"""How long it must have been away for that to count: a restart is quicker."""
HEARTBEAT = "heartbeat"
EVERY_S = 5.0
"""Seconds between two checks."""
AT_MOST = 200
"""How many due tasks one check takes up; the rest waits for the next one."""
LEASE = timedelta(minutes=2)
"""When a task that was taken up, but not done, is due again."""
SHARED_LEASE = timedelta(seconds=20)
"""The same where other processes are there to do it."""
Handler = Callable[[ScheduledRow], Awaitable[None]]


class Outages:
    """Notices outages, and says when they were."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._at: datetime | None = None

    async def spans(self, table_id: int) -> tuple[Span, ...]:
        """When the bot was away for a table, in order; up to now where it still cannot post there.

        Raises StoreUnavailable.
        """
        rows = await from_store(self._unit_of_work.store.outages(table_id))
        now = self._unit_of_work.clock.now()
        return tuple(
            (row.since, row.until or now)
            for row in rows
            if row.until is not None or row.table != NO_TABLE
        )

    async def beat(self) -> None:
        """The bot is there. Where it had not been for a while, deadlines move by as much.

        All of that is one transaction, so that no time is given back twice. Raises
        StoreUnavailable.
        """
        now = self._unit_of_work.clock.now()
        if self._at is None or now - self._at >= EVERY:
            await self._beat(now, NOTICED)

    async def last_beat(self) -> None:
        """The bot was there until now, if it has been. Raises StoreUnavailable."""
        if self._at is not None:
            await self._beat(self._unit_of_work.clock.now(), timedelta.max)

    async def _beat(self, now: datetime, is_public: timedelta) -> None:
        async def work(batch: WriteBatch) -> None:
            rows = await from_store(self._unit_of_work.store.outages(NO_TABLE))
            for last in [row.since for row in rows if row.until is None]:
                if now - last > is_public:
                    batch.end_outage(NO_TABLE, now)
                    batch.put_off(last, now - last)
                    batch.prune_outages()
            batch.start_outage(NO_TABLE, now)

        await self._unit_of_work.guarded(HEARTBEAT, work)
        self._at = now

    async def begin(self, table_id: int) -> None:
        """A message to a table was refused: until the board, which is now posted anew, gets through
        (`Outbox.acknowledge`), its clocks stand still. Raises StoreUnavailable.
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
    """Finds due tasks and has them done, one after the other."""

    def __init__(
        self, unit_of_work: UnitOfWork, outages: Outages, every_s: float = EVERY_S
    ) -> None:
        self._unit_of_work = unit_of_work
        self._outages = outages
        self.is_there: Callable[[], bool] = lambda: True
        """Whether people can reach the bot. While they cannot, nothing is done."""
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

    def at_table(
        self, kind: str, work: Callable[[TableChange, ScheduledRow], Awaitable[None]]
    ) -> None:
        """Registers the `work` of such tasks, which is done under the table's lock. The task is
        off the schedule then, unless the work puts it there again."""

        async def handle(row: ScheduledRow) -> None:
            async def once(change: TableChange) -> None:
                change.batch.schedule(row.table, row.seat, row.kind, None)
                await work(change, row)

            await self._unit_of_work.carry_out(row.table, None, once)

        self.on(kind, handle)

    async def schedule(self, table: int, seat: int, kind: str, at: datetime | None) -> None:
        """Schedules a task that no change of a table brings, or (None) takes it off the schedule.
        Raises StoreUnavailable."""
        batch = WriteBatch()
        batch.schedule(table, seat, kind, at)
        await from_store(self._unit_of_work.store.commit(batch))

    def start(self) -> None:
        """Starts checking."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stops after the task that is being done."""
        self._stopped.set()
        if self._task is not None:
            await self._task
        if self.is_there():
            with suppress(StoreUnavailable):
                await self._outages.last_beat()

    async def tick(self) -> int:
        """Checks once; returns how many tasks were taken up. Raises StoreUnavailable."""
        now, store = self._unit_of_work.clock.now(), self._unit_of_work.store
        shards = self._unit_of_work.ownership.shards()
        if shards is not None and not shards.held:
            return 0
        rows = await from_store(store.overdue(now, AT_MOST, shards))
        lease = LEASE if shards is None else SHARED_LEASE
        taken_up = 0
        for row in rows:
            ours = self._unit_of_work.ownership.shards()
            if shards is not None and (ours is None or not shards.held <= ours.held):
                break  # Postponed here, a task would be late where it now belongs.
            handler = self._handlers.get(row.kind)
            # It may take long to come to the last of them.
            until = self._unit_of_work.clock.now() + lease
            # Of a kind that this program does not know: another version's, kept for it.
            if await from_store(store.postpone(row, until)) and handler is not None:
                await self._do(handler, row)
            taken_up += 1
        return taken_up

    async def _do(self, handler: Handler, row: ScheduledRow) -> None:
        try:
            loaded = None
            if row.table != NO_TABLE:
                loaded = await self._unit_of_work.cache.read(row.table)
            # Only another version of the program can go on with some, unless they are over.
            if loaded is None or not loaded.is_elsewhere or loaded.table.is_over:
                with self._unit_of_work.on_behalf(None if loaded is None else loaded.table):
                    await handler(row)
        except UnknownTable:
            await self.schedule(row.table, row.seat, row.kind, None)
        except NotOurs:
            logger.info("job is done by another process table=%d kind=%s", row.table, row.kind)
        except StoreUnavailable:
            logger.debug("job waiting for database table=%d kind=%s", row.table, row.kind)
        # Whatever one thing meets with, the next one is done.
        except Exception as error:  # noqa: BLE001
            logger.error(
                "job failed table=%d kind=%s error=%s", row.table, row.kind, describe(error)
            )

    async def _work(self) -> None:
        while not self._stopped.is_set():
            try:
                if self.is_there():
                    # First: what is due may have to wait for as long as the bot was away.
                    await self._outages.beat()
                    await self.tick()
            except StoreUnavailable:
                logger.debug("scheduler waiting for database")
            # Whatever goes wrong once, it is looked again.
            except Exception as error:  # noqa: BLE001
                logger.error("scheduler failed, retrying error=%s", describe(error))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), self._every_s)
