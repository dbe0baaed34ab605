"""`/table`: a rematch, notes, a table's options, games from files."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.cogs.flows.seating import Seating
from bot.cogs.ui.access import table_for
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.layout import Form, Line
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import FORM, Press, command, route
from bot.cogs.ui.services import Services, agreed
from bot.tables import Rejected, Status, Table
from bot.tables.importing import MOST_BYTES
from bot.tables.notes import MOST
from bot.text import general, table_words

ANY = tuple(Status)
OVER = (Status.FINISHED, Status.ABANDONED)


class AroundTable:
    """What people do around a table besides playing there."""

    def __init__(self, services: Services, seating: Seating) -> None:
        self._services = services
        self._tables = services.tables
        self._seating = seating

    @command("table rematch")
    async def rematch(self, reply: Reply, table: int | None = None) -> None:
        """Open another table with the same game and people."""
        meant = await table_for(self._services, reply.interaction, table, among=OVER)
        await self._seating.rematch(reply, meant.id)

    @route("rematch")
    async def play_again(self, press: Press) -> None:
        """The same, by the button under the last post."""
        await self._seating.rematch(press.reply, press.table_id)

    @command("table note")
    async def note(
        self,
        reply: Reply,
        text: app_commands.Range[str, 1, MOST] | None = None,
        table: int | None = None,
    ) -> None:
        """Add to one's notes, or change them in a form."""
        meant = await table_for(self._services, reply.interaction, table, among=ANY)
        if text is None:
            await self._form(reply, meant.id)
            return
        notes = await self._tables.notes.put(
            meant.id, reply.user, text, below=True, delivery=reply.delivery
        )
        await self._say(reply, notes)

    @route("note")
    async def open_form(self, press: Press) -> None:
        """Open the form, by the button under a hand."""
        await self._form(press.reply, press.table_id)

    async def _form(self, reply: Reply, table: int) -> None:
        words = reply.words
        notes = await self._tables.notes.get(table, reply.user)
        form = Form(
            CustomId("noted", table),
            words(table_words.NOTES_TITLE, table=table),
            Line(
                words(table_words.NOTES_LABEL),
                words(table_words.NOTES_HINT),
                notes,
                most=MOST,
                long=True,
            ),
        )
        if not await reply.ask(form):
            shown = table_words.noted(words, notes) if notes else words(table_words.NO_NOTES)
            await reply.say(f"{shown}\n{words(table_words.NO_FORM)}")

    @route("noted", FORM)
    async def take_form(self, press: Press) -> None:
        """Keep what the form holds."""
        reply = press.reply
        notes = await self._tables.notes.put(
            press.table_id, reply.user, only(press.values), delivery=reply.delivery
        )
        await self._say(reply, notes)

    async def _say(self, reply: Reply, notes: str) -> None:
        words = reply.words
        await reply.say(table_words.noted(words, notes) if notes else words(table_words.NO_NOTES))

    @command("table options")
    async def options(self, reply: Reply, table: int | None = None) -> None:
        """Show what a table plays by."""
        meant = await table_for(self._services, reply.interaction, table, among=ANY)
        words, text = reply.words, self._services.title_of(meant).text
        title = words(general.BOARD_TITLE, game=words(text.title), table=meant.id)
        lines = table_words.options(
            words,
            text,
            meant.options,
            agreed(self._services, meant),
            version=meant.version,
            key_hash=meant.key_hash,
        )
        before, after = meant.rematch_of, await self._tables.seats.rematch_of(meant.id)
        if before is not None:
            place = _place(await self._tables.reader.get(before))
            lines.append(words(table_words.REMATCH_OF, table=before, place=place))
        if after is not None:
            lines.append(words(table_words.REMATCH_IS, table=after.id, place=_place(after)))
        await reply.say("\n".join([f"### {title}", *lines]))

    @command("table import")
    async def bring(self, reply: Reply, file: discord.Attachment) -> None:
        """Open a table with the game from a file."""
        if file.size > MOST_BYTES:
            raise Rejected("not_a_game")
        await self._seating.bring(reply, await file.read())


def _place(table: Table) -> str:
    return f"<#{table.thread or table.channel}>"
