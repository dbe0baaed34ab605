"""The 26 knowledge tiles (rules: knowledge); tiles 1, 5 and 6 are in test_placing and
test_goods."""

from __future__ import annotations

from bot.game.burgundy.rounds import knowledge_points
from bot.game.burgundy.state import BurgundyState
from tests.game.burgundy.positions import CENTRE, facts, finish, play, points, table, words

DEPOTS = {str(number): "mine" for number in range(1, 7)}


def estate_with(*numbers: int, **estate: str) -> dict[str, str]:
    """Return an estate with these knowledge tiles and other tiles."""
    spaces = ("c4", "b4", "a4")
    knowledge = {space: f"k{number}" for space, number in zip(spaces, numbers, strict=False)}
    return {**CENTRE, **knowledge, **estate}


def spaces(state: BurgundyState, die: int, tile: str) -> tuple[str, ...]:
    """Return the spaces where the active seat can place its tile with the die."""
    if "place" not in words(state, 0) or str(die) not in words(state, 0, "place"):
        return ()
    return words(state, 0, f"place {die} {tile}")


def supplies(state: BurgundyState) -> tuple[int, int]:
    """Return the workers and silverlings of seat 0."""
    return state.players[0].workers, state.players[0].silverlings


def workers_spent(state: BurgundyState, line: str) -> object:
    """Play an action and return the workers that it cost."""
    (event,) = facts(play(state, 0, line), "taken" if line.startswith("take") else "placed")
    return event["spent"]


def test_tile_2_gives_workers_for_mines_from_the_end_of_its_phase() -> None:
    estate = {**CENTRE, "e3": "mine", "f2": "mine"}
    state = table(round_=5, coming="", estates=(estate,), stored="k2", dice=(1, 1))
    play(state, 0, "place 1 k2 c4")
    finish(state, 0)
    events = finish(state, 1)
    assert facts(events, "mines_paid") == [{"seat": 0, "silverlings": 2, "workers": 2}]


def test_tiles_3_and_4_add_to_each_sale_also_of_a_warehouse() -> None:
    for numbers, expected in (((3,), (0, 2)), ((4,), (1, 1)), ((3, 4), (1, 2))):
        state = table(estates=(estate_with(*numbers),), goods_of=("444",), dice=(4, 1))
        assert facts(play(state, 0, "sell 4 4"), "sold")[0]["points"] == 6
        assert supplies(state) == expected, numbers
    state = table(estates=(estate_with(3, 4),), goods_of=("444",), stored="warehouse", dice=(3, 1))
    play(state, 0, "place 3 warehouse e4")
    play(state, 0, "sell any 4")
    assert supplies(state) == (1, 2)


def test_with_tile_7_three_sheep_next_to_four_score_nine_and_two_lone_pigs_three() -> None:
    state = table(estates=(estate_with(7, c3="bank", c2="sheep4"),), stored="sheep3", dice=(5, 1))
    play(state, 0, "place 5 sheep3 c1")
    assert points(state, 0) == {"animals": 9}
    estate = estate_with(7, c3="bank", c1="sheep4", c2="cow2")
    state = table(estates=(estate,), stored="pig2", dice=(1, 1))
    play(state, 0, "place 1 pig2 b2")
    assert points(state, 0) == {"animals": 3}


def test_with_tile_8_two_workers_make_a_six_a_three_and_none_is_required() -> None:
    """A worker changes a die by one or two."""
    state = table(estates=(estate_with(8),), workers=2, dice=(6, 6), depots=DEPOTS)
    assert workers_spent(state, "take 6 3 mine -") == 2
    state = table(estates=(estate_with(8),), workers=1, dice=(6, 6), depots=DEPOTS)
    assert words(state, 0, "take 6") == ("1", "2", "4", "5", "6")
    assert workers_spent(state, "take 6 6 mine -") == 0
    assert workers_spent(state, "take 6 2 mine -") == 1


