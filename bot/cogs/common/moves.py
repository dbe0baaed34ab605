"""What the commands of every game's moves share: doing them, and offering what is legal.

What a command leaves out is filled where there is no choice, and asked by a panel where there is.
"""

from __future__ import annotations

from typing import Any, ClassVar

from discord import app_commands
from discord.ext import commands

from bot.cogs.common import building
from bot.cogs.common.choosing import Choice, focused, for_words, in_order
from bot.cogs.common.guide import Guide
from bot.cogs.common.items import Interaction
from bot.cogs.common.lookup import table_for
from bot.cogs.common.named import PATH
from bot.cogs.common.reply import Reply
from bot.cogs.common.shell import Shell
from bot.cogs.common.trouble import KNOWN
from bot.tables import NO_TERMS, Status, Table, Terms


class MovesCog(commands.GroupCog):
    """The moves of one game as commands; a subclass has a command for each kind of action."""

    game: ClassVar[str]
    """The game's name; the paths of its commands begin with it."""

    def __init__(self, shell: Shell, guide: Guide) -> None:
        super().__init__()
        self._shell = shell
        self._guide = guide

    async def offered(self, interaction: Interaction, typed: str) -> list[Choice]:
        """Choices for the option being typed, out of what the options before it leave."""
        here = interaction.command
        if not isinstance(here, app_commands.Command):
            return []
        kind = str(here.extras[PATH]).removeprefix(f"{self.game} ")
        params = self._shell.games[self.game].moves[kind].params
        typing = next(
            (name for name in params if _option(here, name) == focused(interaction)), None
        )
        if typing is None:
            return []
        before = params[: params.index(typing)]
        try:
            table = await self._table(interaction, interaction.namespace.table)
            seat = await self._shell.tables.seat_of(table.id, interaction.user.id)
            look = await self._shell.look(table.id, seat, self._shell.reader(interaction))
            said = in_order(interaction, [_option(here, name) or name for name in before])
            at = await building.typed(self._shell.tables, look, seat, kind, said)
        except KNOWN:
            # Nothing can be offered; the command itself will say why.
            return []
        if len(at.action) != 1 + len(before):
            return []
        return for_words(look, at.action, at.choices, typed)

    async def do(
        self,
        interaction: Interaction,
        number: int | None,
        kind: str,
        *said: str | None,
        terms: Terms = NO_TERMS,
    ) -> None:
        """Do the action, as far as it was typed, at the table of this number or the one meant."""
        async with Reply(interaction) as reply:
            table = await self._table(interaction, number)
            await self._guide.command(reply, table.id, kind, said, terms)

    async def _table(self, interaction: Interaction, number: int | None) -> Table:
        return await table_for(
            self._shell, interaction, number, among=(Status.PLAYING,), game=self.game
        )


def _option(here: app_commands.Command[Any, ..., Any], param: str) -> str | None:
    """The name of the option behind a parameter."""
    return next((known.display_name for known in here.parameters if known.name == param), None)
