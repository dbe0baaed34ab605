"""Seats without their player: autopilot, taking over, pauses, standing orders."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.cogs.flows.seating import Seating
from bot.cogs.flows.votes import Votes
from bot.cogs.ui import who
from bot.cogs.ui.access import seat_for
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import option, said, select
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.waiting import table_link
from bot.tables import Status, Table
from bot.tables.core.seating import check_open
from bot.text import absence as text
from bot.text import general
from bot.text.contract import Label
from bot.text.markup import bold
from bot.text.words import Words

OFF = "off"


class Absence:
    """What the commands of `/seat` and the buttons under a table's posts do."""

    def __init__(self, services: Services, votes: Votes, seating: Seating) -> None:
        self._services = services
        self._tables = services.tables
        self._votes = votes
        self._seating = seating

    async def autopilot(self, reply: Reply, table: Table, *, on: bool) -> None:
        """Switch on or off that a computer player acts for the person."""
        after = await self._tables.seats.autopilot(
            table.id, reply.user, on=on, delivery=reply.delivery
        )
        said = text.RESTS if after.is_unattended else text.AUTOPILOT_ON
        await reply.say(self._words(reply)(said if on else text.AUTOPILOT_OFF))

    async def claim(self, reply: Reply, table: Table, player: str | None) -> None:
        """The person takes over a seat."""
        user = reply.interaction.user
        seat = None if player is None else seat_for(self._words(reply), table, player)
        after = await self._tables.seats.claim(
            table.id, user.id, who.stored_name(user), seat, delivery=reply.delivery
        )
        await reply.say(self._words(reply)(text.CLAIMED))
        taken = after.seat_of(user.id)
        before = None if taken is None else table.players[taken]
        if before is None or before.user is None or before.user == user.id:
            return
        house = await self._services.house(reply.interaction.client, after)
        owner, name = who.owners(house, table)[before.seat], bold(who.own_name(house, after, user))
        told = said(house(text.TAKEN_OVER, name=name, owner=owner))
        if await self._seating.is_told_here(before.user):
            await self._seating.announce(reply, after, told, notify=[before.user])
            return
        await self._seating.announce(reply, after, told)
        words = await self._services.own(before.user, house)
        title = words(
            general.BOARD_TITLE, game=self._services.title(words, table.game), table=table.id
        )
        message = f"{bold(title)}\n{words(text.TAKEN_FROM_YOU, name=name)} {table_link(after)}"
        await self._seating.write_to(before.user, table, message)

    async def propose(self, reply: Reply, table: Table, kind: str, player: str) -> None:
        """Ask the others what to do about the seat of somebody who keeps them waiting."""
        seat = seat_for(self._words(reply), table, player)
        proposal = await self._tables.votes.propose_about(
            table.id, reply.user, kind, seat, delivery=reply.delivery
        )
        await self._votes.announce(reply, proposal)

    async def pause(self, reply: Reply, table: Table) -> None:
        """Propose a pause, or at a paused table to go on."""
        proposal = await self._tables.votes.propose_pause(
            table.id, reply.user, delivery=reply.delivery
        )
        await self._votes.announce(reply, proposal)

    async def go_on(self, reply: Reply, table: Table) -> None:
        """Wake a sleeping table; ask the others to go on with a paused one."""
        if table.status is Status.PAUSED:
            await self.pause(reply, table)
            return
        await self._tables.seats.wake(table.id, reply.user, delivery=reply.delivery)
        await reply.say(self._words(reply)(text.AWAKE))

    async def orders(self, reply: Reply, table: Table) -> None:
        """The person's standing orders, with a select for each."""
        check_open(table)
        seat = await self._tables.reader.seat_of(table.id, reply.user)
        words, known = self._words(reply), self._tables.orders.known(table)
        given = table.players[seat].orders
        if not known:
            await reply.show(words(text.NO_ORDERS))
            return
        lines = [words(text.ORDERS, table=table.id)]
        lines += [
            f"📌 {self._label(words, table, name, given[name])}"
            for name, order in known.items()
            if given.get(name) in order.values
        ]
        items = []
        for name, order in known.items():
            custom_id = CustomId("order", table.id, None, (name,))
            labels = {value: self._label(words, table, name, value) for value in order.values}
            choices = _choices(words, labels, given.get(name, OFF))
            items.append(select(custom_id, choices, next(iter(labels.values()))))
        await reply.show(said("\n".join(lines), items))

    async def order(self, reply: Reply, table: Table, name: str, value: str) -> None:
        """Give a standing order, or take it back."""
        given = None if value == OFF else value
        table = await self._tables.orders.give(
            table.id, reply.user, name, given, delivery=reply.delivery
        )
        await self.orders(reply, table)

    def _label(self, words: Words, table: Table, name: str, value: str) -> str:
        if name in text.ORDER:
            return words(text.ORDER[name])
        return self._services.title_of(table).text.order(words, name, value) or name

    def _words(self, reply: Reply) -> Words:
        return reply.words


def _choices(words: Words, labels: Mapping[str, str], given: str) -> list[discord.SelectOption]:
    """The values of an order by what they are called, after that it is not given."""
    off = Label(f"{next(iter(labels.values()))}: {words(text.NOT_GIVEN)}")
    rest = [option(each, Label(label), default=each == given) for each, label in labels.items()]
    return [option(OFF, off, default=given == OFF), *rest]
