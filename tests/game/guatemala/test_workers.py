"""Workers: where they may stand, and for how much (sections 5.3 and 5.5, rulings 12 to 18)."""

from __future__ import annotations

import pytest

from bot.game.guatemala.plantation import board_for, members
from tests.game.guatemala.positions import facts, money, play, refused, table, words, workers_of

RED = "red worker, red worker, red worker"


@pytest.mark.parametrize(
    ("row", "price"), [(1, 3), (2, 3), (3, 3), (4, 2), (5, 2), (6, 2), (7, 1), (8, 1), (9, 1)]
)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_worker_costs_three_at_the_coast_two_in_the_middle_one_in_the_mountains(
    seats: int, row: int, price: int
) -> None:
    state = table(seats=seats, line=RED)
    events = play(state, 0, f"buy 11 c{row}")
    assert facts(events, "piece_bought")[0]["price"] == price
    assert money(state)[0] == 15 - price


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_worker_of_a_colour_stands_anywhere_but_on_hut_cells(seats: int) -> None:
    """Ruling 12."""
    board = board_for(seats)
    state = table(seats=seats, line=RED)
    assert words(state, 0, "buy 11") == tuple(board.names[cell] for cell in members(board.land))
    hut = board.names[members(board.hut_cells)[0]]
    assert refused(state, 0, f"buy 11 {hut}").code == "hut_cell"


def test_with_three_players_workers_stand_in_the_closed_strip_but_on_no_covered_cell() -> None:
    """Section 2.2."""
    state = table(seats=3, line=RED)
    play(state, 0, "buy 11 b1")
    play(state, 0, "buy 21 b2")
    assert "a2" not in words(state, 0, "buy 31")
    assert refused(state, 0, "buy 31 a2").code == "path_closed"
    assert refused(state, 0, "buy 31 d8").code == "path_closed"


def test_there_is_one_worker_a_cell_whoever_owns_it() -> None:
    state = table(
        line="red worker, white worker",
        workers=({"red": "a9", "black": "b9"}, {"beige": "c9"}),
        huts=({}, {"brown": "b8"}),
    )
    assert words(state, 0, "buy 11") == ("a8",)
    for place in ("a9", "b9", "c9"):
        assert place not in words(state, 0, "buy 21")
        assert refused(state, 0, f"buy 21 {place}").code == "occupied"


def test_further_workers_join_a_worker_of_the_same_own_plantation_orthogonally() -> None:
    """Ruling 14: at a corner there is no contact."""
    state = table(line=RED, workers=({"red": "d4"},))
    assert words(state, 0, "buy 11") == ("d3", "c4", "e4", "d5")
    for place in ("c3", "e3", "c5", "f4", "d6"):
        refusal = refused(state, 0, f"buy 11 {place}")
        assert (refusal.code, refusal.facts["colour"]) == ("not_joined", "red")


def test_further_workers_join_the_hut_orthogonally() -> None:
    state = table(line=RED, huts=({"red": "e5"},))
    assert words(state, 0, "buy 11") == ("e4", "d5", "f5", "e6")
    assert refused(state, 0, "buy 11 d4").code == "not_joined"


def test_further_workers_join_any_cell_of_the_plantation_and_no_hut_cell() -> None:
    state = table(line=RED, huts=({"red": "e5"},), workers=({"red": "d5 c5"},))
    assert words(state, 0, "buy 11") == ("c4", "d4", "e4", "f5", "c6", "d6", "e6")
    assert refused(state, 0, "buy 11 b5").code == "hut_cell"


def test_a_worker_of_another_colour_is_no_contact() -> None:
    state = table(line=RED, workers=({"red": "a9", "white": "d4"},))
    assert refused(state, 0, "buy 11 d5").code == "not_joined"


def test_a_plantation_of_one_colour_is_one_and_no_second_one_is_begun() -> None:
    """Section 5.4: at most one of each colour a player."""
    state = table(line=RED, workers=({"red": "a9"},))
    assert words(state, 0, "buy 11") == ("a8", "b9")
    play(state, 0, "buy 11 a8")
    assert refused(state, 0, "buy 21 l9").code == "not_joined"


def test_everybody_has_a_plantation_of_their_own() -> None:
    state = table(line=RED, workers=({}, {"red": "l9"}))
    play(state, 0, "buy 11 a9")
    assert (workers_of(state, 0, "red"), workers_of(state, 1, "red")) == (["a9"], ["l9"])


# Section 5.6, ruling 16: plantations of one colour do not join


