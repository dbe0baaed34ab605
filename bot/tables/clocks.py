"""Turn clocks: whoever is awaited uses up time, and something happens when it runs out; and how
long a table has waited for each of its people in a whole game.

A clock starts and stops in the same transaction as the change that makes somebody awaited; its
warning and its end are scheduled tasks, so that a restart loses neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from bot.game.contract import SPECTATOR, Seat
from bot.game.game import AnyGame
from bot.store import ClockRow, EntryRow, OutboxKind, ScheduledRow, Status, WriteBatch
from bot.tables.core import (
    OPEN,
    RESTING,
    Calendar,
    LoadedTable,
    Outages,
    Scheduler,
    Table,
    TableChange,
    UnitOfWork,
    from_store,
    log,
    people_to_act,
    record,
    record_of,
    weekends_off,
)
from bot.tables.core.calendar import DAYS, Span, initial_time, time_after_move
from bot.tables.core.seating import AT_ZERO, CLOCK, has_clock, term
from bot.tables.notifications import CLOCK_ENDS
from bot.tables.people import People, UserSettings
from bot.tables.seats import hand_over
from bot.tables.votes import Voting
from bot.workers import TimeSlice

WARNING, ZERO = CLOCK_ENDS

SOON = timedelta(minutes=1)
"""How long until a clock is looked at again that was to ring now, and has time left."""
EARLY = timedelta(minutes=5)
"""How long before quiet hours a warning comes that would fall into them."""
AT_LEAST = timedelta(hours=1)
"""How long a person has from a late warning until they lose their turn."""

HANDS = (log.RESIGN, log.AUTO, log.MANUAL, log.CLAIM)
RESTS = (log.PAUSE, log.SLEEP, log.REST)
GOES_ON = (log.RESUME, log.WAKE)
_DAY = timedelta(days=1)


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


class Running(NamedTuple):
    """A clock that runs for a person, by their settings and calendar, since a time."""

    table: Table
    row: ClockRow
    since: datetime
    person: UserSettings
    calendar: Calendar

    @property
    def left(self) -> timedelta:
        """What it had then."""
        return timedelta(seconds=self.row.left)

    @property
    def third(self) -> timedelta:
        """A third of the turn's time: with that left people are warned."""
        return timedelta(seconds=self.row.budget / 3)

    def left_at(self, at: datetime) -> timedelta:
        """What it has at that time."""
        return self.left - self.calendar.elapsed(self.since, at)

    def warning(self) -> datetime:
        """When the person is warned; if that is in quiet hours, before they begin, or else once
        they end."""
        person, calendar = self.person, self.calendar
        at = calendar.runs_out_at(self.since, self.left - self.third)
        quiet = person.quiet_since(at)
        if quiet is not None:
            early = quiet - EARLY
            runs = calendar.elapsed(early, quiet) == EARLY
            if early >= self.since and runs and person.free_at(early) == early:
                return early
        while (free := person.free_at(calendar.resumes_at(at))) > at:
            at = free
        return at

    def zero(self, *, is_warned: bool) -> datetime:
        """When the person's time is up. Where they lose their turn then, that waits for a late
        warning, so that nobody does unwarned."""
        runs_out_at = self.calendar.runs_out_at
        up = runs_out_at(self.since, self.left)
        if is_warned or term(self.table, AT_ZERO) == "nothing":
            return up
        warning = self.warning()
        if warning <= runs_out_at(self.since, self.left - self.third):
            return up
        least = AT_LEAST if warning < up else max(AT_LEAST, self.third)
        return max(up, runs_out_at(warning, least))


