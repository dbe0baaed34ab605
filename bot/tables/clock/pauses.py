"""Tables that rest: paused because all agree, or asleep because nobody has acted for weeks or
nobody plays for themselves any more.

While a table rests computer players do not move, nobody is awaited, and no clock runs. A table is
warned before it falls asleep after weeks. Anybody who sits there wakes it with one press, be it a
move, and then plays for themselves; so does whoever takes a seat over.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.store import WHOLE_TABLE, ProposalRow, ScheduledRow, WriteBatch
from bot.tables.core import seating, table_lines
from bot.tables.core.cache import LoadedTable, from_store
from bot.tables.core.model import OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.scheduler import Scheduler
from bot.tables.core.table_lines import NOBODY
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.people.notifications import IDLE
from bot.tables.votes.proposals import Proposal, Proposals

PAUSE = "pause"
RESUME = "resume"
"""The kinds of proposals to rest, and to go on."""

LASTING = timedelta(days=5)
"""How long the others have to agree."""

SLEEP = "sleep"

UNTIL_WARNED = timedelta(days=21)
UNTIL_ASLEEP = timedelta(days=7)
"""How long nobody acts before a table is warned, and how much later it falls asleep."""


def schedule_check(batch: WriteBatch, table: int, at: datetime) -> None:
    """Adds to the batch when the table is next checked for activity."""
    batch.save(ScheduledRow(table, WHOLE_TABLE, IDLE, at + UNTIL_WARNED))


class Pauses:
    """Rests and wakes tables."""

    def __init__(
        self, unit_of_work: UnitOfWork, scheduler: Scheduler, proposals: Proposals
    ) -> None:
        self._unit_of_work = unit_of_work
        self._proposals = proposals
        proposals.on(PAUSE, self._pause)
        proposals.on(RESUME, self._resume, during=(Status.PAUSED,))
        unit_of_work.writers.append(self._watch)
        scheduler.on(IDLE, self._check)
        scheduler.on(SLEEP, self._check)

    async def propose(self, table_id: int, user: int, *, delivery: str | None = None) -> Proposal:
        """Proposes to pause or, at a paused table, to go on.

        Raises what `Proposals.make` raises.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        loaded.position()
        kind = RESUME if loaded.table.status is Status.PAUSED else PAUSE
        return await self._proposals.make(table_id, user, kind, "", LASTING, delivery=delivery)

    async def wake(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """The user wakes a sleeping table and plays their own seat again; one that is awake stays
        as it is.

        Raises not_seated, not_started, table_paused or table_over.
        """

        async def work() -> Table:
            loaded = await self._unit_of_work.cache.load(table_id)
            seat = seating.seated(loaded.table, user)
            if loaded.table.status is not Status.SLEEPING:
                seating.check_playing(loaded.table)
                return loaded.table
            batch = WriteBatch()
            after = self._unit_of_work.wake(batch, loaded, seat, user)
            await self._unit_of_work.commit(batch, after, [OutboxDraft(OutboxKind.BOARD)], delivery)
            return after.table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    async def sleeps(self, table_id: int) -> datetime | None:
        """When a table falls asleep that has been warned, and at which nobody has acted since; None
        for any other."""
        at = await from_store(self._unit_of_work.store.scheduled_at(table_id, WHOLE_TABLE, SLEEP))
        last = await self._last(await self._unit_of_work.cache.read(table_id))
        return at if last + UNTIL_WARNED <= self._unit_of_work.clock.now() else None

    async def _pause(
        self, loaded: LoadedTable, row: ProposalRow, batch: WriteBatch
    ) -> tuple[LoadedTable, Iterable[OutboxDraft]]:
        return self._agreed(loaded, row, batch, Status.PAUSED, table_lines.PAUSE)

    async def _resume(
        self, loaded: LoadedTable, row: ProposalRow, batch: WriteBatch
    ) -> tuple[LoadedTable, Iterable[OutboxDraft]]:
        return self._agreed(loaded, row, batch, Status.PLAYING, table_lines.RESUME)

    def _agreed(
        self, loaded: LoadedTable, row: ProposalRow, batch: WriteBatch, status: Status, line: str
    ) -> tuple[LoadedTable, Iterable[OutboxDraft]]:
        seat = seating.seated(loaded.table, row.by)
        table = replace(loaded.table, status=status)
        after = self._unit_of_work.note(batch, loaded, table, seat, row.by, line)
        return after, [OutboxDraft(OutboxKind.BOARD)]

    async def _watch(self, batch: WriteBatch, before: LoadedTable, after: LoadedTable) -> None:
        if before.table.status is Status.SLEEPING and after.table.status is Status.PLAYING:
            schedule_check(batch, after.table.id, self._unit_of_work.clock.now())

    async def _check(self, task: ScheduledRow) -> None:
        """Warns a table at which nobody has acted for weeks, or puts it to sleep after that."""
        unit_of_work = self._unit_of_work

        async def work() -> None:
            loaded = await unit_of_work.cache.load(task.table)
            batch, now = WriteBatch(), unit_of_work.clock.now()
            batch.unschedule(task.table, WHOLE_TABLE, task.kind)
            after, drafts = loaded, list[OutboxDraft]()
            last = await self._last(loaded)
            if loaded.table.status is Status.PAUSED:
                schedule_check(batch, task.table, now)
            elif loaded.table.status is Status.PLAYING and last + UNTIL_WARNED > now:
                schedule_check(batch, task.table, last)
            elif loaded.table.status is Status.PLAYING and task.kind == IDLE:
                batch.save(replace(task, kind=SLEEP, at=now + UNTIL_ASLEEP))
                drafts = [OutboxDraft(OutboxKind.IDLE)]
            elif loaded.table.status is Status.PLAYING:
                table = replace(loaded.table, status=Status.SLEEPING)
                after = unit_of_work.note(batch, loaded, table, NOBODY, None, table_lines.SLEEP)
                drafts = [OutboxDraft(OutboxKind.BOARD)]
            await unit_of_work.commit(batch, after, drafts, None)

        await unit_of_work.cache.alone(task.table, work)

    async def _last(self, loaded: LoadedTable) -> datetime:
        """When all last noticed that something was done. Everybody sees the warning, so what is
        done in secret must not put it off."""
        if loaded.now is None:
            return loaded.table.created
        happened = loaded.now.recent
        if not any(each.noticed for each in happened):
            happened = await self._unit_of_work.cache.happened(loaded.table.id, 0)
        return next(each.at for each in reversed(happened) if each.noticed)
