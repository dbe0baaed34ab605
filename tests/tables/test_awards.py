"""Records and achievements in a server: who gets them, and who keeps them."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from bot.store import WriteBatch
from bot.tables.awards import Claim
from tests.store.database import BOTH
from tests.tables.test_results import GUILD, finish, start_game, won
from tests.tables.world import ANNA, BEN, CARA, World

HIGHEST, LOWEST, ONCE = 1, -1, 0


async def give(world: World, table_id: int, *claims: tuple[int, int], better: int) -> list[str]:
    """Give an award for (user, value) at a finished table; return what is new."""
    table, awards = await world.tables.reader.get(table_id), world.tables.awards
    found = [
        Claim("some", seat, value, better)
        for user, value in claims
        if (seat := table.seat_of(user)) is not None
    ]
    new = [
        f"{person.name} {claim.value}"
        + (f", before {beaten.name} {beaten.value}" if beaten else "")
        for claim, person, beaten in await awards.new(table, found)
    ]
    for _ in range(2):
        # Another attempt finds that all are given.
        await awards.give(table, found, lambda _: None)
        assert await awards.new(table, found) == []
    return new


async def held(world: World) -> list[tuple[str, int, int]]:
    rows = await world.tables.awards.find(guild=GUILD, game="pebbles")
    return [(row.name, row.value, row.table) for row in rows]


@BOTH
async def test_a_record_has_one_holder_until_a_better_value(world: World) -> None:
    one, two, three = [await won(world, ANNA, BEN) for _ in range(3)]
    assert await give(world, one, (ANNA, 5), (BEN, 5), better=HIGHEST) == ["Anna 5"]
    assert await give(world, two, (BEN, 5), (ANNA, 4), better=HIGHEST) == []
    assert await held(world) == [("Anna", 5, one)]
    # Anna is also better than before, but not the best.
    assert await give(world, three, (BEN, 9), (ANNA, 7), better=HIGHEST) == ["Ben 9, before Anna 5"]
    assert await held(world) == [("Ben", 9, three)]
    assert await give(world, two, (BEN, 10), better=HIGHEST) == ["Ben 10, before Ben 9"]
    assert await held(world) == [("Ben", 10, two)]
    await world.reopen()
    assert await give(world, one, (ANNA, 3), better=LOWEST) == ["Anna 3, before Ben 10"]
    assert await give(world, two, (BEN, 3), better=LOWEST) == []


@BOTH
async def test_an_achievement_counts_once_for_each_person(world: World) -> None:
    one, two = await won(world, ANNA, BEN), await won(world, ANNA, BEN)
    assert await give(world, one, (ANNA, 3), better=ONCE) == ["Anna 3"]
    assert await give(world, two, (ANNA, 8), (BEN, 2), better=ONCE) == ["Ben 2"]
    assert await held(world) == [("Anna", 3, one), ("Ben", 2, two)]


async def test_only_people_with_a_result_get_awards(world: World) -> None:
    table = await start_game(world, ANNA, BEN, CARA)
    await world.tables.leaving.resign(table, ANNA)
    await world.tables.seats.claim(table, CARA + 1, "Dora")
    await world.tables.people.change(CARA, counted=False)
    await finish(world, table)
    everyone = (BEN, 2), (CARA, 9), (CARA + 1, 1)
    assert await give(world, table, *everyone, better=HIGHEST) == ["Ben 2"]
    assert await give(world, table, *everyone, better=ONCE) == ["Dora 1"]

    alone, _ = await world.against("normal")
    await finish(world, alone)
    assert await give(world, alone, (ANNA, 99), better=HIGHEST) == []
    private = replace(await world.tables.reader.get(alone), guild=None)
    assert await world.tables.awards.new(private, [Claim("some", 0, 99, HIGHEST)]) == []


async def test_a_record_is_open_while_its_holder_wants_no_statistics(world: World) -> None:
    one, two = await won(world, ANNA, BEN), await won(world, ANNA, BEN)
    await give(world, one, (ANNA, 5), better=HIGHEST)
    await world.tables.people.change(ANNA, counted=False)
    assert await held(world) == []
    await world.tables.people.change(ANNA, counted=True)
    assert await held(world) == [("Anna", 5, one)]
    await world.tables.people.change(ANNA, counted=False)
    # The record before it is not mentioned.
    assert await give(world, two, (BEN, 4), better=HIGHEST) == ["Ben 4"]
    await world.tables.people.change(ANNA, counted=True)
    assert await held(world) == [("Ben", 4, two)]


@BOTH
async def test_a_deleted_users_records_are_open_and_never_come_back(world: World) -> None:
    one, two = await won(world, ANNA, BEN), await won(world, ANNA, BEN)
    await give(world, one, (ANNA, 5), better=HIGHEST)
    await world.tables.people.note_name(ANNA, GUILD, "Annabella")
    assert await held(world) == [("Annabella", 5, one)]
    table = await world.tables.reader.get(two)
    (result,) = [each for each in await world.store.results_at(two) if each.user == ANNA]

    await world.tables.results.forget(ANNA, "Former player")
    await world.tables.people.forget(ANNA)

    assert await held(world) == []
    # A story in progress may have read the result before.
    batch = WriteBatch()
    batch.give_award(result, "some", 9, alone=True)
    await world.store.commit(batch)
    assert await held(world) == []
    assert table.seat_of(ANNA) is not None
    assert await give(world, two, (BEN, 1), better=HIGHEST) == ["Ben 1"]


@pytest.mark.parametrize("better", [HIGHEST, LOWEST])
async def test_games_that_end_at_the_same_time_leave_one_record(world: World, better: int) -> None:
    tables = [
        await world.tables.reader.get(await won(world, (ANNA, BEN)[n % 2], CARA)) for n in range(6)
    ]
    claims = [[Claim("some", 0, value, better)] for value in (4, 6, 5, 1, 3, 2)]
    give = world.tables.awards.give
    await asyncio.gather(
        *(give(*each, lambda _: None) for each in zip(tables, claims, strict=True))
    )
    ((_, value, _),) = await held(world)
    assert value == {HIGHEST: 6, LOWEST: 1}[better]
