"""Taking a sack, and a new one in its place (sections 6.1, 6.2 and 6.6)."""

from __future__ import annotations

import pytest

from bot.game.guatemala import GAME
from bot.game.guatemala.data import COLOUR_KEYS
from tests.game.guatemala.positions import (
    FULL,
    asked,
    at,
    bag,
    empty_spaces,
    faced,
    facts,
    hand,
    harvest,
    money,
    play,
    points,
    refused,
    table,
    words,
)

HANDS = ("black brown red", "red white")


# Sections 6.1 and 6.2


def test_the_sack_of_the_line_goes_to_the_last_space_of_the_score_track() -> None:
    state = table(buyer="t4", sack="red", hands=HANDS)
    events = play(state, 0, "take")
    assert facts(events, "sack_taken") == [
        {"seat": 0, "colour": "red", "space": "14", "at": 79, "money": 8}
    ]
    assert GAME.view(state, 1).track == ("red",)
    assert at(state, "14") == ""


@pytest.mark.parametrize("last_space", [79, 99])
@pytest.mark.parametrize("lying", range(1, 4))
def test_each_further_sack_goes_to_the_space_before(last_space: int, lying: int) -> None:
    track = " ".join(["white", "black", "white"][:lying])
    state = table(buyer="t4", sack="red", track=track, last_space=last_space)
    assert facts(play(state, 0, "take"), "sack_taken")[0]["at"] == last_space - lying
    assert GAME.view(state, 0).track == (*track.split(), "red")


def test_a_space_with_a_score_marker_counts_as_free() -> None:
    state = table(buyer="t4", sack="red", track="white", score=(0, 78))
    assert facts(play(state, 0, "take"), "sack_taken")[0]["at"] == 78


def test_the_sack_is_reached_from_all_four_sides_of_its_row_and_column() -> None:
    for buyer in ("t4", "b4", "l1", "r1"):
        state = table(buyer=buyer, sack="white")
        assert facts(play(state, 0, "take"), "sack_taken")[0]["space"] == "14"


def test_whoever_takes_a_sack_gets_eight_centavos_before_anybody_answers() -> None:
    state = table(buyer="t4", sack="red", money=(0, 3), hands=HANDS)
    play(state, 0, "take")
    assert asked(state) == [(1, "block")]
    assert money(state) == [8, 3]


def test_the_bank_never_runs_dry() -> None:
    """Ruling 40: there are coins for 128 centavos in the box."""
    state = table(buyer="t4", sack="red", money=(200, 300), hands=HANDS)
    play(state, 0, "take")
    assert money(state) == [208, 300]


@pytest.mark.parametrize("buyer", ["t1", "t5", "t9", "r2", "r5", "r8", "b1", "l2"])
def test_where_the_line_never_holds_a_sack_none_is_taken(buyer: str) -> None:
    """Ruling 29."""
    state = table(buyer=buyer)
    assert "take" not in words(state, 0)
    assert refused(state, 0, "take").code == "no_sack"


def test_where_the_sack_of_the_line_is_gone_none_is_taken() -> None:
    state = table(buyer="t4", sack="-")
    assert words(state, 0) == ("buy", "end")
    assert refused(state, 0, "take").code == "no_sack"


def test_a_sack_of_a_colour_may_be_taken_without_a_plantation_of_it() -> None:
    """Ruling 28: money for its taker, points for the others."""
    state = table(
        buyer="t4",
        sack="red",
        huts=({}, {"red": "b2"}),
        workers=({}, {"red": "a2 c2"}),
        hands=HANDS,
    )
    harvest(state)
    assert money(state) == [23, 15]
    assert points(state) == [0, 2]


def test_after_taking_a_sack_nothing_is_bought() -> None:
    """Section 4.2: one of the two actions."""
    state = table(buyer="t4", sack="red", hands=HANDS)
    harvest(state)
    assert asked(state) == [(0, "refill")]
    assert refused(state, 0, "buy 24 a1").code == "not_now"
    play(state, 0, "refill red")
    assert asked(state) == [(1, "step")]


# Section 6.6: a new sack, ruling 31


