"""The buttons of the past: a table's log, the replay of its game, and its review."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.flows.logbook import Logbook
from bot.cogs.flows.replay import Replay
from bot.cogs.flows.review import ReviewDialogue
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.layout import THEN
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import Routes, Verb, Way


class HistoryCog(commands.Cog, name="history"):
    """Handles presses under logs, replays and reviews, for any game."""

    def __init__(
        self,
        replay: Replay,
        logbook: Logbook,
        review: ReviewDialogue,
        router: Routes,
    ) -> None:
        self._replay = replay
        self._logbook = logbook
        self._review = review
        self._router = router

    async def cog_load(self) -> None:
        """Register the verbs of logs, replays and reviews."""
        self._router.on("replay", Verb(self._open))
        self._router.on("step", Verb(self._replay.step, (Way.BUTTON, Way.SELECT), words=(1, 2)))
        self._router.on("log", Verb(self._log, words=(0, 1)))
        self._router.on("page", Verb(self._page, words=(2,)))
        self._router.on("review", Verb(self._open_review))
        pages = Verb(self._review.turn_to, (Way.BUTTON, Way.SELECT), words=(0, 1))
        self._router.on("turning", pages)

    async def cog_unload(self) -> None:
        """Remove them, and give up what is being worked out."""
        self._router.off("replay", "step", "log", "page", "review", "turning")
        await self._review.stop()

    async def _open(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._replay.open(reply, custom_id.table)

    async def _open_review(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._review.open(reply, custom_id.table)

    async def _log(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        message, at = reply.interaction.message, None
        if custom_id.words and only(custom_id.words, among=(THEN,)) and message is not None:
            at = message.created_at
        await self._logbook.open(reply, custom_id.table, at)

    async def _page(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._logbook.turn_to(reply, custom_id)
