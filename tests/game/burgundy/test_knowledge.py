"""The 26 knowledge tiles (section 6). Tiles 1, 5 and 6: see buildings, goods and storing."""

from __future__ import annotations

import pytest

from bot.game.burgundy.ending import knowledge_points
from bot.game.burgundy.state import BurgundyState, Turn
from tests.game.burgundy.positions import asked, facts, finish, play, points, table, words

MIDDLE = {"d4": "castle"}
DEPOTS = {str(number): "mine" for number in range(1, 7)}


def knowing(*numbers: int, **estate: str) -> dict[str, str]:
    """An estate with these knowledge tiles, and others."""
    spaces = ("c4", "b4", "a4")
    known = {space: f"k{number}" for space, number in zip(spaces, numbers, strict=False)}
    return {**MIDDLE, **known, **estate}


def spaces(state: BurgundyState, die: int, tile: str) -> tuple[str, ...]:
    """Where the seat on turn can place its tile with the die; nowhere, where it cannot."""
    if "place" not in words(state, 0) or str(die) not in words(state, 0, "place"):
        return ()
    return words(state, 0, f"place {die} {tile}")


def test_a_knowledge_tile_in_storage_does_nothing() -> None:
    state = table(stored="k14 k13", dice=(2, 3))
    play(state, 0, "workers 2")
    assert (state.players[0].workers, state.players[0].silverlings) == (2, 0)


def test_tile_2_makes_mines_give_workers_from_the_end_of_its_phase_on() -> None:
    estate = {**MIDDLE, "e3": "mine", "f2": "mine"}
    state = table(round_=5, coming="", estates=(estate,), stored="k2", dice=(1, 1))
    play(state, 0, "place 1 k2 c4")
    finish(state, 0)
    events = finish(state, 1)
    assert facts(events, "mines_paid") == [{"seat": 0, "silverlings": 2, "workers": 2}]


@pytest.mark.parametrize(
    ("numbers", "silverlings", "workers"), [((3,), 2, 0), ((4,), 1, 1), ((3, 4), 2, 1)]
)
def test_tiles_3_and_4_add_to_each_sale(
    numbers: tuple[int, ...], silverlings: int, workers: int
) -> None:
    state = table(estates=(knowing(*numbers),), goods_of=("444",), dice=(4, 1))
    events = play(state, 0, "sell 4 4")
    assert facts(events, "sold")[0]["points"] == 6
    assert (state.players[0].silverlings, state.players[0].workers) == (silverlings, workers)


def test_tiles_3_and_4_add_to_the_sale_of_a_warehouse() -> None:
    state = table(estates=(knowing(3, 4),), goods_of=("444",), stored="warehouse", dice=(3, 1))
    play(state, 0, "place 3 warehouse e4")
    play(state, 0, "sell any 4")
    assert (state.players[0].silverlings, state.players[0].workers) == (2, 1)


def test_tile_7_three_sheep_beside_four_pay_nine() -> None:
    estate = knowing(7, c3="bank", c2="sheep4")
    state = table(estates=(estate,), stored="sheep3", dice=(5, 1))
    play(state, 0, "place 5 sheep3 c1")
    assert points(state, 0) == {"animals": 9}


def test_tile_7_two_lone_pigs_pay_three() -> None:
    state = table(
        estates=(knowing(7, c3="bank", c1="sheep4", c2="cow2"),), stored="pig2", dice=(1, 1)
    )
    play(state, 0, "place 1 pig2 b2")
    assert points(state, 0) == {"animals": 3}


def test_tile_8_a_six_becomes_a_three_for_two_workers() -> None:
    state = table(estates=(knowing(8),), workers=2, dice=(6, 6), depots=DEPOTS)
    events = play(state, 0, "take 6 3 mine -")
    assert facts(events, "taken")[0]["spent"] == 2


def test_tile_8_a_worker_shifts_by_one_or_two() -> None:
    state = table(estates=(knowing(8),), workers=1, dice=(6, 6), depots=DEPOTS)
    assert words(state, 0, "take 6") == ("1", "2", "4", "5", "6")
    events = play(state, 0, "take 6 2 mine -")
    assert facts(events, "taken")[0]["spent"] == 1


