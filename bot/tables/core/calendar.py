"""How time runs for one seat: when it stands still, what is left of it, when it is up.

Nothing here knows a table or a database. Instants are in UTC; days off are those of the person's
own calendar, so that a day of 23 or 25 hours counts as long as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

import msgspec

SATURDAY = 5
RESERVE = timedelta(hours=24)
PER_MOVE = timedelta(hours=4)
MOST = timedelta(hours=72)
"""A reserve begins with RESERVE, gains PER_MOVE with each move, and holds at most this."""

DAYS = {name: timedelta(days=int(name[1:])) for name in ("d1", "d2", "d3", "d5", "d7")}


Span = tuple[datetime, datetime]
"""From one instant until another."""


class Calendar(msgspec.Struct, frozen=True):
    """When a person's time runs: not on weekends where `weekends_off`, nor from `away_from` to
    `away_until`, both included, nor in the `outages` of the bot, which are in order."""

    zone: str = "UTC"
    weekends_off: bool = False
    away_from: date | None = None
    away_until: date | None = None
    outages: tuple[Span, ...] = ()

    def is_off(self, day: date) -> bool:
        """Whether time stands still on that day."""
        if self.weekends_off and day.weekday() >= SATURDAY:
            return True
        if self.away_from is None or self.away_until is None:
            return False
        return self.away_from <= day <= self.away_until

    def spans(self, start: datetime) -> Iterator[Span]:
        """The periods from `start` on in which time runs, in order, without an end."""
        for begin, end in self._days(start):
            for gone, back in self.outages:
                if begin < back and gone < end:
                    if begin < gone:
                        yield begin, gone
                    begin = back
            if begin < end:
                yield begin, end

    def _days(self, start: datetime) -> Iterator[Span]:
        zone = ZoneInfo(self.zone)
        day = start.astimezone(zone).date()
        while True:
            tomorrow = day + timedelta(days=1)
            end = datetime.combine(tomorrow, time(), zone).astimezone(UTC)
            if not self.is_off(day) and end > start:
                yield max(start, datetime.combine(day, time(), zone).astimezone(UTC)), end
            day = tomorrow

    def elapsed(self, start: datetime, end: datetime) -> timedelta:
        """How long time ran between two instants."""
        ran = timedelta()
        for begin, stop in self.spans(start):
            if begin >= end:
                break
            ran += min(stop, end) - begin
        return ran

    def goes_on(self, at: datetime) -> datetime:
        """At `at` itself where time runs then, else when it goes on."""
        return next(self.spans(at))[0]

    def runs_out(self, start: datetime, left: timedelta) -> datetime:
        """When that much time will have run from `start` on."""
        if left <= timedelta():
            return start
        for begin, stop in self.spans(start):
            if stop - begin >= left:
                return begin + left
            left -= stop - begin
        raise AssertionError("the spans have no end")


def at_first(clock: str) -> timedelta:
    """What a seat has before its first move."""
    return DAYS.get(clock, RESERVE)


def after_move(clock: str, left: timedelta) -> timedelta:
    """What a seat has for its next move, with so much left of this one."""
    return DAYS.get(clock) or min(max(left, timedelta()) + PER_MOVE, max(MOST, left))


class Clock(Protocol):
    """Tells the time; tests have one of their own."""

    def now(self) -> datetime:
        """The time, with its zone."""
        ...


class SystemClock:
    """The time of the machine."""

    def now(self) -> datetime:
        """The time, in UTC."""
        return datetime.now(UTC)
