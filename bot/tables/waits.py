"""How long a table had to wait for each of its people, by the log of a whole game.

A wait begins when everybody waits for a seat and ends with the action after which nobody does any
more, or a new round begins: it is what a player does in one go. Hours that she has set to be quiet
are left out of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bot.game.contract import AnyGame, Seat
from bot.store import EntryRow
from bot.tables.model import Table
from bot.tables.people import Person
from bot.tables.record import fold
from bot.tables.shelf import BREATH, record_of

_DAY = timedelta(days=1)


class Wait(NamedTuple):
    """The table waited for a user from then to then."""

    user: int
    since: datetime
    until: datetime


async def waits(game: AnyGame, table: Table, entries: Sequence[EntryRow]) -> list[Wait]:
    """The waits that ended with an action of a person's own. Raises RecordError or TableDamaged."""
    found: list[Wait] = []
    since: dict[Seat, datetime] = {}
    before = 0
    folded = fold(game, record_of(table, entries))
    for row, (_, state, _) in zip(entries, folded, strict=True):
        awaited = {each.seat for each in game.pending(state) if not each.optional}
        now = game.round(state)
        for seat in [seat for seat in since if seat not in awaited or now != before]:
            began = since.pop(seat)
            # What ends otherwise, by going back or by what others do, is nobody's move.
            if seat == row.seat and row.user is not None and not row.action.startswith("@"):
                found.append(Wait(row.user, began, row.at))
        for seat in awaited:
            since.setdefault(seat, row.at)
        before = now
        if row.seq % BREATH == 0:
            await asyncio.sleep(0)
    return found


def awake(person: Person, since: datetime, until: datetime) -> timedelta:
    """The time between the two without the quiet hours that the person has set."""
    if person.quiet_from is None or person.quiet_to is None:
        return until - since
    zone = ZoneInfo(person.zone)
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
