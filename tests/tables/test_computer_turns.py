"""Whole turns of computer players: stored together, and the same as one by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.game.contract import ANSWER, Action, Chance, Decision, Event, Seat
from bot.game.versions import Games, Versions
from bot.policy.orders import Order
from bot.store import WriteBatch
from bot.tables.computers import computers
from bot.tables.computers.choosing import Legal
from bot.tables.core.cache import LoadedTable
from bot.tables.core.position import has_computer_turn
from bot.tables.play import computer_turns
from bot.tables.play.unit import Unit
from bot.titles import TITLES
from bot.titles.title import Title
from bot.tools.measures.tables import random_action
from tests.games.pebbles import Offered, Pebbles, State
from tests.store.database import WAIT_S, Database
from tests.tables import world as setup
from tests.tables.world import ANNA, World
from tests.waiting import until

PRESSES = 8
"""How often Anna acts in each game."""
SEATED_BETWEEN = 3
"""What keys are made of by which Anna gets the seat between two computer players."""


async def stored(database: Database, title: Title, seed: int) -> tuple[list[Any], int]:
    """All that is in the database after some of Anna's actions against three computer players, and
    in how many batches it came there."""
    game = title.game

    def seeded(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        # Of its own for each choice, so that it does not matter what was thought about before.
        own = Random(f"{seed} {decision} {view}")
        name = "normal" if seed % 2 else "random"
        return title.players[name](view, decision, legal, own)

    world = await World(database, Games((game,)), Versions({game.name: {"normal": seeded}})).open()
    reader, rng = world.tables.reader, Random(seed)
    table = await world.tables.lobby.open(game.name, ANNA, "Anna", 1, 500)
    for _ in range(3):
        await world.tables.lobby.add_computer(table.id, ANNA)
    await world.tables.lobby.start(table.id, ANNA)
    seat, commit, batches = await reader.seat_of(table.id, ANNA), world.store.commit, 0

    async def counted(batch: WriteBatch) -> None:
        nonlocal batches
        batches += 1
        await commit(batch)

    world.store.commit = counted  # type: ignore[method-assign]
    await world.tables.resume()
    for _ in range(PRESSES):
        await world.tables.computers.rest(table.id, WAIT_S)
        asked = [d.seat for d in await reader.pending(table.id) if not d.optional]
        if seat not in asked:
            break
        world.clock.move(minutes=1)
        kinds = await reader.legal(table.id, seat)
        kind = rng.choice([each for each in kinds.each() if not game.moves[each].free])  # type: ignore[union-attr]
        action = await random_action(world.tables, table.id, seat, (kind,), rng)
        await world.tables.play.act(table.id, seat, action)
    await world.tables.computers.rest(table.id, WAIT_S)
    await world.tables.computers.stop()
    found = await world.store.load(table.id)
    assert found is not None
    outbox = [(row.kind, row.seat, row.seq) for row in await world.store.outbox(table.id)]
    state = [
        await world.store.entries(table.id),
        found.snapshot,
        found.players,
        found.table.status,
        outbox,
        await world.store.notifications(table.id),
        await world.store.results_of(ANNA),
        await reader.log(table.id, seat, last=16),
    ]
    await world.close()
    return state, batches


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", TITLES)
async def test_a_turn_in_one_unit_is_the_same_as_one_by_one(
    name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for most in (computer_turns.MOST, 1):
        monkeypatch.setattr(computer_turns, "MOST", most)
        folder = tmp_path / str(most)
        folder.mkdir()
        found.append(await stored(Database(folder), TITLES[name], seed))
    (together, few), (one_by_one, many) = found
    assert together == one_by_one
    assert few < many


async def begun(world: World) -> int:
    """A table of Anna's against two computer players that play Pebbles."""
    table = await world.lobby(ANNA)
    for _ in range(2):
        await world.tables.lobby.add_computer(table.id, ANNA)
    return (await world.tables.lobby.start(table.id, ANNA)).id


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    world = await World(database).open()
    yield world
    await world.close()


async def test_no_table_is_played_at_by_two_and_some_are_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing: list[int] = []
    most = 0
    go_on = computer_turns.ComputerTurns.go_on

    async def watched(self: computer_turns.ComputerTurns, table_id: int) -> bool:
        nonlocal most
        assert table_id not in playing
        playing.append(table_id)
        most = max(most, len(playing))
        # Another change at the table queues it again.
        world.tables.computers.put(table_id)
        try:
            return await go_on(self, table_id)
        finally:
            playing.remove(table_id)
            if not await go_on_is_due(world, table_id):
                done.add(table_id)

    done: set[int] = set()
    monkeypatch.setattr(computer_turns.ComputerTurns, "go_on", watched)
    tables = {await begun(world) for _ in range(6)}
    await world.tables.resume()
    await until(lambda: done >= tables)
    assert 1 < most <= computers.WORKERS
    monkeypatch.undo()


async def go_on_is_due(world: World, table_id: int) -> bool:
    """Whether a computer player is still to act."""
    table = await world.tables.reader.get(table_id)
    pending = await world.tables.reader.pending(table_id)
    return has_computer_turn(table, pending)


