"""What anybody may ask to see: the own hand, the board, who is awaited, what has happened."""

from __future__ import annotations

from bot.cogs.common.items import button, panel
from bot.cogs.common.press import Press
from bot.cogs.common.reply import MAX_CONTENT, Reply
from bot.cogs.common.shell import Look, Shell, observer_of
from bot.cogs.common.trouble import TABLE
from bot.cogs.common.waiting import awaited_lines, since_when, tables_of
from bot.tables import Status
from bot.text import general
from bot.text import promises as promise_text


class Looking:
    """Private answers that change nothing."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._tables = shell.tables

    async def hand(self, reply: Reply, table_id: int) -> None:
        """What is the person's own. Raises NotSeated."""
        look = await self._seen(reply, table_id, seated=True)
        title = look.words(general.HAND_TITLE, table=table_id)
        await reply.say(f"{title}\n{look.text.hand(look.words, look.view, look.names)}")

    async def board(self, reply: Reply, table_id: int, *, as_text: bool = False) -> None:
        """The table as the person may see it, as a picture or in words."""
        look = await self._seen(reply, table_id)
        picture = None if as_text else await self._shell.own_picture(look)
        if picture is None:
            await reply.say(look.text.board(look.words, look.view, look.names))
            return
        title = look.words(general.BOARD_TITLE, game=look.text.title, table=table_id)
        in_words = button(Press("text", table_id), look.words(general.TEXT_BOARD))
        await reply.say(title, file=picture.file(), view=panel([in_words]))

    async def status(self, reply: Reply, table_id: int) -> None:
        """Who is awaited, for what, and since when."""
        look = await self._seen(reply, table_id)
        lines = [await self._status_lines(look), *look.recalled()]
        list_them = button(Press("promises", table_id), look.words(promise_text.PROMISES))
        await reply.say("\n".join(lines), view=panel([list_them] if lines[1:] else []))

    async def mine(self, reply: Reply) -> None:
        """The person's tables, those first that have waited for her longest."""
        words = self._shell.reader(reply.interaction)
        found = await tables_of(self._shell, reply.user, words)
        lines = [line for _table, _since, line in found]
        await reply.say("\n".join(lines) or words(general.NO_TABLES))

    async def _status_lines(self, look: Look) -> str:
        """A table's number, its state, and who is awaited since when."""
        table, words = look.table, look.words
        head = general.table_line(
            words,
            table=table.id,
            game=look.text.title,
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
        return await self._shell.look(table_id, observer, self._shell.reader(reply.interaction))


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
