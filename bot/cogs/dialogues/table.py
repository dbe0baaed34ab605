"""Promises, notes, options, files and the web address of a table."""

from __future__ import annotations

from discord import app_commands

from bot.cogs.ui import (
    FORM,
    STARTED,
    CustomId,
    Dialogue,
    Form,
    Layout,
    Line,
    Press,
    Reply,
    Row,
    TableOption,
    TableView,
    Text,
    agreed_terms,
    button,
    command,
    names_of,
    observer_of,
    only,
    place_of,
    route,
    text_layout,
    web,
    with_file,
)
from bot.cogs.ui.access import managed_server
from bot.tables import PromiseStatus, Rejected, Status
from bot.tables.notes import MAX_LENGTH
from bot.text import Style, bold, clip, general, msg, newest, terms
from bot.text import promises as text
from bot.text.markup import code

ANY = tuple(Status)
ROWS = 5
"""Promises that can be judged at once."""
ROOM = 1600
"""Characters for all promises together; the rest of the message needs the others."""
MIN_ROOM = 40
"""Minimum characters shown of each promise."""

STATUS_NAMES = {"open": msg("open"), "kept": msg("kept"), "broken": msg("broken")}


class TableDialogue(Dialogue):
    """Promises, notes, options, files and the web address, mostly shown in private."""

    # Promises

    @route("promises")
    @command("game promises", among=STARTED)
    async def promises(self, reply: Reply, table: TableOption) -> None:
        """Show the promises that the user may know of, and their status."""
        observer = observer_of(table, reply.user)
        await reply.say(listing(await self._services.table_view(table.id, observer, reply.words)))

    @route("kept", words=(1,))
    @route("broken", words=(1,))
    async def judge(self, press: Press) -> None:
        """Record the user's verdict on a promise, and post it unless the promise was secret."""
        reply, table, offer = press.reply, press.table, only(press.custom_id.words)
        status = PromiseStatus(press.custom_id.verb)
        promise = await self._tables.notes.mark_promise(
            table.id, reply.user, offer, status, delivery=reply.delivery
        )
        table_view = await self._services.table_view(table.id, promise.receiver, reply.words)
        await reply.show(listing(table_view))
        if not promise.secret:
            public_words = await self._services.server_words(reply.interaction.client, table.guild)
            names = names_of(public_words, table)
            giver, receiver = names[promise.giver], names[promise.receiver]
            content = text.promise_line(
                public_words, text.MARKED[status.value], receiver, giver, promise.words
            )
            await self._sender.announce(table, text_layout(content), reply.delivery)

    # Notes

    @route("note")
    @command("table note", among=ANY)
    async def note(
        self,
        reply: Reply,
        text: app_commands.Range[str, 1, MAX_LENGTH] | None = None,
        *,
        table: TableOption,
    ) -> None:
        """Add a line to the user's notes, or open them in a form."""
        if text is not None:
            await self._save_notes(reply, table.id, text, below=True)
            return
        words, notes = reply.words, await self._tables.notes.get(table.id, reply.user)
        label, hint = words("Only you can read them"), words("Anything you want to remember")
        line = Line(label, hint, notes, max_length=MAX_LENGTH, long=True)
        title = words("Your notes · table {table}", table=table.id)
        if not await reply.ask(Form(CustomId("noted", table.id), title, line)):
            late = words(
                "The form didn't open in time. You can also add a line with `/table note`."
            )
            await self._show_notes(reply, notes, f"\n{late}")

    @route("noted", FORM)
    async def take_form(self, press: Press) -> None:
        """Save the notes from the form."""
        await self._save_notes(press.reply, press.table_id, only(press.values))

    async def _save_notes(
        self, reply: Reply, table: int, typed: str, *, below: bool = False
    ) -> None:
        notes = await self._tables.notes.save(
            table, reply.user, typed, below=below, delivery=reply.delivery
        )
        await self._show_notes(reply, notes)

    async def _show_notes(self, reply: Reply, notes: str, below: str = "") -> None:
        words = reply.words
        shown = general.noted(words, notes) if notes else words("You have no notes at this table.")
        await reply.say(f"{shown}{below}")

    # Options and files

    @command("table options", among=ANY)
    async def options(self, reply: Reply, table: TableOption) -> None:
        """Show the options and terms of a table."""
        words, text = reply.words, self._services.title_of(table).text(reply.words)
        title = self._services.heading(words, table)
        lines = [
            f"- {text.option(name)}: {bold(text.option_value(name, value))}"
            for name, value in table.options.items()
        ]
        lines.append(f"- {terms.summary(words, agreed_terms(self._services, table))}")
        version = words(
            "Rules version {version}. Fairness check (hash): `{hash}`",
            version=table.version,
            hash=table.key_hash,
        )
        lines.append(f"-# {version}")
        before, after = table.rematch_of, await self._tables.seats.rematch_of(table.id)
        if before is not None:
            place = place_of(await self._tables.reader.get(before))
            lines.append(words(general.REMATCH_OF, table=before, place=place))
        if after is not None:
            lines.append(
                words(
                    "🔁 The rematch is at table {table}, {place}.",
                    table=after.id,
                    place=place_of(after),
                )
            )
        await reply.say("\n".join([f"### {title}", *lines]))

    @command("game export", among=STARTED)
    async def export(self, reply: Reply, table: TableOption) -> None:
        """Send the game as a file."""
        exported = await self._tables.exports.game(table.id, observer_of(table, reply.user))
        if exported.is_whole:
            message = msg(
                "Table {table}: the complete game, with the key of its draws. `python -m bot "
                "verify FILE` checks every draw."
            )
        elif table.is_over:
            message = msg(
                "Table {table}: what you know of the game. It was abandoned, so only its players "
                "get the complete file."
            )
        else:
            message = msg(
                "Table {table}: what you know of the game so far. Once it's over, the same "
                "command gives the complete file."
            )
        name, content = f"{table.game}-table-{table.id}.json", reply.words(message, table=table.id)
        await reply.say(with_file(content, name, exported.data))

    @command("game report", among=ANY)
    async def report(self, reply: Reply, table: TableOption) -> None:
        """Send a file for reproducing a problem, without secrets."""
        refused = self._services.refused(reply.user, table.id)
        report = await self._tables.exports.report(table.id, refused)
        content = reply.words(
            "What happened at table {table}, for whoever runs this bot. It contains no names, "
            "times, keys or hidden information. Please add what went wrong in your own words.",
            table=table.id,
        )
        await reply.say(with_file(content, f"{table.game}-report-{table.id}.json", report))

    # The web address

    @command("table webhook", among=ANY)
    async def webhook(
        self,
        reply: Reply,
        url: app_commands.Range[str, 1, web.MAX_ADDRESS] | None = None,
        *,
        table: TableOption,
    ) -> None:
        """Show, set or remove the address to which the table's posts are sent as JSON."""
        words, webhooks = reply.words, self._tables.webhooks
        if managed_server(reply.interaction) != table.guild:
            raise Rejected("not_owner")
        if url is None:
            row = await webhooks.get(table.id)
            answer = words("This table's posts aren't sent to any web address.")
            if row is not None:
                answer = words("This table's posts are also sent to {url}", url=code(row.url))
        elif url == "off":
            await webhooks.save(table.id, None, delivery=reply.delivery)
            answer = words("This table's posts are no longer sent to a web address.")
        else:
            await web.check_address(url)
            row = await webhooks.save(table.id, url, delivery=reply.delivery)
            assert row is not None
            answer = words(
                "From now on, this table's posts are also sent to {url} as JSON. Each is signed "
                "with this key, which I show only once: {key}",
                url=code(row.url),
                key=code(row.secret.hex()),
            )
        await reply.say(answer)


