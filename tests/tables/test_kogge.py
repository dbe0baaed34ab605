"""Kogge over the tables, with a restart between any two steps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from random import Random

import pytest

from bot.tables import Status
from bot.tables.core import record
from bot.titles import TITLES
from tests.store.database import Database
from tests.tables.world import ANNA, BEN, CARA, NAMES, World, whole_record

KOGGE = TITLES.games["kogge"]


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    world = await World(database, TITLES.games, TITLES.players).open()
    yield world
    await world.close()


async def begin(world: World, users: tuple[int, ...], options: dict[str, str]) -> int:
    host, *others = users
    table = (await world.tables.lobby.open("kogge", host, NAMES[host], 1, 500, options)).id
    for user in others:
        await world.tables.lobby.join(table, user, NAMES[user])
    await world.tables.lobby.start(table, host)
    return table


async def step(world: World, table_id: int, rng: Random) -> bool:
    """One random action by whoever is asked; whether anybody was."""
    pending = await world.tables.reader.pending(table_id)
    # A choice made already is left as it is, or the founding might last for ever.
    asked = [each for each in pending if each.kind != "found" or not each.optional]
    if not asked:
        return False
    decision = rng.choice(asked)
    position = (await world.tables._unit_of_work.cache.read(table_id)).position()
    legal = partial(KOGGE.legal, position.state, decision.seat)
    view = await world.tables.reader.view(table_id, decision.seat)
    action = TITLES.players["kogge"]["random"](view, decision, legal, rng)
    await world.tables.play.act(table_id, decision.seat, action, decision=decision.id)
    return True


@pytest.mark.parametrize(
    ("users", "options"),
    [
        ((ANNA, BEN), {"goods": "hidden"}),
        pytest.param((ANNA, BEN, CARA), {"edition": "italian"}, marks=pytest.mark.slow),
    ],
)
async def test_a_game_restarted_between_any_two_steps_is_the_same_game(
    world: World, users: tuple[int, ...], options: dict[str, str]
) -> None:
    table, rng, steps = await begin(world, users, options), Random(11), 0
    while await step(world, table, rng):
        steps += 1
        if steps <= 60:
            before, queued = await world.blob(table), await world.tables.outbox.items(table)
            await world.reopen()
            assert await world.blob(table) == before
            assert await world.tables.outbox.items(table) == queued
    assert await world.status(table) is Status.FINISHED
    whole = await whole_record(world.tables, table)
    record.verify(KOGGE, whole)
    *_, last = record.fold(KOGGE, record.decode(record.encode(whole)))
    assert KOGGE.encode(last.state) == await world.blob(table)
