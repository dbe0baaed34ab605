"""Turns of computer players: errors, retries, searches and standing orders."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from itertools import islice
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.game.contract import SPECTATOR, Action, Decision
from bot.game.versions import Versions
from bot.store import DuplicateWrite, Unavailable, WriteBatch
from bot.tables import Status, computers
from bot.tables.choosing import ComputerChoices, Fallback, Legal
from bot.tables.core.cache import TableCache
from bot.tables.core.record import fold
from bot.titles import TITLES
from tests.games.pebbles import GAME
from tests.recorded.results import names, read_record
from tests.store.database import WAIT_S, Database
from tests.tables.world import ANNA, World, at_random
from tests.waiting import until

SECRET = "the card is 8"


def broken(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
    """A policy whose error message contains a secret."""
    raise RuntimeError(SECRET)


def cheating(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
    """A policy that breaks the rules."""
    return ("take", "9")


class SlowPlayer:
    """A strong player whose searches end when the test queues an answer."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, Decision, str]] = []
        self.answers: asyncio.Queue[Action | None] = asyncio.Queue()
        self.cancelled = 0

    def thinks(self, game: str, version: int, policy: str) -> bool:
        return policy == "strong"

    async def action(
        self,
        game: str,
        version: int,
        view: Any,
        decision: Decision,
        seed: str,
        fallback: Fallback,
    ) -> Action | None:
        self.asked.append((view, decision, seed))
        try:
            return await self.answers.get() or await fallback()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


@pytest.fixture
def slow() -> SlowPlayer:
    return SlowPlayer()


@pytest.fixture
async def world(database: Database, slow: SlowPlayer) -> AsyncIterator[World]:
    policies = Versions(
        {
            "pebbles": {
                "normal": at_random,
                "strong": at_random,
                "broken": broken,
                "cheating": cheating,
            }
        }
    )
    world = await World(database, policies=policies, strong_player=slow).open()
    yield world
    for _ in range(9):
        slow.answers.put_nowait(None)
    await world.close()


async def answered(world: World, table: int, seat: int) -> None:
    """Wait until only this seat is to act, or the game is over."""

    async def are_done() -> bool:
        return {*await world.asked(table)} <= {seat}

    await until(are_done)


@pytest.mark.parametrize("policy", ["normal", "broken", "cheating"])
async def test_a_game_against_computer_players_ends(
    world: World, caplog: pytest.LogCaptureFixture, policy: str
) -> None:
    await world.tables.resume()
    table, seat = await world.against(policy, policy)
    await world.act(table, seat, f"gift {(seat + 1) % 3}")
    rng = Random(5)
    while await world.status(table) is Status.PLAYING:
        for decision in await world.tables.reader.pending(table):
            if decision.seat == seat and not decision.optional:
                action = f"{decision.kind} {rng.choice((1, 2))}"
                await world.act(table, seat, action, decision=decision.id)
        await answered(world, table, seat)
    assert (await world.tables.reader.seen(table, SPECTATOR)).outcome is not None
    answers = [line for line in await world.actions(table) if line[:6] in ("accept", "declin")]
    # An offer that a policy cannot answer stays open.
    assert len(answers) == (policy == "normal")
    # An error is logged with its table but without secrets.
    assert (f"policy failed table={table} error=RuntimeError" in caplog.text) is (
        policy == "broken"
    )
    assert ("in broken" in caplog.text) is (policy == "broken")
    assert SECRET not in caplog.text