async def test_a_fault_in_the_middle_of_a_turn_costs_nothing_of_what_came_before(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    take, taken = Unit.take, 0

    async def failing(self: Unit, *args: Any, **more: Any) -> None:
        nonlocal taken
        if taken == 1:
            raise RuntimeError
        await take(self, *args, **more)
        taken += 1

    monkeypatch.setattr(Unit, "take", failing)
    table_id = await begun(world)
    await world.tables.resume()
    await until(lambda: f"table {table_id}: a computer player failed" in caplog.text)
    assert await world.tables.reader.seq(table_id) == 1
    assert len(await world.store.entries(table_id)) == 2


async def test_whoever_waits_for_the_table_has_it_after_one_action(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, table_id = Unit.take, await begun(world)
    seen: list[int] = []
    waiting: list[asyncio.Task[None]] = []

    async def look() -> None:
        loaded = await world.tables._unit_of_work.cache.load(table_id)
        seen.append(loaded.seq())

    async def with_one_behind(self: Unit, *args: Any, **more: Any) -> None:
        await take(self, *args, **more)
        if not waiting:
            cache = world.tables._unit_of_work.cache
            waiting.append(asyncio.create_task(cache.alone(table_id, look)))
            await asyncio.sleep(0)

    monkeypatch.setattr(Unit, "take", with_one_behind)
    await world.tables.resume()
    await until(lambda: seen)
    assert seen == [1]


async def test_an_order_that_answers_nothing_divides_no_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, units = Unit.store, 0

    async def counted(self: Unit, delivery: str | None = None) -> None:
        nonlocal units
        units += 1
        await store(self, delivery)

    def silent(view: Any, decision: Decision, legal: Legal, value: str) -> None:
        asked.append(decision)

    monkeypatch.setattr(Unit, "store", counted)
    monkeypatch.setattr(setup, "KEY", bytes([SEATED_BETWEEN]) * 32)
    asked: list[Decision] = []
    orders = Versions({"pebbles": {"silent": Order(("on",), silent)}})
    world = await World(Database(tmp_path), orders=orders).open()
    table_id = await begun(world)
    hers = await world.tables.reader.seat_of(table_id, ANNA)
    all_asked = [each.seat for each in await world.tables.reader.pending(table_id)]
    assert hers in all_asked[1:-1], "between computer players"
    await world.tables.orders.give(table_id, ANNA, "silent", "on")
    await world.tables.resume()
    await world.tables.computers.rest(table_id, WAIT_S)
    assert [each.seat for each in asked] == [hers]
    left = [each for each in await world.tables.reader.pending(table_id) if not each.optional]
    assert [each.seat for each in left] == [hers]
    assert units == 1, "others could tell that she has given an order"
    await world.close()


class OpenPebbles(Pebbles):
    """Pebbles where all hear what is offered."""

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        heard = super().apply(state, seat, action, chance)
        return [replace(each, only=()) if isinstance(each, Offered) else each for each in heard]


async def units(folder: Path, game: Pebbles, monkeypatch: pytest.MonkeyPatch, gifts: int) -> int:
    """How many units two computer players take to choose, of which one first offers Anna so many
    pebbles."""
    store, stored = Unit.store, 0

    async def counted(self: Unit, delivery: str | None = None) -> None:
        nonlocal stored
        stored += 1
        await store(self, delivery)

    def giving(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        return ("gift", left.pop()) if left else (decision.kind, "1")

    left, policies = list[str](), Versions({"pebbles": {"normal": giving}})
    world = await World(Database(folder), Games((game,)), policies).open()
    table_id = await begun(world)
    hers = await world.tables.reader.seat_of(table_id, ANNA)
    left += [str(hers)] * gifts
    with monkeypatch.context() as patched:
        patched.setattr(Unit, "store", counted)
        await world.tables.resume()
        await world.tables.computers.rest(table_id, WAIT_S)
    pending = await world.tables.reader.pending(table_id)
    assert sum(each.kind == ANSWER for each in pending) == gifts
    assert [each.seat for each in pending if not each.optional] == [hers]
    await world.close()
    return stored


@pytest.mark.parametrize("gifts", [0, 1, 3])
async def test_an_offer_of_which_only_two_know_divides_no_unit(
    gifts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await units(tmp_path, Pebbles(), monkeypatch, gifts) == 1


@pytest.mark.parametrize("gifts", [0, 1, 3])
async def test_after_an_offer_that_all_heard_of_people_may_come_between(
    gifts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await units(tmp_path, OpenPebbles(), monkeypatch, gifts) == gifts + 1


async def test_who_reads_a_clock_keeps_no_other_table_waiting(world: World) -> None:
    slow, quick = await begun(world), await begun(world)
    read = asyncio.Event()

    async def reading(batch: WriteBatch, before: LoadedTable, after: LoadedTable) -> None:
        if after.table.id == slow:
            await read.wait()

    world.tables._unit_of_work.writers.append(reading)
    await world.tables.resume()
    await world.tables.computers.rest(quick, WAIT_S)
    is_slow, is_due = await go_on_is_due(world, slow), await go_on_is_due(world, quick)
    read.set()
    assert (is_slow, is_due) == (True, False)
    await world.tables.computers.rest(slow, WAIT_S)
    assert not await go_on_is_due(world, slow)


async def test_stopping_waits_for_what_is_being_played(world: World) -> None:
    table_id = await begun(world)
    await world.tables.resume()
    await until(lambda: not world.tables.computers._queue)
    await world.tables.computers.stop()
    entries = await world.store.entries(table_id)
    assert await world.tables.reader.seq(table_id) == len(entries) - 1
    assert not world.tables.computers.is_working
