"""HTTP API: routing, and the steps that all routes share.

These are, in order: request log, faults, rate limits, token, route, error response. The routes are
in `api_routes`.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from aiohttp import web

from bot.local.errors import ApiError, wrong_field
from bot.local.faults import Request
from bot.local.limits import LimitKind, Violation
from bot.local.model import Channel, Guild, Json, Message, Permission
from bot.local.posting import Body, parse_body
from bot.local.wire import Wire
from bot.local.world import World

if TYPE_CHECKING:
    from bot.local.standin import Standin

PREFIX = "/api/v10"
_MAJOR = ("channel_id", "guild_id", "webhook_id", "token")


@dataclass(frozen=True, slots=True)
class Call:
    """A request to a route. Lookups raise `ApiError` if they fail."""

    standin: Standin
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Body

    @property
    def world(self) -> World:
        return self.standin.model

    @property
    def wire(self) -> Wire:
        return self.standin.wire

    def id(self, name: str) -> int:
        """Return an id from the path; raise `ApiError` 50035 if it is not a number."""
        text = self.path[name]
        if not text.isdigit():
            raise wrong_field(name, "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
        return int(text)

    def number(self, name: str, default: int) -> int:
        """Return a number from the query."""
        text = self.query.get(name, "")
        return int(text) if text.isdigit() else default

    def channel(self) -> Channel:
        """Return the path's channel."""
        channel = self.world.channels.get(self.id("channel_id"))
        if channel is None:
            raise ApiError("Unknown Channel")
        if not self.world.bot_permissions(channel) & Permission.VIEW_CHANNEL:
            raise ApiError("Missing Access")
        return channel

    def guild(self) -> Guild:
        """Return the path's server."""
        guild = self.world.guilds.get(self.id("guild_id"))
        if guild is None:
            raise ApiError("Unknown Guild")
        return guild

    def message(self) -> Message:
        """Return the path's message."""
        message = self.world.messages[self.channel().id].get(self.id("message_id"))
        # Private answers need the token of their interaction.
        if message is None or message.is_ephemeral:
            raise ApiError("Unknown Message")
        return message

    def check_application(self) -> None:
        """Raise `ApiError` unless the path's application is the bot's."""
        if self.id("app_id") != self.world.bot.id:
            raise ApiError("Missing Access")

    def check_permission(self, channel: Channel, permission: Permission) -> None:
        """Raise `ApiError` unless the bot has a permission in a channel."""
        if not self.world.bot_permissions(channel) & permission:
            raise ApiError("Missing Permissions")


#: Response body of a route: JSON, or `None` for an empty 204.
Result = Json | list[Json] | None
Handler = Callable[[Call], Result]


class ApiRoute:
    """A method and path of the API. `is_open` routes need no bot token."""

    def __init__(
        self, method: str, path: str, handler: Handler, *, is_open: bool, status: int
    ) -> None:
        self.method, self.handler, self.is_open, self.status = method, handler, is_open, status
        self.pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path) + r"\Z")
        self.bucket = hashlib.blake2b(f"{method} {path}".encode(), digest_size=12).hexdigest()


class RouteTable(list[ApiRoute]):
    """Routes, added by the decorator `add`."""

    def add(
        self, method: str, *paths: str, is_open: bool = False, status: int = 200
    ) -> Callable[[Handler], Handler]:
        """Add the decorated function as the handler of a method and paths."""

        def register(handler: Handler) -> Handler:
            self.extend(
                ApiRoute(method, path, handler, is_open=is_open, status=status) for path in paths
            )
            return handler

        return register


def _not_found(call: Call) -> Result:
    raise ApiError("404: Not Found")


class Api:
    """The handler of all requests to the API."""

    def __init__(self, standin: Standin, routes: Sequence[ApiRoute]) -> None:
        self._standin = standin
        not_found = ApiRoute("", "/.*", _not_found, is_open=False, status=404)
        self._routes = [*routes, not_found]

    async def handle(self, request: web.Request) -> web.Response:
        """Answer a request."""
        standin, method = self._standin, request.method
        path, key = request.path.removeprefix(PREFIX), request.headers.get("Authorization", "")
        description = f"{method} {path}"
        route, params = next(
            (route, match.groupdict())
            for route in self._routes
            if route.method in (method, "") and (match := route.pattern.match(path))
        )
        body_error: ApiError | None = None
        try:
            body = parse_body(request.headers.get("Content-Type", ""), await request.read())
        except ApiError as error:
            body, body_error = Body(None, {}), error
        standin.faults.record(Request(method, path, body.json, time.time()))
        rule = await standin.faults.before(method, path)
        major = "+".join(params.get(name, "") for name in _MAJOR)
        window = standin.limiter.route(f"{route.bucket}:{major}")
        fits = window.take()
        headers = {
            "Via": "1.1 stand-in",
            "X-RateLimit-Limit": str(window.limit),
            "X-RateLimit-Remaining": str(window.remaining),
            "X-RateLimit-Reset": f"{time.time() + window.reset_after:.3f}",
            "X-RateLimit-Reset-After": f"{window.reset_after:.3f}",
            "X-RateLimit-Bucket": route.bucket,
        }
        if rule is not None and rule.status is not None:
            return _answer(rule.body, rule.status, headers)
        # Interaction callbacks and webhooks do not count against the global limit.
        wait_s = None if route.is_open else standin.limiter.global_wait_s(key, description)
        if wait_s is not None:
            return _too_many(wait_s, {**headers, "X-RateLimit-Global": "true"}, "global")
        if not fits:
            standin.limiter.violations.append(Violation(LimitKind.ROUTE, description))
            return _too_many(window.reset_after, headers, "user")
        try:
            if body_error is not None:
                raise body_error
            if not route.is_open and key != f"Bot {standin.token}":
                raise ApiError("401: Unauthorized")
            result = route.handler(Call(standin, params, request.query, body))
            status = 204 if result is None else route.status
        except ApiError as error:
            result, status = error.body, error.status
        if standin.faults.drops_response(method, path) and request.transport is not None:
            request.transport.abort()
        return _answer(result, status, headers)


def _answer(result: Result, status: int, headers: dict[str, str]) -> web.Response:
    if result is None:
        return web.Response(status=status, headers=headers)
    # discord.py parses only this exact content type, without a charset.
    headers["Content-Type"] = "application/json"
    return web.Response(body=msgspec.json.encode(result), status=status, headers=headers)


def _too_many(wait_s: float, headers: dict[str, str], scope: str) -> web.Response:
    body: Json = {
        "message": "You are being rate limited.",
        "retry_after": round(wait_s + 0.001, 3),
        "global": scope == "global",
    }
    headers["Retry-After"] = str(int(wait_s) + 1)
    headers["X-RateLimit-Scope"] = scope
    return _answer(body, 429, headers)
