"""The eight buildings (section 5), by what they do and by what they may not."""

from __future__ import annotations

import pytest

from bot.game.burgundy.state import BurgundyState
from tests.game.burgundy.positions import (
    asked,
    facts,
    held,
    lying,
    play,
    points,
    refused,
    stored,
    table,
    words,
)

BUILDINGS = (
    *("warehouse", "watchtower", "carpenter", "church"),
    *("market", "boarding_house", "bank", "city_hall"),
)
DEPOTS = {"1": "bank ship", "2": "k3 castle", "3": "cow2 mine", "black": "bank k7 ship mine"}


def placed(building: str, stored_too: str = "", **others: object) -> BurgundyState:
    """The building has just been placed on e4, in a city of five, with a 3."""
    state = table(stored=f"{building} {stored_too}", dice=(3, 1), **others)  # type: ignore[arg-type]
    play(state, 0, f"place 3 {building} e4")
    return state


def test_a_warehouse_sells_all_goods_of_a_kind_without_a_die() -> None:
    state = placed("warehouse", goods_of=("22255",), seats=3)
    assert asked(state) == [(0, "warehouse")]
    assert words(state, 0) == ("sell", "decline")
    events = play(state, 0, "sell any 2")
    assert facts(events, "sold") == [
        {
            "seat": 0,
            "good": "2",
            "count": 3,
            "points": 9,
            "silverlings": 1,
            "workers": 0,
            "die": "any",
            "spent": 0,
        }
    ]
    assert (held(state, 0), state.players[0].silverlings, points(state, 0)) == (
        "55",
        1,
        {"goods": 9},
    )
    assert asked(state) == [(0, "turn")]


def test_a_watchtower_pays_four_points() -> None:
    state = placed("watchtower")
    assert points(state, 0) == {"watchtowers": 4}
    assert asked(state) == [(0, "turn")]


def test_a_carpenters_workshop_takes_a_building() -> None:
    state = placed("carpenter", depots=DEPOTS)
    assert words(state, 0, "take any") == ("1",)
    assert words(state, 0, "take any 1") == ("bank",)
    assert refused(state, 0, "take any 2 k3 -").code == "wrong_colour"
    assert refused(state, 0, "take any 1 ship -").code == "wrong_colour"
    assert refused(state, 0, "take any black bank -").code == "not_from_black"
    play(state, 0, "take any 1 bank -")
    assert stored(state, 0) == ["bank"]
    assert lying(state, "1") == ["ship"]


def test_a_church_takes_a_mine_a_knowledge_tile_or_a_castle() -> None:
    state = placed("church", depots=DEPOTS)
    assert words(state, 0, "take any") == ("2", "3")
    assert words(state, 0, "take any 2") == ("k3", "castle")
    assert words(state, 0, "take any 3") == ("mine",)
    play(state, 0, "take any 2 castle -")
    assert stored(state, 0) == ["castle"]


def test_a_market_takes_a_ship_or_an_animal() -> None:
    state = placed("market", depots=DEPOTS)
    assert words(state, 0, "take any") == ("1", "3")
    assert words(state, 0, "take any 1") == ("ship",)
    play(state, 0, "take any 3 cow2 -")
    assert stored(state, 0) == ["cow2"]


def test_a_boarding_house_gives_four_workers() -> None:
    state = placed("boarding_house", workers=1)
    assert state.players[0].workers == 5


def test_a_bank_gives_two_silverlings() -> None:
    state = placed("bank", silverlings=1)
    assert state.players[0].silverlings == 3


def test_a_city_hall_places_another_tile_with_any_number() -> None:
    """Colour, neighbourhood and the city's buildings still count; the tile does what it does."""
    state = placed("city_hall", "bank ship")
    assert asked(state) == [(0, "city_hall")]
    assert words(state, 0) == ("place", "decline")
    assert words(state, 0, "place any ship") == ("d3", "d5")
    assert words(state, 0, "place any bank") == ("c3", "e5", "f4")
    assert refused(state, 0, "place any bank c5").code == "not_beside"
    assert refused(state, 0, "place any ship c3").code == "other_colour"
    play(state, 0, "place any bank e5")
    assert state.players[0].silverlings == 2
    assert asked(state) == [(0, "turn")]


