"""`/seat`: autopilot, taking a seat over, freeing one, standing orders; and answers to votes."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.cogs.common.absence import Absence
from bot.cogs.common.choosing import Choice, offered_seats
from bot.cogs.common.items import Interaction
from bot.cogs.common.lookup import table_for
from bot.cogs.common.named import command, described, fixed, named
from bot.cogs.common.press import Press, only
from bot.cogs.common.presses import Presses, Verb, Way
from bot.cogs.common.reply import Reply
from bot.cogs.common.shell import Shell
from bot.cogs.common.trouble import KNOWN
from bot.cogs.common.votes import Votes
from bot.tables import GOING, Table
from bot.tables.seats import AUTOPILOT, REPLACE


class SeatCog(
    commands.GroupCog,
    name="seat",
    group_name=named("seat"),
    group_description=described("seat"),
):
    """Who, or what, plays on a seat."""

    def __init__(self, shell: Shell, absence: Absence, votes: Votes, presses: Presses) -> None:
        super().__init__()
        self._shell = shell
        self._absence = absence
        self._votes = votes
        self._presses = presses
        self._verbs: dict[str, Verb] = {
            "yes": Verb(self._yes, words=(2,)),
            "no": Verb(self._no, words=(2,)),
            "wheel": Verb(self._wheel),
            "claim": Verb(self._claim, words=(1,)),
            "goon": Verb(self._go_on),
            "order": Verb(self._order, (Way.SELECT,), words=(1,)),
        }

    async def cog_load(self) -> None:
        """Sign up for the buttons."""
        for name, verb in self._verbs.items():
            self._presses.on(name, verb)

    async def cog_unload(self) -> None:
        """Sign off."""
        self._presses.off(*self._verbs)

    async def _offered(self, interaction: Interaction, typed: str) -> list[Choice]:
        try:
            table = await self._table(interaction, interaction.namespace.table)
        except KNOWN:
            # Nothing can be offered; the command itself will say why.
            return []
        return offered_seats(self._shell.reader(interaction), table, typed)

    @command("seat autopilot")
    @app_commands.choices(wheel=fixed("wheel"))
    async def autopilot(
        self,
        interaction: Interaction,
        wheel: str = "on",
        player: str | None = None,
        table: int | None = None,
    ) -> None:
        """A computer player acts for the person, or for somebody who keeps all waiting."""
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
        """Standing orders."""
        async with Reply(interaction) as reply:
            await self._absence.orders(reply, await self._table(interaction, table))

    @autopilot.autocomplete("player")
    @claim.autocomplete("player")
    @replace.autocomplete("player")
    async def _players(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self._offered(interaction, typed)

    # Buttons

    async def _yes(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._votes.voice(reply, press, agree=True)

    async def _no(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._votes.voice(reply, press, agree=False)

    async def _wheel(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        table = await self._shell.tables.get(press.table)
        await self._absence.autopilot(reply, table, on=False)

    async def _claim(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        table = await self._shell.tables.get(press.table)
        await self._absence.claim(reply, table, only(press.words))

    async def _go_on(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._absence.go_on(reply, await self._shell.tables.get(press.table))

    async def _order(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        table = await self._shell.tables.get(press.table)
        await self._absence.order(reply, table, only(press.words), only(values))

    async def _table(self, interaction: Interaction, number: int | None) -> Table:
        return await table_for(self._shell, interaction, number, among=GOING)
