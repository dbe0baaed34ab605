"""The list of a table's promises, with buttons for those to whom something was promised."""

from __future__ import annotations

from bot.cogs.flows.seating import Seating
from bot.cogs.ui import who
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.layout import Layout, Row, Text, button, said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot, observer_of
from bot.tables import PromiseStanding
from bot.text import promises as text
from bot.text.contract import Style
from bot.text.markup import bold, clip, newest

ROWS = 5
"""Promises that can be judged at a time."""
ROOM = 1600
"""Characters for all promises together; the rest of the message needs the others."""
LEAST = 40
"""The most characters shown of one promise."""


class Promises:
    """Shows the promises of a table, and tells the table the verdicts on them."""

    def __init__(self, services: Services, seating: Seating) -> None:
        self._services = services
        self._seating = seating

    async def show(self, reply: Reply, table_id: int) -> None:
        """Show every promise that the person may know of, and where it stands now."""
        table = await self._services.tables.reader.get(table_id)
        observer = observer_of(table, reply.user)
        words = reply.words
        await reply.say(listing(await self._services.snapshot(table_id, observer, words)))

    async def mark(self, reply: Reply, custom_id: CustomId, standing: PromiseStanding) -> None:
        """Record the person's verdict on a promise, and tell the table if it knew of the
        promise."""
        table = await self._services.tables.reader.get(custom_id.table)
        promise = await self._services.tables.notes.mark_promise(
            table.id, reply.user, only(custom_id.words), standing, delivery=reply.delivery
        )
        words = reply.words
        snapshot = await self._services.snapshot(table.id, promise.receiver, words)
        await reply.show(listing(snapshot))
        if not promise.secret:
            house = await self._services.house(reply.interaction.client, table)
            names = who.names(house, table)
            giver, receiver = names[promise.giver], names[promise.receiver]
            content = text.told(house, text.MARKED[standing.value], receiver, giver, promise.words)
            await self._seating.announce(reply, table, said(content))


def listing(snapshot: Snapshot) -> Layout:
    """The promises given, and a row of buttons for each that the observer may judge.

    The oldest come first.
    """
    words, table = snapshot.words, snapshot.table.id
    lines: list[str] = []
    judged: list[Row] = []
    room = max(ROOM // max(len(snapshot.given), 1), LEAST)
    for number, each in enumerate(snapshot.given, 1):
        giver, receiver = snapshot.names[each.giver], snapshot.names[each.receiver]
        promised = clip(each.words, room)
        lines.append(text.line(words, number, each.standing.value, giver, receiver, promised))
        if (
            each.receiver == snapshot.observer
            and each.standing is PromiseStanding.OPEN
            and len(judged) < ROWS
        ):
            verdicts = (
                (PromiseStanding.KEPT, text.KEPT, Style.SUCCESS),
                (PromiseStanding.BROKEN, text.BROKEN, Style.DANGER),
            )
            presses = [
                button(
                    CustomId(standing.value, table, words=(each.offer,)),
                    words(label, number=number),
                    style=style,
                )
                for standing, label, style in verdicts
            ]
            judged.append(Row(presses))
    head = [bold(words(text.TITLE, table=table))]
    if judged:
        head.append(f"-# {words(text.YOU_JUDGE)}")
    listed = newest(lines, ROOM) or words(text.NONE)
    return Layout([Text("\n".join([*head, listed])), *judged])
