"""The strong player at tables with a real store and real workers."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from random import Random

from bot.app import open_services
from bot.game.contract import SPECTATOR
from bot.policy.random import random_action
from bot.tables import Status
from bot.thinking import SearchPool
from bot.titles import TITLES
from tests.store.database import WAIT_S, empty
from tests.waiting import until

ANNA = 7
THINK_MS = 15
TURNS = 12
"""Number of Anna's actions."""


async def test_people_can_play_against_it(tmp_path: Path) -> None:
    name = "guatemala"
    search_pool, rng = SearchPool(2, THINK_MS), Random(1)
    async with open_services(
        empty(tmp_path / "tables.sqlite"), search_pool=search_pool
    ) as services:
        tables, game = services.tables, TITLES[name].game
        table = await tables.lobby.open(name, ANNA, "Anna", None, 500)
        for computer in ("Hal", "Eve"):
            await tables.lobby.add_computer(table.id, ANNA, "strong", name=computer)
        await tables.lobby.start(table.id, ANNA)
        seat = await tables.reader.seat_of(table.id, ANNA)

        async def is_annas_turn() -> bool:
            asked = {d.seat for d in await tables.reader.pending(table.id) if not d.optional}
            return asked <= {seat}

        for _ in range(TURNS):
            await until(is_annas_turn)
            if (await tables.reader.get(table.id)).status is not Status.PLAYING:
                break
            kinds = (await tables.reader.seen(table.id, seat)).legal(seat, ())
            asked = [kind for kind in kinds.each() if not game.moves[kind].free]  # type: ignore[union-attr]
            legal = partial((await tables.reader.seen(table.id, SPECTATOR)).legal, seat)
            action = random_action((rng.choice(asked),), legal, rng)
            # A person's action does not wait for searches.
            await asyncio.wait_for(tables.play.act(table.id, seat, action), WAIT_S)
        await until(is_annas_turn)
        assert await tables.reader.seq(table.id) >= TURNS
        # At this pace, a slow machine may finish no search in time.
        assert search_pool._running, "no worker was used"
