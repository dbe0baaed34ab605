"""Turn clocks, and each person's total time in a game.

A player's clock runs while they are to act, and something happens when it runs out. It starts and
stops in the transaction of the change that causes it. Its warning and its end are scheduled tasks,
which survive a restart.
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
from bot.store import ClockRow, EntryRow, OutboxKind, ScheduledRow, Status, Verdict, WriteBatch
from bot.tables.core import (
    OPEN,
    SUSPENDED,
    Calendar,
    LoadedTable,
    Outages,
    Scheduler,
    Table,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
    log,
    people_to_act,
    record,
    record_of,
    seating,
    weekends_off,
)
from bot.tables.core.calendar import TURN_TIMES, Span, initial_time, time_after_move
from bot.tables.core.seating import AT_ZERO, CLOCK, has_clock, term
from bot.tables.notifications import CLOCK_ENDS
from bot.tables.people import People, UserSettings
from bot.tables.seats import hand_over
from bot.tables.votes import ACT, AUTOPILOT, Voting
from bot.workers import TimeSlice

WARNING, ZERO = CLOCK_ENDS

MIN_DELAY = timedelta(minutes=1)
"""Minimum time before a clock's task is tried again if time is left."""
EARLY = timedelta(minutes=5)
"""How long before quiet hours to send a warning that would fall in them."""
MIN_AFTER_WARNING = timedelta(hours=1)
"""Minimum time between a late warning and the loss of a turn."""

HAND_OVERS = (log.RESIGN, log.AUTO, log.ACT, log.MANUAL, log.CLAIM)
STOPS = (log.PAUSE, log.SLEEP, log.REST)
RESUMPTIONS = (log.RESUME, log.WAKE)
_DAY = timedelta(days=1)


class Time(msgspec.Struct, frozen=True):
    """The time `left` of a seat to act, and when it will be `up`.

    It is `frozen` while the calendar stops the clock, and `is_short` once the seat's owner has been
    warned or should have been.
    """

    left: timedelta
    up: datetime
    frozen: bool
    is_short: bool

    @property
    def is_up(self) -> bool:
        return self.left <= timedelta()


class Running(NamedTuple):
    """A clock that has been running for a person since a time."""

    table: Table
    row: ClockRow
    since: datetime
    person: UserSettings
    calendar: Calendar

    @property
    def left(self) -> timedelta:
        """The time left at the start."""
        return timedelta(seconds=self.row.left)

    @property
    def third(self) -> timedelta:
        """A third of the turn's time: people are warned when this is left."""
        return timedelta(seconds=self.row.budget / 3)

    def left_at(self, at: datetime) -> timedelta:
        """Return the time left at this time."""
        return self.left - self.calendar.elapsed(self.since, at)

    def warning(self) -> datetime:
        """Return when the person is warned.

        A warning that falls in quiet hours comes before them if possible, or else after them.
        """
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
        """Return when the person's time is up.

        If they would then lose their turn, it waits for a late warning, so that no one loses a turn
        without one.
        """
        runs_out_at = self.calendar.runs_out_at
        up = runs_out_at(self.since, self.left)
        if is_warned or term(self.table, AT_ZERO) == "nothing":
            return up
        warning = self.warning()
        if warning <= runs_out_at(self.since, self.left - self.third):
            return up
        min_time = MIN_AFTER_WARNING if warning < up else max(MIN_AFTER_WARNING, self.third)
        return max(up, runs_out_at(warning, min_time))


