"""Rate limits: shards, session starts, identifies and requests.

`DiscordLimits` sets the limits, `Limiter` enforces them and records violations. The defaults are
generous, so that tests run at full speed.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass
from enum import Enum

_DAY_S = 24 * 60 * 60.0
_MAX_VIOLATIONS = 1000
_MAX_WINDOWS = 1000


@dataclass(slots=True)
class DiscordLimits:
    """The limits. They may be changed while the stand-in runs; `None` disables one.

    - `shards` is the recommended number of shards. With `needs_shards`, a session without sharding
      is refused.
    - `session_starts` is per day.
    - `identify_every_s` is the interval between two IDENTIFYs in a bucket (Discord: 5 s). A shard's
      bucket is its number modulo `max_concurrency`.
    - `global_per_second` limits the requests of a token in all processes together (Discord: 50).
    - `per_route` is the number of requests and seconds for each route and channel or webhook.
    """

    shards: int = 1
    needs_shards: bool = False
    session_starts: int = 1000
    max_concurrency: int = 1
    identify_every_s: float | None = None
    global_per_second: int | None = None
    per_route: tuple[int, float] = (1000, 1.0)


class LimitKind(Enum):
    """The limit that a bot exceeded."""

    SESSION_STARTS = "session starts"
    IDENTIFY = "identify"
    GLOBAL = "global"
    ROUTE = "route"


@dataclass(frozen=True, slots=True)
class Violation:
    """An exceeded limit; `details` names the shard or the request."""

    kind: LimitKind
    details: str


@dataclass(slots=True)
class Window:
    """A rate limit window. Times are seconds of `time.monotonic()`."""

    limit: int
    ends_at: float
    used: int = 0

    @property
    def remaining(self) -> int:
        """The number of requests left."""
        return max(0, self.limit - self.used)

    @property
    def reset_after(self) -> float:
        """Seconds until the window ends."""
        return max(0.0, self.ends_at - time.monotonic())

    def take(self) -> bool:
        """Count a request if one is left; return whether it was."""
        fits = self.remaining > 0
        self.used += fits
        return fits


class Limiter:
    """Counts requests and session starts of all processes of a bot together."""

    def __init__(self, limits: DiscordLimits) -> None:
        self._limits = limits
        #: Oldest first.
        self.violations: deque[Violation] = deque(maxlen=_MAX_VIOLATIONS)
        #: Session starts by shard number.
        self.starts: Counter[int] = Counter()
        self._identified: dict[int, float] = {}
        self._windows: dict[str, Window] = {}

    def _window(self, key: str, limit: int, seconds: float) -> Window:
        """Return the current window of a key."""
        window = self._windows.get(key)
        if window is None or window.reset_after == 0:
            window = self._windows[key] = Window(limit, time.monotonic() + seconds)
            if len(self._windows) > _MAX_WINDOWS:
                current = {k: w for k, w in self._windows.items() if w.reset_after > 0}
                self._windows = current
        window.limit = limit
        return window

    def _today(self) -> Window:
        return self._window("session starts", self._limits.session_starts, _DAY_S)

    def session_starts(self) -> dict[str, int]:
        """Return Discord's `session_start_limit`; `reset_after` is in milliseconds."""
        day = self._today()
        return {
            "total": day.limit,
            "remaining": day.remaining,
            "reset_after": int(day.reset_after * 1000),
            "max_concurrency": self._limits.max_concurrency,
        }

    def may_start(self, shard: int) -> bool:
        """Return whether a session start is left today."""
        if self._today().remaining:
            return True
        details = f"shard {shard}: no session start is left"
        self.violations.append(Violation(LimitKind.SESSION_STARTS, details))
        return False

    def may_identify(self, shard: int) -> bool:
        """Count a session start if a shard's bucket is free; return whether it was."""
        bucket, now = shard % self._limits.max_concurrency, time.monotonic()
        every_s, last = self._limits.identify_every_s, self._identified.get(bucket)
        if every_s is not None and last is not None and now - last < every_s:
            details = f"shard {shard}: IDENTIFY {now - last:.2f} s after another in bucket {bucket}"
            self.violations.append(Violation(LimitKind.IDENTIFY, details))
            return False
        self._identified[bucket] = now
        self._today().take()
        self.starts[shard] += 1
        return True

    def global_wait_s(self, token: str, request: str) -> float | None:
        """Count a request against the global limit; return the seconds to wait if exceeded."""
        limit = self._limits.global_per_second
        if limit is None:
            return None
        second = self._window(f"global {token}", limit, 1.0)
        if second.take():
            return None
        self.violations.append(Violation(LimitKind.GLOBAL, request))
        return second.reset_after

    def route(self, bucket: str) -> Window:
        """Return the window of a route and its channel or webhook."""
        return self._window(bucket, *self._limits.per_route)
