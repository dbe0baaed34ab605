"""`/table`: a rematch, notes, a table's options, games from files."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.flows.seating import Seating
from bot.cogs.ui.component_router import ComponentRouter, Verb, Way
from bot.cogs.ui.components import Form, Interaction, Line
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.localized_commands import command
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_terms import agreed
from bot.cogs.ui.which_table import table_for
from bot.tables import Rejected, Status, Table
from bot.tables.importing import MOST_BYTES
from bot.tables.people.notes import MOST
from bot.text import general, table_words
from bot.text.commands import COMMANDS

ANY = tuple(Status)
OVER = (Status.FINISHED, Status.ABANDONED)


class TableCog(
    commands.GroupCog,
    name="table",
    group_name="table",
    group_description=COMMANDS["table"].description,
):
    """What people do around a table besides playing there."""

    def __init__(self, services: Services, seating: Seating, router: ComponentRouter) -> None:
        super().__init__()
        self._services = services
        self._tables = services.tables
        self._seating = seating
        self._router = router

    async def cog_load(self) -> None:
        """Register the buttons under a last post and under a hand, and the form for notes."""
        self._router.on("rematch", Verb(self._play_again))
        self._router.on("note", Verb(self._open_form))
        self._router.on("noted", Verb(self._take_form, (Way.FORM,)))

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off("rematch", "note", "noted")

    @command("table rematch")
    async def rematch(self, interaction: Interaction, table: int | None = None) -> None:
        """Open another table with the same game and people."""
        async with Reply(interaction) as reply:
            meant = await table_for(self._services, interaction, table, among=OVER)
            await self._seating.rematch(reply, meant.id)

    @command("table note")
    async def note(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, MOST] | None = None,
        table: int | None = None,
    ) -> None:
        """Add to one's notes, or change them in a form."""
        async with Reply(interaction) as reply:
            meant = await table_for(self._services, interaction, table, among=ANY)
            if text is None:
                await self._form(reply, meant)
                return
            notes = await self._tables.notes.add(
                meant.id, reply.user, text, delivery=reply.delivery
            )
            await self._say(reply, notes)

    @command("table options")
    async def options(self, interaction: Interaction, table: int | None = None) -> None:
        """Show what a table plays by."""
        async with Reply(interaction) as reply:
            meant = await table_for(self._services, interaction, table, among=ANY)
            words, text = self._services.reader(interaction), self._services.text(meant)
            title = words(general.BOARD_TITLE, game=words(text.title), table=meant.id)
            lines = table_words.options(
                words,
                text,
                meant.options,
                agreed(self._services, meant),
                version=meant.version,
                key_hash=meant.key_hash,
            )
            before, after = meant.rematch_of, await self._tables.rematches.of(meant.id)
            if before is not None:
                place = _place(await self._tables.reader.get(before))
                lines.append(words(table_words.REMATCH_OF, table=before, place=place))
            if after is not None:
                lines.append(words(table_words.REMATCH_IS, table=after.id, place=_place(after)))
            await reply.say("\n".join([f"### {title}", *lines]))

    @command("table import")
    async def bring(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Open a table with the game from a file."""
        async with Reply(interaction) as reply:
            if file.size > MOST_BYTES:
                raise Rejected("not_a_game")
            await self._seating.bring(reply, await file.read())

    # Buttons and the form

    async def _play_again(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._seating.rematch(reply, custom_id.table)

    async def _open_form(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._form(reply, await self._tables.reader.get(custom_id.table))

    async def _take_form(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        notes = await self._tables.notes.put(
            custom_id.table, reply.user, only(values), delivery=reply.delivery
        )
        await self._say(reply, notes)

    async def _form(self, reply: Reply, table: Table) -> None:
        words = self._services.reader(reply.interaction)
        notes = await self._tables.notes.get(table.id, reply.user)
        form = Form(
            CustomId("noted", table.id),
            words(table_words.NOTES_TITLE, table=table.id),
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

    async def _say(self, reply: Reply, notes: str) -> None:
        words = self._services.reader(reply.interaction)
        await reply.say(table_words.noted(words, notes) if notes else words(table_words.NO_NOTES))


def _place(table: Table) -> str:
    return f"<#{table.thread or table.channel}>"
