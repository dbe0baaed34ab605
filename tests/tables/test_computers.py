"""Computer players take their turns, whatever goes wrong with one of them; nobody waits for those
that think long."""

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
    """A policy with a fault, whose message would show a hand."""
    raise RuntimeError(SECRET)


def cheating(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
    """A policy that does not know the rules."""
    return ("take", "9")


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
        fallback: Fallback,
    ) -> Action | None:
        self.asked.append((view, decision, seed))
        try:
            return await self.answers.get() or await fallback()
        except asyncio.CancelledError:
            self.given_up += 1
            raise


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
async def world(database: Database, slow: Slow) -> AsyncIterator[World]:
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
    """Waits until the table waits for that seat alone, or is over."""

    async def are_done() -> bool:
        return {*await world.asked(table)} <= {seat}

    await until(are_done)


@pytest.mark.parametrize("policy", ["normal", "broken", "cheating"])
async def test_a_game_against_a_computer_player_comes_to_its_end(
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
    # What a policy cannot answer is left alone.
    assert len(answers) == (policy == "normal")
    # A fault is logged with its table and without secrets.
    assert (f"policy failed table={table} error=RuntimeError" in caplog.text) is (
        policy == "broken"
    )
    assert ("in broken" in caplog.text) is (policy == "broken")
    assert SECRET not in caplog.text


async def test_the_game_goes_on_where_nobody_can_say_what_a_computer_player_sees(
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
async def test_a_computer_player_waits_for_the_database_and_for_who_writes_at_the_same_time(
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
async def test_what_happens_before_a_computer_player_can_act_is_no_fault(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, status: Status
) -> None:
    first, tried = True, asyncio.Event()
    run_locked = TableCache.run_locked

    async def meanwhile() -> None:
        if status is Status.PAUSED:
            await world.tables.votes.propose(table, ANNA, "pause")
        else:
            await world.act(table, seat, "choose 2")

    async def late(self: TableCache, table_id: int, work: Callable[[], Awaitable[Any]]) -> Any:
        nonlocal first
        if first and isinstance(work, partial) and work.func.__name__ == "_unit":
            first = False
            await meanwhile()
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
    """A game of Anna against computer players, which have been started, and where she sits."""
    table, seat = await world.against(*levels)
    await world.tables.resume()
    return table, seat


async def test_what_was_thought_best_by_the_view_of_the_seat_is_done(
    world: World, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever looks at the table has it go back into the queue.
    monkeypatch.setattr(computers, "UNITS", 1)
    table, seat = await against(world, "strong")
    await until(lambda: slow.asked)
    ((view, decision, _seed),) = slow.asked
    assert view == (await world.tables.reader.seen(table, 1 - seat)).view
    assert (decision.seat, decision.kind) == (1 - seat, "choose")
    assert {*await world.asked(table)} == {0, 1}
    # A press does not wait for it, and what was being thought counts for nothing after it.
    await asyncio.wait_for(world.act(table, seat, f"gift {1 - seat}"), WAIT_S)
    await until(lambda: len(slow.asked) == 2)
    # What does not change the game does not disturb it.
    cache = world.tables._unit_of_work.cache
    looked = asyncio.wait_for(cache.run_locked(table, lambda: cache.load(table)), WAIT_S)
    assert (await looked).table.id == table
    slow.answers.put_nowait(("choose", "3"))
    await world.tables.computers.until_idle(table, WAIT_S)
    assert await world.asked(table) == [seat]
    assert ((await world.tables.reader.seen(table, 1 - seat)).view).known.chosen[1 - seat] == 3
    assert (len(slow.asked), slow.given_up) == (2, 1)


@pytest.mark.parametrize("answer", [None, ("choose", "9")])
async def test_where_nobody_can_think_or_the_rules_forbid_it_the_normal_player_answers(
    world: World, slow: Slow, answer: Action | None
) -> None:
    table, seat = await against(world, "strong")
    slow.answers.put_nowait(answer)
    await world.tables.computers.until_idle(table, WAIT_S)
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


def test_a_standing_order_ends_turns_and_not_the_game() -> None:
    """The last turn of a game of Burgundy, and one before it."""
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
        assert choices.chosen(game, table, now, decision) == expected
