"""Switches by which a test makes Discord misbehave, and the record of the bot's requests.

Paths are matched without `/api/v10`, with shell wildcards: `/channels/*/messages`. A `*` also
matches slashes. Nothing here can be reached over HTTP.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

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


@dataclass(slots=True, eq=False)
class FaultRule:
    """What happens to the next `left` requests that match, or with `None` to all of them.

    They wait `seconds`, and get an answer of a `status` and a `body`, or lose their own.
    """

    method: str
    path_glob: str
    left: int | None
    seconds: float = 0.0
    status: int | None = None
    body: Json | None = None
    loses_answer: bool = False
    #: How often the rule has struck.
    struck: int = 0

    def strikes(self, method: str, path: str) -> bool:
        """Whether it applies to this request; counts it then."""
        matches = self.method in ("*", method) and fnmatchcase(path, self.path_glob)
        if not matches or self.left == 0:
            return False
        self.struck += 1
        if self.left is not None:
            self.left -= 1
        return True


class Faults:
    """The switches, which take effect at once."""

    def __init__(self, standin: Standin) -> None:
        self._standin = standin
        self.requests: deque[Request] = deque(maxlen=_REQUESTS_REMEMBERED)
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
        """Answer the next `times` matching requests with an error instead of doing them."""
        body = json if json is not None else {"message": f"{status}: made to fail", "code": 0}
        return self._arm(FaultRule(method, path_glob, times, status=status, body=body))

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
        message = "You are being rate limited."
        body: Json = {"message": message, "retry_after": retry_after, "global": everywhere}
        return self.fail(method, path_glob, status=429, times=times, json=body)

    def delay(
        self, method: str, path_glob: str, seconds: float, *, times: int | None = None
    ) -> FaultRule:
        """Make matching requests wait before they are processed."""
        return self._arm(FaultRule(method, path_glob, times, seconds))

    def drop_response(self, method: str, path_glob: str, *, times: int | None = 1) -> FaultRule:
        """Process the request, then cut the connection before the answer."""
        return self._arm(FaultRule(method, path_glob, times, loses_answer=True))

    def _arm(self, rule: FaultRule) -> FaultRule:
        self._rules.append(rule)
        return rule

    def lift(self, rule: FaultRule) -> None:
        """Disarm one rule."""
        self._rules.remove(rule)

    def clear(self) -> None:
        """Disarm all rules."""
        self._rules.clear()

    def drop_sockets(self) -> None:
        """Cut all gateway connections without a close frame; sessions can be resumed."""
        self._standin.gateway.drop_sockets()

    def invalidate_sessions(self) -> None:
        """Invalidate all sessions; the bot has to identify again."""
        self._standin.gateway.invalidate_sessions()

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
            if not rule.loses_answer and rule.strikes(method, path):
                await asyncio.sleep(rule.seconds)
                if rule.status is not None:
                    return rule
        return None

    def drops_response(self, method: str, path: str) -> bool:
        """Whether the connection is to be cut now that the request is done."""
        return any(rule.loses_answer and rule.strikes(method, path) for rule in self._rules)
