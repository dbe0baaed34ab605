"""Token buckets: how often something may be done, at once and in the long run.

Pure: the caller supplies the time. The libraries for this count in windows, at whose border twice
as much can come through (`limits`), or make people wait instead of saying when (`aiolimiter`); none
of them forgets idle keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

REMEMBERED = 10_000
"""Keys kept before idle ones are removed."""

TOLERANCE_S = 1e-6
"""Tolerance for rounding errors of fractions of seconds."""


class Rate(NamedTuple):
    """At most `most` at once; it takes `per_s` seconds until all of it is available again."""

    most: int
    per_s: float


class Buckets:
    """A bucket for each key, full at first. `now` gives a time in seconds that never goes back.

    All that is stored of each is when it will be full again, and no longer than until then.
    """

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._each_s = rate.per_s / rate.most
        self._per_s = rate.per_s
        self._now = now
        self._full_at: dict[int, float] = {}
        self._sweep_at = REMEMBERED

    def wait(self, key: int) -> float:
        """Seconds until the bucket has something; 0 where it has."""
        now = self._now()
        missing = max(self._full_at.get(key, now), now) - now + self._each_s - self._per_s
        return missing if missing > TOLERANCE_S else 0.0

    def take(self, key: int) -> None:
        """Take one out of the bucket."""
        now = self._now()
        self._full_at[key] = max(self._full_at.get(key, now), now) + self._each_s
        if len(self._full_at) > self._sweep_at:
            self._full_at = {each: at for each, at in self._full_at.items() if at > now}
            self._sweep_at = max(REMEMBERED, 2 * len(self._full_at))

    def __len__(self) -> int:
        return len(self._full_at)
