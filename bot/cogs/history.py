"""The buttons of what has been: the log of a table, and the way through its game."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.common.logbook import Logbook
from bot.cogs.common.press import Press
from bot.cogs.common.presses import Presses, Verb, Way
from bot.cogs.common.replay import Replay
from bot.cogs.common.reply import Reply


class HistoryCog(commands.Cog, name="history"):
    """Hears the presses under logs and replays, for whatever game."""

    def __init__(self, replay: Replay, logbook: Logbook, presses: Presses) -> None:
        self._replay = replay
        self._logbook = logbook
        self._presses = presses

    async def cog_load(self) -> None:
        """Sign up for the verbs of logs and replays."""
        self._presses.on("replay", Verb(self._open))
        self._presses.on("step", Verb(self._replay.step, (Way.BUTTON, Way.SELECT), words=(1, 2)))
        self._presses.on("log", Verb(self._log))
        self._presses.on("page", Verb(self._page, words=(2,)))

    async def cog_unload(self) -> None:
        """Sign off."""
        self._presses.off("replay", "step", "log", "page")

    async def _open(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._replay.open(reply, press.table)

    async def _log(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._logbook.open(reply, press.table)

    async def _page(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._logbook.turn_to(reply, press)
