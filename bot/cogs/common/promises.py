"""The list of a table's promises, and its buttons for those to whom something was promised."""

from __future__ import annotations

import discord

from bot.cogs.common import who
from bot.cogs.common.items import Pressable, button, panel
from bot.cogs.common.looking import newest
from bot.cogs.common.press import Press, only
from bot.cogs.common.reply import Reply
from bot.cogs.common.seating import Seating
from bot.cogs.common.shell import Look, Shell, observer_of
from bot.cogs.common.trouble import TABLE
from bot.tables import Standing
from bot.text import promises as text
from bot.text.contract import Style
from bot.text.markup import bold, clip

ROWS = 5
"""Promises that can be judged at a time: a message has so many rows of buttons."""
ROOM = 1600
"""Characters for all that was promised; the names and the rest need the others."""
LEAST = 40
"""Characters of one promise, however many there are."""


class Promises:
    """Shows the promises of a table, and tells it what became of them."""

    def __init__(self, shell: Shell, seating: Seating) -> None:
        self._shell = shell
        self._seating = seating

    async def show(self, reply: Reply, table_id: int) -> None:
        """Every promise given that the person may know of, as it stands now."""
        table = await self._shell.tables.get(table_id)
        reply.interaction.extras[TABLE] = table
        observer = observer_of(table, reply.user)
        words = self._shell.reader(reply.interaction)
        content, view = listing(await self._shell.look(table_id, observer, words))
        await reply.say(content, view=view)

    async def mark(self, reply: Reply, press: Press, standing: Standing) -> None:
        """Keep what the person says of a promise, and tell the table if it knew of the promise."""
        table = await self._shell.tables.get(press.table)
        reply.interaction.extras[TABLE] = table
        promise = await self._shell.tables.judging.mark(
            table.id, reply.user, only(press.words), standing, delivery=reply.delivery
        )
        words = self._shell.reader(reply.interaction)
        content, view = listing(await self._shell.look(table.id, promise.receiver, words))
        await reply.show(content, view=view)
        if not promise.secret:
            house = await self._shell.house(reply.interaction.client, table)
            names = who.names(house, table)
            giver, receiver = names[promise.giver], names[promise.receiver]
            told = text.told(house, text.MARKED[standing.value], receiver, giver, promise.words)
            await self._seating.announce(reply, table, told, panel([]))


def listing(look: Look) -> tuple[str, discord.ui.View]:
    """The promises given, and a row of buttons for each that the observer may judge.

    The oldest come first.
    """
    words, table = look.words, look.table.id
    lines: list[str] = []
    items: list[Pressable] = []
    room = max(ROOM // max(len(look.given), 1), LEAST)
    for number, each in enumerate(look.given, 1):
        giver, receiver = look.names[each.giver], look.names[each.receiver]
        said = clip(each.words, room)
        lines.append(text.line(words, number, each.standing.value, giver, receiver, said))
        row = len(items) // 2
        if each.receiver == look.observer and each.standing is Standing.OPEN and row < ROWS:
            for standing, label, style in (
                (Standing.KEPT, text.KEPT, Style.SUCCESS),
                (Standing.BROKEN, text.BROKEN, Style.DANGER),
            ):
                press = Press(standing.value, table, words=(each.offer,))
                items.append(button(press, words(label, number=number), style=style, row=row))
    head = [bold(words(text.TITLE, table=table))]
    if items:
        head.append(f"-# {words(text.YOU_JUDGE)}")
    return "\n".join([*head, newest(lines) or words(text.NONE)]), panel(items)