def test_the_seat_on_turn_puts_a_sack_of_its_hand_on_the_emptied_space() -> None:
    state = table(buyer="t4", sack="red", hands=HANDS)
    harvest(state)
    assert words(state, 0, "refill") == ("black", "brown", "red")
    events = play(state, 0, "refill brown")
    assert facts(events, "refilled") == [{"seat": 0, "colour": "brown", "space": "14"}]
    assert at(state, "14") == "brown_sack"
    assert hand(state, 0) == "black red"
    assert facts(events, "turn_ended") == [{"seat": 0}]
    assert asked(state) == [(1, "step")]


@pytest.mark.parametrize("colour", COLOUR_KEYS)
def test_any_colour_of_the_hand_will_do_also_that_of_the_sack_taken(colour: str) -> None:
    state = table(buyer="t4", sack="red", hands=(FULL,))
    harvest(state)
    play(state, 0, f"refill {colour}")
    assert at(state, "14") == f"{colour}_sack"


def test_a_sack_that_the_hand_does_not_hold_is_not_laid() -> None:
    state = table(buyer="t4", sack="red", hands=HANDS)
    harvest(state)
    refusal = refused(state, 0, "refill white")
    assert (refusal.code, refusal.facts["colour"]) == ("no_such_sack", "white")
    assert refused(state, 1, "refill red").code == "not_your_turn"


def test_two_sacks_of_one_colour_are_asked_about_as_any_two() -> None:
    """Ruling 45: not to be asked would tell of them."""
    state = table(buyer="t4", sack="red", hands=("white white", ""))
    harvest(state)
    assert asked(state) == [(0, "refill")]
    assert words(state, 0, "refill") == ("white",)


def test_the_last_sack_of_a_hand_is_laid_without_a_question() -> None:
    """Ruling 45."""
    state = table(buyer="t4", sack="red", hands=("white", "red red"))
    events = harvest(state)
    assert facts(events, "refilled") == [{"seat": 0, "colour": "white", "space": "14"}]
    assert at(state, "14") == "white_sack"
    assert hand(state, 0) == ""
    assert asked(state) == [(1, "step")]


def test_with_an_empty_hand_a_sack_is_drawn_blindly_from_the_bag() -> None:
    state = table(buyer="t4", sack="red", hands=("", "red"), bag="white white beige")
    events = harvest(state, drawn=[3])
    assert facts(events, "refilled_blindly") == [{"seat": 0, "colour": "beige", "space": "14"}]
    assert at(state, "14") == "beige_sack"
    assert bag(state) == "white white"
    assert asked(state) == [(1, "step")]


def test_each_sack_in_the_bag_is_drawn_as_likely_as_any_other() -> None:
    drawn = []
    for place in range(3):
        state = table(buyer="t4", sack="red", hands=("", "red"), bag="white white beige")
        harvest(state, drawn=[(3, 4, 4)[place]])
        drawn.append(at(state, "14"))
    assert drawn == ["beige_sack", "white_sack", "white_sack"]


def test_the_bag_is_touched_by_nobody_who_has_a_sack() -> None:
    state = table(buyer="t4", sack="red", hands=("white", ""), bag="black black")
    harvest(state, drawn=())
    assert bag(state) == "black black"


def test_with_an_empty_hand_and_an_empty_bag_the_space_stays_empty() -> None:
    state = table(buyer="t4", sack="red", hands=("", "red"), bag="")
    events = harvest(state, drawn=())
    assert facts(events, "left_empty") == [{"seat": 0, "space": "14"}]
    assert empty_spaces(state) == ["14"]
    assert asked(state) == [(1, "step")]


def test_a_framed_space_left_empty_stays_so_and_gives_no_more_sacks() -> None:
    state = table(buyer="t4", sack="-", hands=("red", "red"))
    play(state, 0, "buy 24 a1")
    play(state, 0, "end")
    assert at(state, "14") == ""
    assert faced(state) == "t4"


def test_seven_sacks_of_a_colour_are_all_there_are() -> None:
    """Section 1: after all of them were taken none is left to lay."""
    state = table(buyer="t4", sack="red", track="red red red red red", hands=("white white",))
    assert GAME.view(state, 0).track.count("red") == 5
    harvest(state)
    assert words(state, 0, "refill") == ("white",)
