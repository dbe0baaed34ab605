"""Kogge over the tables, with a restart between any two steps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from random import Random

import pytest

from bot.game.contract import Action
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
    table = await world.tables.lobby.open("kogge", host, NAMES[host], 1, 500, options)
    for user in others:
        await world.tables.lobby.join(table.id, user, NAMES[user])
    await world.tables.lobby.start(table.id, host)
    return table.id


async def step(
    world: World, table_id: int, rng: Random, seat: int | None = None
) -> tuple[int, Action] | None:
    """One random action by whoever is asked, or by that seat alone; who did what, or None where
    nobody is asked."""
    pending = await world.tables.reader.pending(table_id)
    asked = [each for each in pending if seat in (None, each.seat)]
    if not asked:
        return None
    decision = rng.choice(asked)
    position = (await world.tables._unit_of_work.cache.read(table_id)).position()
    legal = partial(KOGGE.legal, position.state, decision.seat)
    view = await world.tables.reader.view(table_id, decision.seat)
    if decision.kind == "found" and decision.optional:
        # A choice made already is left as it is, or the founding might last for ever.
        return await step(world, table_id, rng, seat)
    action = TITLES.players["kogge"]["random"](view, decision, legal, rng)
    await world.tables.play.act(table_id, decision.seat, action, decision=decision.id)
    return decision.seat, action


async def blob(world: World, table_id: int) -> bytes:
    return (await world.tables._unit_of_work.cache.read(table_id)).position().blob


@pytest.mark.parametrize(
    ("users", "options"),
    [
        ((ANNA, BEN), {"goods": "hidden"}),
        ((ANNA, BEN, CARA), {"edition": "italian"}),
    ],
)
async def test_a_game_restarted_between_any_two_steps_is_the_same_game(
    world: World, users: tuple[int, ...], options: dict[str, str]
) -> None:
    table_id = await begin(world, users, options)
    rng = Random(11)
    steps = 0
    while await step(world, table_id, rng) is not None and steps < 60:
        steps += 1
        before = await blob(world, table_id)
        queued = await world.tables.outbox.items(table_id)
        await world.reopen()
        assert await blob(world, table_id) == before
        assert await world.tables.outbox.items(table_id) == queued
    while await step(world, table_id, rng) is not None:
        pass
    assert (await world.tables.reader.get(table_id)).status is Status.FINISHED
    whole = await whole_record(world.tables, table_id)
    record.verify(KOGGE, whole)
    *_, last = record.fold(KOGGE, record.decode(record.encode(whole)))
    assert KOGGE.encode(last.state) == await blob(world, table_id)


async def test_computer_players_play_kogge_to_its_end_by_the_rules(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    table = await world.tables.lobby.open("kogge", ANNA, "Anna", 1, 500)
    await world.tables.lobby.add_computer(table.id, ANNA, "normal")
    await world.tables.lobby.add_computer(table.id, ANNA, "random")
    await world.tables.lobby.start(table.id, ANNA)
    seat = await world.tables.reader.seat_of(table.id, ANNA)
    changed = asyncio.Event()
    world.tables.subscribe(lambda _: changed.set())
    await world.tables.resume()
    rng = Random(3)
    async with asyncio.timeout(60):
        while not (await world.tables.reader.get(table.id)).is_over:
            changed.clear()
            asked = {d.seat for d in await world.tables.reader.pending(table.id) if not d.optional}
            if asked == {seat}:
                # Not for a computer player, which may be answering at the same time.
                await step(world, table.id, rng, seat)
            else:
                await changed.wait()
    assert await world.tables.reader.outcome(table.id) is not None
    assert not [each for each in caplog.records if each.name.startswith("bot.tables")]
