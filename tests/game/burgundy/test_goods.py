"""Dice, workers, tiles, goods and ships (rules: workers, take, black_depot, sell, ships)."""

from __future__ import annotations

from typing import Any

from bot.game.burgundy import GAME
from bot.game.burgundy.goods import loadable
from bot.game.burgundy.state import BurgundyState
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

FULL = {str(number): "mine" for number in range(1, 7)}


def codes(state: BurgundyState, *lines: str) -> list[str]:
    """Return the refusal codes of the actions for seat 0."""
    return [refused(state, 0, line).code for line in lines]


# Dice and workers


def test_two_equal_dice_are_one_choice_and_two_actions() -> None:
    state = table(dice=(4, 4))
    assert words(state, 0, "workers") == ("4",)
    play(state, 0, "workers 4")
    play(state, 0, "workers 4")
    assert state.players[0].workers == 4
    assert codes(state, "workers 4") == ["dice_used"]


def test_a_die_for_two_workers() -> None:
    state = table(dice=(2, 5), workers=1)
    taken = {"seat": 0, "die": "5", "workers": 2, "silverlings": 0}
    assert facts(play(state, 0, "workers 5"), "workers_taken") == [taken]
    assert state.players[0].workers == 3
    assert words(state, 0, "workers") == ("2",)


def test_each_worker_changes_a_die_by_one_and_six_is_next_to_one() -> None:
    for workers, depots in ((0, "6"), (1, "156"), (2, "12456"), (3, "123456"), (9, "123456")):
        state = table(dice=(6, 6), workers=workers, depots=FULL)
        assert words(state, 0, "take 6") == tuple(depots), workers
    state = table(dice=(6, 5), workers=1, depots=FULL)
    refusal = refused(state, 0, "take 6 3 mine -")
    assert refusal.code == "needs_workers"
    assert refusal.facts == {"die": "6", "number": 3, "count": 3, "workers": 1}


def test_each_action_spends_only_the_workers_it_needs() -> None:
    state = table(dice=(6, 6), workers=3, depots=FULL)
    assert facts(play(state, 0, "take 6 2 mine -"), "taken")[0]["spent"] == 2
    assert words(state, 0, "take 6") == ("1", "5", "6")
    assert facts(play(state, 0, "take 6 6 mine -"), "taken")[0]["spent"] == 0
    assert state.players[0].workers == 1
    assert stored(state, 0) == ["mine", "mine"]


def test_a_missing_die_and_a_useless_die_have_different_refusals() -> None:
    state = table(dice=(6, 2), depots={"2": "ship"})
    lines = ("take 6 2 ship -", "take 4 2 ship -", "take nine 2 ship -", "workers any")
    assert codes(state, *lines) == ["die_useless", "no_such_die", "not_a_choice", "no_such_die"]


# Taking


def test_a_die_takes_a_tile_from_its_depot_into_storage() -> None:
    state = table(dice=(3, 1), depots={"3": "cow3 ship cow3", "1": "bank"})
    assert words(state, 0, "take") == ("3", "1")
    assert words(state, 0, "take 3 3") == ("cow3", "ship")
    taken = {"seat": 0, "tile": "cow3", "depot": "3", "die": "3", "spent": 0}
    assert facts(play(state, 0, "take 3 3 cow3 -"), "taken") == [taken]
    assert (stored(state, 0), tiles_in(state, "3")) == (["cow3"], ["ship", "cow3"])
    state = table(dice=(4, 4), depots={"4": "mine"})
    assert codes(state, "place 4 mine e3") == ["storage_empty"]


def test_a_missing_tile_cannot_be_taken() -> None:
    state = table(dice=(3, 1), depots={"3": "cow3", "black": "ship"}, workers=3)
    lines = ("take 3 3 ship -", "take 3 4 ship -", "take 3 black ship -", "take 3 3 dragon -")
    expected = ["not_in_depot", "depot_empty", "not_from_black", "not_a_choice"]
    assert codes(state, *lines) == expected
    state = table(dice=(3, 1), depots={"black": "ship"})
    assert "take" not in words(state, 0)
    assert codes(state, "take 3 3 ship -") == ["nothing_to_take"]


def test_a_stored_tile_is_discarded_only_if_storage_is_full() -> None:
    state = table(dice=(3, 3), depots={"3": "cow3 pig2"}, stored="ship mine ship")
    assert words(state, 0, "take 3 3 cow3") == ("ship", "mine")
    lines = ("take 3 3 cow3 -", "take 3 3 cow3 castle")
    assert codes(state, *lines) == ["storage_full", "not_in_storage"]
    events = play(state, 0, "take 3 3 cow3 ship")
    assert facts(events, "discarded") == [{"seat": 0, "tile": "ship"}]
    assert stored(state, 0) == ["mine", "ship", "cow3"]
    assert sum(state.removed) == 1
    state = table(dice=(3, 3), depots={"3": "cow3"}, stored="ship mine")
    assert words(state, 0, "take 3 3 cow3") == ("",)
    assert codes(state, "take 3 3 cow3 ship") == ["room_left"]


