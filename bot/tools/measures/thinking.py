"""How long people wait while strong players think: from a press to the board, as in `turns`, with
eight other tables at which a strong player always thinks or is about to.

At each of these it has one opponent, whose random actions come from within. All that happens there
is posted as well, so the figures have that work too; the thinking itself is in processes of its
own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bot.game.contract import AnyGame, IllegalAction
from bot.local.standin import Standin
from bot.policy.levels import STRONG
from bot.tables import TableOver, Tables
from bot.thinking import Thinkers, workers_of
from bot.titles.title import Title
from bot.tools.measures import turns
from bot.tools.measures.tables import random_answer

TABLES = 8
THINK_S = 2.0
"""The opponent's pause before each action, on average; shorter than thoughts
of eight tables take one worker, which so never rests."""
POLL_S = 0.05
"""Between two looks whether the strong player has answered."""
CHANNEL, PERSON = turns.CHANNEL, "Clara"
NAMES = ("thinking_turn_p50_ms", "thinking_turn_p99_ms")


async def beside_thinking(title: Title) -> Mapping[str, float]:
    """The figures of one title; none where it has no strong player."""
    if title.mind is None:
        return {}
    with TemporaryDirectory() as folder:
        async with (
            Standin() as standin,
            turns.running(standin, Path(folder), Thinkers(workers_of("auto"))) as services,
        ):
            tables = services.tables
            games = [_Study(title.game, standin, tables, number) for number in range(TABLES)]
            for each in games:
                await each.begin()
            playing = [asyncio.create_task(each.play()) for each in games]
            # Workers that have only just begun load the program first.
            await asyncio.gather(*(each.answered.wait() for each in games))
            try:
                found = await turns.posts(title.game, standin, tables)
            finally:
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
    return dict(zip(NAMES, found, strict=True))


class _Study:
    """One of the tables; when its game is over, the next begins."""

    def __init__(self, game: AnyGame, standin: Standin, tables: Tables, number: int) -> None:
        self._game = game
        self._tables = tables
        self._person = standin.person(PERSON)
        self._place = standin.channel(CHANNEL)
        self._rng = Random(number)
        self._table = 0
        self.answered = asyncio.Event()

    async def begin(self) -> None:
        """A new game against the strong player."""
        host, place, lobby = self._person, self._place, self._tables.lobby
        table = await lobby.open(self._game.name, host.id, host.name, place.guild_id, place.id)
        self._table = table.id
        await lobby.add_computer(table.id, host.id, STRONG)
        await lobby.start(table.id, host.id)

    async def play(self) -> None:
        """Plays until it is cancelled."""
        seat = await self._tables.reader.seat_of(self._table, self._person.id)
        while True:
            pending = await self._tables.reader.pending(self._table)
            if not pending:
                await self.begin()
                seat = await self._tables.reader.seat_of(self._table, self._person.id)
            elif any(each.seat == seat and not each.optional for each in pending):
                await asyncio.sleep(self._rng.uniform(0, 2 * THINK_S))
                with suppress(IllegalAction, TableOver):
                    await self._answer(seat)
            else:
                await asyncio.sleep(POLL_S)
                asked = {each.seat for each in await self._tables.reader.pending(self._table)}
                if seat in asked:
                    self.answered.set()

    async def _answer(self, seat: int) -> None:
        action = await random_answer(self._game, self._tables, self._table, seat, self._rng)
        await self._tables.play.act(self._table, seat, action)
