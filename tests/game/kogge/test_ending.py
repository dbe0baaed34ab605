"""Both ends of the game, and the scoring."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.contract import Action
from bot.game.events import GameEnded, TurnEnded
from bot.game.kogge import GAME
from bot.game.kogge.ending import outcome
from bot.game.kogge.guild_deals import ChitBought
from bot.game.kogge.state import KoggeOver, KoggeState
from tests.game.kogge.places import ABO, DANZIG, REVAL, RIGA, STOCKHOLM
from tests.game.kogge.positions import asked, kinds, play, refused, table, told

FOUR_OFFICES = {STOCKHOLM: [(0, "")], ABO: [(0, "")], RIGA: [(0, "")], DANZIG: [(0, "")]}


def over(**position: Any) -> KoggeState:
    """A table whose guild master has just ended the game."""
    return table(asked=KoggeOver("laps"), **position)


def test_a_fifth_office_ends_the_game_at_once() -> None:
    """Ruling 30: only who has no bonus chit can come to it."""
    state = table(hands=("oas3", "8"), offices=FOUR_OFFICES)
    events = play(state, 0, "build both")
    assert told(events, GameEnded) == [GameEnded(ending="development")]
    result = GAME.outcome(state)
    assert result is not None
    assert (result.ending, result.winners, result.scores) == ("development", (0,), (5, 0))
    assert asked(state) == []


def test_a_chit_may_be_the_fifth_point() -> None:
    """Difference 24: the fifth point ends the game when it is gained."""
    state = table(hands=("oooooo",), guild=REVAL, offices=FOUR_OFFICES)
    events = play(state, 0, "sell_six ore secret")
    assert told(events, ChitBought)[0].points == 5
    assert told(events, GameEnded) == [GameEnded(ending="development")]


def test_four_points_end_nothing() -> None:
    offices = {city: there for city, there in FOUR_OFFICES.items() if city != ABO}
    state = table(hands=("oas3",), offices=offices)
    play(state, 0, "build both")
    assert GAME.outcome(state) is None


def test_with_five_development_points_victory_points_do_not_count() -> None:
    """Difference 25."""
    state = table(hands=("oas3", "ssssaaaa"), offices=FOUR_OFFICES, chits={1: ("three", "spaces")})
    play(state, 0, "build both")
    result = GAME.outcome(state)
    assert result is not None
    assert result.winners == (0,)
    assert result.scores == (5, 2)


def test_victory_points_count_offices_chits_unused_raids_and_goods() -> None:
    """The table at the end of both texts: 10, 20, 10; 7, 5, 3, 1."""
    state = over(
        hands=("oofaas5", ""),
        offices={REVAL: [(0, "f"), (1, "")]},
        chits={0: ("three",)},
    )
    result = outcome(state)
    assert result is not None
    assert dict(result.lines) == {
        "offices": (10, 10),
        "chits": (20, 0),
        "raids": (10, 10),
        "ore": (2, 0),
        "fur": (6, 0),
        "amber": (10, 0),
        "salt": (7, 0),
    }
    assert result.scores == (65, 20)
    assert result.winners == (0,)


def test_goods_in_offices_count_for_the_owner() -> None:
    result = outcome(over(offices={REVAL: [(1, "fff")]}))
    assert result is not None
    assert dict(result.lines)["fur"] == (0, 9)


@pytest.mark.parametrize(
    ("raids", "second", "points"),
    [({}, (), 10), ({REVAL: (0,)}, (), 0), ({}, (0,), 20), ({REVAL: (0,)}, (0,), 10)],
)
def test_only_raids_in_hand_count(
    raids: dict[int, tuple[int, ...]], second: tuple[int, ...], points: int
) -> None:
    """Ruling 29: one never bought is nobody's."""
    result = outcome(over(raids=raids, second_raid=second))
    assert result is not None
    assert dict(result.lines)["raids"][0] == points


def test_markers_are_worth_nothing() -> None:
    result = outcome(over(hands=("88776655", "")))
    assert result is not None
    assert result.scores == (10, 10)


def test_equal_points_share_the_victory() -> None:
    """Ruling 41."""
    result = outcome(over(seats=3, hands=("s", "af", "aoo")))
    assert result is not None
    assert result.scores == (17, 18, 17)
    assert result.winners == (1,)
    result = outcome(over(seats=3, hands=("s", "", "aoo")))
    assert result is not None
    assert result.winners == (0, 2)


@pytest.mark.parametrize("action", [("stop",), ("offer", "1", "o", ""), ("withdraw", "1"), ()])
def test_after_the_end_nothing_can_be_done(action: Action) -> None:
    state = over(ships=(REVAL, REVAL), hands=("o", "o"))
    assert kinds(state, 0) == ()
    assert refused(state, 0, action).code == ("game_over" if action else "unknown_kind")
    assert GAME.pending(state) == ()


def test_the_end_voids_open_offers() -> None:
    state = table(ships=(REVAL, REVAL), hands=("oas3f", "8"), offices=FOUR_OFFICES)
    play(state, 0, "offer 1 f -")
    play(state, 0, "build both")
    assert state.offers == []


def test_others_do_not_finish_their_turns() -> None:
    state = table(seats=3, hands=("oas3",), offices=FOUR_OFFICES)
    events = play(state, 0, "build both")
    assert events[-1].kind == "game_ended"
    assert told(events, TurnEnded) == []