def test_a_city_hall_never_places_a_second_one_in_its_city() -> None:
    state = placed("city_hall", "city_hall")
    assert words(state, 0, "place any city_hall") == ("c3",)
    assert refused(state, 0, "place any city_hall e5").code == "building_twice"


def test_what_a_city_hall_places_has_its_own_effect_first() -> None:
    """City hall, then a church, then back to the turn (nested effects)."""
    state = placed("city_hall", "church castle", depots=DEPOTS)
    play(state, 0, "place any church c3")
    assert asked(state) == [(0, "church")]
    play(state, 0, "take any 3 mine -")
    assert asked(state) == [(0, "turn")]
    assert stored(state, 0) == ["castle", "mine"]


def test_a_city_hall_may_place_a_ship_which_loads() -> None:
    state = placed("city_hall", "ship", goods_at={"4": "66"})
    play(state, 0, "place any ship d5")
    assert asked(state) == [(0, "load")]
    play(state, 0, "load 4 6")
    assert held(state, 0) == "66"


MAY = ("warehouse", "carpenter", "church", "market", "city_hall")
"""The buildings that let their owner do something; the others give something."""


@pytest.mark.parametrize("building", sorted(set(BUILDINGS) - set(MAY)))
def test_what_a_building_gives_is_not_asked_for(building: str) -> None:
    state = placed(building, "mine", depots=DEPOTS, goods_of=("1",))
    assert asked(state) == [(0, "turn")]
    assert "decline" not in words(state, 0)


@pytest.mark.parametrize("building", MAY)
def test_an_effect_may_be_declined(building: str) -> None:
    """Sections 10 and 11: whatever says *may*."""
    state = placed(building, "mine", depots=DEPOTS, goods_of=("1",))
    assert asked(state) == [(0, building)]
    events = play(state, 0, "decline")
    assert facts(events, "declined") == [{"seat": 0, "tile": building}]
    assert asked(state) == [(0, "turn")]


@pytest.mark.parametrize("building", ["warehouse", "carpenter", "church", "market", "city_hall"])
def test_an_effect_of_no_use_lapses_without_a_question(building: str) -> None:
    state = table(stored=building, dice=(3, 1), depots={"black": "ship mine bank"})
    events = play(state, 0, f"place 3 {building} e4")
    assert facts(events, "lapsed") == [{"seat": 0, "tile": building}]
    assert asked(state) == [(0, "turn")]


@pytest.mark.parametrize("building", BUILDINGS)
def test_no_building_stands_twice_in_a_city_but_in_different_cities(building: str) -> None:
    state = placed(building, building)
    if "decline" in words(state, 0):
        play(state, 0, "decline")
    state.frames[0].left = [1, 3]  # type: ignore[union-attr]
    refusal = refused(state, 0, f"place 1 {building} e5")
    assert refusal.code in ("building_twice", "die_useless")
    assert words(state, 0, f"place 3 {building}") == ("c3",)


@pytest.mark.parametrize("building", BUILDINGS)
def test_tile_1_allows_a_building_more_than_once_in_a_city(building: str) -> None:
    state = table(
        stored=building,
        dice=(1, 1),
        estates=({"d4": "castle", "c4": "k1", "e4": building},),
    )
    play(state, 0, f"place 1 {building} e5")


def test_a_building_that_takes_always_has_room_since_it_left_storage_itself() -> None:
    state = placed("church", "ship ship", depots=DEPOTS)
    assert words(state, 0, "take any 3 mine") == ("",)
    play(state, 0, "take any 3 mine -")
    assert stored(state, 0) == ["ship", "ship", "mine"]
