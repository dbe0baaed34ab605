"""`/kogge`: one command for each action of a game of Kogge.

What a command leaves out is filled where there is no choice, and asked by a panel where there is.
"""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.cogs.common import building
from bot.cogs.common.choosing import Choice, focused, for_words, in_order
from bot.cogs.common.guide import Guide
from bot.cogs.common.items import Interaction
from bot.cogs.common.lookup import table_for
from bot.cogs.common.named import PATH, command, group
from bot.cogs.common.reply import Reply
from bot.cogs.common.shell import Shell
from bot.cogs.common.trouble import KNOWN
from bot.tables import NO_TERMS, PROMISE_MOST, Status, Terms
from bot.text.commands import COMMANDS

Said = app_commands.Range[str, 1, PROMISE_MOST]
"""A promise in words."""

GAME = "kogge"
PREFIX = f"{GAME} "


class KoggeCog(
    commands.GroupCog,
    name="kogge",
    group_name=COMMANDS[GAME].name,
    group_description=COMMANDS[GAME].description,
):
    """The moves of Kogge as commands."""

    guild = group("kogge guild")
    deal = group("kogge deal")

    def __init__(self, shell: Shell, guide: Guide) -> None:
        super().__init__()
        self._shell = shell
        self._guide = guide

    async def _offered(self, interaction: Interaction, typed: str) -> list[Choice]:
        """Choices for the option being typed, out of what the options before it leave."""
        here = interaction.command
        if not isinstance(here, app_commands.Command):
            return []
        kind = str(here.extras[PATH]).removeprefix(PREFIX)
        params = self._shell.games[GAME].moves[kind].params
        typing = next(
            (name for name in params if _option(here, name) == focused(interaction)), None
        )
        if typing is None:
            return []
        before = params[: params.index(typing)]
        try:
            table = await table_for(
                self._shell,
                interaction,
                interaction.namespace.table,
                among=(Status.PLAYING,),
                game=GAME,
            )
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

    @command("kogge found", _offered)
    async def found(self, interaction: Interaction, marker: str, table: int | None = None) -> None:
        """Found."""
        await self._do(interaction, table, "found", marker)

    @command("kogge bid", _offered)
    async def bid(self, interaction: Interaction, markers: str, table: int | None = None) -> None:
        """Bid."""
        await self._do(interaction, table, "bid", markers)

    @command("kogge advance", _offered)
    async def advance(
        self,
        interaction: Interaction,
        steps: str,
        table: int | None = None,
    ) -> None:
        """Advance."""
        await self._do(interaction, table, "advance", steps)

    @command("kogge tax", _offered)
    async def tax(
        self,
        interaction: Interaction,
        pieces: str | None = None,
        table: int | None = None,
    ) -> None:
        """Tax."""
        await self._do(interaction, table, "tax", pieces)

    @command("kogge peek", _offered)
    async def peek(
        self,
        interaction: Interaction,
        fee: str | None = None,
        table: int | None = None,
    ) -> None:
        """Peek."""
        await self._do(interaction, table, "peek", fee)

    @command("kogge sail", _offered)
    async def sail(
        self,
        interaction: Interaction,
        route: str,
        fee: str | None = None,
        table: int | None = None,
    ) -> None:
        """Sail."""
        await self._do(interaction, table, "sail", route, fee)

    @command("kogge load", _offered)
    async def load(self, interaction: Interaction, pieces: str, table: int | None = None) -> None:
        """Load."""
        await self._do(interaction, table, "load", pieces)

    @command("kogge stop")
    async def stop(self, interaction: Interaction, table: int | None = None) -> None:
        """Stop."""
        await self._do(interaction, table, "stop")

    @command("kogge build", _offered)
    async def build(
        self,
        interaction: Interaction,
        price: str | None = None,
        table: int | None = None,
    ) -> None:
        """Build."""
        await self._do(interaction, table, "build", price)

    @command("kogge buy_raid", _offered, guild)
    async def buy_raid(
        self,
        interaction: Interaction,
        marker: str,
        table: int | None = None,
    ) -> None:
        """Buy raid."""
        await self._do(interaction, table, "buy_raid", marker)

    @command("kogge sell_six", _offered, guild)
    async def sell_six(
        self,
        interaction: Interaction,
        good: str,
        chit: str,
        table: int | None = None,
    ) -> None:
        """Sell six."""
        await self._do(interaction, table, "sell_six", good, chit)

    @command("kogge swap_good", _offered, guild)
    async def swap_good(
        self,
        interaction: Interaction,
        good: str,
        marker: str,
        table: int | None = None,
    ) -> None:
        """Swap good."""
        await self._do(interaction, table, "swap_good", good, marker)

    @command("kogge swap_marker", _offered, guild)
    async def swap_marker(
        self,
        interaction: Interaction,
        marker: str,
        table: int | None = None,
    ) -> None:
        """Swap marker."""
        await self._do(interaction, table, "swap_marker", marker)

    @command("kogge buy", _offered)
    async def buy(
        self,
        interaction: Interaction,
        pair: str,
        good: str,
        table: int | None = None,
    ) -> None:
        """Buy."""
        await self._do(interaction, table, "buy", pair, good)

    @command("kogge trade", _offered)
    async def trade(
        self,
        interaction: Interaction,
        give: str,
        take: str | None = None,
        table: int | None = None,
    ) -> None:
        """Trade."""
        await self._do(interaction, table, "trade", give, take)

    @command("kogge reroute", _offered)
    async def reroute(
        self,
        interaction: Interaction,
        route: str,
        marker: str,
        table: int | None = None,
    ) -> None:
        """Reroute."""
        await self._do(interaction, table, "reroute", route, marker)

    @command("kogge raid_ship", _offered)
    async def raid_ship(
        self,
        interaction: Interaction,
        seat: str,
        table: int | None = None,
    ) -> None:
        """Raid ship."""
        await self._do(interaction, table, "raid_ship", seat)

    @command("kogge raid_city")
    async def raid_city(self, interaction: Interaction, table: int | None = None) -> None:
        """Raid city."""
        await self._do(interaction, table, "raid_city")

    @command("kogge end")
    async def end(self, interaction: Interaction, table: int | None = None) -> None:
        """End."""
        await self._do(interaction, table, "end")

    @command("kogge split", _offered)
    async def split(self, interaction: Interaction, group: str, table: int | None = None) -> None:
        """Split."""
        await self._do(interaction, table, "split", group)

    @command("kogge choose", _offered)
    async def choose(self, interaction: Interaction, group: str, table: int | None = None) -> None:
        """Choose."""
        await self._do(interaction, table, "choose", group)

    @command("kogge push", _offered)
    async def push(self, interaction: Interaction, route: str, table: int | None = None) -> None:
        """Push."""
        await self._do(interaction, table, "push", route)

    @command("kogge challenge", _offered)
    async def challenge(
        self,
        interaction: Interaction,
        seat: str,
        table: int | None = None,
    ) -> None:
        """Challenge."""
        await self._do(interaction, table, "challenge", seat)

    @command("kogge demand", _offered)
    async def demand(
        self,
        interaction: Interaction,
        goods: str,
        table: int | None = None,
    ) -> None:
        """Demand."""
        await self._do(interaction, table, "demand", goods)

    @command("kogge pass")
    async def pass_(
        self,
        interaction: Interaction,
        table: int | None = None,
    ) -> None:
        """Pass."""
        await self._do(interaction, table, "pass")

    @command("kogge offer", _offered, deal)
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
        await self._do(interaction, table, "offer", seat, give, take, terms=terms)

    @command("kogge counter", _offered, deal)
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
        await self._do(interaction, table, "counter", offer, give, take, terms=terms)

    @command("kogge accept", _offered, deal)
    async def accept(self, interaction: Interaction, offer: str, table: int | None = None) -> None:
        """Accept."""
        await self._do(interaction, table, "accept", offer)

    @command("kogge decline", _offered, deal)
    async def decline(
        self,
        interaction: Interaction,
        offer: str,
        table: int | None = None,
    ) -> None:
        """Decline."""
        await self._do(interaction, table, "decline", offer)

    @command("kogge withdraw", _offered, deal)
    async def withdraw(
        self,
        interaction: Interaction,
        offer: str,
        table: int | None = None,
    ) -> None:
        """Withdraw."""
        await self._do(interaction, table, "withdraw", offer)

    async def _do(
        self,
        interaction: Interaction,
        number: int | None,
        kind: str,
        *said: str | None,
        terms: Terms = NO_TERMS,
    ) -> None:
        async with Reply(interaction) as reply:
            table = await table_for(
                self._shell, interaction, number, among=(Status.PLAYING,), game=GAME
            )
            await self._guide.command(reply, table.id, kind, said, terms)


def _option(here: app_commands.Command[KoggeCog, ..., None], param: str) -> str | None:
    """The name of the option behind a parameter."""
    return next((known.display_name for known in here.parameters if known.name == param), None)