def test_tiles_9_to_11_give_a_free_step_for_placing_in_their_colours() -> None:
    """Building on e4 (3), ship on d5 (5), mine on e3 (4), castle on b3 (6), knowledge on b4 (5),
    animal on c2 (4). The seat need not use the step."""
    for number, tile, space, exact, near, far in (
        (9, "bank", "e4", 3, 2, 1),
        (10, "ship", "d5", 5, 4, 3),
        (10, "cow2", "c2", 4, 5, 6),
        (11, "mine", "e3", 4, 3, 2),
        (11, "castle", "b3", 6, 5, 4),
        (11, "k2", "b4", 5, 4, 3),
    ):
        for other in (9, 10, 11, 12):
            state = table(
                estates=(estate_with(other, c3="watchtower"),), stored=tile, dice=(near, far)
            )
            assert (space in spaces(state, near, tile)) == (other == number), (other, tile)
            assert space not in spaces(state, far, tile), (other, tile)
        for die in (near, exact):
            state = table(
                estates=(estate_with(number, c3="watchtower"),), stored=tile, dice=(die, 1)
            )
            assert workers_spent(state, f"place {die} {tile} {space}") == 0


def test_tile_12_gives_a_free_step_for_taking_with_a_die() -> None:
    state = table(estates=(estate_with(12),), dice=(6, 6), depots=DEPOTS, workers=1)
    assert words(state, 0, "take 6") == ("1", "2", "4", "5", "6")
    assert workers_spent(state, "take 6 1 mine -") == 0
    assert workers_spent(state, "take 6 2 mine -") == 1
    state = table(estates=(estate_with(12),), dice=(6, 6), depots=DEPOTS)
    assert workers_spent(state, "take 6 6 mine -") == 0


def test_a_free_step_stays_one_step_with_tile_8_and_adds_to_paid_ones() -> None:
    state = table(estates=(estate_with(8, 12),), dice=(6, 6), depots=DEPOTS)
    assert words(state, 0, "take 6") == ("1", "5", "6")
    state = table(estates=(estate_with(8, 12),), dice=(6, 6), depots=DEPOTS, workers=1)
    assert workers_spent(state, "take 6 3 mine -") == 1


def test_tiles_13_and_14_add_to_a_die_for_workers_but_not_to_a_boarding_house() -> None:
    """They apply to a castle's action too, but not while they are in storage."""
    for numbers, expected in (((13,), (2, 1)), ((14,), (4, 0)), ((13, 14), (4, 1))):
        state = table(estates=(estate_with(*numbers),), dice=(2, 3))
        play(state, 0, "workers 2")
        assert supplies(state) == expected, numbers
    state = table(stored="k14 k13", dice=(2, 3))
    play(state, 0, "workers 2")
    assert supplies(state) == (2, 0)
    state = table(estates=(estate_with(13, 14),), dice=(6, 3), stored="castle boarding_house")
    play(state, 0, "place 6 castle b3")
    play(state, 0, "workers any")
    assert supplies(state) == (4, 1)
    play(state, 0, "place 3 boarding_house e4")
    assert supplies(state) == (8, 1)


# At the end


def test_tiles_15_24_25_and_26_count_goods_animals_and_bonus_tiles() -> None:
    """They score 3 points for each kind of sold goods, 4 for each kind of animal, 1 for each sold
    goods tile, 2 for each bonus tile."""
    sold = table(estates=(estate_with(15, 25),), sold=("1112",))
    assert (knowledge_points(sold, 0, 15), knowledge_points(sold, 0, 25)) == (6, 4)
    animal_points = table(estates=(estate_with(24, c3="bank", c2="cow2", c1="cow3", b2="pig2"),))
    assert knowledge_points(animal_points, 0, 24) == 8
    completed = {"mine": (0, 1), "ship": (1, 0), "castle": (1, 2, 0)}
    state = table(seats=3, estates=(estate_with(26),), completed=completed)
    assert knowledge_points(state, 0, 26) == 4


def test_tiles_16_to_23_score_four_for_each_of_their_building_and_tiles_1_to_14_nothing() -> None:
    for number, building in enumerate(
        (
            *("warehouse", "watchtower", "carpenter", "church"),
            *("market", "boarding_house", "bank", "city_hall"),
        ),
        16,
    ):
        state = table(estates=(estate_with(number, c3=building, e4=building),))
        for other in range(1, 24):
            if other != 15:
                assert knowledge_points(state, 0, other) == (8 if other == number else 0)
