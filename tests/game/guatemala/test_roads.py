"""Roads: where they may lie (section 5.8, rulings 7 and 19)."""

from __future__ import annotations

import pytest

from bot.game.guatemala.plantation import board_for
from tests.game.guatemala.positions import (
    facts,
    money,
    play,
    refused,
    road_names,
    table,
    words,
)

ROADS = "road, road, road, road"


def test_a_road_is_free_and_counts_among_the_three_pieces() -> None:
    """Ruling 7."""
    state = table(line=ROADS)
    for line in ("buy 11 f1-g1", "buy 21 f1-f2", "buy 31 f2-g2"):
        events = play(state, 0, line)
        assert facts(events, "piece_bought")[0]["price"] == 0
        assert facts(events, "piece_bought")[0]["colour"] == ""
    assert money(state) == [15, 15]
    assert road_names(state) == ["f1-g1", "f1-f2", "f2-g2"]
    assert refused(state, 0, "buy 41 f3-g3").code == "enough_pieces"


def test_with_two_players_a_road_lies_on_any_edge_between_two_cells() -> None:
    state = table(line=ROADS)
    assert set(words(state, 0, "buy 11")) == set(board_for(2).road_of_name)
    assert len(words(state, 0, "buy 11")) == 195


@pytest.mark.parametrize("place", ["a2-b2", "b2-b3", "k8-l8"])
def test_a_road_may_lie_beside_a_hut_cell(place: str) -> None:
    state = table(line=ROADS)
    play(state, 0, f"buy 11 {place}")
    assert road_names(state) == [place]


@pytest.mark.parametrize("seats", [3, 4])
def test_on_the_larger_board_a_road_lies_on_a_printed_segment(seats: int) -> None:
    state = table(seats=seats, line=ROADS)
    strips = 4 if seats == 4 else 3
    assert len(words(state, 0, "buy 11")) == 13 * strips
    assert "f1-g1" in words(state, 0, "buy 11")
    for place in ("e1-f1", "f2-f3", "f8-g8", "d2-e2"):
        assert refused(state, 0, f"buy 11 {place}").code == "not_a_choice"


def test_with_three_players_no_road_lies_on_the_left_path() -> None:
    """Section 2.2."""
    state = table(seats=3, line=ROADS)
    assert not [place for place in words(state, 0, "buy 11") if place[0] in "abcd"]
    for place in ("b1-c1", "c1-c2", "b7-b8"):
        assert refused(state, 0, f"buy 11 {place}").code == "path_closed"


def test_there_is_one_road_a_place() -> None:
    state = table(line=ROADS, roads="f1-g1")
    assert "f1-g1" not in words(state, 0, "buy 11")
    refusal = refused(state, 0, "buy 11 f1-g1")
    assert (refusal.code, refusal.facts["place"]) == ("road_there", "f1-g1")


def test_a_road_need_not_touch_another_one() -> None:
    """Ruling 19."""
    for seats, near, far in ((2, "f1-g1", "a8-a9"), (4, "f1-g1", "n7-o7")):
        state = table(seats=seats, line=ROADS, roads=near)
        play(state, 0, f"buy 11 {far}")
        assert road_names(state) == [near, far]


def test_cells_beside_a_road_may_be_built_on() -> None:
    """Ruling 18: a road takes no cell."""
    state = table(line=ROADS, workers=({"red": "f1"}, {"white": "g1"}))
    play(state, 0, "buy 11 f1-g1")
    assert road_names(state) == ["f1-g1"]


def test_whoever_has_nothing_yet_may_lay_a_road_too() -> None:
    """They belong to nobody (section 1)."""
    state = table(line=ROADS, money=(0, 0), turn=1)
    play(state, 1, "buy 11 f1-g1")
    assert road_names(state) == ["f1-g1"]


def test_with_39_segments_covered_three_players_lay_no_more_roads() -> None:
    """Ruling 9: a road with no place may not be taken; 50 are more than the paths need."""
    whole = " ".join(place for place in board_for(3).road_of_name if place[0] not in "abcd")
    state = table(seats=3, line=ROADS, roads=whole)
    assert "11" not in words(state, 0, "buy")
    refusal = refused(state, 0, "buy 11 f1-g1")
    assert (refusal.code, refusal.facts["piece"], refusal.facts["colour"]) == (
        "cannot_place", "road", "",
    )  # fmt: skip


@pytest.mark.parametrize("place", ["a1", "b2", "port1"])
def test_a_road_lies_between_cells_and_nowhere_else(place: str) -> None:
    assert refused(table(line=ROADS), 0, f"buy 11 {place}").code == "wrong_place"


def test_a_road_is_called_by_its_cells_in_one_order() -> None:
    assert refused(table(line=ROADS), 0, "buy 11 g1-f1").code == "not_a_choice"
