"""The strong player on seats of tables."""

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

SearchResult = tuple[float, Exception | Sequence[Considered]]
"""How long is thought, in seconds, and what comes of it."""


class Timer:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleeping: dict[asyncio.Future[None], float] = {}

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Until it has gone on by so many."""
        until = asyncio.get_running_loop().create_future()
        self._sleeping[until] = self.now + max(0.0, seconds)
        try:
            await until
        finally:
            del self._sleeping[until]

    @property
    def is_to_act(self) -> bool:
        return bool(self._sleeping)

    async def go_on(self) -> None:
        """To the next moment that somebody waits for, after all that is to be done before."""
        for _ in range(50):
            await asyncio.sleep(0)
        if self._sleeping:
            first, self.now = min(self._sleeping.items(), key=lambda each: each[1])
            first.set_result(None)
            await asyncio.sleep(0)


class Given(SearchPool):
    """A pool with given answers, each after a given time."""

    def __init__(self, timer: Timer, *thoughts: SearchResult) -> None:
        super().__init__(1, PACE_MS)
        self._timer = timer
        self.thoughts = [*thoughts]

    async def ready(self) -> None:
        """They are."""

    async def think(self, *_: Any, **__: Any) -> Sequence[Considered]:
        seconds, answer = self.thoughts.pop(0) if self.thoughts else (0.0, SearchUnavailable())
        await self._timer.sleep(seconds)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def by_the_quick_player() -> Action | None:
    return ("choose", "3")


async def action(answer: Exception | Sequence[Considered], seconds: float = 0.0) -> Action | None:
    """What the strong player does in the first decision of a game."""
    state = GAME.setup(2, {}, RandomChance(Random(1)))
    decision, timer = Decision("c1", 0, "choose", sealed=True), Timer()
    seats = StrongSeats(Given(timer, (seconds, answer)), AFTER.judgements, timer.time, timer.sleep)
    view = GAME.view(state, 0)
    asking = asyncio.ensure_future(
        seats.action("pebbles", 1, view, decision, "seed", by_the_quick_player)
    )
    while not asking.done():
        await timer.go_on()
    assert timer.now == PACE
    return await asking


async def test_it_does_what_was_thought_best_or_what_the_quick_player_answers() -> None:
    two = Considered(("choose", "2"))
    assert await action([two, Considered(("choose", "1"))]) == ("choose", "2")
    # Of several actions it does the first.
    assert await action([Considered(("choose", "2", "+", "take", "1"))]) == ("choose", "2")
    assert await action(SearchUnavailable()) == ("choose", "3")
    assert await action([two], seconds=9.0) == ("choose", "3")


async def test_however_a_search_fails_the_game_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    assert await action(ZeroDivisionError("the card is 8")) == ("choose", "3")
    assert "search failed, playing as normal game=pebbles error=ZeroDivisionError" in caplog.text
    assert "the card" not in caplog.text


def test_only_the_strong_player_of_a_game_with_a_mind_thinks() -> None:
    seats = StrongSeats(SearchPool(1), AFTER.judgements)
    assert seats.thinks("pebbles", 1, "strong")
    assert not StrongSeats(SearchPool(0), AFTER.judgements).thinks("pebbles", 1, "strong")
    assert not seats.thinks("pebbles", 1, "normal")
    assert not seats.thinks("pebbles", 2, "strong")
    assert not seats.thinks("chess", 1, "strong")


class Timed(World):
    """Tables with a clock for computer players."""

    def __init__(self, database: Database) -> None:
        self.timer = Timer()
        self.search_pool = Given(self.timer)
        policies = Versions({"pebbles": {"normal": at_random, "strong": at_random}})
        strong_player = StrongSeats(
            self.search_pool, AFTER.judgements, self.timer.time, self.timer.sleep
        )
        super().__init__(database, policies=policies, strong_player=strong_player)

    async def answered(self, *thoughts: SearchResult, again: bool = False) -> float:
        """After how long the computer players of a new table have answered Anna, each by one of
        the thoughts; she chooses first, and `again` while they think."""
        table = await self.lobby(ANNA)
        for _ in thoughts:
            await self.tables.lobby.add_computer(table.id, ANNA, "strong")
        table = await self.tables.lobby.start(table.id, ANNA)
        seat = await self.tables.reader.seat_of(table.id, ANNA)
        self.search_pool.thoughts = [*thoughts]
        times: list[float] = []

        def note(after: LoadedTable) -> None:
            if after.table.id == table.id and after.position().recent[-1].seat != seat:
                times.append(self.timer.now - asked)

        asked = self.timer.now
        self.tables._unit_of_work.after_commit.append(note)
        await self.tables.play.act(table.id, seat, ("choose", "1"))
        if again:
            await until(lambda: self.timer.is_to_act)
            await self.timer.go_on()
            await self.tables.play.act(table.id, seat, ("choose", "2"))
        while not times:
            await until(lambda: self.timer.is_to_act or times)
            await self.timer.go_on()
        await self.tables.leaving.dissolve(table.id)
        return round(times[0], 6)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[Timed]:
    world = Timed(Database(tmp_path))
    await world.open()
    await world.tables.resume()
    yield world
    await world.close()


async def test_when_it_answers_tells_nothing_of_what_it_could_do(world: Timed) -> None:
    """Guatemala Café: who holds no sack of the colour has one answer about a block, and who holds
    one thinks, now and then longer than anybody waits."""
    rng, best = Random(1), [Considered(("choose", "2"))]
    no_choice: list[SearchResult] = [(rng.uniform(0.0, 0.01), best) for _ in range(8)]
    choices: list[SearchResult] = [(rng.uniform(0.0, 3.0), best) for _ in range(12)]
    crowd: list[SearchResult] = [
        (rng.uniform(0.0, 0.2), SearchUnavailable()),
        (0.1, ZeroDivisionError()),
    ]
    assert {await world.answered(thought) for thought in no_choice} == {PACE}
    assert {await world.answered(thought) for thought in choices} == {PACE}
    assert {await world.answered(thought) for thought in crowd} == {PACE}
    # One after the other, and who takes pebbles after them: how many are asked is known to all.
    for two in (no_choice[:2], choices[:2], [no_choice[0], choices[0]], [choices[1], crowd[0]]):
        assert await world.answered(*two) in {2 * PACE, 3 * PACE}


async def test_what_others_do_in_secret_shows_not_in_when_it_answers(world: Timed) -> None:
    thought: SearchResult = (0.3, [Considered(("choose", "2"))])
    assert await world.answered(thought, again=True) == PACE
