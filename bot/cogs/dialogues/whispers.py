"""Whispers: private messages between two people at a table."""

from __future__ import annotations

from discord import app_commands

from bot.cogs.ui import (
    FORM,
    STARTED,
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
    text_layout,
)
from bot.game.contract import Seat
from bot.tables import IN_PROGRESS, Rejected, Table, WhisperRow
from bot.tables.whispers import MAX_LENGTH
from bot.text import Words, Written, bold, moment


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
        written = Written(text)
        if not written or len(text) > MAX_LENGTH:
            raise Rejected("bad_whisper", most=MAX_LENGTH)
        await self._whispers.send(
            table.id, reply.user, seat, written.plain, delivery=reply.delivery
        )
        words, name = reply.words, bold(names_of(reply.words, table)[seat])
        lines = [words("💬 You to {name}: {text}", name=name, text=written)]
        if not table.players[seat].reachable:
            lines.append(
                words(
                    "{name} doesn't accept direct messages, so they'll find your whisper with "
                    "`/table whispers`.",
                    name=name,
                )
            )
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
        words, names = reply.words, names_in(reply.words, table)
        lines, buttons = list[str](), []
        talks = await self._whispers.talks(table.id, reply.user)
        for talk in talks:
            first, other = talk[0], other_in(talk[0], reply.user)
            name = names.get(other)
            agreed = await self._whispers.shown_by(talk) if table.is_over else frozenset[int]()
            if not table.is_over and name is not None:
                label = words("Answer {name}", name=name.plain)
                buttons.append(button(answer_id(talk[-1]), label))
            elif table.is_over and reply.user not in agreed:
                label = words("Show to all")
                if len(talks) > 1 and name is not None:
                    label = words("Show to all: {name}", name=name.plain)
                number = (str(first.number),)
                buttons.append(button(CustomId("showtalk", table.id, words=number), label))
            shown = bold(name) if name is not None else words("a former player")
            lines.append(words("**Whispers with {name}**", name=shown))
            lines += [
                f"-# {moment(row.at)['date']}\n{line_of(words, table, reply.user, row)}"
                for row in talk
            ]
            if agreed >= {reply.user, other}:
                lines.append(words("-# You both show this to all."))
            elif agreed:
                lines.append(words("-# One of you wants to show this to all."))
        if not lines:
            return text_layout(words("You have no whispers at this table."))
        return Layout([Text("\n".join(lines), Keep.NEWEST), *rows(buttons)])


def answer_id(row: WhisperRow) -> CustomId:
    """Return the id of the button that answers a whisper."""
    return CustomId("whisper", row.table, words=(str(row.number),))


def other_in(row: WhisperRow, user: int) -> int:
    """Return the other user of a whisper."""
    return row.receiver if user == row.sender else row.sender


def names_in(words: Words, table: Table) -> dict[int, Written]:
    """Return the names of the people at the table, by user."""
    names = names_of(words, table)
    return {player.user: names[player.seat] for player in table.owners if player.user is not None}


def line_of(words: Words, table: Table, reader: int | None, row: WhisperRow) -> str:
    """Return a whisper as one of its people reads it, or everyone (None)."""
    names = {user: bold(name) for user, name in names_in(words, table).items()}
    former = words("a former player")
    text = Written(row.text)
    if reader is None:
        return words("{name}: {text}", name=names.get(row.sender, former), text=text)
    if reader == row.sender:
        name = names.get(row.receiver, former)
        return words("💬 You to {name}: {text}", name=name, text=text)
    return words("💬 {name} to you: {text}", name=names.get(row.sender, former), text=text)
