"""Kogge over the tables, with a restart between any two steps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from random import Random

import pytest

from bot.game.contract import Action
from bot.tables import Status
from bot.tables.core import record
from bot.titles import TITLES
from tests.store.database import WAIT_S, Database
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
    table = await begin(world, users, options)
    rng = Random(11)
    for _ in range(60):
        if await step(world, table, rng) is None:
            break
        before = await world.blob(table)
        queued = await world.tables.outbox.items(table)
        await world.reopen()
        assert await world.blob(table) == before
        assert await world.tables.outbox.items(table) == queued
    while await step(world, table, rng) is not None:
        pass
    assert await world.status(table) is Status.FINISHED
    whole = await whole_record(world.tables, table)
    record.verify(KOGGE, whole)
    *_, last = record.fold(KOGGE, record.decode(record.encode(whole)))
    assert KOGGE.encode(last.state) == await world.blob(table)


@pytest.mark.slow
async def test_computer_players_play_kogge_to_its_end_by_the_rules(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    table = (await world.tables.lobby.open("kogge", ANNA, "Anna", 1, 500)).id
    for level in ("normal", "random"):
        await world.tables.lobby.add_computer(table, ANNA, level)
    await world.tables.lobby.start(table, ANNA)
    seat = await world.tables.reader.seat_of(table, ANNA)
    await world.tables.resume()
    rng = Random(3)
    while await world.status(table) is Status.PLAYING:
        await world.tables.computers.rest(table, WAIT_S)
        if {*await world.asked(table)} == {seat}:
            # Not for a computer player, which may be answering at the same time.
            await step(world, table, rng, seat)
    assert await world.tables.reader.outcome(table) is not None
    assert not [each for each in caplog.records if each.name.startswith("bot.tables")]