@pytest.mark.parametrize("place", ["d3", "c4", "e4", "d5"])
def test_no_worker_is_begun_with_beside_a_worker_of_the_same_colour_of_another(place: str) -> None:
    state = table(line=RED, workers=({}, {"red": "d4"}))
    assert place not in words(state, 0, "buy 11")
    refusal = refused(state, 0, f"buy 11 {place}")
    assert (refusal.code, refusal.facts["colour"], refusal.facts["other"]) == (
        "joins_other", "red", 1,
    )  # fmt: skip


@pytest.mark.parametrize("place", ["e4", "d5", "f5", "e6"])
def test_no_worker_stands_beside_a_hut_of_the_same_colour_of_another(place: str) -> None:
    state = table(line=RED, huts=({}, {"red": "e5"}))
    assert place not in words(state, 0, "buy 11")
    assert refused(state, 0, f"buy 11 {place}").code == "joins_other"


def test_no_worker_joins_the_own_plantation_to_anothers() -> None:
    """One cell must stay between them."""
    state = table(line=RED, workers=({"red": "c9"}, {"red": "e9"}))
    assert words(state, 0, "buy 11") == ("c8", "b9")
    assert refused(state, 0, "buy 11 d9").code == "joins_other"


@pytest.mark.parametrize("place", ["c3", "e3", "c5"])
def test_plantations_of_one_colour_may_touch_at_a_corner(place: str) -> None:
    state = table(line=RED, workers=({}, {"red": "d4"}))
    play(state, 0, f"buy 11 {place}")
    assert workers_of(state, 0, "red") == [place]


def test_plantations_of_different_colours_lie_side_by_side() -> None:
    """Ruling 17: whoever owns them."""
    state = table(line=RED, workers=({"black": "d3"}, {"white": "d5", "beige": "e4"}))
    play(state, 0, "buy 11 d4")
    assert workers_of(state, 0, "red") == ["d4"]


def test_with_three_nobody_elses_plantation_is_joined_either() -> None:
    state = table(seats=3, line=RED, workers=({}, {"red": "h9"}, {"red": "j9"}))
    assert refused(state, 0, "buy 11 i9").facts["other"] in (1, 2)
    assert refused(state, 0, "buy 11 g9").facts["other"] == 1
    assert refused(state, 0, "buy 11 k9").facts["other"] == 2


# Ruling 18: roads and paths separate nothing


def test_a_road_between_two_cells_does_not_part_them() -> None:
    """Nor does it keep two owners apart."""
    state = table(line=RED, roads="d4-e4 d4-d5", workers=({"red": "d4"},))
    assert words(state, 0, "buy 11") == ("d3", "c4", "e4", "d5")
    state = table(line=RED, roads="d4-e4", workers=({}, {"red": "d4"}))
    assert refused(state, 0, "buy 11 e4").code == "joins_other"


def test_a_printed_path_does_not_part_cells() -> None:
    state = table(seats=4, line=RED, workers=({"red": "f3"}, {"red": "b7"}))
    assert "g3" in words(state, 0, "buy 11")
    state = table(seats=4, line=RED, workers=({}, {"red": "b7"}))
    assert refused(state, 0, "buy 11 c7").code == "joins_other"


# Paying, and what else is refused


def test_of_the_legal_places_those_are_listed_that_can_be_paid() -> None:
    state = table(line=RED, money=(2, 15), workers=({"red": "a3 a4 a5 a6"},))
    assert words(state, 0, "buy 11") == ("b4", "b6", "a7")
    assert refused(state, 0, "buy 11 a2").code == "too_dear"
    state = table(line=RED, money=(1, 15), workers=({"red": "a3 a4 a5 a6"},))
    assert words(state, 0, "buy 11") == ("a7",)


def test_a_worker_that_has_no_place_may_not_be_taken() -> None:
    """Ruling 9: shut in by others on every side."""
    workers = ({"red": "a1"}, {"white": "a2", "black": "b1"})
    state = table(line="red worker", workers=workers)
    assert "11" not in words(state, 0, "buy")
    refusal = refused(state, 0, "buy 11 a3")
    assert (refusal.code, refusal.facts["piece"], refusal.facts["colour"]) == (
        "cannot_place", "worker", "red",
    )  # fmt: skip


@pytest.mark.parametrize("place", ["port1", "a1-b1"])
def test_a_worker_stands_on_a_cell_and_nowhere_else(place: str) -> None:
    assert refused(table(line=RED), 0, f"buy 11 {place}").code == "wrong_place"


@pytest.mark.parametrize("place", ["m1", "a0", "a10", "z3", "q9-p9"])
def test_a_cell_of_another_board_is_no_choice(place: str) -> None:
    assert refused(table(line=RED), 0, f"buy 11 {place}").code == "not_a_choice"
