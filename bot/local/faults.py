"""Fault injection for tests, and a log of the bot's requests.

Paths are matched without `/api/v10` by shell wildcards: `/channels/*/messages`. A `*` also matches
slashes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bot.local.model import Json

_MAX_REQUESTS = 5000


@dataclass(frozen=True, slots=True)
class Request:
    """A request from the bot. `body` is its JSON, if any; `at` is seconds since 1970."""

    method: str
    path: str
    body: Json | list[Json] | None
    at: float


@dataclass(slots=True, eq=False)
class FaultRule:
    """A fault of the next `left` matching requests, `None` for all.

    They are delayed by `seconds`, then get `status` and `body` or lose their response.
    """

    method: str
    path_glob: str
    left: int | None
    seconds: float = 0.0
    status: int | None = None
    body: Json | None = None
    drops_response: bool = False
    #: Requests that the rule applied to.
    hits: int = 0

    def applies(self, method: str, path: str) -> bool:
        """Return whether the rule applies to a request, and count it."""
        matches = self.method in ("*", method) and fnmatchcase(path, self.path_glob)
        if not matches or self.left == 0:
            return False
        self.hits += 1
        if self.left is not None:
            self.left -= 1
        return True


class Faults:
    """Active fault rules, and the log of requests."""

    def __init__(self) -> None:
        self.requests: deque[Request] = deque(maxlen=_MAX_REQUESTS)
        self.on_request: list[Callable[[Request], None]] = []
        self._rules: list[FaultRule] = []

    def fail(
        self,
        method: str,
        path_glob: str,
        *,
        status: int = 503,
        times: int | None = 1,
        json: Json | None = None,
    ) -> FaultRule:
        """Answer the next `times` matching requests with an error, without processing them."""
        body = json if json is not None else {"message": f"{status}: made to fail", "code": 0}
        return self._add(FaultRule(method, path_glob, times, status=status, body=body))

    def too_many_requests(
        self,
        method: str,
        path_glob: str,
        *,
        retry_after: float = 0.1,
        times: int | None = 1,
    ) -> FaultRule:
        """Answer with 429, as for the limit of a route."""
        message = "You are being rate limited."
        body: Json = {"message": message, "retry_after": retry_after, "global": False}
        return self.fail(method, path_glob, status=429, times=times, json=body)

    def delay(
        self, method: str, path_glob: str, seconds: float, *, times: int | None = None
    ) -> FaultRule:
        """Delay matching requests before they are processed."""
        return self._add(FaultRule(method, path_glob, times, seconds))

    def drop_response(self, method: str, path_glob: str, *, times: int | None = 1) -> FaultRule:
        """Process matching requests, then close the connection without a response."""
        return self._add(FaultRule(method, path_glob, times, drops_response=True))

    def _add(self, rule: FaultRule) -> FaultRule:
        self._rules.append(rule)
        return rule

    def remove(self, rule: FaultRule) -> None:
        self._rules.remove(rule)

    def clear(self) -> None:
        self._rules.clear()

    def asked(self, method: str, path_glob: str) -> list[Request]:
        """Return the logged requests that match, oldest first."""
        return [r for r in self.requests if r.method == method and fnmatchcase(r.path, path_glob)]

    # For the server

    def record(self, request: Request) -> None:
        """Log a request and call the hooks."""
        self.requests.append(request)
        for hook in tuple(self.on_request):
            hook(request)

    async def before(self, method: str, path: str) -> FaultRule | None:
        """Apply delays; return the rule with the error to answer, if any."""
        for rule in list(self._rules):
            # Another request may have used up a rule during the delay.
            if not rule.drops_response and rule.applies(method, path):
                await asyncio.sleep(rule.seconds)
                if rule.status is not None:
                    return rule
        return None

    def drops_response(self, method: str, path: str) -> bool:
        """Return whether to close the connection without a response."""
        return any(rule.drops_response and rule.applies(method, path) for rule in self._rules)
