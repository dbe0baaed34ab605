"""Whispers: private messages between two people at a table."""

from __future__ import annotations

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
from bot.tables import IN_PROGRESS, Rejected, Table, WhisperRow, seated
from bot.tables.whispers import MAX_LENGTH
from bot.text import Words, Written, bold, moment


class WhisperDialogue:
    """Sends whispers and shows a user's own, in private."""

    def __init__(self, services: Services) -> None:
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
        receiver = table.players[seat_for(reply.words, table, player)].user
        if receiver is None:
            raise Rejected("whisper_to_computer")
        await self._send(reply, table, receiver, text)

    @route("whisper", words=(1,))
    async def ask(self, press: Press) -> None:
        """Open the form for an answer to a whisper."""
        words = press.reply.words
        seat = seated(press.table, _user(press), "whisper_to_absent")
        form = Form(
            press.custom_id._replace(verb="whispered"),
            words("Whisper · table {table}", table=press.table_id),
            Line(
                words("Only {name} can read it", name=names_of(words, press.table)[seat].plain),
                words("What you want to say"),
                max_length=MAX_LENGTH,
                long=True,
            ),
        )
        if not await press.reply.ask(form):
            raise Rejected("too_slow")

    @route("whispered", FORM, words=(1,))
    async def take_form(self, press: Press) -> None:
        """Send the answer from the form."""
        await self._send(press.reply, press.table, _user(press), only(press.values))

    async def _send(self, reply: Reply, table: Table, receiver: int, text: str) -> None:
        sent = await self._whispers.send(
            table.id, reply.user, receiver, Written(text).plain, delivery=reply.delivery
        )
        private = reply.words("-# Only you two can see this. `/table whispers` shows all of it.")
        await reply.say(f"{line_of(reply.words, table, sent)}\n{private}")

    @command("table whispers", among=STARTED)
    async def show(self, reply: Reply, table: TableOption) -> None:
        """Show the user's whispers at the table."""
        words, lines, buttons = reply.words, list[str](), list[Control]()
        for other, talk in (await self._whispers.talks(table.id, reply.user)).items():
            for row in talk:
                lines += [f"-# {moment(row.at)['date']}", line_of(words, table, row)]
            if table.is_over:
                label = words("Publish talk with {name}", name=name_of(words, table, other).plain)
                buttons.append(button(CustomId("showtalk", table.id, words=(str(other),)), label))
            else:
                buttons.append(answer_button(words, table, other))
        text = "\n".join(lines) or words("You have no whispers at this table.")
        await reply.say(Layout([Text(text, Keep.NEWEST), *rows(buttons, optional=True)]))

    @route("showtalk", words=(1,))
    async def agree(self, press: Press) -> None:
        """Agree to show a talk to all."""
        await self._whispers.show(press.table_id, press.user, _user(press))
        await press.reply.say(press.reply.words("I'll post these whispers once you both agree."))


def _user(press: Press) -> int:
    """Return the other user of a talk. Raise Forged."""
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
    return words(
        "💬 {name} to {other}: {text}", name=sender, other=receiver, text=Written(row.text)
    )
