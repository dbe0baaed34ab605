"""The review of a finished game, of games in which it is known what it must say."""

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
from bot.thinking.review import MOMENTS, PastStep, Review
from tests.games.pebbles import GAME, State, Take
from tests.games.pebbles_player import JUDGEMENT

R = TypeVar("R")
NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)


class Here(SearchPool):
    """Thinks in this process."""

    async def _run(self, job: Callable[[], Callable[[], R]]) -> R:
        return job()()


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "PAUSE_S", 0.0)


def played(state: State, *lines: tuple[int, str, tuple[int, ...]]) -> list[PastStep]:
    """The game from a state on: seat, action and what is drawn by it."""
    began = Entry(NO_SEAT, SETUP, at=NOON, seq=0, round=state.round)
    steps = [(began, GAME.encode(state))]
    for seat, line, drawn in lines:
        GAME.apply(state, seat, parse_action(line), RecordedChance(drawn))
        entry = Entry(seat, line, drawn, at=NOON, seq=len(steps), round=state.round)
        steps.append((entry, GAME.encode(state)))
    return steps


def thrown_away() -> list[PastStep]:
    """The first seat could have won at once, and takes too few; then the other one wins."""
    state = State(6, [4, 5], [[1], [1]], [0, 0], frames=[Take(0)])
    rolled = (1, 0)
    choices = ((0, "choose 1", ()), (1, "choose 2", rolled))
    return played(state, (0, "take 1", ()), *choices, (1, "take 1", ()))


async def reviewed(steps: Sequence[PastStep], seed: str = "seed") -> Review:
    return await review.review(Here(1), JUDGEMENT, steps, seed, lambda _: None)


async def test_the_turning_point_is_the_win_that_was_not_taken() -> None:
    told: list[float] = []
    found = await review.review(Here(1), JUDGEMENT, thrown_away(), "seed", told.append)
    (point,) = found.turning_points
    assert (point.seq, point.seat, point.round) == (0, 0, 1)
    assert (point.played, point.better) == ("take 1", "take 2")
    assert point.better_chance == 1.0
    assert point.loss == point.better_chance - point.chance > 0.3
    assert point.better_lead == 1.0
    # It tells how far it is.
    assert told == sorted(told)
    assert 0 < told[0] < told[-1] <= 1
    # Chances are told when others are awaited, and end with the result.
    assert [each.seq for each in found.moments] == [0, 1, 2, 4]
    assert all(sum(each.chances) == pytest.approx(1.0) for each in found.moments)
    assert found.moments[0].chances[0] > 0.5
    assert found.moments[-1].chances == (0.0, 1.0)

    best = played(State(6, [4, 5], [[1], [1]], [0, 0], frames=[Take(0)]), (0, "take 2", ()))
    assert (await reviewed(best)).turning_points == ()


async def test_a_review_is_the_same_again_and_where_it_is_kept() -> None:
    found = await reviewed(thrown_away())
    assert await reviewed(thrown_away()) == found
    assert review.decode(review.encode(found)) == found
    # One of another version is not read.
    assert review.decode(b'{"moments": 5}') is None
    assert review.decode(b"\0") is None
    with pytest.raises(SearchUnavailable):
        await review.review(SearchPool(0), JUDGEMENT, thrown_away(), "seed", lambda _: None)


async def test_of_a_sealed_answer_that_was_changed_the_last_one_counts() -> None:
    state = State(60, [0, 0], [[1], [1]], [0, 0])
    changed = played(
        state, (0, "choose 1", ()), (0, "choose 3", ()), (1, "choose 2", (0,)), (0, "choose 1", ())
    )
    plan = review._plan(GAME, changed)
    assert [(each.seq, each.played) for each in plan.decided] == [
        (0, ("choose", "3")),
        (2, ("choose", "2")),
        (3, ("choose", "1")),
    ]


async def test_proposals_are_no_decisions_but_answers_to_them_are() -> None:
    state = State(60, [2, 2], [[1], [1]], [0, 0], frames=[Take(0)])
    offered = played(state, (1, "gift 0", ()), (0, "accept 1", ()), (0, "take 2", ()))
    plan = review._plan(GAME, offered)
    assert [(each.decision.kind, each.played) for each in plan.decided] == [
        ("answer", ("accept", "1")),
        ("take", ("take", "2")),
    ]


async def test_what_a_seat_does_in_a_row_is_also_judged_as_one() -> None:
    steps = thrown_away()
    first = steps[1][0]
    then = replace(first, action="take 2")
    assert review._together(GAME, 2, [first, then]) == ("take", "1", "+", "take", "2")
    assert review._together(GAME, 1, [first, then]) == ("take", "1")
    assert review._together(GAME, 2, [replace(first, drawn=(1,)), then]) == (
        "take",
        "1",
    )
    assert review._together(GAME, 2, [first, replace(then, seat=1)]) == (
        "take",
        "1",
    )


async def test_of_a_long_game_moments_are_left_out_evenly() -> None:
    state = State(60, [0, 0], [[1], [1]], [0, 0])
    rounds = ((0, "choose 1", ()), (1, "choose 1", (2,))) * MOMENTS
    steps = played(state, *rounds)
    plan = review._plan(GAME, steps)
    seqs = [seq for seq, _round, _state in plan.moments]
    assert len(seqs) == MOMENTS
    assert (seqs[0], seqs[-1]) == (0, len(steps) - 1)
    assert {b - a for a, b in pairwise(seqs)} == {2, 3}


async def test_work_on_it_can_be_cancelled_and_begun_anew() -> None:
    told: list[float] = []
    begun = asyncio.Event()

    def tell(part: float) -> None:
        told.append(part)
        begun.set()

    task = asyncio.create_task(review.review(Here(1), JUDGEMENT, thrown_away(), "seed", tell))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert max(told) < 1
    assert (await reviewed(thrown_away())).turning_points


async def test_worked_out_by_workers_it_is_the_same() -> None:
    search_pool = SearchPool(1)
    try:
        there = await review.review(search_pool, JUDGEMENT, thrown_away(), "seed", lambda _: None)
    finally:
        await search_pool.close()
    assert there == await reviewed(thrown_away())
