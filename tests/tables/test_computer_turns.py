"""Whole turns of computer players: stored in units, with the same result as action by action."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.game.contract import ANSWER, SPECTATOR, Action, Chance, Decision, Event, Seat
from bot.game.versions import Games, Versions
from bot.policy.orders import Order
from bot.policy.random import random_action
from bot.tables import computers
from bot.tables.choosing import Legal
from bot.tables.core.cache import LoadedTable
from bot.tables.core.position import has_computer_turn
from bot.tables.core.unit_of_work import TableChange
from bot.tables.play import Play
from bot.titles import TITLES
from bot.titles.title import Title
from tests.games.pebbles import Offered, Pebbles, State
from tests.store.database import WAIT_S, Database
from tests.tables import world as setup
from tests.tables.world import ANNA, World
from tests.waiting import until

TWO = ("normal", "normal")
ACTIONS = 8
"""Anna's actions in each game."""
SEATED_BETWEEN = 3
"""The byte of a key with which Anna gets the seat between two computer players."""


def record_units(monkeypatch: pytest.MonkeyPatch) -> list[TableChange]:
    """Return a list that gets all units stored from now on."""
    store, units = Play.store, list[TableChange]()

    async def recorded(self: Play, change: TableChange, *args: Any) -> None:
        units.append(change)
        await store(self, change, *args)

    monkeypatch.setattr(Play, "store", recorded)
    return units


