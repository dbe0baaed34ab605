"""What anybody may ask to see: their own hand, the board, who is awaited, their tables."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands

from bot.cogs.panel.open_moves import moves_of
from bot.cogs.ui.access import seat_for, table_for
from bot.cogs.ui.autocomplete import Choice, offered_seats
from bot.cogs.ui.custom_id import CustomId, Forged, only
from bot.cogs.ui.layout import (
    MAX_OPTIONS,
    Control,
    Interaction,
    Layout,
    button,
    option,
    said,
    select,
)
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import SELECT, Press, command, fixed, route
from bot.cogs.ui.services import Services, agreed
from bot.cogs.ui.snapshot import Snapshot, observer_of
from bot.cogs.ui.waiting import awaited_lines, since_when, status_lines, table_lines, tables_of
from bot.tables import GOING, Rejected, Status
from bot.text import general, personal_settings, table_words, terms
from bot.text import promises as promise_text
from bot.text.contract import CloseUpText, Label
from bot.text.markup import bold

MAX_BUTTONS = 6
"""Up to this many parts of a table have a button each."""
MAX_ROWS = 5
LOBBY_OR_PLAYING = (Status.LOBBY, Status.PLAYING)
LISTED = 20
"""Tables of one person that fit into a message."""


class TableViews:
    """Private answers that change nothing."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables

    @route("hand")
    async def show_hand(self, press: Press) -> None:
        """Show what the person owns."""
        await self._hand(press.reply, press.table_id)

    @command("game hand")
    async def hand(self, reply: Reply, table: int | None = None) -> None:
        """Show what the person owns."""
        meant = await table_for(self._services, reply.interaction, table, among=GOING)
        await self._hand(reply, meant.id)

    async def _hand(self, reply: Reply, table_id: int) -> None:
        """What the person owns. Raises not_seated."""
        snapshot = (await moves_of(self._services, reply, table_id)).snapshot
        title = snapshot.words(general.HAND_TITLE, table=table_id)
        lines = [title, snapshot.text.hand(snapshot.words, snapshot.view, snapshot.names)]
        notes = await self._tables.notes.get(table_id, reply.user)
        if notes:
            lines += ["", table_words.noted(snapshot.words, notes)]
        items = [button(CustomId("note", table_id), snapshot.words(table_words.MY_NOTES))]
        own = str(snapshot.observer)
        if own in snapshot.parts:
            items.append(_to_part("seat", snapshot, own, _close_up(snapshot, own)))
        await reply.say(said("\n".join(lines), items))

    @route("board")
    async def show_board(self, press: Press) -> None:
        """Show the table as the person may see it."""
        await press.reply.say(await self._board(press.reply, press.table_id))

    @route("text", words=(0, 1))
    async def show_in_words(self, press: Press) -> None:
        """Show the table, or a part of it, in words."""
        part = only(press.custom_id.words) if press.custom_id.words else None
        await press.reply.say(await self._board(press.reply, press.table_id, part, as_text=True))

    @route("seat", words=(0, 1))
    async def turn_to(self, press: Press) -> None:
        """Show the table or a part of it, such as a seat's, in the message that was pressed."""
        part = only(press.custom_id.words) if press.custom_id.words else None
        await press.reply.show(await self._board(press.reply, press.table_id, part))

    @route("part", SELECT)
    async def turn_to_picked(self, press: Press) -> None:
        """Show the part that was picked."""
        await press.reply.show(await self._board(press.reply, press.table_id, only(press.values)))

    @route("parttext", SELECT)
    async def turn_to_picked_in_words(self, press: Press) -> None:
        """Show the part that was picked, in words."""
        part = only(press.values)
        await press.reply.show(await self._board(press.reply, press.table_id, part, as_text=True))

    async def _seats(self, interaction: Interaction, typed: str) -> list[Choice]:
        number = interaction.namespace.table
        table = await table_for(self._services, interaction, number, among=GOING)
        return offered_seats(self._services.words_of(interaction), table, typed)

    @command("game board", seat=_seats)
    @app_commands.choices(form=fixed("form"))
    async def board(
        self,
        reply: Reply,
        form: str | None = None,
        seat: str | None = None,
        table: int | None = None,
    ) -> None:
        """Show the board, or what one player has there."""
        meant = await table_for(self._services, reply.interaction, table, among=GOING)
        part = None if seat is None else str(seat_for(reply.words, meant, seat))
        as_text = None if form is None else form == "text"
        await reply.say(await self._board(reply, meant.id, part, as_text=as_text))

    async def _board(
        self,
        reply: Reply,
        table_id: int,
        part: str | None = None,
        *,
        as_text: bool | None = None,
    ) -> Layout:
        """The table as the person may see it, or one part of it; as a picture or in words, by
        default as they have set.

        Raises Forged for a part that does not exist, and Rejected where the board shows all there
        is.
        """
        snapshot = await self._snapshot(reply, table_id)
        if as_text is None:
            as_text = await self._services.wants_words(snapshot)
        parts = snapshot.parts
        if part is not None and part not in parts:
            if not any(each.isdecimal() for each in parts):
                raise Rejected("no_close_up", game=snapshot.table.game)
            raise Forged
        words = snapshot.words
        title = words(general.BOARD_TITLE, game=words(snapshot.text.title), table=table_id)
        if part is None:
            picture = None if as_text else await self._services.picture(snapshot)
            text = snapshot.text.board(words, snapshot.view, snapshot.names)
        else:
            close = _close_up(snapshot, part)
            picture = None if as_text else await self._services.picture(snapshot, part=part)
            title = f"{title} · {bold(close.title)}"
            text = f"{title}\n{close.text}"
        others = self._others(snapshot, part, as_text=picture is None)
        return said(text, others) if picture is None else said(title, others, picture.image())

    def _others(self, snapshot: Snapshot, shown: str | None, *, as_text: bool) -> list[Control]:
        """Links to what else can be seen: the table, its parts, and the same in words.

        A few parts are buttons, more are lines of selects.
        """
        table, words = snapshot.table.id, snapshot.words
        verb = "text" if as_text else "seat"
        items = []
        if shown is not None:
            items.append(button(CustomId(verb, table), words(general.BOARD)))
        others = [(part, _close_up(snapshot, part)) for part in snapshot.parts]
        others = [(part, close) for part, close in others if part != shown]
        if len(others) <= MAX_BUTTONS:
            items += [_to_part(verb, snapshot, part, close) for part, close in others]
        if not as_text:
            custom_id = CustomId("text", table, words=() if shown is None else (shown,))
            items.append(button(custom_id, words(general.TEXT_BOARD)))
        if len(others) > MAX_BUTTONS:
            items += _selects(snapshot, others, as_text=as_text)
        return items

    @route("status")
    async def show_status(self, press: Press) -> None:
        """Show who is awaited."""
        await self._status(press.reply, press.table_id)

    @command("game status")
    async def status(self, reply: Reply, table: int | None = None) -> None:
        """Show who is awaited."""
        meant = await table_for(self._services, reply.interaction, table, among=LOBBY_OR_PLAYING)
        await self._status(reply, meant.id)

    async def _status(self, reply: Reply, table_id: int) -> None:
        """Who is awaited, for what, and since when."""
        snapshot = await self._snapshot(reply, table_id)
        table, words = snapshot.table, snapshot.words
        lines = [
            general.table_line(
                words,
                table=table.id,
                game=words(snapshot.text.title),
                status=table.status.value,
                place=f"<#{table.thread or table.channel}>",
                awaited=(),
            )
        ]
        if table.status is Status.PLAYING:
            # A computer player gets no notification: its turn began when somebody else acted.
            happened = await self._tables.reader.log(table.id, snapshot.observer, last=1)
            last = happened[-1].at if happened else table.created
            since = dict.fromkeys(range(len(table.players)), last)
            since |= await since_when(self._services, table.id)
            lines += awaited_lines(snapshot, since) or [words(general.NOBODY_AWAITED)]
        lines += await status_lines(self._services, snapshot)
        lines.append(f"-# {terms.summary(words, agreed(self._services, table))}")
        recalled = snapshot.recalled()
        list_them = button(CustomId("promises", table_id), words(promise_text.PROMISES))
        await reply.say(said("\n".join([*lines, *recalled]), [list_them] if recalled else []))

    @command("game mine")
    async def mine(self, reply: Reply) -> None:
        """The person's tables, those that have waited for them longest first."""
        words = reply.words
        found = await tables_of(self._services, reply.user)
        lines = await table_lines(self._services, words, found[:LISTED])
        if len(found) > LISTED:
            lines.append(words(personal_settings.MORE, count=len(found) - LISTED))
        await reply.say("\n".join(lines) or words(general.NO_TABLES))

    async def _snapshot(self, reply: Reply, table_id: int) -> Snapshot:
        observer = observer_of(await self._tables.reader.get(table_id), reply.user)
        return await self._services.snapshot(table_id, observer, reply.words, user=reply.user)


