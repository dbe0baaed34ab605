"""Computer players that think long: nobody else at their table, or elsewhere, waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.game.contract import Action, Decision
from bot.game.versions import Versions
from bot.tables.computers.thinking import Instead
from tests.store.database import WAIT_S, Database
from tests.tables.world import World, at_random
from tests.waiting import until


class Slow:
    """A thinker that answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, Decision, str]] = []
        self.answers: asyncio.Queue[Action | None] = asyncio.Queue()
        self.given_up = 0

    def thinks(self, game: str, version: int, policy: str) -> bool:
        return policy == "strong"

    async def action(
        self,
        game: str,
        version: int,
        view: Any,
        decision: Decision,
        seed: str,
        instead: Instead,
    ) -> Action | None:
        self.asked.append((view, decision, seed))
        try:
            return await self.answers.get() or await instead()
        except asyncio.CancelledError:
            self.given_up += 1
            raise


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
async def world(database: Database, slow: Slow) -> AsyncIterator[World]:
    policies = Versions({"pebbles": {"normal": at_random, "strong": at_random}})
    world = await World(database, policies=policies, thinker=slow).open()
    yield world
    for _ in range(9):
        slow.answers.put_nowait(None)
    await world.close()


async def against(world: World, *levels: str) -> tuple[int, int]:
    """A game of Anna against computer players, which have been started, and where she sits."""
    table, seat = await world.against(*levels)
    await world.tables.resume()
    return table, seat


async def test_what_was_thought_best_by_the_view_of_the_seat_is_done(
    world: World, slow: Slow
) -> None:
    table, seat = await against(world, "strong")
    await until(lambda: slow.asked)
    # What does not change the game does not disturb it.
    cache = world.tables._unit_of_work.cache
    looked = asyncio.wait_for(cache.alone(table, lambda: cache.load(table)), WAIT_S)
    assert (await looked).table.id == table
    ((view, decision, _seed),) = slow.asked
    assert view == await world.tables.reader.view(table, 1 - seat)
    assert (decision.seat, decision.kind) == (1 - seat, "choose")
    assert {*await world.asked(table)} == {0, 1}
    slow.answers.put_nowait(("choose", "3"))
    await world.tables.computers.rest(table, WAIT_S)
    assert await world.asked(table) == [seat]
    assert (await world.tables.reader.view(table, 1 - seat)).chosen == 3
    assert (len(slow.asked), slow.given_up) == (1, 0)


async def test_a_press_at_the_same_table_does_not_wait_for_it(world: World, slow: Slow) -> None:
    table, seat = await against(world, "strong")
    await until(lambda: slow.asked)
    await asyncio.wait_for(world.act(table, seat, f"gift {1 - seat}"), WAIT_S)
    assert await world.tables.reader.seq(table) == 1
    # The table has changed, so what was being thought counts for nothing.
    await until(lambda: len(slow.asked) == 2)
    assert slow.given_up == 1


@pytest.mark.parametrize("answer", [None, ("choose", "9")])
async def test_where_nobody_can_think_or_the_rules_forbid_it_the_normal_player_answers(
    world: World, slow: Slow, answer: Action | None
) -> None:
    table, seat = await against(world, "strong")
    slow.answers.put_nowait(answer)
    await world.tables.computers.rest(table, WAIT_S)
    assert await world.asked(table) == [seat]


async def test_tables_are_thought_about_side_by_side(world: World, slow: Slow) -> None:
    for _ in range(3):
        await world.against("strong")
    await world.tables.resume()
    await until(lambda: len(slow.asked) == 3)
    assert len({seed for _view, _decision, seed in slow.asked}) == 3


async def test_a_bot_that_stops_waits_for_nobodys_thought_and_leaves_none(
    world: World, slow: Slow
) -> None:
    table, _seat = await against(world, "strong")
    await until(lambda: slow.asked)
    await asyncio.wait_for(world.reopen(), WAIT_S)
    assert slow.given_up == 1
    assert await world.tables.reader.seq(table) == 0
    await world.tables.resume()
    await until(lambda: len(slow.asked) == 2)
    slow.answers.put_nowait(None)
    await world.reopen()
    assert not [task for task in asyncio.all_tasks() if "action" in str(task.get_coro())]
