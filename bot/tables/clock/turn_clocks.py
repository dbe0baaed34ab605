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
from bot.tables.core.cache import LoadedTable, from_store
from bot.tables.core.calendar import DAYS, Calendar, after_move, at_first
from bot.tables.core.model import OPEN, RESTING, OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.scheduler import Outages, Scheduler
from bot.tables.core.terms import AT_ZERO, CLOCK, has_clock, term, weekends_off
from bot.tables.core.unit_of_work import UnitOfWork, awaited_people
from bot.tables.people.notifications import CLOCK_ENDS, TIMING
from bot.tables.people.settings import People, UserSettings
from bot.tables.seats.seats import Seats

WARNING, ZERO = CLOCK_ENDS

SOON = timedelta(minutes=1)
"""How long until a clock is looked at again that was to ring now, and has time left."""
EARLY = timedelta(minutes=5)
"""How long before quiet hours a warning comes that would fall into them."""
AT_LEAST = timedelta(hours=1)
"""How long a person has from a late warning until they lose their turn."""


class Time(msgspec.Struct, frozen=True):
    """The time of an awaited seat: how much is `left`, and when it will be `up`.

    It is `frozen` while the calendar makes it stand still, and `is_short` once the seat's owner has
    been warned, or should have been.
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
        self,
        unit_of_work: UnitOfWork,
        people: People,
        scheduler: Scheduler,
        seats: Seats,
        outages: Outages,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        self._seats = seats
        self._outages = outages
        unit_of_work.writers.append(self._write)
        scheduler.on(WARNING, self._warn)
        scheduler.on(ZERO, self._run_out)
        people.hooks.append(self._changed)

    async def at(self, table: Table) -> dict[Seat, Time]:
        """The times of the awaited seats of a table."""
        if not has_clock(table):
            return {}
        found = {}
        for row in await from_store(self._unit_of_work.store.clocks(table.id)):
            user = table.players[row.seat].user
            if row.since is None or user is None:
                continue
            person = await self._people.get(user)
            calendar = await self._calendar(person, table)
            is_warned, now = await self._is_warned(table, row.seat), self._unit_of_work.clock.now()
            up = _zero(table, row, row.since, person, calendar, is_warned=is_warned)
            left = calendar.elapsed(now, up) if up > now else timedelta()
            is_short = is_warned or left <= _third(row)
            found[row.seat] = Time(left, up, calendar.goes_on(now) > now, is_short)
        return found

    async def _write(self, batch: WriteBatch, before: LoadedTable, after: LoadedTable) -> None:
        table = after.table
        if not has_clock(table):
            return
        was, now = awaited_people(before), awaited_people(after)
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
            if before.table.status in RESTING:
                row = replace(row, left=max(row.left, _fresh(table, seat).left))
            person = await self._people.get(user)
            await self._start(batch, table, replace(row, budget=row.left), person)

    async def _stop(self, batch: WriteBatch, table: Table, row: ClockRow, user: int) -> ClockRow:
        left = _left(row)
        if row.since is not None:
            calendar = await self._calendar(await self._people.get(user), table)
            left -= calendar.elapsed(row.since, self._unit_of_work.clock.now())
        if table.status not in RESTING:
            left = after_move(term(table, CLOCK), left)
        row = replace(row, left=_seconds(left), since=None)
        batch.save(row)
        batch.unschedule(table.id, row.seat, WARNING)
        batch.unschedule(table.id, row.seat, ZERO)
        return row

    async def _start(
        self,
        batch: WriteBatch,
        table: Table,
        row: ClockRow,
        person: UserSettings,
        warns: bool = True,
        ends: bool = True,
    ) -> None:
        now, calendar = self._unit_of_work.clock.now(), await self._calendar(person, table)
        batch.save(replace(row, since=now))
        warning = _warning(row, now, person, calendar)
        zero = _zero(table, row, now, person, calendar, is_warned=not warns)
        for wanted, kind, at in ((warns, WARNING, warning), (ends, ZERO, zero)):
            if wanted:
                batch.save(ScheduledRow(table.id, row.seat, kind, at))

    async def _is_warned(self, table: Table, seat: Seat) -> bool:
        """Whether no warning is to come any more."""
        scheduled_at = self._unit_of_work.store.scheduled_at
        return await from_store(scheduled_at(table.id, seat, WARNING)) is None

    async def _warn(self, task: ScheduledRow) -> None:
        await self._at_end(task, is_zero=False)

    async def _run_out(self, task: ScheduledRow) -> None:
        await self._at_end(task, is_zero=True)

    async def _at_end(self, task: ScheduledRow, *, is_zero: bool) -> None:
        """Does what a clock's warning or its end asks for, or reschedules it."""
        unit_of_work = self._unit_of_work

        async def work() -> None:
            loaded = await unit_of_work.cache.load(task.table)
            table = loaded.table
            rows = await from_store(unit_of_work.store.clocks(task.table))
            row = next((row for row in rows if row.seat == task.seat), None)
            batch = WriteBatch()
            batch.unschedule(task.table, task.seat, task.kind)
            after, drafts = loaded, list[OutboxDraft]()
            user = table.players[task.seat].user
            if row is not None and row.since is not None and user is not None and not table.is_over:
                person, now = await self._people.get(user), unit_of_work.clock.now()
                calendar = await self._calendar(person, table)
                is_warned = await self._is_warned(table, task.seat)
                warning = _warning(row, row.since, person, calendar)
                zero = _zero(table, row, row.since, person, calendar, is_warned=is_warned)
                at = zero if is_zero else warning
                if at > now:
                    # Of a clock that stands still little may be left, for long.
                    batch.save(replace(task, at=max(at, now + SOON)))
                elif is_zero:
                    at_zero = term(table, AT_ZERO)
                    after, drafts = await self._seats.out_of_time(batch, loaded, task.seat, at_zero)
                    drafts = [OutboxDraft(OutboxKind.RING, task.seat), *drafts]
                elif zero > now:
                    # Where zero waits for the warning, the time that this takes is theirs.
                    left = calendar.elapsed(row.since, zero)
                    batch.save(replace(row, left=_seconds(left)))
                    drafts = [OutboxDraft(OutboxKind.RING, task.seat)]
            await unit_of_work.commit(batch, after, drafts, None)

        await unit_of_work.cache.alone(task.table, work)

    async def _changed(self, before: UserSettings, after: UserSettings) -> None:
        """Time runs, or a warning is heard, at other times from now on: the time used so far is
        counted by the old settings."""
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
        table, store = loaded.table, self._unit_of_work.store
        is_same = all(getattr(before, name) == getattr(after, name) for name in TIMING)
        if is_same or not has_clock(table):
            return
        for row in await from_store(store.clocks(table_id)):
            if row.seat == seat and row.since is not None:
                batch = WriteBatch()
                calendar = await self._calendar(before, table)
                left = _left(row) - calendar.elapsed(row.since, self._unit_of_work.clock.now())
                scheduled = [
                    await from_store(store.scheduled_at(table_id, seat, kind)) is not None
                    for kind in (WARNING, ZERO)
                ]
                row = replace(row, left=_seconds(left))
                # What has been said is not said again.
                await self._start(batch, table, row, after, *scheduled)
                await self._unit_of_work.commit(batch, loaded, (), None)

    async def _calendar(self, person: UserSettings, table: Table) -> Calendar:
        calendar = person.calendar(weekends_off=weekends_off(table))
        return replace(calendar, outages=await self._outages.at(table.id))