class Clocks:
    """Starts, stops and reads clocks, and acts when one runs out."""

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
        unit_of_work.writers.append(self._on_change)
        for kind in CLOCK_ENDS:
            scheduler.at_table(kind, self._at_end)
        people.subscribers.append(self._on_settings)

    async def times(self, table: Table) -> dict[Seat, Time]:
        """Return the times of the seats that are to act."""
        times: dict[Seat, Time] = {}
        if not has_clock(table):
            return times
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
                times[row.seat] = Time(left, up, is_frozen, is_short)
        return times

    async def extend(
        self, table_id: int, user: int, seat: Seat, *, delivery: str | None = None
    ) -> Table:
        """Give a player more time for their turn, for a user who may do that.

        A vote on them ends. Raise no_clock if their clock is not running, own_clock, not_started,
        table_paused, table_asleep or table_over.
        """

        async def work(change: TableChange) -> None:
            table, now = change.table, self._unit_of_work.clock.now()
            seating.check_playing(table)
            player = table.players[seat]
            if player.user == user:
                raise errors.Rejected("own_clock")
            clocks = await from_store(self._unit_of_work.store.clocks(table_id))
            row = next((each for each in clocks if each.seat == seat and each.since), None)
            if row is None or row.since is None or player.user is None or not has_clock(table):
                raise errors.Rejected("no_clock", name=player.name)
            running = await self._running(table, row, player.user, row.since)
            # A day, or the whole time of a faster clock.
            extra = min(initial_time(term(table, CLOCK)), _DAY)
            left = _seconds(max(running.left_at(now), timedelta()) + extra)
            row = replace(row, left=left, budget=left)
            _start(change.batch, running._replace(row=row, since=now))
            await self._votes.end(
                change,
                Verdict.EXTENDED,
                lambda row: row.kind in (AUTOPILOT, ACT) and row.word == str(seat),
            )
            change.note(table, seat, user, log.EXTEND)

        return await self._unit_of_work.table_after(table_id, delivery, work)

    async def _on_change(self, change: TableChange, before: LoadedTable) -> None:
        table, after, batch = change.table, change.after, change.batch
        if not has_clock(table):
            return
        was, now = people_to_act(before), people_to_act(after)
        # A clock without a reserve restarts with each action, even within a turn. Clocks are
        # public, so secret actions do not restart them.
        last = after.now.recent[-1] if after.now and after.seq() > before.seq() else None
        acted = log.actor(last.seat, last.action) if last and last.visible_to(SPECTATOR) else None
        restarted = {
            each for each in was & now if each[0] == acted and term(table, CLOCK) in TURN_TIMES
        }
        if was == now and not restarted:
            return
        at, fresh = self._unit_of_work.clock.now(), _seconds(initial_time(term(table, CLOCK)))
        clocks = await from_store(self._unit_of_work.store.clocks(table.id))
        rows = {row.seat: row for row in clocks}
        for seat, user in sorted((was - now) | restarted):
            if seat in rows:
                rows[seat] = await self._stop(batch, table, rows[seat], user)
        for seat, user in sorted((now - was) | restarted):
            row = rows.get(seat) or ClockRow(table.id, seat, fresh, fresh)
            left = max(row.left, fresh) if before.table.status in SUSPENDED else row.left
            row = replace(row, left=left, budget=left)
            _start(batch, await self._running(table, row, user, at))

    async def _stop(self, batch: WriteBatch, table: Table, row: ClockRow, user: int) -> ClockRow:
        left = timedelta(seconds=row.left)
        if row.since is not None:
            running = await self._running(table, row, user, row.since)
            left = running.left_at(self._unit_of_work.clock.now())
        if table.status not in SUSPENDED:
            left = time_after_move(term(table, CLOCK), left)
        row = replace(row, left=_seconds(left), since=None)
        batch.save(row)
        for kind in CLOCK_ENDS:
            batch.schedule(table.id, row.seat, kind, None)
        return row

    async def _at_end(self, change: TableChange, task: ScheduledRow) -> None:
        """Handle a clock's warning or end, or reschedule its task."""
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
            # A stopped clock may have almost no time left for days: do not retry constantly.
            change.batch.save(replace(task, at=max(at, now + MIN_DELAY)))
        elif task.kind == ZERO:
            rows = await from_store(self._unit_of_work.store.notifications(table.id))
            for turn in (each.seq for each in rows if each.seat == seat and not each.over):
                change.batch.count_late(table.id, user, turn)
            change.post(OutboxKind.PING, seat)
            if term(table, AT_ZERO) == "autopilot":
                hand_over(change, seat, None)
            elif term(table, AT_ZERO) == "vote":
                await self._votes.propose_autopilot(change, seat)
        elif zero > now:
            # If zero waits for the warning, the player gets the extra time.
            left = running.calendar.elapsed(running.since, zero)
            change.batch.save(replace(row, left=_seconds(left)))
            change.post(OutboxKind.PING, seat)

    async def _on_settings(self, before: UserSettings, after: UserSettings) -> None:
        """Reschedule a user's clocks after new settings, and show absences in table posts."""
        unit_of_work, user = self._unit_of_work, after.user
        if before.timing != after.timing:
            for each in await from_store(unit_of_work.store.notifications_of_user(user)):
                restart = partial(self._restart, each.seat, before)
                await unit_of_work.carry_out(each.table, None, restart)
        if (before.away_from, before.away_until) != (after.away_from, after.away_until):
            for stored in await from_store(unit_of_work.store.of_user(user, OPEN)):
                await unit_of_work.carry_out(stored.table.id, None, _post_table)

    async def _restart(self, seat: Seat, before: UserSettings, change: TableChange) -> None:
        """Restart a clock with new settings; time used so far counts by the old ones."""
        table, now = change.table, self._unit_of_work.clock.now()
        if not has_clock(table):
            return
        for row in await from_store(self._unit_of_work.store.clocks(table.id)):
            if row.seat == seat and row.since is not None:
                running = await self._running(table, row, before.user, row.since)
                old = running._replace(calendar=await self._calendar(before, table))
                row = replace(row, left=_seconds(old.left_at(now)))
                scheduled_at = self._unit_of_work.store.scheduled_at
                # Do not repeat tasks that are done.
                kinds = [
                    kind
                    for kind in CLOCK_ENDS
                    if await from_store(scheduled_at(table.id, seat, kind)) is not None
                ]
                _start(change.batch, running._replace(row=row, since=now), kinds)

    async def _is_warned(self, table: Table, seat: Seat) -> bool:
        """Return whether the warning is no longer scheduled."""
        scheduled_at = self._unit_of_work.store.scheduled_at
        return await from_store(scheduled_at(table.id, seat, WARNING)) is None

    async def _running(self, table: Table, row: ClockRow, user: int, since: datetime) -> Running:
        person = await self._people.get(user)
        return Running(table, row, since, person, await self._calendar(person, table))

    async def _calendar(self, person: UserSettings, table: Table) -> Calendar:
        calendar = person.calendar(weekends_off=weekends_off(table))
        return replace(calendar, outages=await self._outages.spans(table.id))