def listing(table_view: TableView) -> Layout:
    """Return the promises, oldest first, with buttons for those that the observer may judge."""
    words, table = table_view.words, table_view.table.id
    lines: list[str] = []
    verdict_rows: list[Row] = []
    room = max(ROOM // max(len(table_view.accepted_promises), 1), MIN_ROOM)
    for number, each in enumerate(table_view.accepted_promises, 1):
        giver, receiver = table_view.names[each.giver], table_view.names[each.receiver]
        line = words(
            "{number}. {seat} to {other}: {said} · {standing}",
            number=number,
            seat=bold(giver),
            other=bold(receiver),
            said=text.quoted(clip(each.words, room)),
            standing=words(STATUS_NAMES[each.status]),
        )
        lines.append(line)
        is_judge = each.receiver == table_view.observer and each.status is PromiseStatus.OPEN
        if is_judge and len(verdict_rows) < ROWS:
            verdicts = (
                (PromiseStatus.KEPT, msg("{number} · kept"), Style.SUCCESS),
                (PromiseStatus.BROKEN, msg("{number} · broken"), Style.DANGER),
            )
            verdict_buttons = [
                button(
                    CustomId(status.value, table, words=(each.offer,)),
                    words(label, number=number),
                    style=style,
                )
                for status, label, style in verdicts
            ]
            verdict_rows.append(Row(verdict_buttons))
    head = [bold(words("Promises · table {table}", table=table))]
    if verdict_rows:
        rule = words(
            "A promise must be kept whenever possible. The bot can't enforce it: the player who "
            "received it says whether it was kept."
        )
        head.append(f"-# {rule}")
    listed = newest(lines, ROOM) or words("No promises yet. You can add one to an offer.")
    return Layout([Text("\n".join([*head, listed])), *verdict_rows])
