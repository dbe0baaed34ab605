"""Placing tiles, their points and their effects (rules: place, regions, buildings)."""

from __future__ import annotations

from typing import Any

from bot.game.burgundy.state import BurgundyState, turn_of
from tests.game.burgundy.positions import (
    asked,
    facts,
    goods_held,
    play,
    points,
    refused,
    stored,
    table,
    tiles_in,
    words,
)

PASTURE = {"d4": "castle", "c3": "bank"}
"""An estate next to the large pasture a1, b1, b2, c1, c2."""


def test_colour_number_and_neighbours_must_fit() -> None:
    state = table(stored="ship mine", dice=(5, 4), workers=3)
    assert words(state, 0, "place 5 ship") == ("d3", "d5")
    assert words(state, 0, "place 4 mine") == ("e3",)
    events = play(state, 0, "place 5 ship d5")
    placed = {"seat": 0, "tile": "ship", "space": "d5", "die": "5", "spent": 0}
    assert facts(events, "placed") == [placed]
    assert stored(state, 0) == ["mine"]
    assert points(state, 0) == {}


def test_each_illegal_placement_has_its_own_refusal() -> None:
    state = table(stored="ship bank", dice=(5, 3), workers=0, estates=(PASTURE,))
    for line, code in (
        ("place 5 ship d4", "space_covered"),
        ("place 5 ship c2", "other_colour"),
        ("place 5 ship d6", "not_beside"),
        ("place 5 ship d3", "needs_workers"),
        ("place 5 ship z1", "not_a_choice"),
        ("place 5 mine e3", "not_in_storage"),
        ("place 5 bank e4", "nowhere_to_place"),
        ("place 5 unicorn e4", "not_a_choice"),
    ):
        assert refused(state, 0, line).code == code, line
    assert refused(state, 0, "place 5 ship c2").facts["colour"] == "animal"
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


def test_a_one_space_region_scores_11_in_phase_a_and_3_in_phase_e() -> None:
    for round_, bonus in ((1, 10), (5, 10), (6, 8), (10, 8), (11, 6), (16, 4), (21, 2), (25, 2)):
        state = table(stored="bank", dice=(3, 1), round_=round_, coming="")
        events = play(state, 0, "place 3 bank c3")
        assert facts(events, "region_completed") == [
            {"seat": 0, "colour": "building", "count": 1, "points": 1, "bonus": bonus}
        ]
        assert points(state, 0) == {"regions": 1, "phases": bonus}


def test_a_completed_region_scores_by_its_size() -> None:
    eight = "d7 castle d6 k2 e6 ship e5 mine d5 bank c4 market d4 church d3 carpenter d2 warehouse"
    for board, estate, line, size, count in (
        (2, "a4 castle b5 bank", "place 3 market c6", 2, 3),
        (1, "d4 castle d5 ship d6 ship", "place 1 ship d7", 3, 6),
        (4, "c5 castle b5 ship c4 ship b4 ship", "place 3 ship a4", 4, 10),
        (3, "d4 castle c3 k2 c4 k3 d3 k4 d5 k5 e3 k6", "place 3 k7 e4", 6, 21),
        (2, f"{eight} d1 watchtower b3 boarding_house", "place 5 city_hall a2", 8, 36),
    ):
        covered, (_, die, tile, _) = estate.split(), line.split()
        tiles = dict(zip(covered[::2], covered[1::2], strict=True))
        state = table(boards=(board, 1), estates=(tiles,), stored=tile, dice=(int(die), 1))
        (event,) = facts(play(state, 0, line), "region_completed")
        assert (event["count"], event["points"]) == (size, count)
        assert points(state, 0)["regions"] == count


def test_the_first_and_second_seat_to_cover_a_colour_get_a_bonus_tile() -> None:
    mines = {"d4": "castle", "e3": "mine", "f2": "mine"}
    for seats, done, rank, count in (
        *((2, (), 1, 5), (2, (1,), 2, 2)),
        *((3, (), 1, 6), (3, (1,), 2, 3), (3, (1, 2), 3, 0)),
        *((4, (), 1, 7), (4, (3,), 2, 4), (4, (1, 3), 3, 0), (4, (1, 2, 3), 4, 0)),
    ):
        state = table(
            seats=seats, stored="mine", dice=(3, 1), estates=(mines,), completed={"mine": done}
        )
        events = play(state, 0, "place 3 mine g1")
        completed = {"seat": 0, "colour": "mine", "rank": rank, "points": count}
        assert facts(events, "colour_completed") == [completed]
        assert (points(state, 0).get("colours", 0), points(state, 0)["regions"]) == (count, 6)


