"""The clock of one seat: when it is stopped, how much time is left, when it runs out.

This module knows neither tables nor the database. Instants are in UTC. Days off follow the person's
time zone, so a day has 23 or 25 hours when the clocks change.
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
MAX_RESERVE = timedelta(hours=72)
"""A reserve starts at RESERVE, gains PER_MOVE with each move, and stops growing here."""

TURN_TIMES = {
    "m15": timedelta(minutes=15),
    **{name: timedelta(days=int(name[1:])) for name in ("d1", "d2", "d3", "d5", "d7")},
}
"""The clocks that give a fixed time for each turn."""


Span = tuple[datetime, datetime]
"""A start and an end."""


class Calendar(msgspec.Struct, frozen=True):
    """The times at which a person's clock runs.

    It stops on weekends if `weekends_off`, from `away_from` to `away_until` inclusive, and during
    the bot's `outages`, which must be sorted.
    """

    zone: str = "UTC"
    weekends_off: bool = False
    away_from: date | None = None
    away_until: date | None = None
    outages: tuple[Span, ...] = ()

    def is_off(self, day: date) -> bool:
        """Return whether the clock is stopped all day."""
        if self.weekends_off and day.weekday() >= SATURDAY:
            return True
        if self.away_from is None or self.away_until is None:
            return False
        return self.away_from <= day <= self.away_until

    def spans(self, start: datetime) -> Iterator[Span]:
        """Yield the periods after `start` in which the clock runs, in order and without end."""
        for begin, end in self._days(start):
            for down, up in self.outages:
                if begin < up and down < end:
                    if begin < down:
                        yield begin, down
                    begin = up
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
        """Return for how long the clock ran between two instants."""
        ran = timedelta()
        for begin, stop in self.spans(start):
            if begin >= end:
                break
            ran += min(stop, end) - begin
        return ran

    def resumes_at(self, at: datetime) -> datetime:
        """Return `at` if the clock runs then, or the time at which it resumes."""
        return next(self.spans(at))[0]

    def runs_out_at(self, start: datetime, left: timedelta) -> datetime:
        """Return when a clock that starts at `start` with `left` runs out."""
        if left <= timedelta():
            return start
        for begin, stop in self.spans(start):
            if stop - begin >= left:
                return begin + left
            left -= stop - begin
        raise AssertionError("the spans have no end")


def initial_time(clock: str) -> timedelta:
    """Return a seat's time for its first move."""
    return TURN_TIMES.get(clock, RESERVE)


def time_after_move(clock: str, left: timedelta) -> timedelta:
    """Return a seat's time for its next move, given the time left after this one."""
    return TURN_TIMES.get(clock) or min(max(left, timedelta()) + PER_MOVE, max(MAX_RESERVE, left))


class Clock(Protocol):
    """The source of the current time, replaceable in tests."""

    def now(self) -> datetime:
        """Return the current time, with a time zone."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)