async def stored(database: Database, title: Title, seed: int) -> list[Any]:
    """Return all stored data after some of Anna's actions against three computer players."""
    game = title.game

    def seeded(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        # A new generator for each choice, which makes it independent of earlier ones.
        own = Random(f"{seed} {decision} {game.encode(view.known)!r}")
        name = "normal" if seed % 2 else "random"
        return title.players[name](view, decision, legal, own)

    world = await World(database, Games((game,)), Versions({game.name: {"normal": seeded}})).open()
    reader, rng = world.tables.reader, Random(seed)
    table = (await world.tables.lobby.open(game.name, ANNA, "Anna", 1, 500)).id
    for _ in range(3):
        await world.tables.lobby.add_computer(table, ANNA, "normal", name="Hal")
    await world.tables.lobby.start(table, ANNA)
    seat = await reader.seat_of(table, ANNA)
    await world.tables.resume()
    for _ in range(ACTIONS):
        await world.tables.computers.until_idle(table, WAIT_S)
        if seat not in await world.asked(table):
            break
        world.clock.move(minutes=1)
        kinds = (await reader.seen(table, seat)).legal(seat, ())
        kind = rng.choice([each for each in kinds.each() if not game.moves[each].free])  # type: ignore[union-attr]
        legal = partial((await reader.seen(table, SPECTATOR)).legal, seat)
        action = random_action((kind,), legal, rng)
        await world.tables.play.act(table, seat, action)
    await world.tables.computers.until_idle(table, WAIT_S)
    await world.tables.computers.stop()
    found = await world.store.load(table)
    assert found is not None
    state = [
        await world.store.entries(table),
        found.snapshot,
        found.players,
        found.table.status,
        [(row.kind, row.seat, row.seq) for row in await world.store.outbox(table)],
        await world.store.notifications(table),
        await world.store.results_of(ANNA),
        await reader.log(await reader.seen(table, seat), 16),
    ]
    await world.close()
    return state


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", TITLES)
async def test_a_turn_in_one_unit_equals_a_turn_action_by_action(
    name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states, counts, units = [], [], record_units(monkeypatch)
    for limit in (computers.MAX_PUBLIC, 1):
        monkeypatch.setattr(computers, "MAX_PUBLIC", limit)
        folder = tmp_path / str(limit)
        folder.mkdir()
        states.append(await stored(Database(folder), TITLES[name], seed))
        counts.append(len(units))
        units.clear()
    assert states[0] == states[1]
    assert counts[0] < counts[1]


async def is_due(world: World, table: int) -> bool:
    pending = await world.tables.reader.pending(table)
    return has_computer_turn(await world.tables.reader.get(table), pending)


async def test_workers_play_at_several_tables_but_never_two_at_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing: list[int] = []
    maximum = 0
    play_unit = computers.Computers.play_unit

    async def watched(self: computers.Computers, table_id: int) -> bool:
        nonlocal maximum
        assert table_id not in playing
        playing.append(table_id)
        maximum = max(maximum, len(playing))
        # Another change at the table queues it again.
        world.tables.computers.queue(table_id)
        try:
            return await play_unit(self, table_id)
        finally:
            playing.remove(table_id)
            if not await is_due(world, table_id):
                done.add(table_id)

    done: set[int] = set()
    monkeypatch.setattr(computers.Computers, "play_unit", watched)
    tables = [(await world.against(*TWO))[0] for _ in range(6)]
    await world.tables.resume()
    await until(lambda: done >= {*tables})
    assert 1 < maximum <= computers.WORKERS
    monkeypatch.undo()
    # `stop` waits for units in progress.
    table, _ = await world.against(*TWO)
    await until(lambda: not world.tables.computers._queue)
    await world.tables.computers.stop()
    assert await world.tables.reader.seq(table) == len(await world.store.entries(table)) - 1
    assert not world.tables.computers.is_working


async def test_an_error_in_a_turn_keeps_the_actions_before_it(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    take, taken = Play.take, 0

    async def failing(self: Play, *args: Any, **more: Any) -> None:
        nonlocal taken
        if taken == 1:
            raise RuntimeError
        await take(self, *args, **more)
        taken += 1

    monkeypatch.setattr(Play, "take", failing)
    table, _ = await world.against(*TWO)
    await world.tables.resume()
    await until(lambda: f"computer player failed table={table}" in caplog.text)
    assert await world.tables.reader.seq(table) == 1
    assert len(await world.store.entries(table)) == 2


async def test_a_task_that_waits_for_the_table_gets_it_after_one_action(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, (table, _) = Play.take, await world.against(*TWO)
    cache = world.tables._unit_of_work.cache
    seen: list[int] = []
    waiting: list[asyncio.Task[None]] = []

    async def read_seq() -> None:
        seen.append((await cache.load(table)).seq())

    async def take_with_waiting_task(self: Play, *args: Any, **more: Any) -> None:
        await take(self, *args, **more)
        if not waiting:
            waiting.append(asyncio.create_task(cache.run_locked(table, read_seq)))
            await asyncio.sleep(0)

    monkeypatch.setattr(Play, "take", take_with_waiting_task)
    await world.tables.resume()
    await until(lambda: seen)
    assert seen == [1]


async def test_a_standing_order_that_does_not_answer_ends_no_unit(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(view: Any, decision: Decision, legal: Legal, value: str) -> None:
        asked.append(decision.seat)

    units = record_units(monkeypatch)
    monkeypatch.setattr(setup, "KEY", bytes([SEATED_BETWEEN]) * 32)
    asked: list[int] = []
    orders = Versions({"pebbles": {"silent": Order(("on",), silent)}})
    world = await World(database, orders=orders).open()
    table, hers = await world.against(*TWO)
    assert hers in (await world.asked(table))[1:-1], "not between computer players"
    await world.tables.orders.give(table, ANNA, "silent", "on")
    await world.tables.resume()
    await world.tables.computers.until_idle(table, WAIT_S)
    assert asked == await world.asked(table) == [hers]
    assert len(units) == 1, "the units reveal her standing order"
    await world.close()


class OpenPebbles(Pebbles):
    """Pebbles with public offers."""

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        events = super().apply(state, seat, action, chance)
        return [replace(each, only=()) if isinstance(each, Offered) else each for each in events]


@pytest.mark.parametrize("gifts", [0, 1, 3])
@pytest.mark.parametrize("game", [Pebbles(), OpenPebbles()])
async def test_only_a_public_offer_ends_a_unit(
    game: Pebbles, gifts: int, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def giving(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        return ("gift", left.pop()) if left else (decision.kind, "1")

    left, policies = list[str](), Versions({"pebbles": {"normal": giving}})
    world = await World(database, Games((game,)), policies).open()
    table, hers = await world.against(*TWO)
    left += [str(hers)] * gifts
    units = record_units(monkeypatch)
    await world.tables.resume()
    await world.tables.computers.until_idle(table, WAIT_S)
    pending = await world.tables.reader.pending(table)
    assert sum(each.kind == ANSWER for each in pending) == gifts
    assert await world.asked(table) == [hers]
    assert len(units) == 1 + gifts * isinstance(game, OpenPebbles)
    await world.close()


async def test_a_slow_write_at_one_table_does_not_delay_another(world: World) -> None:
    (slow, _), (quick, _) = [await world.against(*TWO) for _ in range(2)]
    go_on = asyncio.Event()

    async def write_slowly(change: TableChange, _: LoadedTable) -> None:
        if change.table.id == slow:
            await go_on.wait()

    world.tables._unit_of_work.writers.append(write_slowly)
    await world.tables.resume()
    await world.tables.computers.until_idle(quick, WAIT_S)
    are_due = await is_due(world, slow), await is_due(world, quick)
    go_on.set()
    assert are_due == (True, False)
    await world.tables.computers.until_idle(slow, WAIT_S)
    assert not await is_due(world, slow)
