"""The log of a table as the reader heard it: by rounds, with times, page by page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import discord

from bot.cogs.ui.custom_id import CustomId, integer, only
from bot.cogs.ui.layout import Layout, button, said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot, observer_of
from bot.tables import PastTurn
from bot.text import general
from bot.text import history as text
from bot.text.contract import Label
from bot.text.markup import bold, clip

ROOM = 1500
"""Characters of events on a page; titles and times need the rest."""
BEFORE, AFTER = "before", "after"


class Logbook:
    """Private answers; which page is shown is kept in the buttons alone."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def open(self, reply: Reply, table_id: int, at: datetime | None = None) -> None:
        """The newest page, or the one that ends with what had begun by a time."""
        snapshot, turns = await self._read(reply, table_id)
        place = sum(at is None or turn.began <= at for turn in turns)
        await reply.say(self._page(snapshot, turns, place, -1))

    async def turn_to(self, reply: Reply, custom_id: CustomId) -> None:
        """Show the page that ends before a turn, or begins with it, in the same message."""
        snapshot, turns = await self._read(reply, custom_id.table)
        which, place = (
            only(custom_id.words[:1], among=(BEFORE, AFTER)),
            integer(custom_id.words[1:]),
        )
        way, most = (-1, len(turns)) if which == BEFORE else (1, len(turns) - 1)
        place = max(min(place, most), 0)
        await reply.show(self._page(snapshot, turns, place, way))

    async def _read(self, reply: Reply, table_id: int) -> tuple[Snapshot, list[PastTurn]]:
        table = await self._services.tables.reader.get(table_id)
        observer = observer_of(table, reply.user)
        snapshot = await self._services.snapshot(table_id, observer, reply.words)
        turns = await self._services.tables.history.turns(table_id, observer)
        return snapshot, [turn for turn in turns if turn.events]

    def _page(self, snapshot: Snapshot, turns: Sequence[PastTurn], place: int, way: int) -> Layout:
        """As many turns as fit, before `place`, or from it on where `way` is 1."""
        words = snapshot.words
        chosen: list[tuple[PastTurn, list[str]]] = []
        room = ROOM
        for turn in turns[place:] if way > 0 else reversed(turns[:place]):
            lines = [clip(line, ROOM) for line in snapshot.story(turn.events)]
            room -= sum(len(line) + 6 for line in lines) + 24
            if room < 0 and chosen:
                break
            chosen.append((turn, lines))
        shown = sorted(chosen, key=lambda each: each[0].first)
        start = place if way > 0 else max(min(place, len(turns)) - len(shown), 0)
        title = words(text.LOG_TITLE, game=words(snapshot.text.title), table=snapshot.table.id)
        lines = [bold(title), *_under_rounds(snapshot, shown)]
        if not shown:
            lines.append(words(general.LOG_EMPTY))
        if any(_is_struck(turn) for turn, _ in shown):
            lines.append(f"-# {words(text.TAKEN_BACK_NOTE)}")
        items = []
        if len(shown) < len(turns):
            for number, (which, to, end, name, emoji) in enumerate(
                (
                    (BEFORE, start, 0, text.OLDER, "◀️"),
                    (AFTER, start + len(shown), len(turns), text.NEWER, "▶️"),
                ),
                1,
            ):
                # By the turns that the reader has heard of: the numbers of entries are secret.
                custom_id = CustomId("page", snapshot.table.id, words=(which, str(to)), page=number)
                items.append(button(custom_id, Label(words(name), emoji), disabled=to == end))
        return said("\n".join(lines), items)


def _under_rounds(
    snapshot: Snapshot, turns: Iterable[tuple[PastTurn, Sequence[str]]]
) -> Iterable[str]:
    """The turns under the headings of their rounds; the date only where it changes."""
    shown: int | None = None
    day: datetime | None = None
    for turn, lines in turns:
        if turn.round != shown:
            shown = turn.round
            yield f"### {text.round_name(snapshot.words, shown)}"
        same_day = day is not None and day.date() == turn.at.date()
        time = discord.utils.format_dt(turn.at, "t" if same_day else "f")
        day = turn.at
        for number, line in enumerate(lines):
            struck = f"~~{line}~~" if _is_struck(turn) else line
            yield f"{time} {struck}" if number == 0 else struck


def _is_struck(turn: PastTurn) -> bool:
    return not (turn.stands or turn.takes_back)
