"""`/rules`, and the buttons that lead to a chapter of the rules, for any game."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.flows.rulebook import Rulebook
from bot.cogs.ui.access import Scope
from bot.cogs.ui.autocomplete import Choice, matching
from bot.cogs.ui.custom_id import CustomId, Forged, only
from bot.cogs.ui.layout import Interaction
from bot.cogs.ui.localized_commands import command
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import Routes, Verb, Way
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import KNOWN


class RulesCog(commands.Cog, name="rules"):
    """The rules of every game, for whoever asks."""

    def __init__(self, services: Services, rulebook: Rulebook, router: Routes) -> None:
        self._services = services
        self._rulebook = rulebook
        self._router = router

    async def cog_load(self) -> None:
        """Register the buttons and selects of the rules."""
        self._router.on("rules", Verb(self._open, scope=Scope.EITHER, words=(0, 1), decided=True))
        ways = (Way.BUTTON, Way.SELECT)
        turn = Verb(self._turn_to, ways, Scope.NO_TABLE, words=(0, 1), decided=True)
        self._router.on("chapter", turn)

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off("rules", "chapter")

    @command("rules")
    async def rules(
        self, interaction: Interaction, topic: str | None = None, game: str | None = None
    ) -> None:
        """Show an overview, a chapter or search results."""
        async with Reply(interaction) as reply:
            await self._rulebook.asked(reply, game, topic)

    @rules.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> list[Choice]:
        words = self._services.words_of(interaction)
        games = ((name, words(text.title)) for name, text in self._services.titles.texts.items())
        return matching(games, typed)

    @rules.autocomplete("topic")
    async def _topics(self, interaction: Interaction, typed: str) -> list[Choice]:
        try:
            typed_game: str | None = interaction.namespace.game
            game = typed_game or await self._rulebook.game_here(interaction)
        except KNOWN:
            # Nothing can be offered; the command itself will say why.
            return []
        if game is None or not self._rulebook.has(game):
            return []
        return self._rulebook.offered(interaction, game, typed)

    async def _open(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        game = self._game(custom_id)
        if game is None and custom_id.table:
            game = self._services.book(await self._services.tables.reader.get(custom_id.table))
        await self._rulebook.asked(reply, game, only(custom_id.words) if custom_id.words else None)

    async def _turn_to(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        game, topic = self._game(custom_id), only((*custom_id.words, *values))
        if game is None:
            raise Forged
        await self._rulebook.turn_to(reply, game, topic)

    def _game(self, custom_id: CustomId) -> str | None:
        if custom_id.decision is not None and not self._rulebook.has(custom_id.decision):
            raise Forged(custom_id.decision)
        return custom_id.decision
