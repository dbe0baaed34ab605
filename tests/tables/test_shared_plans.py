"""Plans of people whose presses reach several processes: each action of them is played once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import cast

import pytest

from bot.store import PlanRow
from bot.tables.core.errors import NoPlan
from bot.tables.plans.playing import Carried
from bot.titles import TITLES
from tests.store.database import SERVER_ALONE, Database
from tests.tables.members import Members
from tests.tables.test_plans import Estates
from tests.tables.world import World
from tests.waiting import until

pytestmark = SERVER_ALONE

LATE_S = 0.3
"""How late an answer of the database comes: within it a plan could be played."""


@pytest.fixture
async def members(database: Database) -> AsyncIterator[Members]:
    """Two members, of which the first holds all shards."""
    async with Members(database, TITLES.games, TITLES.players).open("one", "two") as members:
        yield members


async def begun(members: Members) -> tuple[Estates, Estates]:
    """A game as each member sees it."""
    # What it needs of a world a member has as well.
    one, two = (Estates(cast(World, member)) for member in members.all)
    await one.begin()
    two.table, two.seat, two.first, two.second = one.table, one.seat, one.first, one.second
    return one, two


async def has_lines(estates: Estates, count: int) -> bool:
    """Whether so many actions have been carried out, or more."""
    return len(await estates.log()) >= count


async def keeps(estates: Estates, user: int, *names: str) -> bool:
    """Whether those are the user's plans."""
    return await estates.kept(user) == list(names)


async def test_a_plan_armed_in_one_is_played_where_the_table_belongs(members: Members) -> None:
    one, two = await begun(members)
    plan = await two.planned(two.second)
    await two.world.tables.plans.arm(two.table, two.second, plan.number, on=True)
    assert two.world.tables.plans.armed == {}
    await until(lambda: one.world.tables.plans.armed == {(one.table, 1 - one.seat): one.second})
    mine = await two.idle(two.seat)
    for action in mine:
        await two.act(*action)
    await until(lambda: has_lines(one, 6))
    assert await one.log() == [" ".join(action) for action in (*mine, *plan.actions)]
    assert one.world.tables.plans.played == {(one.table, one.second): "Idle"}
    await until(lambda: one.world.tables.plans.armed == {})
    await until(lambda: keeps(two, two.second))


async def test_a_plan_that_was_read_before_it_was_played_is_not_kept_in_mind(
    members: Members, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = await begun(members)
    plan = await two.planned(two.second)
    await two.world.tables.plans.arm(two.table, two.second, plan.number, on=True)
    await until(lambda: one.world.tables.plans.armed)
    mine = await two.idle(two.seat)
    for action in mine[:-1]:
        await two.act(*action)
    await members.settled(one.table)
    store, unit_of_work = one.world.store, one.world.tables._unit_of_work
    read, was_read = store.armed_plans, asyncio.Event()

    async def late(table: int) -> list[PlanRow]:
        rows = await read(table=table)
        was_read.set()
        await asyncio.sleep(LATE_S)
        return rows

    monkeypatch.setattr(store, "armed_plans", late)
    await two.act(*mine[-1])
    await was_read.wait()
    unit_of_work.tell(await unit_of_work.cache.read(one.table))
    await until(lambda: has_lines(one, 6))
    await members.settled(one.table)
    assert one.world.tables.plans.armed == {}


async def test_a_plan_laid_down_in_one_is_not_played_by_the_other(members: Members) -> None:
    one, two = await begun(members)
    plan = await one.planned(one.second)
    await one.world.tables.plans.arm(one.table, one.second, plan.number, on=True)
    await two.world.tables.plans.lay_down(two.table, two.second, plan.number)
    for action in await two.idle(two.seat):
        await two.act(*action)
    await until(lambda: one.world.tables.plans.armed == {})
    await members.settled(one.table)
    assert len(await one.log()) == 3
    assert await two.kept(two.second) == ["Idle"]


async def test_a_plan_played_in_both_at_once_is_played_once(members: Members) -> None:
    one, two = await begun(members)
    plan = await one.planned(one.first)
    done = await asyncio.gather(
        *(each.played(each.first, plan) for each in (one, two)), return_exceptions=True
    )
    assert all(isinstance(each, (Carried, NoPlan)) for each in done)
    assert sum(each.played for each in done if isinstance(each, Carried)) == 3
    assert await one.log() == [" ".join(action) for action in plan.actions]
    await until(lambda: keeps(two, two.first))


async def test_a_new_plan_shows_where_there_was_none(members: Members) -> None:
    one, two = await begun(members)
    assert await two.kept(two.first) == []
    await one.planned(one.first)
    await until(lambda: keeps(two, two.first, "Idle"))


@pytest.mark.parametrize("steps", range(4))
async def test_whoever_takes_a_table_over_in_the_middle_plays_no_action_twice(
    members: Members, steps: int
) -> None:
    one, two = await begun(members)
    plan = await one.planned(one.second)
    await one.world.tables.plans.arm(one.table, one.second, plan.number, on=True)
    mine = await one.idle(one.seat)
    for action in mine:
        await one.act(*action)
    await until(partial(has_lines, one, 3 + steps))
    first, second = members.all
    await members.hand_over(0, second, stalled=first)
    for each in (one, two):
        await each.world.tables.plan_playing.finish()
    # Who had not yet heard of the turn plays the plan once it has.
    await members.settled(one.table)
    log = await one.log()
    expected = [" ".join(action) for action in (*mine, *plan.actions)]
    assert log == expected[: len(log)]
    left = [
        " ".join(action)
        for kept in await two.world.tables.plans.of(two.table, two.second)
        if kept.number == plan.number
        for action in kept.actions
    ]
    assert log + left == expected, "what was not played is still planned"