class Clocks:
    """Starts, stops and reads clocks, and does what was agreed on when one runs out."""

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        people: People,
        scheduler: Scheduler,
        votes: Voting,
        outages: Outages,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        self._votes = votes
        self._outages = outages
        unit_of_work.writers.append(self._follow)
        for kind in CLOCK_ENDS:
            scheduler.at_table(kind, self._at_end)
        people.subscribers.append(self._changed)

    async def times(self, table: Table) -> dict[Seat, Time]:
        """The times of the awaited seats of a table."""
        found: dict[Seat, Time] = {}
        if not has_clock(table):
            return found
        now = self._unit_of_work.clock.now()
        for row in await from_store(self._unit_of_work.store.clocks(table.id)):
            user = table.players[row.seat].user
            if row.since is not None and user is not None:
                running = await self._running(table, row, user, row.since)
                is_warned = await self._is_warned(table, row.seat)
                up = running.zero(is_warned=is_warned)
                left = running.calendar.elapsed(now, up) if up > now else timedelta()
                is_frozen = running.calendar.resumes_at(now) > now
                is_short = is_warned or left <= running.third
                found[row.seat] = Time(left, up, is_frozen, is_short)
        return found

    async def _follow(self, change: TableChange, before: LoadedTable) -> None:
        table, after, batch = change.table, change.after, change.batch
        if not has_clock(table):
            return
        was, now = people_to_act(before), people_to_act(after)
        # Days count from one's last action, as well within a turn; all can see the clock, and so
        # not from one of which they know nothing.
        last = after.now.recent[-1] if after.now and after.seq() > before.seq() else None
        acted = last.seat if last and last.visible_to(SPECTATOR) else None
        again = {each for each in was & now if each[0] == acted and term(table, CLOCK) in DAYS}
        if was == now and not again:
            return
        at, fresh = self._unit_of_work.clock.now(), _seconds(initial_time(term(table, CLOCK)))
        clocks = await from_store(self._unit_of_work.store.clocks(table.id))
        rows = {row.seat: row for row in clocks}
        for seat, user in sorted((was - now) | again):
            if seat in rows:
                rows[seat] = await self._stop(batch, table, rows[seat], user)
        for seat, user in sorted((now - was) | again):
            row = rows.get(seat) or ClockRow(table.id, seat, fresh, fresh)
            left = max(row.left, fresh) if before.table.status in RESTING else row.left
            row = replace(row, left=left, budget=left)
            _start(batch, await self._running(table, row, user, at))

    async def _stop(self, batch: WriteBatch, table: Table, row: ClockRow, user: int) -> ClockRow:
        left = timedelta(seconds=row.left)
        if row.since is not None:
            running = await self._running(table, row, user, row.since)
            left = running.left_at(self._unit_of_work.clock.now())
        if table.status not in RESTING:
            left = time_after_move(term(table, CLOCK), left)
        row = replace(row, left=_seconds(left), since=None)
        batch.save(row)
        for kind in CLOCK_ENDS:
            batch.schedule(table.id, row.seat, kind, None)
        return row

    async def _at_end(self, change: TableChange, task: ScheduledRow) -> None:
        """Does what a clock's warning or its end asks for, or reschedules it."""
        table, now, seat = change.table, self._unit_of_work.clock.now(), task.seat
        clocks = await from_store(self._unit_of_work.store.clocks(table.id))
        row = next((row for row in clocks if row.seat == seat), None)
        user = table.players[seat].user
        if row is None or row.since is None or user is None or table.is_over:
            return
        running = await self._running(table, row, user, row.since)
        zero = running.zero(is_warned=await self._is_warned(table, seat))
        at = zero if task.kind == ZERO else running.warning()
        if at > now:
            # Of a clock that stands still little may be left, for long.
            change.batch.save(replace(task, at=max(at, now + SOON)))
        elif task.kind == ZERO:
            change.post(OutboxKind.RING, seat)
            if term(table, AT_ZERO) == "autopilot":
                hand_over(change, seat, None)
            elif term(table, AT_ZERO) == "vote":
                await self._votes.propose_autopilot(change, seat)
        elif zero > now:
            # Where zero waits for the warning, the time that this takes is theirs.
            left = running.calendar.elapsed(running.since, zero)
            change.batch.save(replace(row, left=_seconds(left)))
            change.post(OutboxKind.RING, seat)

    async def _changed(self, before: UserSettings, after: UserSettings) -> None:
        """Time runs, or a warning is heard, at other times from now on."""
        unit_of_work, user = self._unit_of_work, after.user
        if before.timing != after.timing:
            for each in await from_store(unit_of_work.store.notifications_of_user(user)):
                anew = partial(self._anew, each.seat, before)
                await unit_of_work.carry_out(each.table, None, anew)
        if (before.away_from, before.away_until) != (after.away_from, after.away_until):
            for found in await from_store(unit_of_work.store.of_user(user, OPEN)):
                await unit_of_work.carry_out(found.table.id, None, _show)

    async def _anew(self, seat: Seat, before: UserSettings, change: TableChange) -> None:
        """A clock runs by new settings; the time used so far is counted by the old ones."""
        table, now = change.table, self._unit_of_work.clock.now()
        if not has_clock(table):
            return
        for row in await from_store(self._unit_of_work.store.clocks(table.id)):
            if row.seat == seat and row.since is not None:
                running = await self._running(table, row, before.user, row.since)
                then = running._replace(calendar=await self._calendar(before, table))
                row = replace(row, left=_seconds(then.left_at(now)))
                scheduled_at = self._unit_of_work.store.scheduled_at
                # What has been said is not said again.
                kinds = [
                    kind
                    for kind in CLOCK_ENDS
                    if await from_store(scheduled_at(table.id, seat, kind)) is not None
                ]
                _start(change.batch, running._replace(row=row, since=now), kinds)

    async def _is_warned(self, table: Table, seat: Seat) -> bool:
        """Whether no warning is to come any more."""
        scheduled_at = self._unit_of_work.store.scheduled_at
        return await from_store(scheduled_at(table.id, seat, WARNING)) is None

    async def _running(self, table: Table, row: ClockRow, user: int, since: datetime) -> Running:
        person = await self._people.get(user)
        return Running(table, row, since, person, await self._calendar(person, table))

    async def _calendar(self, person: UserSettings, table: Table) -> Calendar:
        calendar = person.calendar(weekends_off=weekends_off(table))
        return replace(calendar, outages=await self._outages.spans(table.id))


