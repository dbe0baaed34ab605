"""What anybody may ask to see: the own hand, the board, who is awaited, what has happened."""

from __future__ import annotations

import discord

from bot.cogs.common.items import MAX_OPTIONS, button, option, panel, select
from bot.cogs.common.press import Press
from bot.cogs.common.reply import MAX_CONTENT, Reply
from bot.cogs.common.shell import Look, Shell, observer_of
from bot.cogs.common.trouble import TABLE
from bot.tables import Happened, Status
from bot.text import general
from bot.text.contract import Label
from bot.text.markup import bold

LINES = 20


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
        happened = await self._tables.log(table_id, look.observer, last=1)
        await reply.say(status_lines(look, happened))

    async def log(self, reply: Reply, table_id: int, count: int = LINES) -> None:
        """The newest lines of what happened, as far as the person heard of it."""
        look = await self._seen(reply, table_id)
        happened = await self._tables.log(table_id, look.observer, last=count)
        lines = [line for entry in happened for line in self._shell.story(look, entry.events)]
        await reply.say(newest(lines) or look.words(general.LOG_EMPTY))

    async def rules(self, reply: Reply, table_id: int, topic: str | None = None) -> None:
        """A chapter of the rules, the first one unless another is named, and the way to all."""
        table = await self._tables.get(table_id)
        reply.interaction.extras[TABLE] = table
        words, text = self._shell.reader(reply.interaction), self._shell.texts[table.game]
        topics = text.topics()[:MAX_OPTIONS]
        shown = topic if topic in topics else topics[0]
        lines = [
            option(each, Label(text.topic(words, each)), default=each == shown) for each in topics
        ]
        chapters = select(Press("rules", table_id, page=1), lines, words(general.RULES))
        title = bold(text.topic(words, shown))
        await reply.show(f"{title}\n{text.rules(words, shown)}", view=panel([chapters]))

    async def _seen(self, reply: Reply, table_id: int, *, seated: bool = False) -> Look:
        table = await self._tables.get(table_id)
        reply.interaction.extras[TABLE] = table
        user = reply.interaction.user.id
        if seated:
            observer = await self._tables.seat_of(table_id, user)
        else:
            observer = observer_of(table, user)
        return await self._shell.look(table_id, observer, self._shell.reader(reply.interaction))


def status_lines(look: Look, happened: list[Happened]) -> str:
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
    since = discord.utils.format_dt(happened[-1].at if happened else table.created, "R")
    lines = [words(general.WAITING_SINCE, who=who, since=since) for who in look.awaited()]
    return "\n".join([head, *(lines or [words(general.NOBODY_AWAITED)])])


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
