"""How long people wait for computer players: 100 tables, each a person and three of these.

The tables are those of one table service over a SQLite file; nothing is posted. Each person goes
round: they are asked, think for `THINK_S` seconds on average, and answer at random; when their game
is over, the next begins. So there are always 100 people who think or wait, and whoever waits less
acts the more often.

* A wait begins when an action after which others are asked, but not who took it, is on disk: when
  `Play.act` returns. It ends with the change after which they are asked again, when that is told.
  What they may answer but need not, such as an offer, ends no wait.
* A press is a person's own action, from the call of `Play.act` until it is on disk.

Waits are counted in the order in which they begin: the first `WARM` do not count, the next `WAITS`
do, and people go on until the last of these has ended. The presses are those made meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from bot.game.contract import AnyGame, IllegalAction
from bot.game.versions import Versions
from bot.tables import Status, TableOver, Tables
from bot.titles.title import Title
from bot.tools.measures.tables import open_tables, random_answer

TABLES = 100
COMPUTERS = 3
THINK_S = 2.0
WARM = 100
WAITS = 300
NAMES = tuple(f"hundred_tables_{each}_ms" for each in ("wait_p50", "wait_p90", "press_p99"))


async def hundred(title: Title) -> Mapping[str, float]:
    """The figures of one title."""
    policies = Versions({title.game.name: title.players})
    with TemporaryDirectory() as folder:
        async with open_tables(title.game, Path(folder), policies=policies) as (_, tables):
            crowd = _Crowd(title.game, tables)
            await crowd.measured()
    waits = quantiles(crowd.waits, n=10, method="inclusive")
    presses = quantiles(crowd.presses, n=100, method="inclusive")
    return dict(zip(NAMES, (median(crowd.waits), waits[-1], presses[-1]), strict=True))


class _Crowd:
    """The people, by their ids; the times that count, in ms."""

    def __init__(self, game: AnyGame, tables: Tables) -> None:
        self._game = game
        self._tables = tables
        self._changed: dict[int, asyncio.Event] = {}
        self._begun = 0
        self._enough = asyncio.Event()
        self.waits: list[float] = []
        self.presses: list[float] = []

    async def measured(self) -> None:
        """Has everybody play until enough waits have been counted."""
        unsubscribe = self._tables.subscribe(self._on_change)
        try:
            async with asyncio.TaskGroup() as group:
                people = [group.create_task(self._person(user)) for user in range(1, TABLES + 1)]
                await self._enough.wait()
                for person in people:
                    person.cancel()
        finally:
            unsubscribe()

    def _on_change(self, table_id: int) -> None:
        if table_id in self._changed:
            self._changed[table_id].set()

    async def _person(self, user: int) -> None:
        rng = Random(user)
        while True:
            table_id = await self._seated(user)
            seat = await self._tables.reader.seat_of(table_id, user)
            self._changed[table_id] = asyncio.Event()
            while await self._asked(table_id, seat):
                await asyncio.sleep(rng.uniform(0, 2 * THINK_S))
                # Another's answer may have been enough, or may come just before theirs.
                if await self._is_asked(table_id, seat):
                    with suppress(IllegalAction, TableOver):
                        await self._answer(table_id, seat, rng)
            del self._changed[table_id]

    async def _seated(self, user: int) -> int:
        """The table at which their next game has begun."""
        lobby = self._tables.lobby
        table = await lobby.open(self._game.name, user, f"Player {user}", None, user)
        for _ in range(COMPUTERS):
            await lobby.add_computer(table.id, user)
        await lobby.start(table.id, user)
        return table.id

    async def _asked(self, table_id: int, seat: int) -> bool:
        """Waits until they are asked, and returns True; False where the game is over before."""
        changed = self._changed[table_id]
        while (await self._tables.reader.get(table_id)).status is Status.PLAYING:
            changed.clear()
            if await self._is_asked(table_id, seat):
                return True
            await changed.wait()
        return False

    async def _is_asked(self, table_id: int, seat: int) -> bool:
        pending = await self._tables.reader.pending(table_id)
        return any(each.seat == seat and not each.optional for each in pending)

    async def _answer(self, table_id: int, seat: int, rng: Random) -> None:
        """One action, and the wait that it brings."""
        action = await random_answer(self._game, self._tables, table_id, seat, rng)
        started = perf_counter()
        acted = await self._tables.play.act(table_id, seat, action)
        durable = perf_counter()
        if self._counts(self._begun):
            self.presses.append(1000 * (durable - started))
        is_last = await self._tables.reader.seq(table_id) == acted.seq
        if is_last and await self._is_asked(table_id, seat):
            return
        number, self._begun = self._begun, self._begun + 1
        await self._asked(table_id, seat)
        if self._counts(number):
            self.waits.append(1000 * (perf_counter() - durable))
        if len(self.waits) == WAITS:
            self._enough.set()

    def _counts(self, number: int) -> bool:
        return WARM <= number < WARM + WAITS
