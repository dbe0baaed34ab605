"""What the commands of every game's moves share: doing them, and offering what is legal.

What a command leaves out is filled where there is no choice, and asked by a panel where there is.
"""

from __future__ import annotations

from typing import Any, ClassVar

from discord import app_commands
from discord.ext import commands

from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui import action_builder
from bot.cogs.ui.autocomplete import Choice, focused, for_words, in_order
from bot.cogs.ui.components import Interaction
from bot.cogs.ui.localized_commands import PATH
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import KNOWN
from bot.cogs.ui.which_table import table_for
from bot.tables import NO_TERMS, Status, Table, Terms


class MovesCog(commands.GroupCog):
    """The moves of one game as commands; a subclass has a command for each kind of action."""

    game: ClassVar[str]
    """The game's name; the paths of its commands begin with it."""

    def __init__(self, services: Services, guide: TurnGuide) -> None:
        super().__init__()
        self._services = services
        self._guide = guide

    async def offered(self, interaction: Interaction, typed: str) -> list[Choice]:
        """Choices for the option being typed, out of what the options before it leave."""
        here = interaction.command
        if not isinstance(here, app_commands.Command):
            return []
        kind = str(here.extras[PATH]).removeprefix(f"{self.game} ")
        params = self._services.titles.games[self.game].moves[kind].params
        typing = next(
            (name for name in params if _option(here, name) == focused(interaction)), None
        )
        if typing is None:
            return []
        before = params[: params.index(typing)]
        try:
            table = await self._table(interaction, interaction.namespace.table)
            seat = await self._services.tables.reader.seat_of(table.id, interaction.user.id)
            snapshot = await self._services.snapshot(
                table.id, seat, self._services.reader(interaction)
            )
            said = in_order(interaction, [_option(here, name) or name for name in before])
            at = await action_builder.typed(self._services.tables, snapshot, seat, kind, said)
        except KNOWN:
            # Nothing can be offered; the command itself will say why.
            return []
        if len(at.action) != 1 + len(before):
            return []
        return for_words(snapshot, at.action, at.choices, typed)

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
            self._services, interaction, number, among=(Status.PLAYING,), game=self.game
        )


def _option(here: app_commands.Command[Any, ..., Any], param: str) -> str | None:
    """The name of the option behind a parameter."""
    return next((known.display_name for known in here.parameters if known.name == param), None)
