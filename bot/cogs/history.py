"""The buttons of the past: a table's log, and the replay of its game."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.flows.logbook import Logbook
from bot.cogs.flows.replay import Replay
from bot.cogs.ui.component_router import ComponentRouter, Verb, Way
from bot.cogs.ui.components import THEN
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.reply import Reply


class HistoryCog(commands.Cog, name="history"):
    """Handles presses under logs and replays, for any game."""

    def __init__(self, replay: Replay, logbook: Logbook, router: ComponentRouter) -> None:
        self._replay = replay
        self._logbook = logbook
        self._router = router

    async def cog_load(self) -> None:
        """Register the verbs of logs and replays."""
        self._router.on("replay", Verb(self._open))
        self._router.on("step", Verb(self._replay.step, (Way.BUTTON, Way.SELECT), words=(1, 2)))
        self._router.on("log", Verb(self._log, words=(0, 1)))
        self._router.on("page", Verb(self._page, words=(2,)))

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off("replay", "step", "log", "page")

    async def _open(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._replay.open(reply, custom_id.table)

    async def _log(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        message, at = reply.interaction.message, None
        if custom_id.words and only(custom_id.words, among=(THEN,)) and message is not None:
            at = message.created_at
        await self._logbook.open(reply, custom_id.table, at)

    async def _page(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._logbook.turn_to(reply, custom_id)