def _fresh(table: Table, seat: Seat) -> ClockRow:
    seconds = _seconds(at_first(term(table, CLOCK)))
    return ClockRow(table.id, seat, seconds, seconds)


def _third(row: ClockRow) -> timedelta:
    return timedelta(seconds=row.budget / 3)


def _warning(row: ClockRow, since: datetime, person: UserSettings, calendar: Calendar) -> datetime:
    """When the person is warned: with a third of the turn's time left; if that is in quiet hours,
    before they begin, or else once they end."""
    at = calendar.runs_out(since, _left(row) - _third(row))
    quiet = person.quiet_since(at)
    if quiet is not None:
        early = quiet - EARLY
        runs = calendar.elapsed(early, quiet) == EARLY
        if early >= since and runs and person.free_at(early) == early:
            return early
    while (free := person.free_at(calendar.goes_on(at))) > at:
        at = free
    return at


def _zero(
    table: Table,
    row: ClockRow,
    since: datetime,
    person: UserSettings,
    calendar: Calendar,
    *,
    is_warned: bool,
) -> datetime:
    """When the person's time is up. Where they lose their turn then, that waits for a late warning,
    so that nobody does unwarned."""
    up = calendar.runs_out(since, _left(row))
    if is_warned or term(table, AT_ZERO) == "nothing":
        return up
    warning = _warning(row, since, person, calendar)
    if warning <= calendar.runs_out(since, _left(row) - _third(row)):
        return up
    least = AT_LEAST if warning < up else max(AT_LEAST, _third(row))
    return max(up, calendar.runs_out(warning, least))


def _left(row: ClockRow) -> timedelta:
    return timedelta(seconds=row.left)


def _seconds(left: timedelta) -> int:
    return round(left.total_seconds())
