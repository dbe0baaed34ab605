"""`/burgundy`: one command for each action of a game of The Castles of Burgundy."""

from __future__ import annotations

from bot.cogs.panel.move_commands import MovesCog
from bot.cogs.ui.components import Interaction
from bot.cogs.ui.localized_commands import command, described, named

GAME = "burgundy"


class BurgundyCog(
    MovesCog,
    name=GAME,
    group_name=named(GAME),
    group_description=described(GAME),
):
    """The moves of The Castles of Burgundy as commands."""

    game = GAME

    @command("burgundy board", MovesCog.offered)
    async def board(self, interaction: Interaction, board: str, table: int | None = None) -> None:
        """Board."""
        await self.do(interaction, table, "board", board)

    @command("burgundy castle", MovesCog.offered)
    async def castle(self, interaction: Interaction, space: str, table: int | None = None) -> None:
        """Castle."""
        await self.do(interaction, table, "castle", space)

    @command("burgundy take", MovesCog.offered)
    async def take(
        self,
        interaction: Interaction,
        die: str | None = None,
        depot: str | None = None,
        tile: str | None = None,
        discard: str | None = None,
        table: int | None = None,
    ) -> None:
        """Take."""
        await self.do(interaction, table, "take", die, depot, tile, discard)

    @command("burgundy place", MovesCog.offered)
    async def place(
        self,
        interaction: Interaction,
        die: str | None = None,
        tile: str | None = None,
        space: str | None = None,
        table: int | None = None,
    ) -> None:
        """Place."""
        await self.do(interaction, table, "place", die, tile, space)

    @command("burgundy sell", MovesCog.offered)
    async def sell(
        self,
        interaction: Interaction,
        die: str | None = None,
        good: str | None = None,
        table: int | None = None,
    ) -> None:
        """Sell."""
        await self.do(interaction, table, "sell", die, good)

    @command("burgundy workers", MovesCog.offered)
    async def workers(
        self, interaction: Interaction, die: str | None = None, table: int | None = None
    ) -> None:
        """Workers."""
        await self.do(interaction, table, "workers", die)

    @command("burgundy buy", MovesCog.offered)
    async def buy(
        self,
        interaction: Interaction,
        depot: str | None = None,
        tile: str | None = None,
        discard: str | None = None,
        table: int | None = None,
    ) -> None:
        """Buy."""
        await self.do(interaction, table, "buy", depot, tile, discard)

    @command("burgundy load", MovesCog.offered)
    async def load(
        self,
        interaction: Interaction,
        depot: str,
        goods: str | None = None,
        table: int | None = None,
    ) -> None:
        """Load."""
        await self.do(interaction, table, "load", depot, goods)

    @command("burgundy decline")
    async def decline(self, interaction: Interaction, table: int | None = None) -> None:
        """Decline."""
        await self.do(interaction, table, "decline")

    @command("burgundy end")
    async def end(self, interaction: Interaction, table: int | None = None) -> None:
        """End."""
        await self.do(interaction, table, "end")
