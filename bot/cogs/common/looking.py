"""What anybody may ask to see: the own hand, the board, who is awaited, what has happened."""

from __future__ import annotations

import discord

from bot.cogs.common.beside import beside
from bot.cogs.common.items import Pressable, button, panel
from bot.cogs.common.press import Forged, Press
from bot.cogs.common.reply import MAX_CONTENT, Reply
from bot.cogs.common.shell import Look, Shell, observer_of
from bot.cogs.common.trouble import TABLE, Sorry
from bot.cogs.common.waiting import awaited_lines, since_when, tables_of, told
from bot.game.contract import Seat
from bot.tables import Status
from bot.text import general, people, running, terms
from bot.text import promises as promise_text
from bot.text.contract import CloseUp, Label
from bot.text.markup import bold

LISTED = 20
"""Tables of one person that fit into a message."""


class Looking:
    """Private answers that change nothing."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._tables = shell.tables

    async def hand(self, reply: Reply, table_id: int) -> None:
        """What is the person's own. Raises NotSeated."""
        look = await self._seen(reply, table_id, seated=True)
        title = look.words(general.HAND_TITLE, table=table_id)
        lines = [title, look.text.hand(look.words, look.view, look.names)]
        notes = await self._tables.notes.get(table_id, reply.user)
        if notes:
            lines += ["", running.noted(look.words, notes)]
        items = [button(Press("note", table_id), look.words(running.MY_NOTES))]
        close = look.text.close_up(look.words, look.view, look.observer, look.names)
        if close is not None:
            items.append(_to_seat("seat", look, look.observer, close))
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
        look = await self._seen(reply, table_id)
        if as_text is None:
            as_text = await self._shell.wants_words(look)
        if seat is not None and seat not in range(len(look.names)):
            raise Forged
        words = look.words
        title = words(general.BOARD_TITLE, game=words(look.text.title), table=table_id)
        if seat is None:
            picture = None if as_text else await self._shell.own_picture(look)
            said = look.text.board(words, look.view, look.names)
        else:
            close = look.text.close_up(words, look.view, seat, look.names)
            if close is None:
                raise Sorry("no_close_up", game=look.table.game)
            picture = None if as_text else await self._shell.close_up(look, seat, close)
            title = f"{title} · {bold(close.title)}"
            said = f"{title}\n{close.text}"
        view = panel(self._others(look, seat, as_text=picture is None))
        return (said, view, None) if picture is None else (title, view, picture.file())

    def _others(self, look: Look, shown: Seat | None, *, as_text: bool) -> list[Pressable]:
        """Buttons to what else there is to see: the table, its seats, and the same in words."""
        table, words = look.table.id, look.words
        verb = "text" if as_text else "seat"
        items = []
        if shown is not None:
            items.append(button(Press(verb, table), words(general.BOARD)))
        for seat in range(len(look.names)):
            close = look.text.close_up(words, look.view, seat, look.names)
            if close is not None and seat != shown:
                items.append(_to_seat(verb, look, seat, close))
        if not as_text:
            press = Press("text", table, words=() if shown is None else (str(shown),))
            items.append(button(press, words(general.TEXT_BOARD)))
        return items

    async def status(self, reply: Reply, table_id: int) -> None:
        """Who is awaited, for what, and since when."""
        look = await self._seen(reply, table_id)
        recalled = look.recalled()
        lines = [await self._status_lines(look), *await beside(self._shell, look)]
        lines += [f"-# {terms.summary(look.words, look.table.terms)}", *recalled]
        list_them = button(Press("promises", table_id), look.words(promise_text.PROMISES))
        await reply.say("\n".join(lines), view=panel([list_them] if recalled else []))

    async def mine(self, reply: Reply) -> None:
        """The person's tables, those first that have waited for them longest."""
        words = self._shell.reader(reply.interaction)
        found = await tables_of(self._shell, reply.user)
        lines = await told(self._shell, words, found[:LISTED])
        if len(found) > LISTED:
            lines.append(words(people.MORE, count=len(found) - LISTED))
        await reply.say("\n".join(lines) or words(general.NO_TABLES))

    async def _status_lines(self, look: Look) -> str:
        """A table's number, its state, and who is awaited since when."""
        table, words = look.table, look.words
        head = general.table_line(
            words,
            table=table.id,
            game=words(look.text.title),
            status=table.status.value,
            place=f"<#{table.thread or table.channel}>",
            awaited=(),
        )
        if table.status is not Status.PLAYING:
            return head
        # Nobody calls a computer player: it is to act since somebody else has.
        happened = await self._tables.log(table.id, look.observer, last=1)
        last = happened[-1].at if happened else table.created
        since = dict.fromkeys(range(len(table.players)), last)
        since |= await since_when(self._shell, table.id)
        return "\n".join([head, *(awaited_lines(look, since) or [words(general.NOBODY_AWAITED)])])

    async def _seen(self, reply: Reply, table_id: int, *, seated: bool = False) -> Look:
        table = await self._tables.get(table_id)
        reply.interaction.extras[TABLE] = table
        user = reply.interaction.user.id
        if seated:
            observer = await self._tables.seat_of(table_id, user)
        else:
            observer = observer_of(table, user)
        words = self._shell.reader(reply.interaction)
        return await self._shell.look(table_id, observer, words, user=reply.user)


def _to_seat(verb: str, look: Look, seat: Seat, close: CloseUp) -> Pressable:
    press = Press(verb, look.table.id, words=(str(seat),))
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
