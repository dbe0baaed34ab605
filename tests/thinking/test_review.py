"""Reviews of finished games with known turning points."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import TypeVar

import pytest
from msgspec.structs import replace

from bot.game.chance import RecordedChance
from bot.game.contract import parse_action
from bot.game.log import Entry
from bot.tables.core.log import NO_SEAT, SETUP
from bot.thinking import SearchPool, SearchUnavailable, review
from bot.thinking.review import MAX_MOMENTS, PastStep, Review
from tests.games.pebbles import GAME, State, Take
from tests.games.pebbles_player import JUDGEMENT

R = TypeVar("R")
NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)


class LocalPool(SearchPool):
    """A pool that searches in this process."""

    async def _run(self, job: Callable[[], Callable[[], R]]) -> R:
        return job()()


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "PAUSE_S", 0.0)


def played(state: State, *lines: tuple[int, str, tuple[int, ...]]) -> list[PastStep]:
    """Play from a state; each line is a seat, an action and its draws."""
    setup = Entry(NO_SEAT, SETUP, at=NOON, seq=0, round=state.round)
    steps = [(setup, GAME.encode(state))]
    for seat, line, drawn in lines:
        GAME.apply(state, seat, parse_action(line), RecordedChance(drawn))
        entry = Entry(seat, line, drawn, at=NOON, seq=len(steps), round=state.round)
        steps.append((entry, GAME.encode(state)))
    return steps


def thrown_away() -> list[PastStep]:
    """Return a game in which seat 0 misses a win, and then seat 1 wins."""
    state = State(6, [4, 5], [[1], [1]], [0, 0], frames=[Take(0)])
    rolled = (1, 0)
    choices = ((0, "choose 1", ()), (1, "choose 2", rolled))
    return played(state, (0, "take 1", ()), *choices, (1, "take 1", ()))


async def reviewed(steps: Sequence[PastStep], seed: str = "seed") -> Review:
    return await review.review(LocalPool(1), JUDGEMENT, steps, seed, lambda _: None)


async def test_the_turning_point_is_the_missed_win() -> None:
    reported: list[float] = []
    found = await review.review(LocalPool(1), JUDGEMENT, thrown_away(), "seed", reported.append)
    (point,) = found.turning_points
    assert (point.seq, point.seat, point.round) == (0, 0, 1)
    assert (point.played, point.better) == ("take 1", "take 2")
    assert point.better_chance == 1.0
    assert point.loss == point.better_chance - point.chance > 0.3
    assert point.better_lead == 1.0
    # It reports its progress.
    assert reported == sorted(reported)
    assert 0 < reported[0] < reported[-1] <= 1
    # There is a moment at each change of the seats to act, and one with the result.
    assert [each.seq for each in found.moments] == [0, 1, 2, 4]
    assert all(sum(each.chances) == pytest.approx(1.0) for each in found.moments)
    assert found.moments[0].chances[0] > 0.5
    assert found.moments[-1].chances == (0.0, 1.0)

    best = played(State(6, [4, 5], [[1], [1]], [0, 0], frames=[Take(0)]), (0, "take 2", ()))
    assert (await reviewed(best)).turning_points == ()


async def test_a_review_is_reproducible_and_can_be_stored() -> None:
    found = await reviewed(thrown_away())
    assert await reviewed(thrown_away()) == found
    assert review.decode(review.encode(found)) == found
    # The formats of other versions are not read.
    assert review.decode(b'{"moments": 5}') is None
    assert review.decode(b"\0") is None
    with pytest.raises(SearchUnavailable):
        await review.review(SearchPool(0), JUDGEMENT, thrown_away(), "seed", lambda _: None)


async def test_only_the_last_of_changed_sealed_choices_counts() -> None:
    state = State(60, [0, 0], [[1], [1]], [0, 0])
    changed = played(
        state, (0, "choose 1", ()), (0, "choose 3", ()), (1, "choose 2", (0,)), (0, "choose 1", ())
    )
    plan = review._plan(GAME, changed)
    assert [(each.seq, each.played) for each in plan.decisions] == [
        (0, ("choose", "3")),
        (2, ("choose", "2")),
        (3, ("choose", "1")),
    ]


async def test_answers_to_offers_are_judged_but_offers_are_not() -> None:
    state = State(60, [2, 2], [[1], [1]], [0, 0], frames=[Take(0)])
    offered = played(state, (1, "gift 0", ()), (0, "accept 1", ()), (0, "take 2", ()))
    plan = review._plan(GAME, offered)
    assert [(each.decision.kind, each.played) for each in plan.decisions] == [
        ("answer", ("accept", "1")),
        ("take", ("take", "2")),
    ]


async def test_consecutive_actions_of_a_seat_are_also_judged_as_one() -> None:
    steps = thrown_away()
    first = steps[1][0]
    then = replace(first, action="take 2")
    assert review._run_of(GAME, 2, [first, then]) == ("take", "1", "+", "take", "2")
    assert review._run_of(GAME, 1, [first, then]) == ("take", "1")
    assert review._run_of(GAME, 2, [replace(first, drawn=(1,)), then]) == (
        "take",
        "1",
    )
    assert review._run_of(GAME, 2, [first, replace(then, seat=1)]) == (
        "take",
        "1",
    )


async def test_a_long_game_has_evenly_spread_moments() -> None:
    state = State(60, [0, 0], [[1], [1]], [0, 0])
    rounds = ((0, "choose 1", ()), (1, "choose 1", (2,))) * MAX_MOMENTS
    steps = played(state, *rounds)
    plan = review._plan(GAME, steps)
    seqs = [seq for seq, _round, _state in plan.moments]
    assert len(seqs) == MAX_MOMENTS
    assert (seqs[0], seqs[-1]) == (0, len(steps) - 1)
    assert {b - a for a, b in pairwise(seqs)} == {2, 3}


async def test_a_review_can_be_cancelled_and_started_again() -> None:
    reported: list[float] = []
    started = asyncio.Event()

    def progress(part: float) -> None:
        reported.append(part)
        started.set()

    task = asyncio.create_task(
        review.review(LocalPool(1), JUDGEMENT, thrown_away(), "seed", progress)
    )
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert max(reported) < 1
    assert (await reviewed(thrown_away())).turning_points


async def test_a_review_by_workers_is_equal() -> None:
    search_pool = SearchPool(1)
    try:
        found = await review.review(search_pool, JUDGEMENT, thrown_away(), "seed", lambda _: None)
    finally:
        await search_pool.close()
    assert found == await reviewed(thrown_away())
