"""The strong player's answers, and their time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action, Decision
from bot.game.versions import Versions
from bot.tables.core.cache import LoadedTable
from bot.thinking import Considered, SearchPool, SearchUnavailable
from bot.thinking.seats import StrongSeats
from tests.games.pebbles import GAME
from tests.games.pebbles_titles import AFTER
from tests.store.database import Database
from tests.tables.world import ANNA, World, at_random
from tests.waiting import until

PACE_MS = 500
PACE = PACE_MS / 1000

Result = tuple[float, Exception | Sequence[Considered]]
"""The duration of a search in seconds, and its result."""


class Timer:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleeping: dict[asyncio.Future[None], float] = {}

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Sleep until the clock has moved that far."""
        future = asyncio.get_running_loop().create_future()
        self._sleeping[future] = self.now + max(0.0, seconds)
        try:
            await future
        finally:
            del self._sleeping[future]

    @property
    def has_sleepers(self) -> bool:
        return bool(self._sleeping)

    async def advance(self) -> None:
        """Let all tasks run, then move the clock to the end of the next sleep."""
        for _ in range(50):
            await asyncio.sleep(0)
        if self._sleeping:
            first, self.now = min(self._sleeping.items(), key=lambda each: each[1])
            first.set_result(None)
            await asyncio.sleep(0)


class FakePool(SearchPool):
    """A pool with given results, each after a given time."""

    def __init__(self, timer: Timer, *results: Result) -> None:
        super().__init__(1, PACE_MS)
        self._timer = timer
        self.results = [*results]

    async def ready(self) -> None:
        pass

    async def think(self, *_: Any, **__: Any) -> Sequence[Considered]:
        seconds, result = self.results.pop(0) if self.results else (0.0, SearchUnavailable())
        await self._timer.sleep(seconds)
        if isinstance(result, Exception):
            raise result
        return result


async def fallback() -> Action | None:
    return ("choose", "3")


async def action(result: Exception | Sequence[Considered], seconds: float = 0.0) -> Action | None:
    """Return the strong player's action for the first decision of a game."""
    state = GAME.setup(2, {}, RandomChance(Random(1)))
    decision, timer = Decision("c1", 0, "choose", sealed=True), Timer()
    pool = FakePool(timer, (seconds, result))
    seats = StrongSeats(pool, AFTER.judgements, timer.time, timer.sleep)
    view = GAME.view(state, 0)
    task = asyncio.ensure_future(seats.action("pebbles", 1, view, decision, "seed", fallback))
    while not task.done():
        await timer.advance()
    assert timer.now == PACE
    return await task


async def test_the_answer_is_the_best_action_or_the_fallback() -> None:
    two = Considered(("choose", "2"))
    assert await action([two, Considered(("choose", "1"))]) == ("choose", "2")
    # Of joined actions it takes the first.
    assert await action([Considered(("choose", "2", "+", "take", "1"))]) == ("choose", "2")
    assert await action(SearchUnavailable()) == ("choose", "3")
    assert await action([two], seconds=9.0) == ("choose", "3")


async def test_the_game_goes_on_after_any_error_of_the_search(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert await action(ZeroDivisionError("the card is 8")) == ("choose", "3")
    assert "search failed, playing as normal game=pebbles error=ZeroDivisionError" in caplog.text
    assert "the card" not in caplog.text


def test_only_the_strong_player_of_a_game_with_a_judgement_thinks() -> None:
    seats = StrongSeats(SearchPool(1), AFTER.judgements)
    assert seats.thinks("pebbles", 1, "strong")
    assert not StrongSeats(SearchPool(0), AFTER.judgements).thinks("pebbles", 1, "strong")
    assert not seats.thinks("pebbles", 1, "normal")
    assert not seats.thinks("pebbles", 2, "strong")
    assert not seats.thinks("chess", 1, "strong")


class TimedWorld(World):
    """Tables with a fake clock for computer players."""

    def __init__(self, database: Database) -> None:
        self.timer = Timer()
        self.search_pool = FakePool(self.timer)
        policies = Versions({"pebbles": {"normal": at_random, "strong": at_random}})
        strong_player = StrongSeats(
            self.search_pool, AFTER.judgements, self.timer.time, self.timer.sleep
        )
        super().__init__(database, policies=policies, strong_player=strong_player)

    async def answer_time(self, *results: Result, again: bool = False) -> float:
        """Return the time until a computer player of a new table answers Anna.

        There is a computer player for each result. Anna chooses first, and `again` during the
        search.
        """
        table = await self.lobby(ANNA)
        for number, _ in enumerate(results, 1):
            name = f"Computer {number}"
            await self.tables.lobby.add_computer(table.id, ANNA, "strong", name=name)
        table = await self.tables.lobby.start(table.id, ANNA)
        seat = await self.tables.reader.seat_of(table.id, ANNA)
        self.search_pool.results = [*results]
        times: list[float] = []

        def note(after: LoadedTable) -> None:
            if after.table.id == table.id and after.position().recent[-1].seat != seat:
                times.append(self.timer.now - started)

        started = self.timer.now
        self.tables._unit_of_work.after_commit.append(note)
        await self.tables.play.act(table.id, seat, ("choose", "1"))
        if again:
            await until(lambda: self.timer.has_sleepers)
            await self.timer.advance()
            await self.tables.play.act(table.id, seat, ("choose", "2"))
        while not times:
            await until(lambda: self.timer.has_sleepers or times)
            await self.timer.advance()
        await self.tables.leaving.dissolve(table.id)
        return round(times[0], 6)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TimedWorld]:
    world = TimedWorld(Database(tmp_path))
    await world.open()
    await world.tables.resume()
    yield world
    await world.close()


async def test_the_answer_time_does_not_reveal_the_number_of_legal_actions(
    world: TimedWorld,
) -> None:
    """In Guatemala Café, a player without a sack of the colour has only one answer about a block.
    A player with one searches, sometimes longer than the pace."""
    rng, best = Random(1), [Considered(("choose", "2"))]
    no_choice: list[Result] = [(rng.uniform(0.0, 0.01), best) for _ in range(8)]
    choices: list[Result] = [(rng.uniform(0.0, 3.0), best) for _ in range(12)]
    errors: list[Result] = [
        (rng.uniform(0.0, 0.2), SearchUnavailable()),
        (0.1, ZeroDivisionError()),
    ]
    assert {await world.answer_time(result) for result in no_choice} == {PACE}
    assert {await world.answer_time(result) for result in choices} == {PACE}
    assert {await world.answer_time(result) for result in errors} == {PACE}
    # Seats act in turn, and one may also take pebbles: the number of their decisions is public.
    for two in (no_choice[:2], choices[:2], [no_choice[0], choices[0]], [choices[1], errors[0]]):
        assert await world.answer_time(*two) in {2 * PACE, 3 * PACE}


async def test_the_answer_time_does_not_depend_on_secret_actions_of_others(
    world: TimedWorld,
) -> None:
    result: Result = (0.3, [Considered(("choose", "2"))])
    assert await world.answer_time(result, again=True) == PACE