def _start(batch: WriteBatch, running: Running, kinds: Sequence[str] = CLOCK_ENDS) -> None:
    """Start a clock and schedule these of its tasks."""
    row = running.row
    batch.save(replace(row, since=running.since))
    ends = {WARNING: running.warning(), ZERO: running.zero(is_warned=WARNING not in kinds)}
    for kind in kinds:
        batch.schedule(row.table, row.seat, kind, ends[kind])


async def _post_table(change: TableChange) -> None:
    change.post(OutboxKind.LOBBY if change.table.status is Status.LOBBY else OutboxKind.BOARD)


def _seconds(left: timedelta) -> int:
    return round(left.total_seconds())


async def thinking_times(
    game: AnyGame, table: Table, entries: Sequence[EntryRow], people: Mapping[int, UserSettings]
) -> dict[int, tuple[int, timedelta]]:
    """Return each person's number of turns in a whole game, and their total time.

    A turn begins when a seat is to act. It ends with the action after which it no longer is, or
    with a new round. It begins again when the seat changes hands. Pauses and sleep do not count.
    Raise RecordError or TableDamaged.
    """
    totals = dict.fromkeys(people, (0, timedelta()))
    since: dict[Seat, datetime] = {}
    stopped: datetime | None = None
    before = 0
    time_slice = TimeSlice()
    whole = record_of(table, entries)
    for row, (entry, state) in zip(entries, record.fold(game, whole), strict=True):
        to_act = {each.seat for each in game.pending(state) if not each.optional}
        now = entry.round
        is_of_table = row.action.startswith(log.TABLE_PREFIX)
        if stopped is not None and (row.action in RESUMPTIONS or not is_of_table):
            # For players who took a seat during the pause, time starts now.
            since = {seat: min(began + (row.at - stopped), row.at) for seat, began in since.items()}
            stopped = None
        for seat in [seat for seat in since if seat not in to_act or now != before]:
            began = since.pop(seat)
            # A turn that ends by an undo or another player's action does not count.
            if seat == row.seat and row.user in totals and not is_of_table:
                turns, spent = totals[row.user]
                spent += counted_time(people[row.user], table, began, row.at)
                totals[row.user] = turns + 1, spent
        if row.action in HAND_OVERS and row.seat in since:
            since[row.seat] = row.at
        if row.action in STOPS:
            stopped = row.at
        for seat in to_act:
            since.setdefault(seat, row.at)
        before = now
        await time_slice.take()
    return totals


def counted_time(person: UserSettings, table: Table, since: datetime, until: datetime) -> timedelta:
    """Return the time between two instants that counts for a person, by their current settings.

    It leaves out the table's weekends, announced absences and quiet hours.
    """
    calendar = person.calendar(weekends_off=weekends_off(table))
    nights = tuple(_nights(person, since, until))
    return replace(calendar, outages=nights).elapsed(since, until)


def _nights(person: UserSettings, since: datetime, until: datetime) -> Iterator[Span]:
    """Yield the person's quiet hours around that time."""
    if person.quiet_from is None or person.quiet_to is None:
        return
    zone = person.timezone
    start, end = (
        time(minutes // 60, minutes % 60, tzinfo=zone)
        for minutes in (person.quiet_from, person.quiet_to)
    )
    day = since.astimezone(zone).date() - _DAY
    while day <= until.astimezone(zone).date():
        # In UTC, as Python compares times in the same zone by local time, ignoring the offset.
        quiet = datetime.combine(day, start).astimezone(UTC)
        over = datetime.combine(day + _DAY * (end <= start), end).astimezone(UTC)
        # If the clocks go forward in between, there may be none.
        if quiet < over:
            yield quiet, over
        day += _DAY
