"""Turn clocks: whoever is awaited uses up time, and something happens when it runs out.

A clock starts and stops in the same transaction as the change that makes somebody awaited; its
warning and its end are scheduled tasks, so that a restart loses neither.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import msgspec
from msgspec.structs import replace

from bot.game.contract import SPECTATOR, Seat
from bot.store import ClockRow, ScheduledRow, WriteBatch
from bot.tables.core import awaiting
from bot.tables.core.cache import LoadedTable
from bot.tables.core.calendar import DAYS, Calendar, after_move, at_first
from bot.tables.core.from_store import from_store
from bot.tables.core.model import OPEN, RESTING, OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.scheduler import Scheduler
from bot.tables.core.terms import AT_ZERO, CLOCK, WEEKEND, has_clock, term
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.people.notifications import CLOCK_ENDS
from bot.tables.people.settings import People, UserSettings
from bot.tables.seats.seats import Seats

WARNING, ZERO = CLOCK_ENDS


class Time(msgspec.Struct, frozen=True):
    """The time of an awaited seat: how much is `left`, and when it will be `up`.

    It is `frozen` while the calendar makes it stand still, and `is_short` once only a third of the
    turn's time is left.
    """

    left: timedelta
    up: datetime
    frozen: bool
    is_short: bool

    @property
    def is_up(self) -> bool:
        """Whether none is left."""
        return self.left <= timedelta()


class TurnClocks:
    """Starts, stops and reads clocks, and does what was agreed on when one runs out."""

    def __init__(
        self, unit_of_work: UnitOfWork, people: People, scheduler: Scheduler, seats: Seats
    ) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        self._seats = seats
        unit_of_work.writers.append(self._write)
        scheduler.on(WARNING, self._warn)
        scheduler.on(ZERO, self._run_out)
        people.hooks.append(self._changed)

    async def at(self, table: Table) -> dict[Seat, Time]:
        """The times of the awaited seats of a table."""
        if not has_clock(table):
            return {}
        now = self._unit_of_work.clock.now()
        found = {}
        for row in await from_store(self._unit_of_work.store.clocks(table.id)):
            user = table.players[row.seat].user
            if row.since is None or user is None:
                continue
            calendar = _calendar(await self._people.get(user), table)
            left = _left(row) - calendar.elapsed(row.since, now)
            frozen = calendar.elapsed(now, now + timedelta(minutes=1)) == timedelta()
            up = calendar.runs_out(row.since, _left(row))
            short = left <= timedelta(seconds=row.budget / 3)
            found[row.seat] = Time(left, up, frozen, short)
        return found

    async def _write(self, batch: WriteBatch, before: LoadedTable, after: LoadedTable) -> None:
        table = after.table
        if not has_clock(table):
            return
        was, now = awaiting.awaited(before), awaiting.awaited(after)
        # Days count from one's last action, as well within a turn; all can see the clock, and so
        # not from one of which they know nothing.
        last = after.now.recent[-1] if after.now and after.seq() > before.seq() else None
        acted = last.seat if last and last.heard_by(SPECTATOR) else None
        again = {each for each in was & now if each[0] == acted and term(table, CLOCK) in DAYS}
        if was == now and not again:
            return
        rows = {
            row.seat: row for row in await from_store(self._unit_of_work.store.clocks(table.id))
        }
        for seat, user in sorted((was - now) | again):
            if seat in rows:
                rows[seat] = await self._stop(batch, table, rows[seat], user)
        for seat, user in sorted((now - was) | again):
            row = rows.get(seat) or _fresh(table, seat)
            if before.table.status not in RESTING:
                row = replace(row, budget=row.left)
            await self._start(batch, table, row, await self._people.get(user))

    async def _stop(self, batch: WriteBatch, table: Table, row: ClockRow, user: int) -> ClockRow:
        left = _left(row)
        if row.since is not None:
            calendar = _calendar(await self._people.get(user), table)
            left -= calendar.elapsed(row.since, self._unit_of_work.clock.now())
        if table.status not in RESTING:
            if left <= timedelta():
                self._seats.drop_vote(batch, table.id)
            left = after_move(term(table, CLOCK), left)
        row = replace(row, left=_seconds(left), since=None)
        batch.save_clock(row)
        batch.unschedule(table.id, row.seat, WARNING)
        batch.unschedule(table.id, row.seat, ZERO)
        return row

    async def _start(
        self, batch: WriteBatch, table: Table, row: ClockRow, person: UserSettings
    ) -> None:
        now = self._unit_of_work.clock.now()
        batch.save_clock(replace(row, since=now))
        warning, zero = _ends(row, now, _calendar(person, table))
        batch.schedule(ScheduledRow(table.id, row.seat, ZERO, zero))
        if warning > now:
            batch.schedule(ScheduledRow(table.id, row.seat, WARNING, warning))
        else:
            batch.unschedule(table.id, row.seat, WARNING)

    async def _warn(self, task: ScheduledRow) -> None:
        await self._at_end(task, 0)

    async def _run_out(self, task: ScheduledRow) -> None:
        await self._at_end(task, 1)

    async def _at_end(self, task: ScheduledRow, which: int) -> None:
        """Does what a clock's warning (0) or its end (1) asks for, or reschedules it."""
        unit_of_work = self._unit_of_work

        async def work() -> None:
            loaded = await unit_of_work.cache.load(task.table)
            rows = await from_store(unit_of_work.store.clocks(task.table))
            row = next((row for row in rows if row.seat == task.seat), None)
            batch = WriteBatch()
            batch.unschedule(task.table, task.seat, task.kind)
            after, drafts = loaded, [OutboxDraft(OutboxKind.RING, task.seat)]
            user = loaded.table.players[task.seat].user
            if row is None or row.since is None or user is None or loaded.table.is_over:
                drafts = []
            else:
                calendar = _calendar(await self._people.get(user), loaded.table)
                at = _ends(row, row.since, calendar)[which]
                if at > unit_of_work.clock.now():
                    batch.schedule(replace(task, at=at))
                    drafts = []
                elif which:
                    after, more = self._seats.out_of_time(
                        batch, loaded, task.seat, term(loaded.table, AT_ZERO)
                    )
                    drafts += more
            await unit_of_work.commit(batch, after, drafts, None)

        await unit_of_work.cache.alone(task.table, work)

    async def _changed(self, before: UserSettings, after: UserSettings) -> None:
        """A calendar has changed: the time used so far is counted by the old one."""
        for notification in await from_store(
            self._unit_of_work.store.notifications_of_user(after.user)
        ):
            anew = partial(self._anew, notification.table, notification.seat, before, after)
            await self._unit_of_work.cache.alone(notification.table, anew)
        if (before.away_from, before.away_until) != (after.away_from, after.away_until):
            for found in await from_store(self._unit_of_work.store.of_user(after.user, OPEN)):
                await self._unit_of_work.cache.alone(
                    found.table.id, partial(self._show, found.table.id)
                )

    async def _show(self, table_id: int) -> None:
        """Queues a post of the table, which shows who is away."""
        loaded = await self._unit_of_work.cache.load(table_id)
        kind = OutboxKind.LOBBY if loaded.table.status is Status.LOBBY else OutboxKind.BOARD
        await self._unit_of_work.commit(WriteBatch(), loaded, [OutboxDraft(kind)], None)

    async def _anew(
        self, table_id: int, seat: Seat, before: UserSettings, after: UserSettings
    ) -> None:
        loaded = await self._unit_of_work.cache.load(table_id)
        table = loaded.table
        old, new = _calendar(before, table), _calendar(after, table)
        if old == new or not has_clock(table):
            return
        for row in await from_store(self._unit_of_work.store.clocks(table_id)):
            if row.seat == seat and row.since is not None:
                batch = WriteBatch()
                ran = old.elapsed(row.since, self._unit_of_work.clock.now())
                left = replace(row, left=_seconds(_left(row) - ran))
                await self._start(batch, table, left, after)
                await self._unit_of_work.commit(batch, loaded, (), None)


def _calendar(person: UserSettings, table: Table) -> Calendar:
    return person.calendar(weekends_off=term(table, WEEKEND) == "frozen")


def _fresh(table: Table, seat: Seat) -> ClockRow:
    seconds = _seconds(at_first(term(table, CLOCK)))
    return ClockRow(table.id, seat, seconds, seconds)


def _ends(row: ClockRow, since: datetime, calendar: Calendar) -> tuple[datetime, datetime]:
    """When a third of the turn's time is left, and when none is."""
    third = timedelta(seconds=row.budget / 3)
    return calendar.runs_out(since, _left(row) - third), calendar.runs_out(since, _left(row))


def _left(row: ClockRow) -> timedelta:
    return timedelta(seconds=row.left)


def _seconds(left: timedelta) -> int:
    return round(left.total_seconds())
