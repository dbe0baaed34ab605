"""Buying pieces out of the line and placing them at once (sections 5.1, 5.2 and 5.9)."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.game.choices import OneOf
from bot.game.guatemala.production import POSITION_OF_NAME, SPACE_NAMES, line_of
from tests.game.guatemala.positions import (
    LINES,
    asked,
    at,
    empty_spaces,
    faced,
    facts,
    money,
    play,
    refused,
    table,
    words,
    workers_of,
)

THREE = "red worker, white worker, black worker, beige worker"


def test_a_piece_is_taken_from_its_space_placed_and_paid_at_once() -> None:
    state = table(line=THREE)
    events = play(state, 0, "buy 21 a1")
    assert workers_of(state, 0, "white") == ["a1"]
    assert at(state, "21") == ""
    assert money(state) == [12, 15]
    assert facts(events, "piece_bought") == [
        {
            "seat": 0,
            "piece": "worker",
            "colour": "white",
            "space": "21",
            "place": "a1",
            "price": 3,
        }
    ]
    assert asked(state) == [(0, "act")]


def test_up_to_three_pieces_are_bought_in_a_turn() -> None:
    state = table(line=THREE)
    for line in ("buy 11 a1", "buy 21 c1", "buy 31 e1"):
        play(state, 0, line)
    assert words(state, 0) == ("end",)
    refusal = refused(state, 0, "buy 41 g1")
    assert (refusal.code, refusal.facts["count"]) == ("enough_pieces", 3)


def test_the_turn_is_not_over_before_its_seat_says_so() -> None:
    """Ruling 47: also after the third piece."""
    state = table(line=THREE)
    for line in ("buy 11 a1", "buy 21 c1", "buy 31 e1"):
        play(state, 0, line)
    assert asked(state) == [(0, "act")]
    play(state, 0, "end")
    assert asked(state) == [(1, "step")]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_are_allowed_and_none_too(count: int) -> None:
    """Ruling 5."""
    state = table(line=THREE)
    for line in ("buy 11 a1", "buy 21 c1")[:count]:
        play(state, 0, line)
    assert "end" in words(state, 0)
    play(state, 0, "end")
    assert asked(state) == [(1, "step")]


def test_pieces_of_any_kind_and_colour_are_bought_in_one_turn() -> None:
    state = table(line="red hut, road, white ship, red worker")
    for line in ("buy 11 b8", "buy 21 f1-g1", "buy 31 port1"):
        play(state, 0, line)
    assert money(state) == [15 - 2 - 0 - 1, 15]


@pytest.mark.parametrize("buyer", ["t1", "b1", "l3", "r3"])
def test_all_nine_spaces_of_the_line_can_be_reached(buyer: str) -> None:
    """Ruling 1: from either end, a row or a column; of these lines all but a sack."""
    state = table(buyer=buyer, money=99, lying="- - - - - -")
    line = [SPACE_NAMES[space] for space in line_of(POSITION_OF_NAME[buyer])]
    there = [space for space in line if at(state, space)]
    assert len(there) == 9 - (buyer[1] == "3")
    assert list(words(state, 0, "buy")) == there


def test_nothing_outside_the_line_is_bought() -> None:
    state = table(buyer="t1")
    refusal = refused(state, 0, "buy 12 a1")
    assert (refusal.code, refusal.facts["space"]) == ("not_in_line", "12")
    assert refused(state, 0, "buy 10 a1").code == "not_a_choice"


def test_sacks_are_never_bought() -> None:
    """Section 5.1."""
    state = table(buyer="t4", sack="red")
    assert "14" not in words(state, 0, "buy")
    for place in ("a1", "b2", "port1", "a1-b1"):
        assert refused(state, 0, f"buy 14 {place}").code == "sacks_not_bought"


def test_an_empty_space_holds_nothing_to_buy() -> None:
    state = table(line="-, red worker", stock=0)
    assert "11" not in words(state, 0, "buy")
    assert refused(state, 0, "buy 11 a1").code == "no_piece"


def test_a_piece_bought_in_this_turn_is_gone() -> None:
    state = table(line=THREE)
    play(state, 0, "buy 11 a1")
    assert words(state, 0, "buy")[0] == "21"
    assert refused(state, 0, "buy 11 c1").code == "no_piece"


def test_later_pieces_build_on_earlier_ones() -> None:
    """Section 5.2, ruling 10."""
    state = table(line="red worker, red hut, red worker, white hut", money=20)
    assert "b1" in words(state, 0, "buy 11")
    play(state, 0, "buy 21 b2")
    assert words(state, 0, "buy 11") == ("b1", "a2", "c2", "b3")
    play(state, 0, "buy 11 c2")
    assert words(state, 0, "buy 31") == ("b1", "c1", "a2", "d2", "b3", "c3")
    play(state, 0, "buy 31 d2")
    assert workers_of(state, 0, "red") == ["c2", "d2"]


def test_what_cannot_be_paid_may_not_be_taken() -> None:
    """Ruling 9: of a worker only the places that can be paid, of a dearer piece none."""
    state = table(
        line="red worker, red hut, red ship, road", money=(1, 15), ships={"port1": "white"}
    )
    assert words(state, 0, "buy")[:2] == ("11", "41")
    assert {place[1] for place in words(state, 0, "buy 11")} == {"7", "8", "9"}
    refusal = refused(state, 0, "buy 11 a1")
    assert (refusal.code, refusal.facts["price"], refusal.facts["money"]) == ("too_dear", 3, 1)
    assert refused(state, 0, "buy 21 b2").code == "cannot_place"
    assert refused(state, 0, "buy 31 port1").code == "cannot_place"


def test_each_piece_is_paid_before_the_next_one_is_taken() -> None:
    state = table(line=THREE, money=(4, 15))
    play(state, 0, "buy 11 a1")
    assert {place[1] for place in words(state, 0, "buy 21")} == {"7", "8", "9"}
    play(state, 0, "buy 21 a9")
    assert money(state) == [0, 15]
    assert words(state, 0) == ("end",)
    assert refused(state, 0, "buy 31 a7").code == "nothing_to_buy"


def test_without_money_only_roads_can_be_had() -> None:
    state = table(line="road, red worker, white hut", money=(0, 15))
    assert words(state, 0, "buy") == ("11",)
    state = table(money=(0, 15))
    assert "buy" not in words(state, 0)
    assert refused(state, 0, "buy 11 a1").code == "nothing_to_buy"


def test_after_buying_no_sack_can_be_taken() -> None:
    """Section 4.2: one of the two actions."""
    state = table(buyer="t4", sack="red", line="red worker")
    assert words(state, 0) == ("buy", "take", "end")
    play(state, 0, "buy 24 a1")
    assert words(state, 0) == ("buy", "end")
    assert refused(state, 0, "take").code == "already_bought"


def test_only_the_seat_on_turn_buys() -> None:
    state = table(seats=3, line=THREE)
    for seat in (1, 2):
        assert refused(state, seat, "buy 11 a1").code == "not_your_turn"
        assert refused(state, seat, "end").code == "not_your_turn"


def test_pieces_are_placed_for_oneself() -> None:
    """Ruling 15: an action has no word for another owner."""
    state = table(line="red worker, white worker", workers=({}, {"red": "a9"}))
    play(state, 0, "buy 11 c9")
    assert (workers_of(state, 0, "red"), workers_of(state, 1, "red")) == (["c9"], ["a9"])
    assert refused(state, 0, "buy 21 c7 1").code == "too_many_words"


# How many places are divided


@pytest.mark.parametrize(("seats", "regions"), [(2, 12), (3, 12), (4, 12)])
def test_places_on_land_are_chosen_by_region_and_ports_by_name(seats: int, regions: int) -> None:
    """A piece, a region and a place: three presses."""
    state = table(seats=seats, line="red worker, red hut, road, red ship")
    for space in ("11", "21", "31"):
        places = LINES.domain(state, 0, f"buy {space}")
        assert isinstance(places, OneOf)
        (grouping,) = places.groups
        assert grouping.param == "region"
        divided = Counter(map(grouping.of, places.values))
        assert len(divided) <= regions
        assert "" not in divided
        assert max(divided.values()) <= 25
    ports = LINES.domain(state, 0, "buy 41")
    assert isinstance(ports, OneOf)
    assert ports.groups == ()


# Section 5.9: roads fill the emptied spaces


def test_when_the_placing_is_over_each_emptied_space_is_filled_with_a_road() -> None:
    state = table(line=THREE)
    play(state, 0, "buy 21 a1")
    play(state, 0, "buy 11 c1")
    assert (at(state, "11"), at(state, "21")) == ("", "")
    assert state.stock == 50
    events = play(state, 0, "end")
    assert facts(events, "roads_filled") == [{"spaces": ("21", "11")}]
    assert (at(state, "11"), at(state, "21"), at(state, "31")) == ("road", "road", "black_worker")
    assert state.stock == 48


def test_roads_so_laid_can_be_bought_later() -> None:
    state = table(line=THREE)
    play(state, 0, "buy 11 a1")
    play(state, 0, "end")
    for seat in (1, 0) * 6:
        play(state, seat, "move 3")
        if faced(state) != "t1":
            play(state, seat, "end")
            state.idle = 0
    assert faced(state) == "t1"
    play(state, 0, "buy 11 a1-b1")
    events = play(state, 0, "end")
    assert facts(events, "roads_filled") == [{"spaces": ("11",)}]
    assert at(state, "11") == "road"


def test_a_bought_road_leaves_its_space_for_another_one() -> None:
    state = table(line="road, red worker")
    stock = state.stock
    play(state, 0, "buy 11 a1-b1")
    assert at(state, "11") == ""
    play(state, 0, "end")
    assert at(state, "11") == "road"
    assert state.stock == stock - 1


@pytest.mark.parametrize("stock", [0, 1, 2, 3])
def test_when_roads_run_out_they_lie_where_pieces_were_taken_first(stock: int) -> None:
    """Ruling 30."""
    state = table(line=THREE, stock=stock)
    for line in ("buy 31 a1", "buy 11 c1", "buy 21 e1"):
        play(state, 0, line)
    events = play(state, 0, "end")
    filled = ("31", "11", "21")[:stock]
    assert facts(events, "roads_filled") == ([{"spaces": filled}] if filled else [])
    assert set(empty_spaces(state)) == {"31", "11", "21"} - set(filled)
    assert state.stock == 0


def test_a_space_left_empty_stays_so() -> None:
    """Roads on the plantation board never come back (rule text, a)."""
    state = table(line="-, red worker", stock=1)
    play(state, 0, "buy 21 a1")
    play(state, 0, "end")
    assert (at(state, "11"), at(state, "21")) == ("", "road")


def test_the_space_of_a_sack_is_never_filled_with_a_road() -> None:
    """Ruling 30."""
    state = table(buyer="t4", sack="-", line="red worker")
    assert at(state, "14") == ""
    play(state, 0, "buy 24 a1")
    events = play(state, 0, "end")
    assert facts(events, "roads_filled") == [{"spaces": ("24",)}]
    assert at(state, "14") == ""


def test_who_buys_nothing_leaves_no_space_to_fill() -> None:
    state = table(line=THREE)
    assert facts(play(state, 0, "end"), "roads_filled") == []
    assert state.stock == 50