@pytest.mark.parametrize(
    ("number", "tile", "near", "far"),
    [
        (9, "bank", 2, 1),
        (10, "ship", 4, 3),
        (11, "mine", 3, 2),
        (11, "castle", 5, 4),
        (11, "k2", 4, 3),
    ],
)
def test_tiles_9_to_11_give_a_free_step_for_placing(
    number: int, tile: str, near: int, far: int
) -> None:
    """Building on e4 (3), ship on d5 (5), mine on e3 (4), castle on b3 (6), knowledge on b4 (5)."""
    space = {"bank": "e4", "ship": "d5", "mine": "e3", "castle": "b3", "k2": "b4"}[tile]
    estate = knowing(number, c3="watchtower")
    state = table(estates=(estate,), stored=tile, dice=(near, far))
    assert space in spaces(state, near, tile)
    assert space not in spaces(state, far, tile)
    events = play(state, 0, f"place {near} {tile} {space}")
    assert facts(events, "placed")[0]["spent"] == 0


def test_an_animal_has_the_free_step_of_tile_10() -> None:
    state = table(estates=(knowing(10, c3="bank"),), stored="cow2", dice=(5, 1))
    events = play(state, 0, "place 5 cow2 c2")
    assert facts(events, "placed")[0]["spent"] == 0


@pytest.mark.parametrize(
    ("number", "tile"), [(9, "ship"), (9, "mine"), (10, "bank"), (11, "ship"), (12, "ship")]
)
def test_a_free_step_is_for_its_own_colours(number: int, tile: str) -> None:
    near = {"ship": 4, "mine": 3, "bank": 2}[tile]
    state = table(estates=(knowing(number, c3="market"),), stored=tile, dice=(near, near))
    assert not {"d5", "e3", "e4"} & set(spaces(state, near, tile))


def test_tile_12_gives_a_free_step_for_taking_with_a_die() -> None:
    state = table(estates=(knowing(12),), dice=(6, 6), depots=DEPOTS, workers=1)
    assert words(state, 0, "take 6") == ("1", "2", "4", "5", "6")
    assert facts(play(state, 0, "take 6 1 mine -"), "taken")[0]["spent"] == 0
    assert facts(play(state, 0, "take 6 2 mine -"), "taken")[0]["spent"] == 1


def test_a_free_step_stays_one_step_with_tile_8_and_adds_to_paid_ones() -> None:
    state = table(estates=(knowing(8, 12),), dice=(6, 6), depots=DEPOTS)
    assert words(state, 0, "take 6") == ("1", "5", "6")
    state = table(estates=(knowing(8, 12),), dice=(6, 6), depots=DEPOTS, workers=1)
    assert facts(play(state, 0, "take 6 3 mine -"), "taken")[0]["spent"] == 1


@pytest.mark.parametrize(
    ("numbers", "workers", "silverlings"), [((13,), 2, 1), ((14,), 4, 0), ((13, 14), 4, 1)]
)
def test_tiles_13_and_14_better_a_die_for_workers(
    numbers: tuple[int, ...], workers: int, silverlings: int
) -> None:
    state = table(estates=(knowing(*numbers),), dice=(2, 3))
    play(state, 0, "workers 2")
    assert (state.players[0].workers, state.players[0].silverlings) == (workers, silverlings)


def test_tiles_13_and_14_better_a_castles_workers_but_not_a_boarding_house() -> None:
    state = table(
        estates=(knowing(13, 14),), dice=(6, 3), stored="castle boarding_house", workers=0
    )
    play(state, 0, "place 6 castle b3")
    play(state, 0, "workers any")
    assert (state.players[0].workers, state.players[0].silverlings) == (4, 1)
    play(state, 0, "place 3 boarding_house e4")
    assert (state.players[0].workers, state.players[0].silverlings) == (8, 1)


# What may and what must (sections 6 and 11)

MAY = {
    1: "another space for a building that stands in the city",
    5: "no second depot",
    6: "the black depot still",
    8: "a shift by one for a worker",
    9: "the number of the die itself",
    10: "the number of the die itself",
    11: "the number of the die itself",
    12: "the depot of the die itself",
}
"""The tiles that say *may*, and what their owner may do instead. All others work by themselves."""
MUST = frozenset(range(1, 27)) - set(MAY)


def test_tile_1_may_be_left_unused() -> None:
    state = table(
        stored="bank", dice=(3, 1), estates=(knowing(1, e4="bank"),), depots={"1": "mine"}
    )
    assert words(state, 0, "place 3 bank") == ("c3",)
    assert "e5" in words(state, 0, "place 1 bank")
    play(state, 0, "place 3 bank c3")


