"""`/seat`: autopilot, taking a seat over, freeing one, standing orders; and answers to votes."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.cogs.flows.absence import Absence
from bot.cogs.flows.votes import Votes
from bot.cogs.ui.access import table_for
from bot.cogs.ui.autocomplete import Choice, offered_seats
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.layout import Interaction
from bot.cogs.ui.localized_commands import command, fixed
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import PressRoute, Routes, Verb, Way
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import KNOWN
from bot.tables import GOING, Table
from bot.tables.votes import AUTOPILOT, REPLACE
from bot.text.commands import COMMANDS


class SeatCog(
    commands.GroupCog,
    name="seat",
    group_name="seat",
    group_description=COMMANDS["seat"].description,
):
    """Who, or what, plays on a seat."""

    def __init__(self, services: Services, absence: Absence, votes: Votes, router: Routes) -> None:
        super().__init__()
        self._services = services
        self._absence = absence
        self._votes = votes
        self._router = router
        self._verbs: dict[str, PressRoute] = {
            "yes": Verb(self._yes, words=(2,)),
            "no": Verb(self._no, words=(2,)),
            "wheel": Verb(self._wheel),
            "claim": Verb(self._claim, words=(1,)),
            "goon": Verb(self._go_on),
            "order": Verb(self._order, (Way.SELECT,), words=(1,)),
            # Under messages of before, which had room for four orders.
            "orders": Verb(self._all_orders, words=(1,)),
        }

    async def cog_load(self) -> None:
        """Register the buttons."""
        for name, verb in self._verbs.items():
            self._router.on(name, verb)

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off(*self._verbs)

    async def _offered(self, interaction: Interaction, typed: str) -> list[Choice]:
        try:
            table = await self._table(interaction, interaction.namespace.table)
        except KNOWN:
            # Nothing can be offered; the command itself will say why.
            return []
        return offered_seats(self._services.words_of(interaction), table, typed)

    @command("seat autopilot")
    @app_commands.choices(wheel=fixed("wheel"))
    async def autopilot(
        self,
        interaction: Interaction,
        wheel: str = "on",
        player: str | None = None,
        table: int | None = None,
    ) -> None:
        """Let a computer player act for the person, or propose it for somebody who keeps all
        waiting."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table)
            if player is None:
                await self._absence.autopilot(reply, meant, on=wheel == "on")
            else:
                await self._absence.propose(reply, meant, AUTOPILOT, player)

    @command("seat claim")
    async def claim(
        self, interaction: Interaction, player: str | None = None, table: int | None = None
    ) -> None:
        """Take over a seat."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table)
            await self._absence.claim(reply, meant, player)

    @command("seat replace")
    async def replace(
        self, interaction: Interaction, player: str, table: int | None = None
    ) -> None:
        """Ask the others to free a seat."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table)
            await self._absence.propose(reply, meant, REPLACE, player)

    @command("seat orders")
    async def orders(self, interaction: Interaction, table: int | None = None) -> None:
        """Show the person's standing orders."""
        async with Reply(interaction) as reply:
            await self._absence.orders(reply, await self._table(interaction, table))

    @autopilot.autocomplete("player")
    @claim.autocomplete("player")
    @replace.autocomplete("player")
    async def _players(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self._offered(interaction, typed)

    # Buttons

    async def _yes(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._votes.voice(reply, custom_id, agree=True)

    async def _no(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._votes.voice(reply, custom_id, agree=False)

    async def _wheel(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        table = await self._services.tables.reader.get(custom_id.table)
        await self._absence.autopilot(reply, table, on=False)

    async def _claim(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        table = await self._services.tables.reader.get(custom_id.table)
        await self._absence.claim(reply, table, only(custom_id.words))

    async def _go_on(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._absence.go_on(reply, await self._services.tables.reader.get(custom_id.table))

    async def _order(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        table = await self._services.tables.reader.get(custom_id.table)
        await self._absence.order(reply, table, only(custom_id.words), only(values))

    async def _all_orders(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        table = await self._services.tables.reader.get(custom_id.table)
        await self._absence.orders(reply, table)

    async def _table(self, interaction: Interaction, number: int | None) -> Table:
        return await table_for(self._services, interaction, number, among=GOING)