# Buying


def test_two_silverlings_buy_a_tile_from_the_black_depot_once_per_turn() -> None:
    state = table(silverlings=5, depots={"black": "ship k7", "2": "mine"})
    assert words(state, 0, "buy") == ("black",)
    assert words(state, 0, "buy black") == ("ship", "k7")
    bought = {"seat": 0, "tile": "k7", "depot": "black", "price": 2}
    assert facts(play(state, 0, "buy black k7 -"), "bought") == [bought]
    assert (stored(state, 0), state.players[0].silverlings) == (["k7"], 3)
    assert codes(state, "buy black ship -") == ["already_bought"]
    state = table(silverlings=2, depots={"black": "ship"}, stored="mine mine bank")
    assert codes(state, "buy black ship -") == ["storage_full"]
    play(state, 0, "buy black ship bank")
    assert stored(state, 0) == ["mine", "mine", "ship"]


def test_a_purchase_needs_two_silverlings_and_a_tile() -> None:
    refusal = refused(table(silverlings=1, depots={"black": "ship"}), 0, "buy black ship -")
    assert (refusal.code, refusal.facts) == ("needs_silverlings", {"count": 2, "silverlings": 1})
    assert codes(table(silverlings=2), "buy black ship -") == ["nothing_to_buy"]


def test_only_the_black_depot_sells_without_tile_6() -> None:
    depots = {"black": "ship", "2": "mine cow2"}
    assert codes(table(silverlings=4, depots=depots), "buy 2 mine -") == ["only_from_black"]
    with_tile_6: dict[str, Any] = {"estates": ({"d4": "castle", "c4": "k6"},), "depots": depots}
    state = table(silverlings=4, **with_tile_6)
    assert words(state, 0, "buy") == ("2", "black")
    assert codes(state, "buy 3 mine -", "buy 2 ship -") == ["depot_empty", "not_in_depot"]
    play(state, 0, "buy 2 mine -")
    assert state.players[0].silverlings == 2
    assert codes(state, "buy black ship -") == ["already_bought"]
    # The seat need not use the tile.
    state = table(silverlings=2, **with_tile_6)
    assert facts(play(state, 0, "buy black ship -"), "bought")[0]["depot"] == "black"
    assert "buy" not in words(state, 0)


def test_a_purchase_is_legal_before_between_and_after_dice_but_not_during_an_action() -> None:
    """It is illegal between a castle and its action, and during an effect (ruling 12)."""
    for left in ((1, 1), (1,), ()):
        state = table(silverlings=2, depots={"black": "ship"}, dice=(1, 1), left=left)
        play(state, 0, "buy black ship -")
        assert stored(state, 0) == ["ship"]
    state = table(
        silverlings=2,
        depots={"black": "ship", "1": "mine"},
        stored="castle church",
        dice=(6, 3),
        estates=({"d4": "castle", "c4": "k1"},),
    )
    for lines in (("place 6 castle b3", "workers any"), ("place 3 church c3", "decline")):
        play(state, 0, lines[0])
        assert codes(state, "buy black ship -") == ["not_now"]
        play(state, 0, lines[1])
    play(state, 0, "buy black ship -")


# Selling


def test_all_goods_of_the_die_are_sold_for_points_and_one_silverling() -> None:
    for seats in (2, 3, 4):
        state = table(seats=seats, goods_of=("44415",), dice=(4, 2))
        assert words(state, 0, "sell") == ("4",)
        play(state, 0, "sell 4 4")
        assert points(state, 0) == {"goods": 3 * seats}
        player = state.players[0]
        assert (goods_held(state, 0), player.silverlings, player.sold) == (
            "15",
            1,
            [0, 0, 0, 3, 0, 0],
        )


def test_workers_change_the_die_of_a_sale() -> None:
    state = table(goods_of=("44",), dice=(2, 1), workers=2)
    assert codes(state, "sell 1 4") == ["die_useless"]
    assert facts(play(state, 0, "sell 2 4"), "sold")[0]["spent"] == 2
    assert state.players[0].workers == 0


def test_sales_without_goods_or_workers_are_refused() -> None:
    state = table(goods_of=("446",), dice=(4, 3), workers=1)
    lines = ("sell 4 5", "sell 4 6", "sell 4 cow")
    assert codes(state, *lines) == ["no_such_goods", "needs_workers", "not_a_choice"]
    assert codes(table(), "sell 1 1") == ["no_goods"]
    assert codes(table(goods_of=("3",), dice=(1, 1)), "sell 1 1") == ["nothing_to_sell"]


# Ships


def ship_placed(goods_at: dict[str, str], own: str = "", tile_5: bool = False) -> BurgundyState:
    """Return a table with the question of a ship's load."""
    estate = {"d4": "castle"} | ({"c4": "k5"} if tile_5 else {})
    state = table(stored="ship", dice=(5, 1), goods_of=(own,), goods_at=goods_at, estates=(estate,))
    play(state, 0, "place 5 ship d5")
    return state