def _start(batch: WriteBatch, running: Running, kinds: Sequence[str] = CLOCK_ENDS) -> None:
    """Starts a clock, with those of its tasks that are still to come."""
    row = running.row
    batch.save(replace(row, since=running.since))
    ends = {WARNING: running.warning(), ZERO: running.zero(is_warned=WARNING not in kinds)}
    for kind in kinds:
        batch.schedule(row.table, row.seat, kind, ends[kind])


async def _show(change: TableChange) -> None:
    """Has the table posted anew, with who is away."""
    change.post(OutboxKind.LOBBY if change.table.status is Status.LOBBY else OutboxKind.BOARD)


def _seconds(left: timedelta) -> int:
    return round(left.total_seconds())


async def waited(
    game: AnyGame, table: Table, entries: Sequence[EntryRow], people: Mapping[int, UserSettings]
) -> dict[int, tuple[int, timedelta]]:
    """How often a table has waited for each of the people in a whole game, and how long in all.

    A wait begins when a seat is awaited, and ends with the action after which it no longer is, or
    with a new round: it covers what a player does in one go. It begins anew when the seat changes
    hands. Time in which the table rested is left out. Raises RecordError or TableDamaged.
    """
    found = dict.fromkeys(people, (0, timedelta()))
    since: dict[Seat, datetime] = {}
    rests: datetime | None = None
    before = 0
    time_slice = TimeSlice()
    whole = record_of(table, entries)
    for row, (entry, state) in zip(entries, record.fold(game, whole), strict=True):
        to_act = {each.seat for each in game.pending(state) if not each.optional}
        now = entry.round
        is_matter = row.action.startswith(log.OF_THE_TABLE)
        if rests is not None and (row.action in GOES_ON or not is_matter):
            # Whoever sat down meanwhile has been waited for only since the game goes on.
            since = {seat: min(began + (row.at - rests), row.at) for seat, began in since.items()}
            rests = None
        for seat in [seat for seat in since if seat not in to_act or now != before]:
            began = since.pop(seat)
            # What ends otherwise, by going back or by what others do, is nobody's move.
            if seat == row.seat and row.user in found and not is_matter:
                moves, spent = found[row.user]
                spent += awake(people[row.user], table, began, row.at)
                found[row.user] = moves + 1, spent
        if row.action in HANDS and row.seat in since:
            since[row.seat] = row.at
        if row.action in RESTS:
            rests = row.at
        for seat in to_act:
            since.setdefault(seat, row.at)
        before = now
        await time_slice.take()
    return found


def awake(person: UserSettings, table: Table, since: datetime, until: datetime) -> timedelta:
    """The time between two instants that counts for the person, by their present settings: no
    weekends of the table, announced absence or quiet hours."""
    calendar = person.calendar(weekends_off=weekends_off(table))
    nights = tuple(_nights(person, since, until))
    return replace(calendar, outages=nights).elapsed(since, until)


def _nights(person: UserSettings, since: datetime, until: datetime) -> Iterator[Span]:
    """The person's quiet hours about that time."""
    if person.quiet_from is None or person.quiet_to is None:
        return
    zone = person.timezone
    start, end = (
        time(minutes // 60, minutes % 60, tzinfo=zone)
        for minutes in (person.quiet_from, person.quiet_to)
    )
    day = since.astimezone(zone).date() - _DAY
    while day <= until.astimezone(zone).date():
        # In UTC: of two times of one zone Python compares what the clocks on the wall say.
        quiet = datetime.combine(day, start).astimezone(UTC)
        over = datetime.combine(day + _DAY * (end <= start), end).astimezone(UTC)
        # Where clocks go forward in between, there may be none.
        if quiet < over:
            yield quiet, over
        day += _DAY
