"""The HTTP API: finds the route, and does what all routes share.

In this order: record, faults, rate limits, token, the route itself, error answers, headers.
The routes are in the `api_*` modules.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec
from aiohttp import web

from bot.local import errors
from bot.local.errors import ApiError
from bot.local.faults import Faults, Request
from bot.local.limits import Limiter, LimitKind, Window
from bot.local.model import Channel, Guild, Json, Message, Permission
from bot.local.uploads import Body, parse_body
from bot.local.world import World

PREFIX = "/api/v10"
_MAJOR = ("channel_id", "guild_id", "webhook_id", "token")


@dataclass(frozen=True, slots=True)
class Call:
    """One request on its way to its route."""

    request: web.Request
    body: Body

    def id(self, name: str) -> int:
        """An id from the path; raises `ApiError` 50035 when it is not a number."""
        text = self.request.match_info[name]
        if not text.isdigit():
            fault = {"code": "NUMBER_TYPE_COERCE", "message": f'Value "{text}" is not snowflake.'}
            raise errors.invalid_form({name: {"_errors": [fault]}})
        return int(text)

    def text(self, name: str) -> str:
        """A part of the path as it stands."""
        return self.request.match_info[name]

    def number(self, name: str, default: int) -> int:
        """A number out of the query."""
        text = self.request.query.get(name, "")
        return int(text) if text.isdigit() else default


#: What a route returns: JSON, or `None` for an empty 204.
Result = Json | list[Json] | None
Handler = Callable[[Call], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """One method and path of the API. `open` routes need no bot token."""

    method: str
    path: str
    handler: Handler
    open: bool = False
    created: bool = False


def channel_of(call: Call, world: World) -> Channel:
    """The channel in a request's path; raises `ApiError` where the bot has no such channel."""
    channel = world.channels.get(call.id("channel_id"))
    if channel is None:
        raise errors.unknown_channel()
    if not world.bot_permissions(channel) & Permission.VIEW_CHANNEL:
        raise errors.missing_access()
    return channel


def guild_of(call: Call, world: World) -> Guild:
    """The server in a request's path; raises `ApiError` where the bot is on no such server."""
    guild = world.guilds.get(call.id("guild_id"))
    if guild is None:
        raise errors.unknown_guild()
    return guild


def message_of(call: Call, world: World) -> Message:
    """The message in a request's path; raises `ApiError` where the bot knows no such message."""
    message = world.messages[channel_of(call, world).id].get(call.id("message_id"))
    # Private answers can only be reached through the token of their interaction.
    if message is None or message.is_ephemeral:
        raise errors.unknown_message()
    return message


class Api:
    """Mounts routes on an aiohttp application."""

    def __init__(
        self, token: str, faults: Faults, limiter: Limiter, routes: list[ApiRoute]
    ) -> None:
        self._token = token
        self._faults = faults
        self._limiter = limiter
        self._routes = routes

    def mount(self, app: web.Application) -> None:
        """Register all routes, and answer everything else with a JSON 404."""
        for route in self._routes:
            app.router.add_route(route.method, PREFIX + route.path, self._handler(route))
        nowhere = ApiRoute("*", "/{rest:.*}", _nowhere)
        app.router.add_route("*", PREFIX + nowhere.path, self._handler(nowhere))

    def _handler(self, route: ApiRoute) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        digest = hashlib.blake2b(f"{route.method} {route.path}".encode(), digest_size=12)
        bucket = digest.hexdigest()

        async def handle(request: web.Request) -> web.StreamResponse:
            path = request.path.removeprefix(PREFIX)
            major = "+".join(request.match_info.get(name, "") for name in _MAJOR)
            data = await request.read()
            try:
                body = parse_body(request.headers.get("Content-Type", ""), data)
                fault: ApiError | None = None
            except ApiError as error:
                body, fault = Body(None, {}), error
            self._faults.record(Request(request.method, path, body.json, time.time()))
            rule = await self._faults.before(request.method, path)
            window, fits = self._faults.window(request.method, path, f"{bucket}:{major}")
            headers = _rate_headers(window, bucket)
            if rule is not None:
                return _json_response(rule.body, rule.status, headers)
            said, key = f"{request.method} {path}", request.headers.get("Authorization", "")
            # What answers an interaction, by the token in its path, is not counted.
            wait_s = None if route.open else self._limiter.too_many(key, said)
            if wait_s is not None:
                return _too_many(wait_s, {**headers, "X-RateLimit-Global": "true"}, "global")
            if not fits:
                self._limiter.note(LimitKind.ROUTE, said)
                return _too_many(window.reset_after, headers, "user")
            try:
                if fault is not None:
                    raise fault
                if not route.open and key != f"Bot {self._token}":
                    raise errors.unauthorized()
                result = await route.handler(Call(request, body))
                status = 204 if result is None else 201 if route.created else 200
            except ApiError as error:
                result, status = error.body(), error.status
            if self._faults.drops_response(request.method, path) and request.transport is not None:
                request.transport.abort()
            return _json_response(result, status, headers)

        return handle


async def _nowhere(call: Call) -> Result:
    raise errors.not_found()


def _json_response(
    result: Json | list[Json] | None, status: int, headers: dict[str, str]
) -> web.Response:
    # discord.py parses answers only with exactly this content type, without a charset.
    if result is None:
        return web.Response(status=status, headers=headers)
    headers["Content-Type"] = "application/json"
    return web.Response(body=msgspec.json.encode(result), status=status, headers=headers)


def _rate_headers(window: Window, bucket: str) -> dict[str, str]:
    reset_after = window.reset_after
    return {
        "Via": "1.1 stand-in",
        "X-RateLimit-Limit": str(window.limit),
        "X-RateLimit-Remaining": str(window.remaining),
        "X-RateLimit-Reset": f"{time.time() + reset_after:.3f}",
        "X-RateLimit-Reset-After": f"{reset_after:.3f}",
        "X-RateLimit-Bucket": bucket,
    }


def _too_many(wait_s: float, headers: dict[str, str], scope: str) -> web.Response:
    body: Json = {
        "message": "You are being rate limited.",
        "retry_after": round(wait_s + 0.001, 3),
        "global": scope == "global",
    }
    headers["Retry-After"] = str(int(wait_s) + 1)
    headers["X-RateLimit-Scope"] = scope
    return _json_response(body, 429, headers)
