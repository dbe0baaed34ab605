"""Selling goods, and ships that load them (sections 7.3, 7.4, 8 and 11)."""

from __future__ import annotations

import pytest

from bot.game.burgundy import GAME
from tests.game.burgundy.positions import (
    asked,
    facts,
    held,
    play,
    points,
    refused,
    table,
    words,
)

NEIGHBOURLY = {"d4": "castle", "c4": "k5"}


@pytest.mark.parametrize(("seats", "each"), [(2, 2), (3, 3), (4, 4)])
def test_all_goods_of_the_die_are_sold_for_points_and_one_silverling(seats: int, each: int) -> None:
    state = table(seats=seats, goods_of=("44415",), dice=(4, 2))
    assert words(state, 0, "sell") == ("4",)
    play(state, 0, "sell 4 4")
    assert points(state, 0) == {"goods": 3 * each}
    player = state.players[0]
    assert (held(state, 0), player.silverlings, player.sold) == ("15", 1, [0, 0, 0, 3, 0, 0])


def test_workers_change_the_die_of_a_sale() -> None:
    state = table(goods_of=("44",), dice=(2, 1), workers=2)
    refusal = refused(state, 0, "sell 1 4")
    assert refusal.code == "die_useless"
    events = play(state, 0, "sell 2 4")
    assert facts(events, "sold")[0]["spent"] == 2
    assert state.players[0].workers == 0


def test_what_cannot_be_sold_is_refused() -> None:
    state = table(goods_of=("446",), dice=(4, 3), workers=1)
    assert refused(state, 0, "sell 4 5").code == "no_such_goods"
    assert refused(state, 0, "sell 4 6").code == "needs_workers"
    assert refused(state, 0, "sell 4 cow").code == "not_a_choice"
    assert refused(table(), 0, "sell 1 1").code == "no_goods"
    assert refused(table(goods_of=("3",), dice=(1, 1)), 0, "sell 1 1").code == "nothing_to_sell"


# Ships


def test_a_ship_loads_all_goods_of_one_depot_whatever_the_die() -> None:
    state = table(stored="ship", dice=(5, 1), goods_of=("1",), goods_at={"3": "1166", "5": "2"})
    play(state, 0, "place 5 ship d5")
    assert asked(state) == [(0, "load")]
    assert words(state, 0) == ("load",)
    assert words(state, 0, "load") == tuple("123456")
    assert words(state, 0, "load 3") == ("6",)
    events = play(state, 0, "load 3 6")
    assert facts(events, "loaded") == [{"seat": 0, "depot": "3", "goods": "1166"}]
    assert held(state, 0) == "11166"
    assert sum(state.goods[2]) == 0
    assert asked(state) == [(0, "turn")]


def test_only_three_kinds_fit_and_the_player_picks_which() -> None:
    state = table(stored="ship", dice=(5, 1), goods_of=("15",), goods_at={"3": "11223446"})
    play(state, 0, "place 5 ship d5")
    assert words(state, 0, "load 3") == ("6", "4", "3", "2")
    assert refused(state, 0, "load 3 24").code == "too_many"
    assert refused(state, 0, "load 3 -").code == "too_few"
    assert refused(state, 0, "load 3 5").code == "not_in_stock"
    play(state, 0, "load 3 4")
    assert held(state, 0) == "111445"
    assert state.goods[2] == [0, 2, 1, 0, 0, 1]


def test_what_fits_cannot_be_refused_and_what_does_not_stays() -> None:
    state = table(stored="ship", dice=(5, 1), goods_of=("156",), goods_at={"3": "1124"})
    play(state, 0, "place 5 ship d5")
    assert words(state, 0, "load 3") == ("",)
    play(state, 0, "load 3 -")
    assert held(state, 0) == "11156"
    assert state.goods[2] == [0, 1, 0, 1, 0, 0]


def test_an_empty_depot_may_be_chosen() -> None:
    state = table(stored="ship", dice=(5, 1), goods_at={"3": "1"})
    play(state, 0, "place 5 ship d5")
    play(state, 0, "load 6 -")
    assert (held(state, 0), asked(state)) == ("", [(0, "turn")])


def test_a_ship_that_can_load_nothing_asks_nothing() -> None:
    for goods_of, goods_at in (("", {}), ("123", {"3": "456"})):
        state = table(stored="ship", dice=(5, 1), goods_of=(goods_of,), goods_at=goods_at)
        events = play(state, 0, "place 5 ship d5")
        assert facts(events, "lapsed") == [{"seat": 0, "tile": "ship"}]
        assert asked(state) == [(0, "turn")]
        assert state.track[1] == [0]