def test_a_starting_castle_counts_for_its_region_and_its_colour() -> None:
    """Board 7 has two castle regions of two (ruling 2)."""
    estate = {"a2": "castle", "b2": "cow2"}
    state = table(boards=(7, 7), estates=(estate, {"a2": "castle"}), stored="castle", dice=(4, 1))
    events = play(state, 0, "place 4 castle a3")
    assert facts(events, "region_completed")[0]["points"] == 3


# Animals


def animal_points(tile: str, space: str, die: int, **estate: str) -> dict[str, int]:
    state = table(stored=tile, dice=(die, 1), estates=({**PASTURE, **estate},))
    play(state, 0, f"place {die} {tile} {space}")
    return points(state, 0)


def test_four_cows_next_to_three_and_four_cows_score_eleven() -> None:
    """The example of the rulebook (rules: animals)."""
    assert animal_points("cow4", "c1", 5, c2="cow3", b2="cow4") == {"animals": 11}


def test_animals_of_one_kind_in_a_pasture_score_even_if_they_do_not_touch() -> None:
    assert animal_points("pig2", "c1", 5, c2="cow3", b2="pig3") == {"animals": 5}
    assert animal_points("pig2", "a1", 6, c2="pig3", b2="cow3", b1="cow2") == {"animals": 5}
    elsewhere = {"d5": "ship", "d6": "ship", "e5": "market", "e6": "pig4"}
    assert animal_points("pig2", "b2", 1, c2="pig3", **elsewhere) == {"animals": 5}


def test_animals_region_and_colour_score_separately() -> None:
    estate = {**PASTURE, "c2": "pig3", "b2": "pig2", "c1": "cow2", "b1": "cow2"}
    estate |= {"d5": "ship", "d6": "ship", "e6": "sheep2"}
    state = table(stored="pig4", dice=(6, 1), estates=(estate,), round_=11, coming="")
    play(state, 0, "place 6 pig4 a1")
    assert points(state, 0) == {"animals": 9, "regions": 15, "phases": 6, "colours": 5}


# Castles

WAY_TO_B3 = {"d4": "castle", "c4": "k1"}


