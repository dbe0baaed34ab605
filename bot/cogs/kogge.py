"""`/kogge`: one command for each action of a game of Kogge."""

from __future__ import annotations

from discord import app_commands

from bot.cogs.panel.move_commands import MovesCog
from bot.cogs.ui.components import Interaction
from bot.cogs.ui.localized_commands import command, described, group, named
from bot.tables import PROMISE_MOST, Terms

Said = app_commands.Range[str, 1, PROMISE_MOST]
"""A promise in words."""

GAME = "kogge"


class KoggeCog(
    MovesCog,
    name=GAME,
    group_name=named(GAME),
    group_description=described(GAME),
):
    """The moves of Kogge as commands."""

    game = GAME

    guild = group("kogge guild")
    deal = group("kogge deal")

    @command("kogge found", MovesCog.offered)
    async def found(self, interaction: Interaction, marker: str, table: int | None = None) -> None:
        """Found."""
        await self.do(interaction, table, "found", marker)

    @command("kogge bid", MovesCog.offered)
    async def bid(self, interaction: Interaction, markers: str, table: int | None = None) -> None:
        """Bid."""
        await self.do(interaction, table, "bid", markers)

    @command("kogge advance", MovesCog.offered)
    async def advance(
        self,
        interaction: Interaction,
        steps: str,
        table: int | None = None,
    ) -> None:
        """Advance."""
        await self.do(interaction, table, "advance", steps)

    @command("kogge tax", MovesCog.offered)
    async def tax(
        self,
        interaction: Interaction,
        pieces: str | None = None,
        table: int | None = None,
    ) -> None:
        """Tax."""
        await self.do(interaction, table, "tax", pieces)

    @command("kogge peek", MovesCog.offered)
    async def peek(
        self,
        interaction: Interaction,
        fee: str | None = None,
        table: int | None = None,
    ) -> None:
        """Peek."""
        await self.do(interaction, table, "peek", fee)

    @command("kogge sail", MovesCog.offered)
    async def sail(
        self,
        interaction: Interaction,
        route: str,
        fee: str | None = None,
        table: int | None = None,
    ) -> None:
        """Sail."""
        await self.do(interaction, table, "sail", route, fee)

    @command("kogge load", MovesCog.offered)
    async def load(self, interaction: Interaction, pieces: str, table: int | None = None) -> None:
        """Load."""
        await self.do(interaction, table, "load", pieces)

    @command("kogge stop")
    async def stop(self, interaction: Interaction, table: int | None = None) -> None:
        """Stop."""
        await self.do(interaction, table, "stop")

    @command("kogge build", MovesCog.offered)
    async def build(
        self,
        interaction: Interaction,
        price: str | None = None,
        table: int | None = None,
    ) -> None:
        """Build."""
        await self.do(interaction, table, "build", price)

    @command("kogge buy_raid", MovesCog.offered, guild)
    async def buy_raid(
        self,
        interaction: Interaction,
        marker: str,
        table: int | None = None,
    ) -> None:
        """Buy raid."""
        await self.do(interaction, table, "buy_raid", marker)

    @command("kogge sell_six", MovesCog.offered, guild)
    async def sell_six(
        self,
        interaction: Interaction,
        good: str,
        chit: str,
        table: int | None = None,
    ) -> None:
        """Sell six."""
        await self.do(interaction, table, "sell_six", good, chit)

    @command("kogge swap_good", MovesCog.offered, guild)
    async def swap_good(
        self,
        interaction: Interaction,
        good: str,
        marker: str,
        table: int | None = None,
    ) -> None:
        """Swap good."""
        await self.do(interaction, table, "swap_good", good, marker)

    @command("kogge swap_marker", MovesCog.offered, guild)
    async def swap_marker(
        self,
        interaction: Interaction,
        marker: str,
        table: int | None = None,
    ) -> None:
        """Swap marker."""
        await self.do(interaction, table, "swap_marker", marker)

    @command("kogge buy", MovesCog.offered)
    async def buy(
        self,
        interaction: Interaction,
        pair: str,
        good: str,
        table: int | None = None,
    ) -> None:
        """Buy."""
        await self.do(interaction, table, "buy", pair, good)

    @command("kogge trade", MovesCog.offered)
    async def trade(
        self,
        interaction: Interaction,
        give: str,
        take: str | None = None,
        table: int | None = None,
    ) -> None:
        """Trade."""
        await self.do(interaction, table, "trade", give, take)

    @command("kogge reroute", MovesCog.offered)
    async def reroute(
        self,
        interaction: Interaction,
        route: str,
        marker: str,
        table: int | None = None,
    ) -> None:
        """Reroute."""
        await self.do(interaction, table, "reroute", route, marker)

    @command("kogge raid_ship", MovesCog.offered)
    async def raid_ship(
        self,
        interaction: Interaction,
        seat: str,
        table: int | None = None,
    ) -> None:
        """Raid ship."""
        await self.do(interaction, table, "raid_ship", seat)

    @command("kogge raid_city")
    async def raid_city(self, interaction: Interaction, table: int | None = None) -> None:
        """Raid city."""
        await self.do(interaction, table, "raid_city")

    @command("kogge end")
    async def end(self, interaction: Interaction, table: int | None = None) -> None:
        """End."""
        await self.do(interaction, table, "end")

    @command("kogge split", MovesCog.offered)
    async def split(self, interaction: Interaction, group: str, table: int | None = None) -> None:
        """Split."""
        await self.do(interaction, table, "split", group)

    @command("kogge choose", MovesCog.offered)
    async def choose(self, interaction: Interaction, group: str, table: int | None = None) -> None:
        """Choose."""
        await self.do(interaction, table, "choose", group)

    @command("kogge push", MovesCog.offered)
    async def push(self, interaction: Interaction, route: str, table: int | None = None) -> None:
        """Push."""
        await self.do(interaction, table, "push", route)

    @command("kogge challenge", MovesCog.offered)
    async def challenge(
        self,
        interaction: Interaction,
        seat: str,
        table: int | None = None,
    ) -> None:
        """Challenge."""
        await self.do(interaction, table, "challenge", seat)

    @command("kogge demand", MovesCog.offered)
    async def demand(
        self,
        interaction: Interaction,
        goods: str,
        table: int | None = None,
    ) -> None:
        """Demand."""
        await self.do(interaction, table, "demand", goods)

    @command("kogge pass")
    async def pass_(
        self,
        interaction: Interaction,
        table: int | None = None,
    ) -> None:
        """Pass."""
        await self.do(interaction, table, "pass")

    @command("kogge offer", MovesCog.offered, deal)
    async def offer(
        self,
        interaction: Interaction,
        seat: str,
        give: str | None = None,
        take: str | None = None,
        promise: Said | None = None,
        ask: Said | None = None,
        table: int | None = None,
    ) -> None:
        """Offer."""
        terms = Terms(promise or "", ask or "")
        await self.do(interaction, table, "offer", seat, give, take, terms=terms)

    @command("kogge counter", MovesCog.offered, deal)
    async def counter(
        self,
        interaction: Interaction,
        offer: str,
        give: str | None = None,
        take: str | None = None,
        promise: Said | None = None,
        ask: Said | None = None,
        table: int | None = None,
    ) -> None:
        """Counter."""
        terms = Terms(promise or "", ask or "")
        await self.do(interaction, table, "counter", offer, give, take, terms=terms)

    @command("kogge accept", MovesCog.offered, deal)
    async def accept(self, interaction: Interaction, offer: str, table: int | None = None) -> None:
        """Accept."""
        await self.do(interaction, table, "accept", offer)

    @command("kogge decline", MovesCog.offered, deal)
    async def decline(
        self,
        interaction: Interaction,
        offer: str,
        table: int | None = None,
    ) -> None:
        """Decline."""
        await self.do(interaction, table, "decline", offer)

    @command("kogge withdraw", MovesCog.offered, deal)
    async def withdraw(
        self,
        interaction: Interaction,
        offer: str,
        table: int | None = None,
    ) -> None:
        """Withdraw."""
        await self.do(interaction, table, "withdraw", offer)
