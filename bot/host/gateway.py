"""Whether the bot is connected to Discord."""

from __future__ import annotations

from collections.abc import Callable

from discord.ext import commands


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