def _close_up(snapshot: Snapshot, part: str) -> CloseUpText:
    """A part of the table in words, which exist wherever the renderer can draw it."""
    close = snapshot.text.close_up(snapshot.words, snapshot.view, part, snapshot.names)
    if close is None:
        raise ValueError(f"{snapshot.table.game} draws {part!r} large, but has no words for it")
    return close


def _to_part(verb: str, snapshot: Snapshot, part: str, close: CloseUpText) -> Control:
    custom_id = CustomId(verb, snapshot.table.id, words=(part,))
    return button(custom_id, Label(close.title, "🔍"))


def _selects(
    snapshot: Snapshot, others: Sequence[tuple[str, CloseUpText]], *, as_text: bool
) -> list[Control]:
    """Parts as options, 25 to a select, which is named by its first and last."""
    verb = "parttext" if as_text else "part"
    found = []
    for page, start in enumerate(range(0, len(others), MAX_OPTIONS)):
        some = others[start : start + MAX_OPTIONS]
        options = [option(part, Label(close.title, "🔍")) for part, close in some]
        span = f"🔍 {some[0][1].title} – {some[-1][1].title}"
        custom_id = CustomId(verb, snapshot.table.id, page=page)
        found.append(select(custom_id, options, span))
    return found[: MAX_ROWS - 1]
