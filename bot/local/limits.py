"""What this Discord demands of a bot: shards, session starts, identifies and requests.

`DiscordLimits` says it, `Limiter` counts and remembers what went beyond. By default hardly
anything is demanded, so that tests run at full speed.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass
from enum import Enum

_DAY_S = 24 * 60 * 60.0
_VIOLATIONS_KEPT = 1000
_WINDOWS_KEPT = 1000


@dataclass(slots=True)
class DiscordLimits:
    """What is demanded. May be changed while the stand-in runs.

    `shards` is how many Discord recommends; with `needs_shards` a session for all servers at once
    is refused. `session_starts` are allowed a day. In the bucket of a shard, which is its number
    modulo `max_concurrency`, one IDENTIFY is allowed every `identify_every_s` seconds (Discord: 5).
    In all processes together `global_per_second` requests of a token are allowed (Discord: 50), and
    on each route, for each channel or webhook, so many in so many seconds. `None` switches a limit
    off.
    """

    shards: int = 1
    needs_shards: bool = False
    session_starts: int = 1000
    max_concurrency: int = 1
    identify_every_s: float | None = None
    global_per_second: int | None = None
    per_route: tuple[int, float] = (1000, 1.0)


class LimitKind(Enum):
    """What a bot did too often."""

    SESSION_STARTS = "session starts"
    IDENTIFY = "identify"
    GLOBAL = "global"
    ROUTE = "route"


@dataclass(frozen=True, slots=True)
class Violation:
    """One time too often; `said` names the shard or the request."""

    kind: LimitKind
    said: str


@dataclass(slots=True)
class Window:
    """How much of a rate limit is used up. Times are seconds of `time.monotonic()`."""

    limit: int
    ends_at: float
    used: int = 0

    @property
    def remaining(self) -> int:
        """How many requests still fit."""
        return max(0, self.limit - self.used)

    @property
    def reset_after(self) -> float:
        """Seconds until it is empty again."""
        return max(0.0, self.ends_at - time.monotonic())

    def take(self) -> bool:
        """Use up one, if one is left."""
        fits = self.remaining > 0
        self.used += fits
        return fits


class Limiter:
    """Counts what the limits count. All processes of a bot are counted together."""

    def __init__(self, limits: DiscordLimits) -> None:
        self._limits = limits
        #: What went beyond a limit, oldest first.
        self.violations: deque[Violation] = deque(maxlen=_VIOLATIONS_KEPT)
        #: How many sessions have been started, by the number of their shard.
        self.starts: Counter[int] = Counter()
        self._identified: dict[int, float] = {}
        self._windows: dict[str, Window] = {}

    def note(self, kind: LimitKind, said: str) -> None:
        """Remember a violation."""
        self.violations.append(Violation(kind, said))

    def _window(self, key: str, limit: int, seconds: float) -> Window:
        """The window of a key, a new one where the last is over."""
        window = self._windows.get(key)
        if window is None or window.reset_after == 0:
            window = self._windows[key] = Window(limit, time.monotonic() + seconds)
            if len(self._windows) > _WINDOWS_KEPT:
                still = {k: w for k, w in self._windows.items() if w.reset_after > 0}
                self._windows = still
        window.limit = limit
        return window

    def _today(self) -> Window:
        return self._window("session starts", self._limits.session_starts, _DAY_S)

    def session_starts(self) -> dict[str, int]:
        """Discord's `session_start_limit`; `reset_after` is in milliseconds."""
        day = self._today()
        return {
            "total": day.limit,
            "remaining": day.remaining,
            "reset_after": int(day.reset_after * 1000),
            "max_concurrency": self._limits.max_concurrency,
        }

    def may_start(self, shard: int) -> bool:
        """Whether the day has a session start left."""
        if self._today().remaining:
            return True
        self.note(LimitKind.SESSION_STARTS, f"shard {shard}: no session start is left")
        return False

    def may_identify(self, shard: int) -> bool:
        """Whether the bucket of a shard is free; counts a session start then."""
        bucket, now = shard % self._limits.max_concurrency, time.monotonic()
        every_s, last = self._limits.identify_every_s, self._identified.get(bucket)
        if every_s is not None and last is not None and now - last < every_s:
            said = f"shard {shard}: IDENTIFY {now - last:.2f} s after another in bucket {bucket}"
            self.note(LimitKind.IDENTIFY, said)
            return False
        self._identified[bucket] = now
        self._today().take()
        self.starts[shard] += 1
        return True

    def too_many(self, token: str, request: str) -> float | None:
        """Count a request against the global limit: seconds to wait if it was too many."""
        limit = self._limits.global_per_second
        if limit is None:
            return None
        second = self._window(f"global {token}", limit, 1.0)
        if second.take():
            return None
        self.note(LimitKind.GLOBAL, request)
        return second.reset_after

    def route(self, bucket: str) -> Window:
        """How much of the limit of a route, for one channel or webhook, is used up."""
        return self._window(bucket, *self._limits.per_route)
