"""`/rules`, and the buttons that lead to a chapter of the rules, for whatever game."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.common.access import Scope
from bot.cogs.common.choosing import Choice, matching
from bot.cogs.common.items import Interaction
from bot.cogs.common.named import command
from bot.cogs.common.press import Forged, Press, only
from bot.cogs.common.presses import Presses, Verb, Way
from bot.cogs.common.reply import Reply
from bot.cogs.common.rulebook import Rulebook
from bot.cogs.common.shell import Shell
from bot.cogs.common.trouble import KNOWN


class RulesCog(commands.Cog, name="rules"):
    """The rules of every game, told to whoever asks."""

    def __init__(self, shell: Shell, rulebook: Rulebook, presses: Presses) -> None:
        self._shell = shell
        self._rulebook = rulebook
        self._presses = presses

    async def cog_load(self) -> None:
        """Sign up for the buttons and selects of the rules."""
        self._presses.on("rules", Verb(self._open, scope=Scope.EITHER, words=(0, 1), decided=True))
        ways = (Way.BUTTON, Way.SELECT)
        turn = Verb(self._turn_to, ways, Scope.NO_TABLE, words=(0, 1), decided=True)
        self._presses.on("chapter", turn)

    async def cog_unload(self) -> None:
        """Sign off."""
        self._presses.off("rules", "chapter")

    @command("rules")
    async def rules(
        self, interaction: Interaction, topic: str | None = None, game: str | None = None
    ) -> None:
        """An overview, a chapter or a search."""
        async with Reply(interaction) as reply:
            await self._rulebook.asked(reply, game, topic)

    @rules.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> list[Choice]:
        words = self._shell.reader(interaction)
        games = ((name, words(text.title)) for name, text in self._shell.texts.items())
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

    async def _open(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        game = self._game(press)
        if game is None and press.table:
            game = self._shell.book(await self._shell.tables.get(press.table))
        await self._rulebook.open(reply, game, only(press.words) if press.words else None)

    async def _turn_to(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        game, topic = self._game(press), only((*press.words, *values))
        if game is None:
            raise Forged
        await self._rulebook.turn_to(reply, game, topic)

    def _game(self, press: Press) -> str | None:
        if press.decision is not None and not self._rulebook.has(press.decision):
            raise Forged(press.decision)
        return press.decision
