"""Whispers: private messages between two people at a table."""

from __future__ import annotations

from discord import app_commands

from bot.cogs.ui import (
    FORM,
    STARTED,
    Control,
    CustomId,
    Form,
    Keep,
    Layout,
    Line,
    Press,
    Reply,
    Services,
    TableOption,
    Text,
    button,
    command,
    integer,
    names_of,
    only,
    route,
    rows,
    seat_for,
    seats_offered,
)
from bot.game.contract import Seat
from bot.tables import IN_PROGRESS, Rejected, Table, WhisperRow
from bot.tables.whispers import MAX_LENGTH
from bot.text import Words, Written, bold, moment, msg

UNREAD = msg(
    "{name} doesn't accept direct messages, so they'll find your whisper with `/table whispers`."
)


class WhisperDialogue:
    """Sends whispers and shows a user's own, in private."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._whispers = services.tables.whispers

    @command("table whisper", among=IN_PROGRESS, player=seats_offered)
    async def whisper(
        self,
        reply: Reply,
        player: str,
        text: app_commands.Range[str, 1, MAX_LENGTH],
        table: TableOption,
    ) -> None:
        """Whisper to a player."""
        await self._send(reply, table, seat_for(reply.words, table, player), text)

    @route("whisper", words=(1,))
    async def ask(self, press: Press) -> None:
        """Open the form for an answer to a whisper."""
        words, number = press.reply.words, integer(press.custom_id.words)
        name = names_of(words, press.table)[await self._other(press, number)]
        label = words("Only {name} can read it", name=name.plain)
        line = Line(label, words("What you want to say"), max_length=MAX_LENGTH, long=True)
        form = CustomId("whispered", press.table_id, words=(str(number),))
        title = words("Whisper · table {table}", table=press.table_id)
        if not await press.reply.ask(Form(form, title, line)):
            late = words("The form didn't open in time. You can also use `/table whisper`.")
            await press.reply.say(late)

    @route("whispered", FORM, words=(1,))
    async def take_form(self, press: Press) -> None:
        """Send the answer from the form."""
        seat = await self._other(press, integer(press.custom_id.words))
        await self._send(press.reply, press.table, seat, only(press.values))

    async def _other(self, press: Press, number: int) -> Seat:
        """Return the seat of the other person of that whisper."""
        talk = await self._whispers.talk(press.table_id, press.user, number)
        seat = press.table.seat_of(other_in(talk[0], press.user))
        if seat is None:
            raise Rejected("whisper_to_absent")
        return seat

    async def _send(self, reply: Reply, table: Table, seat: Seat, text: str) -> None:
        sent = await self._whispers.send(
            table.id, reply.user, seat, Written(text).plain, delivery=reply.delivery
        )
        words = reply.words
        lines = [line_of(words, table, sent)]
        if not table.players[seat].reachable:
            lines.append(words(UNREAD, name=bold(name_of(words, table, sent.receiver))))
        lines.append(words("-# Only you two can see this. `/table whispers` shows all of it."))
        await reply.say("\n".join(lines))

    @command("table whispers", among=STARTED)
    async def show(self, reply: Reply, table: TableOption) -> None:
        """Show the user's whispers at the table."""
        await reply.say(await self._listing(reply, table))

    @route("showtalk", words=(1,))
    async def agree(self, press: Press) -> None:
        """Agree to show a talk to all."""
        await self._whispers.show(press.table_id, press.user, integer(press.custom_id.words))
        await press.reply.show(await self._listing(press.reply, press.table))

    async def _listing(self, reply: Reply, table: Table) -> Layout:
        words, lines, buttons = reply.words, list[str](), list[Control]()
        for talk in await self._whispers.talks(table.id, reply.user):
            other, agreed = other_in(talk[0], reply.user), await self._whispers.shown_by(talk)
            name = name_of(words, table, other)
            for row in talk:
                lines += [f"-# {moment(row.at)['date']}", line_of(words, table, row)]
            if not table.is_over:
                buttons.append(answer_button(words, table, talk[-1], other))
            elif reply.user not in agreed:
                custom_id = CustomId("showtalk", table.id, words=(str(talk[0].number),))
                label = words("Show to all: {name}", name=name.plain)
                buttons.append(button(custom_id, label))
            elif other not in agreed:
                lines.append(words("-# I'll post this once {name} agrees too.", name=bold(name)))
        none = words("You have no whispers at this table.")
        return Layout([Text("\n".join(lines) or none, Keep.NEWEST), *rows(buttons)])


def other_in(row: WhisperRow, user: int) -> int:
    """Return the other user of a whisper."""
    return row.receiver if user == row.sender else row.sender


def answer_button(words: Words, table: Table, row: WhisperRow, other: int) -> Control:
    """Return the button that answers a whisper to or from the other user."""
    custom_id = CustomId("whisper", table.id, words=(str(row.number),))
    return button(custom_id, words("Answer {name}", name=name_of(words, table, other).plain))


def name_of(words: Words, table: Table, user: int) -> Written:
    seat = table.seat_of(user)
    return Written(words("a former player")) if seat is None else names_of(words, table)[seat]


def line_of(words: Words, table: Table, row: WhisperRow) -> str:
    """Return a whisper with the names of both people."""
    sender, receiver = (bold(name_of(words, table, each)) for each in (row.sender, row.receiver))
    text = Written(row.text)
    return words("💬 {name} to {other}: {text}", name=sender, other=receiver, text=text)
