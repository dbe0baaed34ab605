"""The end of the game and its ties (sections 7.5 and 7.6, decision 10)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.state import LEFT, MONEY, POINTS, BurgundyState
from bot.game.contract import Outcome
from tests.game.burgundy.positions import facts, finish, points, table


def ended(state: BurgundyState) -> Outcome:
    for seat in state.order[state.at :]:
        finish(state, seat)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome


def last_round(**others: Any) -> BurgundyState:
    return table(round_=25, coming="", left=(), **others)


def test_what_is_left_counts_at_the_end() -> None:
    """A point for each goods tile and each silverling, one for two workers, rounded down; tiles
    in storage count nothing."""
    state = last_round(goods_of=("1123",), silverlings=3, workers=5, stored="ship castle")
    ended(state)
    assert points(state, 0) == {"left_goods": 4, "silverlings": 3, "workers": 2}


def test_knowledge_tiles_count_at_the_end_only_in_the_estate() -> None:
    estate = {"d4": "castle", "c4": "k25", "b4": "k15"}
    state = last_round(estates=(estate,), sold=("11123",), stored="k24")
    ended(state)
    assert points(state, 0) == {"knowledge": 5 + 9}


def test_the_last_silverlings_of_mines_count() -> None:
    state = last_round(estates=({"d4": "castle", "e3": "mine"},))
    ended(state)
    assert points(state, 0) == {"silverlings": 1}


def test_every_point_of_the_result_has_its_line() -> None:
    state = last_round(goods_of=("1123", "4"), silverlings=3)
    state.players[0].points[0] = 21
    outcome = ended(state)
    assert [name for name, _ in outcome.lines] == list(POINTS)
    # Seat 1 has taken four workers, which are two points.
    assert outcome.scores == (21 + 4 + 3, 1 + 2)
    assert dict(outcome.lines)["left_goods"] == (4, 1)
    assert (outcome.winners, outcome.ending) == ((0,), "points")


def test_the_end_tells_what_each_seat_scores() -> None:
    state = last_round(goods_of=("11", ""), silverlings=1)
    finish(state, 0)
    events = finish(state, 1)
    assert {"seat": 0, "item": POINTS[LEFT], "points": 2} in facts(events, "scored")
    assert {"seat": 0, "item": POINTS[MONEY], "points": 1} in facts(events, "scored")
    assert facts(events, "game_ended") == [{"ending": "points"}]


@pytest.mark.parametrize(("ties", "winner"), [("fullest", 1), ("emptiest", 0)])
def test_equal_points_are_decided_by_the_estate(ties: str, winner: int) -> None:
    """Four workers each, two points; the second seat covers a space more."""
    state = last_round(
        estates=({"d4": "castle"}, {"d4": "castle", "d5": "ship"}),
        options={"ties": ties},
        workers=4,
    )
    outcome = ended(state)
    assert outcome.scores == (2, 2)
    assert (outcome.winners, outcome.ending) == ((winner,), "estate")


@pytest.mark.parametrize(("ties", "winner"), [("fullest", 1), ("emptiest", 0)])
def test_equal_points_and_estates_are_decided_by_the_track(ties: str, winner: int) -> None:
    state = last_round(track=[(0,), (1,)], options={"ties": ties}, workers=4)
    outcome = ended(state)
    assert outcome.scores == (2, 2)
    assert (outcome.winners, outcome.ending) == ((winner,), "order")