def test_a_castle_gives_an_immediate_action_with_a_die_of_any_value() -> None:
    state = table(
        stored="castle ship",
        dice=(6, 1),
        estates=(WAY_TO_B3,),
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
    taken = {"seat": 0, "tile": "cow3", "depot": "3", "die": "any", "spent": 0}
    assert facts(events, "taken") == [taken]
    assert asked(state) == [(0, "turn")]
    turn = turn_of(state)
    assert turn is not None
    assert turn.left == [1]


def test_a_castles_action_may_place_another_castle_and_cannot_be_declined() -> None:
    state = table(stored="castle castle", dice=(6, 1), estates=(WAY_TO_B3,), workers=2)
    play(state, 0, "place 6 castle b3")
    for line, code in (
        ("decline", "not_now"),
        ("end", "not_now"),
        ("sell any 1", "no_goods"),
        ("take any 1 ship -", "nothing_to_take"),
    ):
        assert refused(state, 0, line).code == code, line
    play(state, 0, "place any castle a3")
    assert asked(state) == [(0, "extra")]
    play(state, 0, "workers any")
    assert asked(state) == [(0, "turn")]
    assert state.players[0].workers == 4


# Buildings

DEPOTS = {"1": "bank ship", "2": "k3 castle", "3": "cow2 mine", "black": "bank k7 ship mine"}


def placed(building: str, stored_too: str = "", **others: Any) -> BurgundyState:
    """Return a table after the building was placed on e4, in a city of five, with a 3."""
    state = table(stored=f"{building} {stored_too}", dice=(3, 1), **others)
    play(state, 0, f"place 3 {building} e4")
    return state


def test_a_warehouse_sells_all_goods_of_a_kind_without_a_die() -> None:
    state = placed("warehouse", goods_of=("22255",), seats=3)
    assert asked(state) == [(0, "warehouse")]
    assert words(state, 0) == ("sell", "decline")
    (sold,) = facts(play(state, 0, "sell any 2"), "sold")
    assert (sold["count"], sold["points"], sold["die"], sold["spent"]) == (3, 9, "any", 0)
    assert (goods_held(state, 0), state.players[0].silverlings) == ("55", 1)
    assert points(state, 0) == {"goods": 9}
    assert asked(state) == [(0, "turn")]


def test_a_carpenters_workshop_takes_a_building() -> None:
    state = placed("carpenter", depots=DEPOTS)
    assert words(state, 0, "take any") == ("1",)
    assert words(state, 0, "take any 1") == ("bank",)
    for line, code in (
        ("take any 2 k3 -", "wrong_colour"),
        ("take any 1 ship -", "wrong_colour"),
        ("take any black bank -", "not_from_black"),
    ):
        assert refused(state, 0, line).code == code, line
    play(state, 0, "take any 1 bank -")
    assert (stored(state, 0), tiles_in(state, "1")) == (["bank"], ["ship"])


def test_a_church_takes_a_mine_a_knowledge_tile_or_a_castle_and_a_market_a_ship_or_an_animal() -> (
    None
):
    """There is always room, as the building itself has left storage."""
    state = placed("church", "ship ship", depots=DEPOTS)
    assert words(state, 0, "take any") == ("2", "3")
    assert words(state, 0, "take any 2") == ("k3", "castle")
    assert words(state, 0, "take any 3") == ("mine",)
    assert words(state, 0, "take any 3 mine") == ("",)
    play(state, 0, "take any 2 castle -")
    assert stored(state, 0) == ["ship", "ship", "castle"]
    state = placed("market", depots=DEPOTS)
    assert words(state, 0, "take any") == ("1", "3")
    assert words(state, 0, "take any 1") == ("ship",)
    assert words(state, 0, "take any 3") == ("cow2",)


def test_a_watchtower_a_boarding_house_and_a_bank_take_effect_without_a_question() -> None:
    """Four points, four workers, two silverlings."""
    for building, score, workers, silverlings in (
        ("watchtower", {"watchtowers": 4}, 1, 1),
        ("boarding_house", {}, 5, 1),
        ("bank", {}, 1, 3),
    ):
        state = placed(building, "mine", workers=1, silverlings=1, depots=DEPOTS, goods_of=("1",))
        player = state.players[0]
        assert points(state, 0) == score, building
        assert (player.workers, player.silverlings) == (workers, silverlings), building
        assert asked(state) == [(0, "turn")]
        assert "decline" not in words(state, 0)


def test_a_city_hall_places_another_tile_with_any_number() -> None:
    """The other rules of placing still apply, and the placed tile takes effect."""
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
    state = placed("city_hall", "city_hall")
    assert words(state, 0, "place any city_hall") == ("c3",)
    assert refused(state, 0, "place any city_hall e5").code == "building_twice"


def test_a_tile_placed_by_a_city_hall_takes_effect_first() -> None:
    """After the church or the ship placed by the city hall, the turn goes on."""
    state = placed("city_hall", "church castle", depots=DEPOTS)
    play(state, 0, "place any church c3")
    assert asked(state) == [(0, "church")]
    play(state, 0, "take any 3 mine -")
    assert asked(state) == [(0, "turn")]
    assert stored(state, 0) == ["castle", "mine"]
    state = placed("city_hall", "ship", goods_at={"4": "66"})
    play(state, 0, "place any ship d5")
    assert asked(state) == [(0, "load")]
    play(state, 0, "load 4 6")
    assert goods_held(state, 0) == "66"


OPTIONAL = ("warehouse", "carpenter", "church", "market", "city_hall")
"""The buildings with an optional effect; the others give something."""


def test_an_effect_may_be_declined_and_lapses_if_it_cannot_be_used() -> None:
    for building in OPTIONAL:
        state = placed(building, "mine", depots=DEPOTS, goods_of=("1",))
        assert asked(state) == [(0, building)]
        events = play(state, 0, "decline")
        assert facts(events, "declined") == [{"seat": 0, "tile": building}]
        assert asked(state) == [(0, "turn")]
        state = table(stored=building, dice=(3, 1), depots={"black": "ship mine bank"})
        events = play(state, 0, f"place 3 {building} e4")
        assert facts(events, "lapsed") == [{"seat": 0, "tile": building}]
        assert asked(state) == [(0, "turn")]


def test_a_building_repeats_only_in_another_city_or_with_tile_1() -> None:
    for building in (*OPTIONAL, "watchtower", "boarding_house", "bank"):
        state = placed(building, building)
        if "decline" in words(state, 0):
            play(state, 0, "decline")
        state.frames[0].left = [1, 3]  # type: ignore[union-attr]
        assert refused(state, 0, f"place 1 {building} e5").code in ("building_twice", "die_useless")
        assert words(state, 0, f"place 3 {building}") == ("c3",)
        estate = {**WAY_TO_B3, "e4": building}
        state = table(stored=building, dice=(1, 3), estates=(estate,))
        # The seat need not use the tile.
        assert words(state, 0, f"place 3 {building}") == ("c3",)
        play(state, 0, f"place 1 {building} e5")
