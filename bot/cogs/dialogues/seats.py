"""Seats: autopilot, taking over a seat, standing orders, resigning; and tools for referees."""

from __future__ import annotations

import logging

from discord import app_commands

from bot.cogs.dialogues.votes import VoteDialogue
from bot.cogs.ui import (
    MAX_NONCE,
    SELECT,
    CustomId,
    Dialogue,
    MessageSender,
    Press,
    Reply,
    Services,
    TableOption,
    Unreachable,
    access,
    command,
    confirmation,
    fixed_choices,
    names_of,
    only,
    option,
    own_name,
    owners_of,
    route,
    seat_for,
    seats_offered,
    select,
    stored_name,
    table_link,
    text_layout,
)
from bot.tables import IN_PROGRESS, NOT_OVER, NotificationPlace, Rejected, Table, seated
from bot.tables.core.seating import check_open
from bot.tables.votes import ACT, AUTOPILOT, REPLACE
from bot.text import Label, Words, bold, general, msg

log = logging.getLogger(__name__)

OFF = "off"


class SeatDialogue(Dialogue):
    """The commands of `/seat`, and the buttons under a table's posts that do the same."""

    def __init__(self, services: Services, sender: MessageSender, votes: VoteDialogue) -> None:
        super().__init__(services, sender)
        self._votes = votes

    @command("seat autopilot", among=IN_PROGRESS, player=seats_offered)
    @app_commands.choices(wheel=fixed_choices("wheel"))
    async def autopilot(
        self, reply: Reply, wheel: str = "on", player: str | None = None, *, table: TableOption
    ) -> None:
        """Let a computer player act for the user, or propose it for a player who is late."""
        if player is not None:
            await self._propose(reply, table, AUTOPILOT, player)
            return
        on = wheel == "on"
        after = await self._tables.seats.autopilot(
            table.id, reply.user, on=on, delivery=reply.delivery
        )
        if not on:
            message = msg("You're playing again.")
        elif after.is_unattended:
            message = general.RESTS
        else:
            message = msg(
                "A computer player is playing for you now. You'll still get your secret "
                "information. To play again, press **Take over again** or just make a move."
            )
        await reply.say(reply.words(message))

    @route("wheel")
    async def take_over(self, press: Press) -> None:
        """Take over again from the computer player."""
        await self.autopilot(press.reply, "off", table=press.table)

    @command("seat replace", among=IN_PROGRESS, player=seats_offered)
    async def replace(self, reply: Reply, player: str, table: TableOption) -> None:
        """Ask the others to free a seat."""
        await self._propose(reply, table, REPLACE, player)

    @command("seat act", among=IN_PROGRESS, player=seats_offered)
    async def act(self, reply: Reply, player: str, table: TableOption) -> None:
        """Ask the others to let a computer player play one turn for a player who is late."""
        await self._propose(reply, table, ACT, player)

    async def _propose(self, reply: Reply, table: Table, kind: str, player: str) -> None:
        """Propose a change of a player's seat."""
        seat = str(seat_for(reply.words, table, player))
        proposal = await self._tables.votes.propose(
            table.id, reply.user, kind, seat, delivery=reply.delivery
        )
        await self._votes.announce(reply, proposal)

    # Referees

    @command("seat extend", among=IN_PROGRESS, player=seats_offered)
    async def extend(self, reply: Reply, player: str, table: TableOption) -> None:
        """Give a player more time for their turn."""
        await access.check_referee(self._services, reply.interaction, table)
        words, seat = reply.words, seat_for(reply.words, table, player)
        table = await self._tables.clocks.extend(
            table.id, reply.user, seat, delivery=reply.delivery
        )
        log.info("extended table=%s seat=%s user=%s", table.id, seat, reply.user)
        name = bold(names_of(words, table)[seat])
        await reply.say(words("⏳ {name} has more time for this turn.", name=name))

    @command("table host", among=NOT_OVER, player=seats_offered)
    async def host(self, reply: Reply, player: str, table: TableOption) -> None:
        """Make another player the host of the table."""
        await access.check_referee(self._services, reply.interaction, table)
        words, seat = reply.words, seat_for(reply.words, table, player)
        name, user = names_of(words, table)[seat], table.players[seat].user
        if user is None:
            raise Rejected("computer_host", name=name.plain)
        await self._tables.seats.make_host(table.id, reply.user, user, delivery=reply.delivery)
        log.info("host changed table=%s host=%s user=%s", table.id, user, reply.user)
        await reply.say(words("{name} is the host of this table now.", name=bold(name)))

    # Taking over

    @command("seat claim", among=IN_PROGRESS, player=seats_offered)
    async def claim(self, reply: Reply, player: str | None = None, *, table: TableOption) -> None:
        """Take over a seat, and notify its previous owner."""
        user = reply.interaction.user
        seat = None if player is None else seat_for(reply.words, table, player)
        after = await self._tables.seats.claim(
            table.id, user.id, stored_name(user), seat, delivery=reply.delivery
        )
        await reply.say(
            reply.words(
                "This seat is yours now. Your hand arrives by direct message and is under **My "
                "hand**. `/game resign` gives the seat back to a computer player."
            )
        )
        seat = after.seat_of(user.id)
        before = None if seat is None else table.players[seat]
        if before is None or before.user is None or before.user == user.id:
            return
        public_words = await self._services.server_words(reply.interaction.client, after.guild)
        owner = owners_of(public_words, table)[before.seat]
        name = bold(own_name(public_words, after, user))
        announcement = text_layout(
            public_words(msg("🧑 {name} takes over {owner}'s seat."), name=name, owner=owner)
        )
        person = await self._tables.people.get(before.user)
        is_held = await self._tables.notifications.held_until(before.user) is not None
        # They want pings in the channel, and it's not their quiet hours.
        if person.notices is not NotificationPlace.DM and not is_held:
            await self._sender.announce(after, announcement, reply.delivery, pinged=[before.user])
            return
        await self._sender.announce(after, announcement, reply.delivery)
        words = await self._services.user_words(before.user, public_words)
        title = self._services.heading(words, table)
        notice = words("🧑 {name} has taken over your seat after the others freed it.", name=name)
        message = f"{bold(title)}\n{notice} {table_link(after)}"
        nonce = f"{table.id}.{before.user % 10**12}.out"[:MAX_NONCE]
        try:
            await self._sender.send_direct(before.user, message, nonce=nonce, silent=is_held)
        except Unreachable:
            log.info("direct message refused table=%s user=%s", table.id, before.user)

    @route("claim", words=(1,))
    async def claim_shown(self, press: Press) -> None:
        """Take over the free seat of the pressed button."""
        await self.claim(press.reply, only(press.custom_id.words), table=press.table)

    # Resigning

    @command("game resign", among=IN_PROGRESS)
    async def ask_to_resign(self, reply: Reply, table: TableOption) -> None:
        """Ask the user to confirm that they resign. Raise Rejected if they have no seat."""
        seated(table, reply.user)
        question = reply.words("Resign and leave your seat to a computer player?")
        await reply.say(confirmation(reply.words, question, CustomId("resign", table.id)))

    @route("resign")
    async def resign(self, press: Press) -> None:
        """Leave the user's seat to a computer player."""
        reply = press.reply
        await self._tables.leaving.resign(press.table_id, reply.user, delivery=reply.delivery)
        name = own_name(reply.words, press.table, reply.interaction.user)
        await reply.show(reply.words(general.RESIGNED, name=bold(name)))

    # Automatic answers

    # Older messages still have this button.
    @route("orders", words=(1,))
    @command("seat orders", among=IN_PROGRESS)
    async def orders(self, reply: Reply, table: TableOption) -> None:
        """Show the user's standing orders, with a select for each."""
        check_open(table)
        words, given = reply.words, table.players[seated(table, reply.user)].orders
        head = words(
            "**Your automatic answers at table {table}.** They are given at once, and I tell you "
            "each time. Only you can see these settings.",
            table=table.id,
        )
        lines, items = [head], []
        for name, order in self._tables.orders.available(table).items():
            labels = {value: self._label(words, table, name, value) for value in order.values}
            now, title = given.get(name, OFF), next(iter(labels.values()))
            if now in labels:
                lines.append(f"📌 {labels[now]}")
            off = Label(f"{title}: " + words("off"))
            choices = [option(OFF, off, default=now == OFF)]
            choices += [option(each, Label(labels[each]), default=each == now) for each in labels]
            items.append(select(CustomId("order", table.id, None, (name,)), choices, title))
        await reply.show(
            text_layout("\n".join(lines), items)
            if items
            else words("This game has no automatic answers.")
        )

    @route("order", SELECT, words=(1,))
    async def order(self, press: Press) -> None:
        """Set or remove a standing order."""
        reply, (name,), value = press.reply, press.custom_id.words, only(press.values)
        chosen = None if value == OFF else value
        table = await self._tables.orders.give(
            press.table_id, reply.user, name, chosen, delivery=reply.delivery
        )
        await self.orders(reply, table)

    def _label(self, words: Words, table: Table, name: str, value: str) -> str:
        if name in general.ORDERS:
            return words(general.ORDERS[name])
        return self._services.title_of(table).text(words).order(name, value) or name