def test_tile_6_may_be_left_unused() -> None:
    state = table(silverlings=2, estates=(knowing(6),), depots={"1": "mine", "black": "ship"})
    assert words(state, 0, "buy") == ("1", "black")
    events = play(state, 0, "buy black ship -")
    assert facts(events, "bought")[0]["depot"] == "black"
    assert "buy" not in words(state, 0)


def test_tile_8_may_be_left_unused() -> None:
    state = table(estates=(knowing(8),), workers=1, dice=(6, 6), depots=DEPOTS)
    assert facts(play(state, 0, "take 6 6 mine -"), "taken")[0]["spent"] == 0
    assert facts(play(state, 0, "take 6 5 mine -"), "taken")[0]["spent"] == 1


@pytest.mark.parametrize(
    ("number", "tile", "space", "die"),
    [(9, "bank", "e4", 3), (10, "ship", "d5", 5), (11, "mine", "e3", 4)],
)
def test_tiles_9_to_11_may_be_left_unused(number: int, tile: str, space: str, die: int) -> None:
    state = table(estates=(knowing(number, c3="watchtower"),), stored=tile, dice=(die, 1))
    assert space in spaces(state, die, tile)
    assert facts(play(state, 0, f"place {die} {tile} {space}"), "placed")[0]["spent"] == 0


def test_tile_12_may_be_left_unused() -> None:
    state = table(estates=(knowing(12),), dice=(6, 6), depots=DEPOTS)
    assert facts(play(state, 0, "take 6 6 mine -"), "taken")[0]["spent"] == 0


@pytest.mark.parametrize("number", sorted(MUST))
def test_the_tiles_that_must_ask_nobody_anything(number: int) -> None:
    """A sale, animals, workers and the end of a phase bring what the tile says unasked."""
    estate = knowing(number, c3="bank", c2="sheep4", e3="mine")
    state = table(
        round_=5,
        coming="",
        estates=(estate,),
        goods_of=("444",),
        stored="sheep3",
        dice=(4, 5),
    )
    play(state, 0, "sell 4 4")
    assert asked(state) == [(0, "turn")]
    play(state, 0, "place 5 sheep3 c1")
    assert asked(state) == [(0, "turn")]
    assert "decline" not in words(state, 0)
    state.frames[-1] = Turn([2])
    play(state, 0, "workers 2")
    finish(state, 0)
    assert asked(state) == [(1, "turn")]


def test_every_tile_is_read_as_may_or_must() -> None:
    assert MUST | set(MAY) == set(range(1, 27))
    assert {2, 3, 4, 7, 13, 14, *range(15, 27)} == MUST


# At the end


def test_tile_15_three_for_each_kind_of_goods_sold() -> None:
    state = table(estates=(knowing(15),), sold=("1112",))
    assert knowledge_points(state, 0, 15) == 6


BUILDING_TILES = {
    16: "warehouse",
    17: "watchtower",
    18: "carpenter",
    19: "church",
    20: "market",
    21: "boarding_house",
    22: "bank",
    23: "city_hall",
}


@pytest.mark.parametrize(("number", "building"), sorted(BUILDING_TILES.items()))
def test_tiles_16_to_23_four_for_each_of_their_building(number: int, building: str) -> None:
    estate = knowing(number, c3=building, e4=building)
    for other in BUILDING_TILES:
        state = table(estates=(estate,))
        assert knowledge_points(state, 0, other) == (8 if other == number else 0)


def test_tile_24_four_for_each_kind_of_animal() -> None:
    estate = knowing(24, c3="bank", c2="cow2", c1="cow3", b2="pig2")
    assert knowledge_points(table(estates=(estate,)), 0, 24) == 8


def test_tile_25_one_for_each_goods_tile_sold() -> None:
    assert knowledge_points(table(estates=(knowing(25),), sold=("1112",)), 0, 25) == 4


def test_tile_26_two_for_each_bonus_tile_large_or_small() -> None:
    state = table(
        seats=3,
        estates=(knowing(26),),
        completed={"mine": (0, 1), "ship": (1, 0), "castle": (1, 2, 0)},
    )
    assert knowledge_points(state, 0, 26) == 4


@pytest.mark.parametrize("number", range(1, 15))
def test_the_other_tiles_are_worth_nothing_at_the_end(number: int) -> None:
    assert knowledge_points(table(estates=(knowing(number),)), 0, number) == 0