def test_no_goods_are_loaded_from_the_black_depot() -> None:
    state = table(stored="ship", dice=(5, 1), goods_at={"3": "1"})
    play(state, 0, "place 5 ship d5")
    assert refused(state, 0, "load black -").code == "no_goods_there"


# Tile 5


def test_tile_5_loads_from_two_neighbouring_depots_one_after_the_other() -> None:
    state = table(
        stored="ship", dice=(5, 1), goods_at={"6": "22", "1": "3", "3": "4"}, estates=(NEIGHBOURLY,)
    )
    play(state, 0, "place 5 ship d5")
    play(state, 0, "load 6 2")
    assert asked(state) == [(0, "load")]
    assert words(state, 0, "load") == ("1",)
    assert refused(state, 0, "load 3 4").code == "not_neighbours"
    play(state, 0, "load 1 3")
    assert (held(state, 0), asked(state)) == ("223", [(0, "turn")])


def test_with_tile_5_the_order_is_free_where_room_is_short() -> None:
    for first, second, loaded in (("1", "2", "1345"), ("2", "1", "2345")):
        state = table(
            stored="ship",
            dice=(5, 1),
            goods_of=("45",),
            goods_at={"1": "13", "2": "23"},
            estates=(NEIGHBOURLY,),
        )
        play(state, 0, "place 5 ship d5")
        new = loaded.strip("345")
        play(state, 0, f"load {first} {new}")
        assert held(state, 0) == "".join(sorted("45" + new))
        assert asked(state) == [(0, "turn")], second


def test_tile_5_may_the_second_load_can_be_declined_and_the_first_cannot() -> None:
    """Section 11."""
    state = table(
        stored="ship", dice=(5, 1), goods_at={"6": "22", "1": "3"}, estates=(NEIGHBOURLY,)
    )
    play(state, 0, "place 5 ship d5")
    assert words(state, 0) == ("load",)
    assert refused(state, 0, "decline").code == "must_load"
    play(state, 0, "load 6 2")
    assert words(state, 0) == ("load", "decline")
    events = play(state, 0, "decline")
    assert facts(events, "declined") == [{"seat": 0, "tile": "ship"}]
    assert (held(state, 0), asked(state)) == ("22", [(0, "turn")])


def test_without_tile_5_no_load_can_be_declined() -> None:
    state = table(stored="ship", dice=(5, 1), goods_at={"6": "22", "1": "3"})
    play(state, 0, "place 5 ship d5")
    assert refused(state, 0, "decline").code == "must_load"
    play(state, 0, "load 6 2")
    assert asked(state) == [(0, "turn")]


def test_with_tile_5_any_of_the_six_is_the_first_also_an_empty_one() -> None:
    state = table(stored="ship", dice=(5, 1), goods_at={"6": "22"}, estates=(NEIGHBOURLY,))
    play(state, 0, "place 5 ship d5")
    assert words(state, 0, "load") == ("1", "2", "3", "4", "5", "6")
    play(state, 0, "load 5 -")
    assert words(state, 0, "load") == ("6",)


@pytest.mark.parametrize(
    ("own", "there", "listed"),
    [
        ("", {"1": "3", "5": "4"}, ("1", "5")),
        ("", {"1": "3"}, ("1",)),
        ("13", {"1": "3", "5": "4"}, ("1",)),
        ("34", {"1": "15", "5": "4"}, ("5",)),
    ],
)
def test_the_second_load_lists_only_depots_with_goods_that_fit(
    own: str, there: dict[str, str], listed: tuple[str, ...]
) -> None:
    """The two of depot 6 are of a third type, so there is no room for a fourth."""
    state = table(
        stored="ship",
        dice=(5, 1),
        goods_of=(own,),
        goods_at={"6": "22", "3": "6", **there},
        estates=(NEIGHBOURLY,),
    )
    play(state, 0, "place 5 ship d5")
    play(state, 0, "load 6 2")
    assert words(state, 0, "load") == listed
    assert GAME.view(state, 1).loads == listed
    for depot in {"1", "5"} - set(listed):
        assert refused(state, 0, f"load {depot} -").code == "nothing_fits"
    assert refused(state, 0, "load 3 6").code == "not_neighbours"


def test_with_tile_5_a_second_load_of_no_use_is_neither_asked_nor_told() -> None:
    state = table(
        stored="ship", dice=(5, 1), goods_at={"6": "22", "3": "3"}, estates=(NEIGHBOURLY,)
    )
    play(state, 0, "place 5 ship d5")
    events = play(state, 0, "load 6 2")
    assert [event.kind for event in events] == ["loaded"]
    assert asked(state) == [(0, "turn")]
