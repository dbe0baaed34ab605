"""A delivery is carried out once, however often it comes."""

from __future__ import annotations

import asyncio

import pytest

from bot.game.contract import IllegalAction
from bot.tables import AlreadySeated
from tests.tables.world import ANNA, BEN, World


@pytest.mark.parametrize("restart", [False, True])
async def test_a_repeated_action_gives_its_answer_again(world: World, restart: bool) -> None:
    table = await world.game(ANNA, BEN)
    first = await world.tables.play.act(table.id, 0, ("choose", "1"), decision="c1", delivery="x")
    await world.tables.play.act(table.id, 1, ("choose", "1"), decision="c1", delivery="y")
    if restart:
        await world.reopen()
    again = await world.tables.play.act(table.id, 0, ("choose", "1"), decision="c1", delivery="x")
    assert again.repeated
    assert (again.seq, again.events) == (first.seq, first.events)
    assert await world.tables.reader.seq(table.id) == 2


async def test_one_delivery_at_the_same_moment_acts_once(world: World) -> None:
    table = await world.game(ANNA, BEN)
    acts = [world.tables.play.act(table.id, 0, ("gift", "1"), delivery="x") for _ in range(5)]
    acted = await asyncio.gather(*acts)
    assert {each.seq for each in acted} == {1}
    assert sorted(each.repeated for each in acted) == [False, True, True, True, True]


async def test_a_table_is_opened_once(world: World) -> None:
    opened = await asyncio.gather(
        *(world.tables.lobby.open("pebbles", ANNA, "Anna", 1, 500, delivery="x") for _ in range(4))
    )
    assert len({table.id for table in opened}) == 1
    await world.reopen()
    assert await world.tables.lobby.open("pebbles", ANNA, "Anna", 1, 500, delivery="x") == opened[0]
    assert len(await world.tables.reader.find(500)) == 1


async def test_the_lobby_changes_once(world: World) -> None:
    table = await world.lobby(ANNA)
    for _ in range(2):
        assert (await world.tables.lobby.add_computer(table.id, ANNA, delivery="a")).names[1:] == (
            "Normal 1",
        )
    for _ in range(2):
        assert len((await world.tables.lobby.join(table.id, BEN, "Ben", delivery="b")).players) == 3
    with pytest.raises(AlreadySeated):
        await world.tables.lobby.join(table.id, BEN, "Ben", delivery="c")
    started = await world.tables.lobby.start(table.id, ANNA, delivery="d")
    assert await world.tables.lobby.start(table.id, ANNA, delivery="d") == started


async def test_a_refused_delivery_may_come_again(world: World) -> None:
    table = await world.game(ANNA, BEN)
    for _ in range(2):
        with pytest.raises(IllegalAction):
            await world.tables.play.act(table.id, 0, ("take", "1"), delivery="x")


async def test_deliveries_are_forgotten_after_a_day(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("gift", "1"), delivery="x")
    world.clock.move(hours=23)
    await world.tables.play.act(table.id, 0, ("gift", "1"))
    assert await world.store.handled("x") is not None
    world.clock.move(hours=2)
    await world.tables.play.act(table.id, 0, ("gift", "1"))
    assert await world.store.handled("x") is None


async def test_old_deliveries_are_forgotten_at_the_start(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("gift", "1"), delivery="x")
    world.clock.move(days=2)
    await world.reopen()
    await world.tables.resume()
    assert await world.store.handled("x") is None
