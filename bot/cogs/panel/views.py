"""What anybody may ask to see: the own hand, the board, who is awaited, what has happened."""

from __future__ import annotations

import discord

from bot.cogs.ui.components import Pressable, button, panel
from bot.cogs.ui.custom_id import CustomId, Forged
from bot.cogs.ui.reply import MAX_CONTENT, Reply
from bot.cogs.ui.services import Services, Snapshot, observer_of
from bot.cogs.ui.status_lines import status_lines
from bot.cogs.ui.user_errors import TABLE, UserError
from bot.cogs.ui.waiting import awaited_lines, since_when, tables_of, told
from bot.game.contract import Seat
from bot.tables import Status
from bot.text import general, people, running, terms
from bot.text import promises as promise_text
from bot.text.contract import CloseUpText, Label
from bot.text.markup import bold

LISTED = 20
"""Tables of one person that fit into a message."""


class TableViews:
    """Private answers that change nothing."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables

    async def hand(self, reply: Reply, table_id: int) -> None:
        """What is the person's own. Raises NotSeated."""
        snapshot = await self._seen(reply, table_id, seated=True)
        title = snapshot.words(general.HAND_TITLE, table=table_id)
        lines = [title, snapshot.text.hand(snapshot.words, snapshot.view, snapshot.names)]
        notes = await self._tables.notes.get(table_id, reply.user)
        if notes:
            lines += ["", running.noted(snapshot.words, notes)]
        items = [button(CustomId("note", table_id), snapshot.words(running.MY_NOTES))]
        close = snapshot.text.close_up(
            snapshot.words, snapshot.view, snapshot.observer, snapshot.names
        )
        if close is not None:
            items.append(_to_seat("seat", snapshot, snapshot.observer, close))
        await reply.say("\n".join(lines), view=panel(items))

    async def board(
        self,
        reply: Reply,
        table_id: int,
        *,
        as_text: bool | None = None,
        seat: Seat | None = None,
    ) -> None:
        """The table as the person may see it, or one seat's part of it alone; as a picture or in
        words, or as they have set. Raises Forged for a seat that there is not, and Sorry for one
        where the board shows all there is of each.
        """
        content, view, file = await self._board(reply, table_id, seat, as_text=as_text)
        await reply.say(content, view=view, file=file)

    async def turn_to(self, reply: Reply, table_id: int, seat: Seat | None) -> None:
        """The same as they have set, in the place of the one that was pressed."""
        content, view, file = await self._board(reply, table_id, seat)
        await reply.show(content, view=view, file=file)

    async def _board(
        self, reply: Reply, table_id: int, seat: Seat | None, *, as_text: bool | None = None
    ) -> tuple[str, discord.ui.View, discord.File | None]:
        snapshot = await self._seen(reply, table_id)
        if as_text is None:
            as_text = await self._services.wants_words(snapshot)
        if seat is not None and seat not in range(len(snapshot.names)):
            raise Forged
        words = snapshot.words
        title = words(general.BOARD_TITLE, game=words(snapshot.text.title), table=table_id)
        if seat is None:
            picture = None if as_text else await self._services.own_picture(snapshot)
            said = snapshot.text.board(words, snapshot.view, snapshot.names)
        else:
            close = snapshot.text.close_up(words, snapshot.view, seat, snapshot.names)
            if close is None:
                raise UserError("no_close_up", game=snapshot.table.game)
            picture = None if as_text else await self._services.close_up(snapshot, seat, close)
            title = f"{title} · {bold(close.title)}"
            said = f"{title}\n{close.text}"
        view = panel(self._others(snapshot, seat, as_text=picture is None))
        return (said, view, None) if picture is None else (title, view, picture.file())

    def _others(self, snapshot: Snapshot, shown: Seat | None, *, as_text: bool) -> list[Pressable]:
        """Buttons to what else there is to see: the table, its seats, and the same in words."""
        table, words = snapshot.table.id, snapshot.words
        verb = "text" if as_text else "seat"
        items = []
        if shown is not None:
            items.append(button(CustomId(verb, table), words(general.BOARD)))
        for seat in range(len(snapshot.names)):
            close = snapshot.text.close_up(words, snapshot.view, seat, snapshot.names)
            if close is not None and seat != shown:
                items.append(_to_seat(verb, snapshot, seat, close))
        if not as_text:
            press = CustomId("text", table, words=() if shown is None else (str(shown),))
            items.append(button(press, words(general.TEXT_BOARD)))
        return items

    async def status(self, reply: Reply, table_id: int) -> None:
        """Who is awaited, for what, and since when."""
        snapshot = await self._seen(reply, table_id)
        recalled = snapshot.recalled()
        lines = [await self._status_lines(snapshot), *await status_lines(self._services, snapshot)]
        lines += [f"-# {terms.summary(snapshot.words, snapshot.table.terms)}", *recalled]
        list_them = button(CustomId("promises", table_id), snapshot.words(promise_text.PROMISES))
        await reply.say("\n".join(lines), view=panel([list_them] if recalled else []))

    async def mine(self, reply: Reply) -> None:
        """The person's tables, those first that have waited for them longest."""
        words = self._services.reader(reply.interaction)
        found = await tables_of(self._services, reply.user)
        lines = await told(self._services, words, found[:LISTED])
        if len(found) > LISTED:
            lines.append(words(people.MORE, count=len(found) - LISTED))
        await reply.say("\n".join(lines) or words(general.NO_TABLES))

    async def _status_lines(self, snapshot: Snapshot) -> str:
        """A table's number, its state, and who is awaited since when."""
        table, words = snapshot.table, snapshot.words
        head = general.table_line(
            words,
            table=table.id,
            game=words(snapshot.text.title),
            status=table.status.value,
            place=f"<#{table.thread or table.channel}>",
            awaited=(),
        )
        if table.status is not Status.PLAYING:
            return head
        # Nobody calls a computer player: it is to act since somebody else has.
        happened = await self._tables.reader.log(table.id, snapshot.observer, last=1)
        last = happened[-1].at if happened else table.created
        since = dict.fromkeys(range(len(table.players)), last)
        since |= await since_when(self._services, table.id)
        return "\n".join(
            [head, *(awaited_lines(snapshot, since) or [words(general.NOBODY_AWAITED)])]
        )

    async def _seen(self, reply: Reply, table_id: int, *, seated: bool = False) -> Snapshot:
        table = await self._tables.reader.get(table_id)
        reply.interaction.extras[TABLE] = table
        user = reply.interaction.user.id
        if seated:
            observer = await self._tables.reader.seat_of(table_id, user)
        else:
            observer = observer_of(table, user)
        words = self._services.reader(reply.interaction)
        return await self._services.snapshot(table_id, observer, words, user=reply.user)


def _to_seat(verb: str, snapshot: Snapshot, seat: Seat, close: CloseUpText) -> Pressable:
    press = CustomId(verb, snapshot.table.id, words=(str(seat),))
    return button(press, Label(close.title, "🔍"))


def newest(lines: list[str], most: int = MAX_CONTENT - 200) -> str:
    """As many of the last lines as fit, with a sign where older ones are left out."""
    kept: list[str] = []
    length = 0
    for line in reversed(lines):
        length += len(line) + 1
        if length > most:
            kept.append("…")
            break
        kept.append(line)
    return "\n".join(reversed(kept))
