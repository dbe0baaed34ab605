"""A game stepped through turn by turn, backwards and forwards, as one observer saw it then."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import discord

from bot.cogs.ui.custom_id import CustomId, integer, only
from bot.cogs.ui.layout import MAX_OPTIONS, Control, Layout, button, option, said, select
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot, nothing_legal, observer_of
from bot.game.contract import SPECTATOR
from bot.tables import PastTurn, Table
from bot.text import general
from bot.text import history as text
from bot.text.contract import Label
from bot.text.markup import bold, newest
from bot.text.words import Words

ALL, OWN = "all", "own"
"""Whose view is shown: everybody's, or that of the person's own seat."""
ROOM = 1200
"""Characters for what happened in a turn."""


class Numbered(NamedTuple):
    """A turn, and its number among those its observer has heard of, turns taken back included.

    The number of its log entry would reveal how much was done in secret before.
    """

    number: int
    turn: PastTurn


class Replay:
    """Private answers that show how a table stood. Which turn is shown is kept in the buttons
    alone."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._history = services.tables.history

    async def open(self, reply: Reply, table_id: int, eyes: str | None = None) -> None:
        """Start at the set-up of a finished game, or at the newest turn of one in play."""
        table = await self._table(reply, table_id)
        turns, snapshot, eyes = await self._turns(
            reply, table, eyes or (ALL if table.is_over else OWN)
        )
        place = 0 if table.is_over else len(turns) - 1
        await reply.say(await self._page(snapshot, eyes, turns, place))

    async def step(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        """Show the turn with a number, in the same message; for a select, the number is its
        value."""
        table = await self._table(reply, custom_id.table)
        eyes = only(custom_id.words[:1], among=(ALL, OWN))
        wanted = integer((*custom_id.words[1:], *values))
        turns, snapshot, eyes = await self._turns(reply, table, eyes)
        # The turn may have been taken back since; then the one before is shown.
        place = bisect_right([each.number for each in turns], wanted) - 1
        await reply.show(await self._page(snapshot, eyes, turns, max(place, 0)))

    async def _table(self, reply: Reply, table_id: int) -> Table:
        return await self._services.tables.reader.get(table_id)

    async def _turns(
        self, reply: Reply, table: Table, eyes: str
    ) -> tuple[list[Numbered], Snapshot, str]:
        """The turns not taken back, and the table in that view."""
        observer = observer_of(table, reply.user) if eyes == OWN else SPECTATOR
        eyes = ALL if observer == SPECTATOR else OWN
        words = reply.words
        snapshot = await self._services.snapshot(table.id, observer, words, user=reply.user)
        turns = await self._history.turns(table.id, observer)
        numbered = [Numbered(number, turn) for number, turn in enumerate(turns)]
        return [each for each in numbered if each.turn.stands], snapshot, eyes

    async def _page(
        self, now: Snapshot, eyes: str, turns: Sequence[Numbered], place: int
    ) -> Layout:
        turn, words = turns[place].turn, now.words
        snapshot = Snapshot(
            table=now.table,
            observer=now.observer,
            seq=turn.last,
            view=await self._history.view(now.table.id, now.observer, turn.last),
            pending=(),
            title=now.title,
            words=words,
            legal=nothing_legal,
            user=now.user,
        )
        title = words(general.BOARD_TITLE, game=words(snapshot.text.title), table=snapshot.table.id)
        parts = [
            bold(title),
            text.round_name(words, turn.round),
            text.place(words, place, len(turns) - 1),
            discord.utils.format_dt(turn.at, "f"),
        ]
        if place == 0:
            del parts[1]
        story = newest(snapshot.story(turn.events), ROOM)
        audience = words(text.SEEN_BY_ALL if eyes == ALL else text.SEEN_BY_YOU)
        lines = [" · ".join(parts), f"-# {audience}", *([story] if story else [])]
        controls = _controls(words, snapshot.table.id, eyes, turns, place)
        if await self._services.wants_words(snapshot):
            lines[2:] = [snapshot.in_words(turn.events)]
            return said("\n".join(lines), controls)
        picture = await self._services.picture(snapshot, turn.first - 1, turn.events)
        if picture is None:
            lines = [lines[0], snapshot.text.board(words, snapshot.view, snapshot.names)]
        return said("\n".join(lines), controls, picture and picture.image())


def _controls(
    words: Words, table: int, eyes: str, turns: Sequence[Numbered], place: int
) -> list[Control]:
    """Back, forward and a select of the rounds; their ids hold the turns they lead to."""
    last = len(turns) - 1
    steps = (
        (text.START, "⏮️", 0),
        (text.BACK, "◀️", max(place - 1, 0)),
        (text.ON, "▶️", min(place + 1, last)),
        (text.END, "⏭️", last),
    )
    items = [
        button(
            CustomId("step", table, words=(eyes, str(turns[to].number)), page=number),
            Label(words(name), emoji),
            disabled=to == place,
        )
        for number, (name, emoji, to) in enumerate(steps, 1)
    ]
    rounds: dict[int, int] = {}
    for each in turns[1:]:
        rounds.setdefault(each.turn.round, each.number)
    if len(rounds) > 1:
        # A very long game: every second round, or every third.
        shown = list(rounds.items())[:: -(-len(rounds) // MAX_OPTIONS)]
        current = max((n for n, to in shown if to <= turns[place].number), default=None)
        options = [
            option(
                str(to),
                Label(text.round_name(words, number)),
                default=place > 0 and number == current,
            )
            for number, to in shown
        ]
        custom_id = CustomId("step", table, words=(eyes,), page=len(steps) + 1)
        items.append(select(custom_id, options, words(text.TO_ROUND)))
    return items
