"""Whispers: private messages between two people at a table."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands

from bot.cogs.ui import (
    FORM,
    STARTED,
    Control,
    CustomId,
    Forged,
    Form,
    Keep,
    Layout,
    Line,
    Part,
    Press,
    Reply,
    Services,
    TableOption,
    Text,
    button,
    command,
    names_of,
    only,
    route,
    rows,
    seat_for,
    seats_offered,
)
from bot.cogs.ui.layout import Document
from bot.game.contract import Seat
from bot.tables import IN_PROGRESS, Rejected, Table, WhisperRow
from bot.tables.whispers import MAX_LENGTH
from bot.text import Words, Written, bold, moment, msg

ROOM = 3000
"""Characters of the whispers in a message."""
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
        words, seat = press.reply.words, self._seat(press)
        label = words("Only {name} can read it", name=names_of(words, press.table)[seat].plain)
        line = Line(label, words("What you want to say"), max_length=MAX_LENGTH, long=True)
        title = words("Whisper · table {table}", table=press.table_id)
        if not await press.reply.ask(Form(press.custom_id._replace(verb="whispered"), title, line)):
            late = words("The form didn't open in time. You can also use `/table whisper`.")
            await press.reply.say(late)

    @route("whispered", FORM, words=(1,))
    async def take_form(self, press: Press) -> None:
        """Send the answer from the form."""
        await self._send(press.reply, press.table, self._seat(press), only(press.values))

    def _seat(self, press: Press) -> Seat:
        """Return the seat of the other user of a whisper."""
        seat = press.table.seat_of(_user(press))
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
        people = self._services.tables.people
        if table.id in (await people.get(reply.user)).unread:
            await people.mark_unread(reply.user, table.id, unread=False)
        await reply.say(await self._listing(reply, table))

    @route("showtalk", words=(1,))
    async def agree(self, press: Press) -> None:
        """Agree to show a talk to all."""
        await self._whispers.show(press.table_id, press.user, _user(press))
        await press.reply.show(await self._listing(press.reply, press.table))

    async def _listing(self, reply: Reply, table: Table) -> Layout:
        words, lines, buttons = reply.words, list[str](), list[Control]()
        for other, talk in (await self._whispers.talks(table.id, reply.user)).items():
            name = name_of(words, table, other)
            for row in talk:
                lines += [f"-# {moment(row.at)['date']}", line_of(words, table, row)]
            if not table.is_over:
                buttons.append(answer_button(words, table, other))
            elif not await self._whispers.shows(table.id, reply.user, other):
                label = words("Show to all: {name}", name=name.plain)
                buttons.append(button(CustomId("showtalk", table.id, words=(str(other),)), label))
            elif not await self._whispers.shows(table.id, other, reply.user):
                lines.append(words("-# I'll post this once {name} agrees too.", name=bold(name)))
        none = words("You have no whispers at this table.")
        return Layout([*parts_of(words, lines or [none]), *rows(buttons)])


def parts_of(words: Words, lines: Sequence[str]) -> list[Part]:
    """Return the newest lines, and all of them as a file if they don't fit into a message."""
    text = "\n".join(lines)
    parts: list[Part] = [Text(text, Keep.NEWEST)]
    if len(text) > ROOM:
        parts.append(
            Document("whispers.md", words("All whispers, also older ones."), text.encode())
        )
    return parts


def _user(press: Press) -> int:
    word = only(press.custom_id.words)
    if not word.isdecimal():
        raise Forged(word)
    return int(word)


def answer_button(words: Words, table: Table, other: int) -> Control:
    """Return the button that answers the other user's whispers."""
    label = words("Answer {name}", name=name_of(words, table, other).plain)
    return button(CustomId("whisper", table.id, words=(str(other),)), label)


def name_of(words: Words, table: Table, user: int) -> Written:
    seat = table.seat_of(user)
    return Written(words("a former player")) if seat is None else names_of(words, table)[seat]


def line_of(words: Words, table: Table, row: WhisperRow) -> str:
    """Return a whisper with the names of both people."""
    sender, receiver = (bold(name_of(words, table, each)) for each in (row.sender, row.receiver))
    text = Written(row.text)
    return words("💬 {name} to {other}: {text}", name=sender, other=receiver, text=text)
