"""Private answers to any user: the hand, the board, and who is to act."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands

from bot.cogs.ui import (
    MAX_OPTIONS,
    SELECT,
    Control,
    CustomId,
    Forged,
    Layout,
    Press,
    Reply,
    Services,
    TableOption,
    TableView,
    agreed_terms,
    button,
    command,
    fixed_choices,
    observer_of,
    only,
    option,
    place_of,
    route,
    seat_for,
    seats_offered,
    select,
    status_lines,
    text_layout,
)
from bot.cogs.ui.waiting import to_act_lines
from bot.tables import IN_PROGRESS, Rejected, Status, Table
from bot.text import CloseUpText, Label, bold, general, terms
from bot.text import promises as promise_text

MAX_BUTTONS = 6
"""Parts of a table that are shown as buttons; more become selects."""
MAX_ROWS = 5


class TableViews:
    """Shows tables in private. Changes nothing."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables

    @route("hand")
    @command("game hand", among=IN_PROGRESS)
    async def hand(self, reply: Reply, *, table: TableOption) -> None:
        """Show the player's hand. Raise not_seated."""
        table_view = await self._services.seat_view(table.id, reply.user, reply.words)
        title = table_view.words("Your hand · table {table}", table=table.id)
        lines = [title, table_view.text.hand()]
        notes = await self._tables.notes.get(table.id, reply.user)
        if notes:
            lines += ["", general.noted(table_view.words, notes)]
        items = [button(CustomId("note", table.id), table_view.words("My notes"))]
        own = str(table_view.observer)
        if own in table_view.parts:
            items.append(_to_part("seat", table_view, own, _close_up(table_view, own)))
        await reply.say(text_layout("\n".join(lines), items))

    @route("text", words=(0, 1))
    @route("seat", words=(0, 1))
    @route("part", SELECT)
    @route("parttext", SELECT)
    async def look(self, press: Press) -> None:
        """Show the table or a part of it, such as a seat's, as a picture or text.

        Replies to "text" with a new message, else edits the pressed one.
        """
        verb, words = press.custom_id.verb, press.custom_id.words or press.values
        part, as_text = only(words) if words else None, verb.endswith("text") or None
        layout = await self._board(press.reply, press.table, part, as_text=as_text)
        await (press.reply.say if verb == "text" else press.reply.show)(layout)

    @route("board")
    @command("game board", among=IN_PROGRESS, seat=seats_offered)
    @app_commands.choices(form=fixed_choices("form"))
    async def board(
        self,
        reply: Reply,
        form: str | None = None,
        seat: str | None = None,
        *,
        table: TableOption,
    ) -> None:
        """Show the board, or one player's part of it."""
        part = None if seat is None else str(seat_for(reply.words, table, seat))
        as_text = None if form is None else form == "text"
        await reply.say(await self._board(reply, table, part, as_text=as_text))

    async def _board(
        self, reply: Reply, table: Table, part: str | None, *, as_text: bool | None
    ) -> Layout:
        """Return the user's view of the table or a part of it, as a picture or text. If `as_text`
        is None, their settings decide.

        Raise Forged for a part that does not exist, and Rejected if the game has no parts.
        """
        table_view = await self._table_view(reply, table)
        if as_text is None:
            as_text = await self._services.prefers_text(table_view)
        parts = table_view.parts
        if part is not None and part not in parts:
            if not any(each.isdecimal() for each in parts):
                raise Rejected("no_close_up", game=table_view.table.game)
            raise Forged
        words = table_view.words
        title = self._services.heading(words, table)
        if part is None:
            picture = None if as_text else await self._services.picture(table_view)
            text = table_view.text.board()
        else:
            close_up = _close_up(table_view, part)
            picture = None if as_text else await self._services.picture(table_view, part=part)
            title = f"{title} · {bold(close_up.title)}"
            text = f"{title}\n{close_up.text}"
        others = self._others(table_view, part, as_text=picture is None)
        return text_layout(text, others) if picture is None else text_layout(title, others, picture)

    def _others(self, table_view: TableView, shown: str | None, *, as_text: bool) -> list[Control]:
        """Return buttons for the table, its other parts and the text version.

        A few parts are buttons, more are selects.
        """
        table, words = table_view.table.id, table_view.words
        verb = "text" if as_text else "seat"
        items = []
        if shown is not None:
            items.append(button(CustomId(verb, table), words(general.BOARD)))
        others = [(part, _close_up(table_view, part)) for part in table_view.parts]
        others = [(part, close_up) for part, close_up in others if part != shown]
        if len(others) <= MAX_BUTTONS:
            items += [_to_part(verb, table_view, part, close_up) for part, close_up in others]
        if not as_text:
            custom_id = CustomId("text", table, words=() if shown is None else (shown,))
            items.append(button(custom_id, words("Board as text")))
        if len(others) > MAX_BUTTONS:
            items += _selects(table_view, others, as_text=as_text)
        return items

    @route("status")
    @command("game status", among=(Status.LOBBY, Status.PLAYING))
    async def status(self, reply: Reply, *, table: TableOption) -> None:
        """Show who is to act, for what decision, and since when."""
        table_view = await self._table_view(reply, table)
        table, words = table_view.table, table_view.words
        lines = [
            general.table_line(
                words,
                table=table.id,
                game=words(table_view.text.title),
                status=table.status.value,
                unrated=table.unrated,
                place=place_of(table),
                to_act=(),
            )
        ]
        if table.status is Status.PLAYING:
            # Computer players get no notification: their turn began with the last log entry.
            entries = await self._tables.reader.log(table_view, 1)
            last = entries[-1].at if entries else table.created
            since = dict.fromkeys(range(len(table.players)), last)
            notifications = await self._tables.notifications.of_table(table.id)
            since |= {each.seat: each.since for each in notifications if not each.over}
            lines += to_act_lines(table_view, since) or [words(general.NO_ONE_TO_ACT)]
        lines += await status_lines(self._services, table_view)
        lines.append(f"-# {terms.summary(words, agreed_terms(self._services, table))}")
        promise_lines = table_view.promise_lines()
        list_button = button(CustomId("promises", table.id), words(promise_text.PROMISES))
        await reply.say(
            text_layout("\n".join([*lines, *promise_lines]), [list_button] if promise_lines else [])
        )

    async def _table_view(self, reply: Reply, table: Table) -> TableView:
        observer = observer_of(table, reply.user)
        return await self._services.table_view(table.id, observer, reply.words, user=reply.user)


def _close_up(table_view: TableView, part: str) -> CloseUpText:
    """Return the text of a part, which every part that can be drawn must have."""
    close_up = table_view.text.close_up(part)
    if close_up is None:
        raise ValueError(f"{table_view.table.game} draws the part {part!r} but has no text for it")
    return close_up


def _to_part(verb: str, table_view: TableView, part: str, close_up: CloseUpText) -> Control:
    custom_id = CustomId(verb, table_view.table.id, words=(part,))
    return button(custom_id, Label(close_up.title, "🔍"))


def _selects(
    table_view: TableView, others: Sequence[tuple[str, CloseUpText]], *, as_text: bool
) -> list[Control]:
    """Return selects of 25 parts each, labelled by their first and last part."""
    verb = "parttext" if as_text else "part"
    selects = []
    for page, start in enumerate(range(0, len(others), MAX_OPTIONS)):
        shown = others[start : start + MAX_OPTIONS]
        options = [option(part, Label(close_up.title, "🔍")) for part, close_up in shown]
        span = f"🔍 {shown[0][1].title} – {shown[-1][1].title}"
        custom_id = CustomId(verb, table_view.table.id, page=page)
        selects.append(select(custom_id, options, span))
    return selects[: MAX_ROWS - 1]
