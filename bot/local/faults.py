"""Switches by which a test makes Discord misbehave, and the record of the bot's requests.

Paths are matched without `/api/v10`, with shell wildcards: `/channels/*/messages`. A `*` also
matches slashes. Nothing here can be reached over HTTP.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from bot.local.limits import Window
from bot.local.model import Json

if TYPE_CHECKING:
    from bot.local.standin import Standin

_REQUESTS_REMEMBERED = 5000


@dataclass(frozen=True, slots=True)
class Request:
    """One request of the bot, as it arrived. `body` is the JSON part, or `None`."""

    method: str
    path: str
    body: Json | list[Json] | None
    at: float


class FaultEffect(Enum):
    """What a rule does to a request."""

    FAIL = "fail"
    DELAY = "delay"
    DROP_RESPONSE = "drop response"


@dataclass(slots=True, eq=False)
class FaultRule:
    """One armed fault. `left` counts down; `None` means until it is cleared."""

    effect: FaultEffect
    method: str
    path_glob: str
    left: int | None
    status: int = 0
    body: Json = field(default_factory=dict)
    seconds: float = 0.0
    #: How often the rule has struck.
    struck: int = 0

    def matches(self, method: str, path: str) -> bool:
        """Whether it is armed and applies to this request."""
        named = self.method in ("*", method) and fnmatchcase(path, self.path_glob)
        return named and self.left != 0

    def strike(self) -> None:
        """Count one use."""
        self.struck += 1
        if self.left is not None:
            self.left -= 1


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most `limit` requests in `per` seconds, for each channel or webhook of a route."""

    limit: int
    per: float
    method: str = "*"
    path_glob: str = "*"


class Faults:
    """The switches. All methods take effect at once; `clear()` undoes them all."""

    def __init__(self, standin: Standin) -> None:
        self._standin = standin
        self.requests: deque[Request] = deque(maxlen=_REQUESTS_REMEMBERED)
        self.on_request: list[Callable[[Request], None]] = []
        self._rules: list[FaultRule] = []
        self._default_limit = RateLimit(limit=1000, per=1.0)
        self._limits: list[RateLimit] = []
        self._windows: dict[str, Window] = {}

    # Switches

    def fail(
        self,
        method: str,
        path_glob: str,
        *,
        status: int = 503,
        times: int | None = 1,
        json: Json | None = None,
    ) -> FaultRule:
        """Answer the next `times` matching requests with an error instead of doing them."""
        body = json if json is not None else {"message": f"{status}: made to fail", "code": 0}
        return self._arm(
            FaultRule(FaultEffect.FAIL, method, path_glob, times, status=status, body=body)
        )

    def too_many_requests(
        self,
        method: str,
        path_glob: str,
        *,
        retry_after: float = 0.1,
        times: int | None = 1,
        everywhere: bool = False,
    ) -> FaultRule:
        """Answer with 429; `everywhere` makes it the global limit."""
        body = {
            "message": "You are being rate limited.",
            "retry_after": retry_after,
            "global": everywhere,
        }
        return self.fail(method, path_glob, status=429, times=times, json=body)

    def rate_limit(
        self, limit: int, per: float, *, method: str = "*", path_glob: str = "*"
    ) -> RateLimit:
        """Allow `limit` requests in `per` seconds on matching routes; the last rule set wins."""
        made = RateLimit(limit, per, method, path_glob)
        self._limits.insert(0, made)
        self._windows.clear()
        return made

    def delay(
        self, method: str, path_glob: str, seconds: float, *, times: int | None = None
    ) -> FaultRule:
        """Make matching requests wait before they are processed."""
        return self._arm(FaultRule(FaultEffect.DELAY, method, path_glob, times, seconds=seconds))

    def drop_response(self, method: str, path_glob: str, *, times: int | None = 1) -> FaultRule:
        """Process the request, then cut the connection before the answer."""
        return self._arm(FaultRule(FaultEffect.DROP_RESPONSE, method, path_glob, times))

    def drop_sockets(self) -> None:
        """Cut all gateway connections without a close frame; sessions can be resumed."""
        self._standin.gateway.drop_sockets()

    def invalidate_sessions(self) -> None:
        """Invalidate all sessions; the bot has to identify again."""
        self._standin.gateway.invalidate_sessions()

    def block_dms(self, user_id: int, *, blocked: bool = True) -> None:
        """Make a person refuse direct messages (50007), or accept them again."""
        world = self._standin.model
        world.change_user(world.users[user_id], blocks_dms=blocked)

    def lift(self, rule: FaultRule) -> None:
        """Disarm one rule."""
        if rule in self._rules:
            self._rules.remove(rule)

    def clear(self) -> None:
        """Disarm all rules and restore the generous rate limit."""
        self._rules.clear()
        self._limits.clear()
        self._windows.clear()

    def asked(self, method: str, path_glob: str) -> list[Request]:
        """The recorded requests that match, oldest first."""
        return [r for r in self.requests if r.method == method and fnmatchcase(r.path, path_glob)]

    # For the server

    def record(self, request: Request) -> None:
        """Remember a request and call the hooks."""
        self.requests.append(request)
        for hook in tuple(self.on_request):
            hook(request)

    async def before(self, method: str, path: str) -> FaultRule | None:
        """Wait if a rule says so; returns the failure to answer with, if any."""
        for rule in list(self._rules):
            # While this request was delayed, another one may have used up a rule.
            if not rule.matches(method, path):
                continue
            if rule.effect is FaultEffect.DELAY:
                rule.strike()
                await asyncio.sleep(rule.seconds)
            elif rule.effect is FaultEffect.FAIL:
                rule.strike()
                return rule
        return None

    def drops_response(self, method: str, path: str) -> bool:
        """Whether the connection is to be cut now that the request is done."""
        for rule in self._rules:
            if rule.effect is FaultEffect.DROP_RESPONSE and rule.matches(method, path):
                rule.strike()
                return True
        return False

    def window(self, method: str, path: str, bucket: str) -> tuple[Window, bool]:
        """Count a request against its rate limit; the flag says whether it was within it."""
        limit = next(
            (
                limit
                for limit in self._limits
                if limit.method in ("*", method) and fnmatchcase(path, limit.path_glob)
            ),
            self._default_limit,
        )
        window = self._windows.get(bucket)
        if window is None or window.ends_at <= time.monotonic():
            self._forget_old_windows()
            window = Window(limit.limit, time.monotonic() + limit.per)
            self._windows[bucket] = window
        return window, window.take()

    def _forget_old_windows(self) -> None:
        if len(self._windows) > 1000:
            now = time.monotonic()
            self._windows = {k: w for k, w in self._windows.items() if w.ends_at > now}

    def _arm(self, rule: FaultRule) -> FaultRule:
        self._rules.append(rule)
        return rule
