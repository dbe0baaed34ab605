"""Huts: where they may stand, and for how much (sections 5.3 and 5.4, rulings 8, 11 and 13)."""

from __future__ import annotations

import pytest

from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.plantation import board_for, members
from tests.game.guatemala.positions import facts, hut_of, money, play, refused, table, words

RED = "red hut, red worker, red hut"


@pytest.mark.parametrize(("row", "price"), [(2, 6), (5, 4), (8, 2)])
@pytest.mark.parametrize("colour", COLOUR_KEYS)
def test_a_hut_costs_what_its_cell_says_whatever_its_colour(
    colour: str, row: int, price: int
) -> None:
    """Ruling 11."""
    for seats, column in ((2, "e"), (4, "m")):
        state = table(seats=seats, line=f"{colour} hut")
        events = play(state, 0, f"buy 11 {column}{row}")
        assert facts(events, "piece_bought")[0]["price"] == price
        assert money(state)[0] == 15 - price
        assert hut_of(state, 0, colour) == f"{column}{row}"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_huts_stand_on_hut_cells_alone(seats: int) -> None:
    board = board_for(seats)
    state = table(seats=seats, line=RED)
    cells = words(state, 0, "buy 11")
    assert cells == tuple(board.names[cell] for cell in members(board.hut_cells))
    assert len(cells) == {2: 12, 3: 18, 4: 24}[seats]
    assert refused(state, 0, "buy 11 c3").code == "no_hut_cell"


def test_with_three_players_no_hut_stands_on_a_covered_cell() -> None:
    """Section 2.2."""
    state = table(seats=3, line=RED)
    for place in ("a2", "a5", "a8", "d2", "d5", "d8"):
        assert refused(state, 0, f"buy 11 {place}").code == "path_closed"


def test_there_is_one_hut_a_cell() -> None:
    state = table(line=RED, huts=({"white": "b2"}, {"black": "e2"}))
    for place in ("b2", "e2"):
        assert place not in words(state, 0, "buy 11")
        assert refused(state, 0, f"buy 11 {place}").code == "occupied"


def test_nobody_builds_two_huts_of_one_colour_in_a_turn() -> None:
    """Section 5.1."""
    state = table(line=RED)
    play(state, 0, "buy 11 b8")
    assert "31" not in words(state, 0, "buy")
    refusal = refused(state, 0, "buy 31 e8")
    assert (refusal.code, refusal.facts["colour"]) == ("hut_built", "red")


def test_nobody_ever_builds_a_second_hut_of_a_colour() -> None:
    """Ruling 8: one plantation of each colour a player."""
    state = table(line=RED, huts=({"red": "b8"},), workers=({"red": "c8 d8"},))
    assert "11" not in words(state, 0, "buy")
    assert refused(state, 0, "buy 11 e8").code == "hut_built"


def test_three_huts_of_different_colours_are_bought_in_one_turn() -> None:
    state = table(line="red hut, white hut, black hut")
    for line in ("buy 11 b8", "buy 21 e8", "buy 31 h8"):
        play(state, 0, line)
    assert [hut_of(state, 0, key) for key in ("red", "white", "black")] == ["b8", "e8", "h8"]


def test_others_may_have_a_hut_of_the_same_colour_elsewhere() -> None:
    state = table(line=RED, huts=({}, {"red": "b8"}))
    play(state, 0, "buy 11 e8")
    assert (hut_of(state, 0, "red"), hut_of(state, 1, "red")) == ("e8", "b8")


# Ruling 13: a hut added later


def test_a_hut_added_later_joins_its_plantation_orthogonally() -> None:
    state = table(line=RED, workers=({"red": "c5 d5"},))
    assert words(state, 0, "buy 11") == ("b5", "e5")
    for place in ("b2", "h5"):
        refusal = refused(state, 0, f"buy 11 {place}")
        assert (refusal.code, refusal.facts["colour"]) == ("not_joined", "red")


def test_a_hut_does_not_join_a_plantation_at_a_corner() -> None:
    state = table(line=RED, workers=({"red": "d4 c4"},))
    assert "11" not in words(state, 0, "buy")
    assert refused(state, 0, "buy 11 e5").code == "cannot_place"


def test_a_hut_may_be_added_in_the_turn_of_its_first_worker() -> None:
    state = table(line=RED)
    play(state, 0, "buy 21 b1")
    assert words(state, 0, "buy 11") == ("b2",)
    play(state, 0, "buy 11 b2")
    assert hut_of(state, 0, "red") == "b2"


def test_the_plantation_of_another_colour_is_no_bar() -> None:
    """Ruling 17."""
    workers = ({"white": "b1", "brown": "a2"}, {"black": "c2", "beige": "b3"})
    state = table(line=RED, workers=workers)
    play(state, 0, "buy 11 b2")
    assert hut_of(state, 0, "red") == "b2"


# Section 5.6, ruling 16: it joins nobody else's


@pytest.mark.parametrize("worker", ["b1", "a2", "c2", "b3"])
def test_no_hut_stands_beside_a_worker_of_the_same_colour_of_another(worker: str) -> None:
    state = table(line=RED, workers=({}, {"red": worker}))
    assert "b2" not in words(state, 0, "buy 11")
    refusal = refused(state, 0, "buy 11 b2")
    assert (refusal.code, refusal.facts["other"]) == ("joins_other", 1)


def test_no_hut_joins_the_own_plantation_to_anothers() -> None:
    state = table(line=RED, workers=({"red": "a2"}, {"red": "c2"}))
    assert "11" not in words(state, 0, "buy")
    assert refused(state, 0, "buy 11 b2").code == "cannot_place"


def test_no_hut_stands_beside_a_hut_of_the_same_colour_of_another() -> None:
    """Section 5.6; on the larger board hut cells of two paths adjoin."""
    state = table(seats=4, line=RED, huts=({}, {"red": "d5"}))
    assert "e5" not in words(state, 0, "buy 11")
    assert refused(state, 0, "buy 11 e5").code == "joins_other"
    assert "e2" in words(state, 0, "buy 11")


def test_a_worker_at_its_corner_does_not_keep_a_hut_away() -> None:
    state = table(line=RED, workers=({}, {"red": "a1"}))
    play(state, 0, "buy 11 b2")
    assert hut_of(state, 0, "red") == "b2"


# Paying


def test_of_the_legal_cells_those_are_listed_that_can_be_paid() -> None:
    state = table(line=RED, money=(5, 15))
    assert {place[1] for place in words(state, 0, "buy 11")} == {"5", "8"}
    refusal = refused(state, 0, "buy 11 b2")
    assert (refusal.code, refusal.facts["price"], refusal.facts["money"]) == ("too_dear", 6, 5)
    state = table(line=RED, money=(1, 15))
    assert refused(state, 0, "buy 11 b8").code == "cannot_place"


@pytest.mark.parametrize("place", ["port1", "a1-b1"])
def test_a_hut_stands_on_a_cell_and_nowhere_else(place: str) -> None:
    assert refused(table(line=RED), 0, f"buy 11 {place}").code == "wrong_place"