async def test_the_game_continues_if_a_computer_players_view_fails(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat = await world.against("normal", "normal")

    def view(_game: object, _state: object, observer: int) -> Any:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(type(GAME), "view", view)
    while await world.tables.computers.play_unit(table):
        pass
    assert {*await world.asked(table)} <= {seat}


@pytest.mark.parametrize("error", [Unavailable("database is locked"), DuplicateWrite("UNIQUE")])
async def test_a_computer_player_retries_after_an_error_of_the_database(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    table, seat = await world.against("normal")
    commit, refused = world.store.commit, 0

    async def once(batch: WriteBatch) -> None:
        nonlocal refused
        is_entry = any("action" in written for _statement, written in batch.steps)
        refused += is_entry
        if is_entry and refused == 1:
            raise error
        await commit(batch)

    monkeypatch.setattr(world.store, "commit", once)
    await world.tables.resume()
    await answered(world, table, seat)
    assert refused == 2
    assert await world.tables.reader.seq(table) == 1
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("status", [Status.PAUSED, Status.PLAYING])
async def test_a_change_before_a_computer_player_can_act_is_no_error(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, status: Status
) -> None:
    first, tried = True, asyncio.Event()
    run_locked = TableCache.run_locked

    async def change_table() -> None:
        if status is Status.PAUSED:
            await world.tables.votes.propose(table, ANNA, "pause")
        else:
            await world.act(table, seat, "choose 2")

    async def late(self: TableCache, table_id: int, work: Callable[[], Awaitable[Any]]) -> Any:
        nonlocal first
        if first and isinstance(work, partial) and work.func.__name__ == "_unit":
            first = False
            await change_table()
            tried.set()
        return await run_locked(self, table_id, work)

    monkeypatch.setattr(TableCache, "run_locked", late)
    table, seat = await world.against("normal")
    with caplog.at_level(logging.INFO):
        await world.tables.resume()
        async with asyncio.timeout(WAIT_S):
            await tried.wait()
            await world.tables.computers.until_idle(table, WAIT_S)
    assert await world.status(table) is status
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


async def against(world: World, *levels: str) -> tuple[int, int]:
    """Start a game of Anna and the computer players; return the table and her seat."""
    table, seat = await world.against(*levels)
    await world.tables.resume()
    return table, seat


async def test_a_search_uses_its_seats_view_and_its_result_is_played(
    world: World, slow: SlowPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Have each interrupted unit put the table back into the queue.
    monkeypatch.setattr(computers, "MAX_UNITS", 1)
    table, seat = await against(world, "strong")
    await until(lambda: slow.asked)
    ((view, decision, _seed),) = slow.asked
    assert view == (await world.tables.reader.seen(table, 1 - seat)).view
    assert (decision.seat, decision.kind) == (1 - seat, "choose")
    assert {*await world.asked(table)} == {0, 1}
    # An action does not wait for the search, and cancels it as the view changes.
    await asyncio.wait_for(world.act(table, seat, f"gift {1 - seat}"), WAIT_S)
    await until(lambda: len(slow.asked) == 2)
    # A read does not wait for it and does not cancel it.
    cache = world.tables._unit_of_work.cache
    read = asyncio.wait_for(cache.run_locked(table, lambda: cache.load(table)), WAIT_S)
    assert (await read).table.id == table
    slow.answers.put_nowait(("choose", "3"))
    await world.tables.computers.until_idle(table, WAIT_S)
    assert await world.asked(table) == [seat]
    assert ((await world.tables.reader.seen(table, 1 - seat)).view).known.chosen[1 - seat] == 3
    assert (len(slow.asked), slow.cancelled) == (2, 1)


@pytest.mark.parametrize("answer", [None, ("choose", "9")])
async def test_the_normal_player_replaces_a_missing_or_illegal_search_result(
    world: World, slow: SlowPlayer, answer: Action | None
) -> None:
    table, seat = await against(world, "strong")
    slow.answers.put_nowait(answer)
    await world.tables.computers.until_idle(table, WAIT_S)
    assert await world.asked(table) == [seat]


async def test_several_tables_are_searched_at_the_same_time(world: World, slow: SlowPlayer) -> None:
    for _ in range(3):
        await world.against("strong")
    await world.tables.resume()
    await until(lambda: len(slow.asked) == 3)
    assert len({seed for _view, _decision, seed in slow.asked}) == 3


async def test_a_stop_cancels_searches(world: World, slow: SlowPlayer) -> None:
    table, _seat = await against(world, "strong")
    await until(lambda: slow.asked)
    await asyncio.wait_for(world.reopen(), WAIT_S)
    assert slow.cancelled == 1
    assert await world.tables.reader.seq(table) == 0
    await world.tables.resume()
    await until(lambda: len(slow.asked) == 2)
    slow.answers.put_nowait(None)
    await world.reopen()
    assert not [task for task in asyncio.all_tasks() if "action" in str(task.get_coro())]


def test_a_standing_order_ends_turns_but_not_the_game() -> None:
    """Check the last turn of a game of Burgundy and an earlier one."""
    game = TITLES.games["burgundy"]
    record = read_record(game, names(game)[0])
    ends = [n for n, each in enumerate(record.entries) if each.action == "end" and n >= 2]
    choices = ComputerChoices(TITLES.quick_players, TITLES.orders, Random(1))
    person = SimpleNamespace(is_human=True, orders={"end": "on"})
    table: Any = SimpleNamespace(id=1, game=game.name, version=game.version, players=[person] * 4)
    for at, expected in ((ends[-40], ("end",)), (ends[-1], None)):
        *_, (_, state) = islice(fold(game, record), at)
        now: Any = SimpleNamespace(state=state)
        (decision,) = game.pending(state)
        assert choices.choose(game, table, now, decision) == expected
