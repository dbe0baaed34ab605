"""Discord's ids, which carry the time."""

from __future__ import annotations

import time
from datetime import UTC, datetime

DISCORD_EPOCH_MS = 1_420_070_400_000


def now_iso() -> str:
    """The time now as Discord writes it."""
    return datetime.now(UTC).isoformat()


def snowflake_time(snowflake: int) -> float:
    """When an id was made, in seconds since 1970."""
    return ((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000


class Snowflakes:
    """Makes ids that carry the time and never repeat, even when the clock steps back."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """A new id, greater than every earlier one."""
        by_clock = (int(time.time() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last = max(by_clock, self._last + 1)
        return self._last

    def next_on(self, shard: int, count: int) -> int:
        """A new id for a server that belongs on a shard, of so many; it may lie milliseconds ahead.

        Raises `ValueError` where there is no such shard.
        """
        if not 0 <= shard < count:
            raise ValueError(f"there is no shard {shard} of {count}")
        milliseconds = (self.next() >> 22) + 1
        milliseconds += (shard - milliseconds) % count
        self._last = milliseconds << 22
        return self._last

    def skip_past(self, used: int) -> None:
        """Never hand out an id up to and including `used`."""
        self._last = max(self._last, used)
