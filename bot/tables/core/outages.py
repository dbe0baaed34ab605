"""When the bot was away: its process, Discord, or its right to post at a table.

People cannot be blamed for that time: no clock runs in it. It is noticed by a heartbeat, which the
database keeps, and which processes that share one share: while one of them is there, the bot is.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.store import NO_TABLE, WriteBatch
from bot.tables.core.calendar import Span
from bot.tables.core.from_store import from_store
from bot.tables.core.model import OutboxKind, Status
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.terms import has_clock
from bot.tables.core.unit_of_work import UnitOfWork

EVERY = timedelta(minutes=1)
"""How long the bot is there between two heartbeats at least."""
NOTICED = timedelta(minutes=5)
"""How long it must have been away for that to count: a restart is quicker."""

HEARTBEAT = "heartbeat"


class Outages:
    """Notices outages, and says when they were."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._at: datetime | None = None

    async def at(self, table_id: int) -> tuple[Span, ...]:
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

    async def _beat(self, now: datetime, noticed: timedelta) -> None:
        async def work(batch: WriteBatch) -> None:
            rows = await from_store(self._unit_of_work.store.outages(NO_TABLE))
            for last in [row.since for row in rows if row.until is None]:
                if now - last > noticed:
                    batch.end_outage(NO_TABLE, now)
                    batch.put_off(last, now - last)
                    batch.prune_outages()
            batch.begin_outage(NO_TABLE, now)

        await self._unit_of_work.guarded(HEARTBEAT, work)
        self._at = now

    async def begin(self, table_id: int) -> None:
        """A message to a table was refused: until the board, which is now posted anew, gets through
        (`Outbox.acknowledge`), its clocks stand still. Raises StoreUnavailable.
        """

        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            if loaded.table.status is not Status.PLAYING or not has_clock(loaded.table):
                return
            rows = await from_store(self._unit_of_work.store.outages(table_id))
            if any(row.table == table_id and row.until is None for row in rows):
                return
            batch = WriteBatch()
            batch.begin_outage(table_id, self._unit_of_work.clock.now())
            await self._unit_of_work.commit(batch, loaded, [OutboxDraft(OutboxKind.BOARD)], None)

        await self._unit_of_work.cache.alone(table_id, work)
