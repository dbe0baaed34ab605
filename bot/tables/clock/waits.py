"""How long a table waited for each of its people, from the log of a whole game.

A wait begins when a seat is awaited, and ends with the action after which it no longer is, or with
a new round: it covers what a player does in one go. It begins anew when the seat changes hands.
Time in which the table rested is left out, as are its weekends, announced absence and the player's
quiet hours.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from itertools import takewhile
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bot.game.contract import AnyGame, Seat
from bot.store import EntryRow
from bot.tables.core import record, table_lines
from bot.tables.core.cache import record_of
from bot.tables.core.model import Table
from bot.tables.core.terms import weekends_off
from bot.tables.people.settings import UserSettings
from bot.workers import TimeSlice

HANDS = (table_lines.RESIGN, table_lines.AUTO, table_lines.MANUAL, table_lines.CLAIM)
RESTS = (table_lines.PAUSE, table_lines.SLEEP, table_lines.REST)
GOES_ON = (table_lines.RESUME, table_lines.WAKE)
_DAY = timedelta(days=1)


class Wait(NamedTuple):
    """The table waited for `user`, from `since` until `until`."""

    user: int
    since: datetime
    until: datetime


async def waits(game: AnyGame, table: Table, entries: Sequence[EntryRow]) -> list[Wait]:
    """The waits that ended with an action by the person themselves.

    Raises RecordError or TableDamaged.
    """
    found: list[Wait] = []
    since: dict[Seat, datetime] = {}
    rests: datetime | None = None
    before = 0
    time_slice = TimeSlice()
    for row, folded in zip(entries, record.fold(game, record_of(table, entries)), strict=True):
        awaited = {each.seat for each in game.pending(folded.state) if not each.optional}
        now = game.round(folded.state)
        is_matter = row.action.startswith(table_lines.OF_THE_TABLE)
        if rests is not None and (row.action in GOES_ON or not is_matter):
            # Whoever sat down meanwhile has been waited for only since the game goes on.
            since = {seat: min(began + (row.at - rests), row.at) for seat, began in since.items()}
            rests = None
        for seat in [seat for seat in since if seat not in awaited or now != before]:
            began = since.pop(seat)
            # What ends otherwise, by going back or by what others do, is nobody's move.
            if seat == row.seat and row.user is not None and not is_matter:
                found.append(Wait(row.user, began, row.at))
        if row.action in HANDS and row.seat in since:
            since[row.seat] = row.at
        if row.action in RESTS:
            rests = row.at
        for seat in awaited:
            since.setdefault(seat, row.at)
        before = now
        await time_slice.take()
    return found


def awake(person: UserSettings, table: Table, since: datetime, until: datetime) -> timedelta:
    """The time between two instants that counts for the person, by their present settings."""
    calendar = person.calendar(weekends_off=weekends_off(table))
    spans = takewhile(lambda span: span[0] < until, calendar.spans(since))
    return sum((_loud(person, start, min(end, until)) for start, end in spans), timedelta())


def _loud(person: UserSettings, since: datetime, until: datetime) -> timedelta:
    if person.quiet_from is None or person.quiet_to is None:
        return until - since
    zone = person.timezone
    start, end = _time(person.quiet_from, zone), _time(person.quiet_to, zone)
    span = until - since
    day = since.astimezone(zone).date() - _DAY
    while day <= until.astimezone(zone).date():
        # In UTC: of two times of one zone Python compares what the clocks on the wall say.
        quiet = datetime.combine(day, start).astimezone(UTC)
        over = datetime.combine(day + _DAY * (end <= start), end).astimezone(UTC)
        span -= max(min(until, over) - max(since, quiet), timedelta())
        day += _DAY
    return span


def _time(minutes: int, zone: ZoneInfo) -> time:
    return time(minutes // 60, minutes % 60, tzinfo=zone)
