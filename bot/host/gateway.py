"""Whether Discord can be reached, and whether the bot is connected to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord
from discord.ext import commands

from bot.host.retry import retry

T = TypeVar("T")

SERVER_ERROR = 500
TOO_MANY_REQUESTS = 429


async def discord_reached(attempt: Callable[[], Awaitable[T]]) -> T:
    """What Discord answers, which is waited for where that may help. Raises what it refuses."""
    return await retry("Discord", attempt, _may_pass)


class Gateway:
    """Follows the connection of a bot to Discord."""

    def __init__(self, on_reconnect: Callable[[], None]) -> None:
        self.is_connected = False
        self._on_reconnect = on_reconnect
        self._was_connected = False

    def follow(self, bot: commands.Bot) -> None:
        """Follow this bot from now on."""
        for event in ("on_ready", "on_resumed"):
            bot.add_listener(self._up, event)
        bot.add_listener(self._down, "on_disconnect")

    async def _up(self) -> None:
        if self._was_connected and not self.is_connected:
            self._on_reconnect()
        self.is_connected = self._was_connected = True

    async def _down(self) -> None:
        self.is_connected = False


def _may_pass(error: Exception) -> bool:
    if isinstance(error, discord.HTTPException):
        return error.status >= SERVER_ERROR or error.status == TOO_MANY_REQUESTS
    return isinstance(error, aiohttp.ClientError | OSError | TimeoutError)
