"""Placing tiles: where they may lie, and what regions, colours and animals bring (4, 7.3, 7.4)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bot.game.burgundy import GAME
from tests.game.burgundy.positions import (
    asked,
    facts,
    play,
    points,
    refused,
    stored,
    table,
    words,
)

PASTURE = {"d4": "castle", "c3": "bank"}
"""A way to the large pasture a1, b1, b2, c1, c2."""


def test_colour_number_and_neighbourhood_must_fit() -> None:
    state = table(stored="ship mine", dice=(5, 4), workers=3)
    assert words(state, 0, "place 5 ship") == ("d3", "d5")
    assert words(state, 0, "place 4 mine") == ("e3",)
    events = play(state, 0, "place 5 ship d5")
    assert facts(events, "placed") == [
        {"seat": 0, "tile": "ship", "space": "d5", "die": "5", "spent": 0}
    ]
    assert stored(state, 0) == ["mine"]


def test_each_fault_of_a_space_has_its_own_answer() -> None:
    state = table(stored="ship bank", dice=(5, 3), workers=0, estates=(PASTURE,))
    codes = {
        space: refused(state, 0, f"place 5 ship {space}").code
        for space in ("d4", "c2", "d6", "d3", "z1")
    }
    assert codes == {
        "d4": "space_covered",
        "c2": "other_colour",
        "d6": "not_beside",
        "d3": "needs_workers",
        "z1": "not_a_choice",
    }
    assert refused(state, 0, "place 5 ship c2").facts["colour"] == "animal"
    assert refused(state, 0, "place 5 mine e3").code == "not_in_storage"
    assert refused(state, 0, "place 5 bank e4").code == "nowhere_to_place"
    assert refused(state, 0, "place 5 unicorn e4").code == "not_a_choice"


def test_where_nothing_fits_nothing_can_be_placed() -> None:
    state = table(stored="mine", dice=(1, 2))
    assert refused(state, 0, "place 1 mine e3").code == "nothing_to_place"
    assert "place" not in words(state, 0)


def test_workers_change_the_die_of_a_placement() -> None:
    state = table(stored="mine", dice=(1, 2), workers=2)
    assert words(state, 0, "place") == ("2",)
    events = play(state, 0, "place 2 mine e3")
    assert facts(events, "placed")[0]["spent"] == 2
    assert state.players[0].workers == 0


# Regions and colours


@pytest.mark.parametrize(
    ("round_", "bonus"), [(1, 10), (5, 10), (6, 8), (10, 8), (11, 6), (16, 4), (21, 2), (25, 2)]
)
def test_a_region_of_one_space_pays_1_and_the_phase_11_in_a_and_3_in_e(
    round_: int, bonus: int
) -> None:
    state = table(stored="bank", dice=(3, 1), round_=round_, coming="")
    events = play(state, 0, "place 3 bank c3")
    assert facts(events, "region_completed") == [
        {"seat": 0, "colour": "building", "count": 1, "points": 1, "bonus": bonus}
    ]
    assert points(state, 0) == {"regions": 1, "phases": bonus}


@pytest.mark.parametrize(
    ("board", "estate", "stored_tile", "line", "size", "count"),
    [
        (1, "d4 castle d5 ship d6 ship", "ship", "place 1 ship d7", 3, 6),
        (3, "d4 castle c3 k2 c4 k3 d3 k4 d5 k5 e3 k6", "k7", "place 3 k7 e4", 6, 21),
        (2, "a4 castle b5 bank", "market", "place 3 market c6", 2, 3),
        (4, "c5 castle b5 ship c4 ship b4 ship", "ship", "place 3 ship a4", 4, 10),
        (
            2,
            "d7 castle d6 k2 e6 ship e5 mine d5 bank c4 market d4 church d3 carpenter d2 "
            "warehouse d1 watchtower b3 boarding_house",
            "city_hall",
            "place 5 city_hall a2",
            8,
            36,
        ),
    ],
)
def test_a_completed_region_pays_by_its_size(
    board: int, estate: str, stored_tile: str, line: str, size: int, count: int
) -> None:
    pairs = estate.split()
    state = table(
        boards=(board, 1),
        estates=(dict(zip(pairs[::2], pairs[1::2], strict=True)),),
        stored=stored_tile,
        dice=(int(line.split()[1]), 1),
    )
    events = play(state, 0, line)
    assert facts(events, "region_completed")[0]["count"] == size
    assert facts(events, "region_completed")[0]["points"] == count
    assert points(state, 0)["regions"] == count


def test_an_incomplete_region_pays_nothing() -> None:
    state = table(stored="ship", dice=(5, 1))
    play(state, 0, "place 5 ship d5")
    assert points(state, 0) == {}


@pytest.mark.parametrize(
    ("seats", "done", "rank", "count"),
    [
        *((2, (), 1, 5), (2, (1,), 2, 2)),
        *((3, (), 1, 6), (3, (1,), 2, 3), (3, (1, 2), 3, 0)),
        *((4, (), 1, 7), (4, (3,), 2, 4), (4, (1, 3), 3, 0), (4, (1, 2, 3), 4, 0)),
    ],
)
def test_who_covers_all_of_a_colour_first_and_second_takes_a_bonus_tile(
    seats: int, done: tuple[int, ...], rank: int, count: int
) -> None:
    state = table(
        seats=seats,
        stored="mine",
        dice=(3, 1),
        estates=({"d4": "castle", "e3": "mine", "f2": "mine"},),
        completed={"mine": done},
    )
    events = play(state, 0, "place 3 mine g1")
    assert facts(events, "colour_completed") == [
        {"seat": 0, "colour": "mine", "rank": rank, "points": count}
    ]
    assert points(state, 0).get("colours", 0) == count
    assert points(state, 0)["regions"] == 6


def test_a_starting_castle_counts_for_its_region_and_its_colour() -> None:
    """Board 7 has two castle regions of two (section 11)."""
    state = table(
        boards=(7, 7),
        estates=({"a2": "castle", "b2": "cow2"}, {"a2": "castle"}),
        stored="castle",
        dice=(4, 1),
    )
    events = play(state, 0, "place 4 castle a3")
    assert facts(events, "region_completed")[0]["points"] == 3


# Animals


def pasture(tile: str, estate: Mapping[str, str], space: str, die: int) -> dict[str, int]:
    state = table(stored=tile, dice=(die, 1), estates=({**PASTURE, **estate},))
    play(state, 0, f"place {die} {tile} {space}")
    return points(state, 0)


def test_four_cows_beside_three_and_four_cows_pay_eleven() -> None:
    """The example of the fact sheet (section 7.4)."""
    assert pasture("cow4", {"c2": "cow3", "b2": "cow4"}, "c1", 5) == {"animals": 11}


def test_animals_of_other_kinds_share_a_pasture_and_do_not_count() -> None:
    assert pasture("pig2", {"c2": "cow3", "b2": "pig3"}, "c1", 5) == {"animals": 5}


def test_all_tiles_of_the_pasture_count_whether_they_touch_or_not() -> None:
    assert pasture("pig2", {"c2": "pig3", "b2": "cow3", "b1": "cow2"}, "a1", 6) == {"animals": 5}


def test_animals_in_other_pastures_do_not_count() -> None:
    found = {"d5": "ship", "d6": "ship", "e5": "bank", "c2": "pig3", "e6": "pig4"}
    state = table(
        stored="pig2",
        dice=(1, 1),
        estates=({"d4": "castle", "c3": "market", **found},),
    )
    play(state, 0, "place 1 pig2 b2")
    assert points(state, 0) == {"animals": 5}


def test_animals_region_and_colour_pay_together_and_apart() -> None:
    estate = {**PASTURE, "c2": "pig3", "b2": "pig2", "c1": "cow2", "b1": "cow2"}
    estate |= {"d5": "ship", "d6": "ship", "e6": "sheep2"}
    state = table(stored="pig4", dice=(6, 1), estates=(estate,), round_=11, coming="")
    play(state, 0, "place 6 pig4 a1")
    assert points(state, 0) == {"animals": 9, "regions": 15, "phases": 6, "colours": 5}


# Castles


def test_a_castle_gives_at_once_an_action_with_a_die_of_any_value() -> None:
    state = table(
        stored="castle ship",
        dice=(6, 1),
        estates=({"d4": "castle", "c4": "k1"},),
        depots={"3": "cow3"},
        goods_of=("55",),
    )
    play(state, 0, "place 6 castle b3")
    assert asked(state) == [(0, "extra")]
    assert words(state, 0) == ("place", "take", "sell", "workers")
    assert words(state, 0, "take any") == ("3",)
    assert words(state, 0, "place any ship") == ("d3", "d5")
    assert words(state, 0, "sell any") == ("5",)
    events = play(state, 0, "take any 3 cow3 -")
    assert facts(events, "taken")[0] == {
        "seat": 0,
        "tile": "cow3",
        "depot": "3",
        "die": "any",
        "spent": 0,
    }
    assert asked(state) == [(0, "turn")]
    assert GAME.view(state, 0).left == (1,)


def test_a_castles_action_may_place_another_castle_that_acts_too() -> None:
    state = table(
        stored="castle castle", dice=(6, 1), estates=({"d4": "castle", "c4": "k1"},), workers=2
    )
    play(state, 0, "place 6 castle b3")
    play(state, 0, "place any castle a3")
    assert asked(state) == [(0, "extra")]
    play(state, 0, "workers any")
    assert asked(state) == [(0, "turn")]
    assert state.players[0].workers == 4


def test_a_castles_action_cannot_be_declined() -> None:
    state = table(stored="castle", dice=(6, 1), estates=({"d4": "castle", "c4": "k1"},))
    play(state, 0, "place 6 castle b3")
    assert refused(state, 0, "decline").code == "not_now"
    assert refused(state, 0, "end").code == "not_now"
    assert refused(state, 0, "sell any 1").code == "no_goods"
    assert refused(state, 0, "take any 1 ship -").code == "nothing_to_take"
