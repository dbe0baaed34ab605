"""Access to Discord: its address, retries, and the state of the connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import aiohttp
import discord
import discord.gateway
import discord.http
import yarl
from discord.ext import commands

from bot.host.retry import retry

T = TypeVar("T")

SERVER_ERROR = 500
TOO_MANY_REQUESTS = 429


@contextmanager
def point_discord_at(base_url: str, *, has_gateway: bool = True) -> Iterator[None]:
    """Make every discord.py client of this process use `base_url` within the block.

    `base_url` is the root of a stand-in, such as `http://127.0.0.1:8120`, or of a proxy for
    requests, which has no gateway. Enter before the client logs in and leave after it has closed.
    """
    root = yarl.URL(base_url)
    route, websocket = discord.http.Route, discord.gateway.DiscordWebSocket
    before = route.BASE, websocket.DEFAULT_GATEWAY
    socket_scheme = "wss" if root.scheme == "https" else "ws"
    route.BASE = str(root / "api" / "v10")
    if has_gateway:
        websocket.DEFAULT_GATEWAY = root.with_scheme(socket_scheme) / "gateway"
    try:
        yield
    finally:
        route.BASE, websocket.DEFAULT_GATEWAY = before


async def reach_discord(attempt: Callable[[], Awaitable[T]]) -> T:
    """Retry while Discord is unreachable. Raise Discord's other errors."""
    return await retry("discord", attempt, _is_temporary)


def _is_temporary(error: Exception) -> bool:
    if isinstance(error, discord.HTTPException):
        return error.status >= SERVER_ERROR or error.status == TOO_MANY_REQUESTS
    return isinstance(error, aiohttp.ClientError | OSError | TimeoutError)


class Gateway:
    """Tracks whether a bot is connected to Discord, and its servers."""

    def __init__(self, on_reconnect: Callable[[], None] = lambda: None) -> None:
        self.is_connected = False
        self._on_reconnect = on_reconnect
        self._was_connected = False
        self._bot: commands.Bot | None = None

    def follow(self, bot: commands.Bot) -> None:
        self._bot = bot
        bot.add_listener(self._up, "on_ready")
        bot.add_listener(self._up, "on_resumed")
        bot.add_listener(self._down, "on_disconnect")

    def guild(self, number: int) -> discord.Guild | None:
        """Return a server with its channels; None if Discord has not announced it here."""
        return None if self._bot is None else self._bot.get_guild(number)

    async def _up(self) -> None:
        if self._was_connected and not self.is_connected:
            self._on_reconnect()
        self.is_connected = self._was_connected = True

    async def _down(self) -> None:
        self.is_connected = False