def test_a_ship_loads_all_goods_of_one_depot_whatever_the_die() -> None:
    """An empty depot may be chosen, but not the black one."""
    state = ship_placed({"3": "1166", "5": "2"}, "1")
    assert asked(state) == [(0, "load")]
    assert words(state, 0) == ("load",)
    assert words(state, 0, "load") == tuple("123456")
    assert words(state, 0, "load 3") == ("6",)
    assert codes(state, "load black -", "decline") == ["no_goods_there", "must_load"]
    events = play(state, 0, "load 3 6")
    assert facts(events, "loaded") == [{"seat": 0, "depot": "3", "goods": "1166"}]
    assert (goods_held(state, 0), sum(state.goods[2])) == ("11166", 0)
    assert asked(state) == [(0, "turn")]
    state = ship_placed({"3": "1"})
    play(state, 0, "load 6 -")
    assert (goods_held(state, 0), asked(state)) == ("", [(0, "turn")])


def test_only_three_kinds_fit_and_the_player_picks_which() -> None:
    state = ship_placed({"3": "11223446"}, "15")
    assert words(state, 0, "load 3") == ("6", "4", "3", "2")
    lines = ("load 3 24", "load 3 -", "load 3 5")
    assert codes(state, *lines) == ["too_many", "too_few", "not_in_stock"]
    play(state, 0, "load 3 4")
    assert (goods_held(state, 0), state.goods[2]) == ("111445", [0, 2, 1, 0, 0, 1])


def test_goods_that_fit_are_loaded_and_the_others_stay() -> None:
    state = ship_placed({"3": "1124"}, "156")
    assert words(state, 0, "load 3") == ("",)
    play(state, 0, "load 3 -")
    assert (goods_held(state, 0), state.goods[2]) == ("11156", [0, 1, 0, 1, 0, 0])


def test_a_ship_without_goods_to_load_moves_ahead_without_a_question() -> None:
    for own, goods_at in (("", {}), ("123", {"3": "456"})):
        state = table(stored="ship", dice=(5, 1), goods_of=(own,), goods_at=goods_at)
        events = play(state, 0, "place 5 ship d5")
        assert facts(events, "lapsed") == [{"seat": 0, "tile": "ship"}]
        assert asked(state) == [(0, "turn")]
        assert state.track[1] == [0]


def test_tile_5_loads_from_two_adjacent_depots_in_turn() -> None:
    state = ship_placed({"6": "22", "1": "3", "3": "4"}, tile_5=True)
    play(state, 0, "load 6 2")
    assert asked(state) == [(0, "load")]
    assert words(state, 0, "load") == ("1",)
    assert codes(state, "load 3 4") == ["not_neighbours"]
    play(state, 0, "load 1 3")
    assert (goods_held(state, 0), asked(state)) == ("223", [(0, "turn")])


def test_with_tile_5_the_player_chooses_the_first_depot() -> None:
    for depot, good in (("1", "1"), ("2", "2")):
        state = ship_placed({"1": "13", "2": "23"}, "45", tile_5=True)
        play(state, 0, f"load {depot} {good}")
        assert (goods_held(state, 0), asked(state)) == (f"{good}45", [(0, "turn")])


def test_only_the_second_load_of_tile_5_can_be_declined() -> None:
    """The first depot may be any of the six, also an empty one (ruling 21)."""
    state = ship_placed({"6": "22", "1": "3"}, tile_5=True)
    assert words(state, 0) == ("load",)
    assert words(state, 0, "load") == tuple("123456")
    assert codes(state, "decline") == ["must_load"]
    play(state, 0, "load 6 2")
    assert words(state, 0) == ("load", "decline")
    assert facts(play(state, 0, "decline"), "declined") == [{"seat": 0, "tile": "ship"}]
    assert (goods_held(state, 0), asked(state)) == ("22", [(0, "turn")])
    state = ship_placed({"6": "22"}, tile_5=True)
    play(state, 0, "load 5 -")
    assert words(state, 0, "load") == ("6",)


def test_the_second_load_lists_only_depots_with_fitting_goods_and_lapses_silently() -> None:
    """The goods of depot 6 are of a third type, so there is no room for a fourth."""
    for own, goods_at, listed in (
        ("", {"1": "3", "5": "4"}, ("1", "5")),
        ("", {"1": "3"}, ("1",)),
        ("13", {"1": "3", "5": "4"}, ("1",)),
        ("34", {"1": "15", "5": "4"}, ("5",)),
    ):
        state = ship_placed({"6": "22", "3": "6", **goods_at}, own, tile_5=True)
        play(state, 0, "load 6 2")
        assert words(state, 0, "load") == loadable(GAME.view(state, 1).known, 0) == listed
        for depot in {"1", "5"} - set(listed):
            assert codes(state, f"load {depot} -") == ["nothing_fits"]
        assert codes(state, "load 3 6") == ["not_neighbours"]
    state = ship_placed({"6": "22", "3": "3"}, tile_5=True)
    assert [event.kind for event in play(state, 0, "load 6 2")] == ["loaded"]
    assert asked(state) == [(0, "turn")]
