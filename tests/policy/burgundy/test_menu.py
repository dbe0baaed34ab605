"""The whole actions offered in Burgundy."""

from __future__ import annotations

from functools import partial
from random import Random
from time import process_time

from bot.game.burgundy import GAME
from bot.game.burgundy.state import BurgundyState
from bot.game.chance import RandomChance
from bot.game.contract import canonical
from bot.policy.burgundy.menu import menu
from bot.titles.burgundy import VERSIONS
from tests.game.burgundy.positions import play, table
from tests.policy.menus import check_menus, offered


def test_menus_of_recorded_games_hold_what_the_greedy_player_does() -> None:
    kinds = {"castle", "turn", "extra", "warehouse", "church", "market", "load"}
    check_menus(VERSIONS[-1], 13, kinds)


def said(state: BurgundyState) -> list[str]:
    """What seat 0 is offered."""
    (decision,) = GAME.pending(state)
    found = menu(GAME.view(state, 0), decision, partial(GAME.legal, state, 0))
    return [canonical(each) for each in found]


def test_the_same_thing_is_offered_with_the_die_that_costs_less() -> None:
    found = said(table(stored="ship", workers=3, dice=(3, 6), depots={"4": "bank"}))
    assert [line for line in found if "bank" in line] == ["take 3 4 bank -"]
    assert {"workers 3", "workers 6"} <= {*found}


def test_with_the_last_die_the_turn_ends_unless_something_is_left_to_do() -> None:
    there = {"3": "bank"}
    last = table(
        stored="ship cow3", dice=(3, 2), left=(2,), workers=1, depots=there, goods_at={"1": "1"}
    )
    found = said(last)
    assert {"take 2 3 bank - + end", "workers 2 + end"} <= {*found}
    assert any(line.startswith("place 2 ship ") and "+" not in line for line in found)
    assert not any("+" in line for line in said(table(dice=(3, 2), depots=there)))
    rich = table(dice=(3, 2), left=(2,), silverlings=2, depots={"black": "castle"})
    assert said(rich) == ["buy black castle -", "workers 2"]
    after = table(dice=(3, 2), left=(), silverlings=2, depots={"black": "castle"})
    assert said(after) == ["buy black castle - + end", "end"]


def test_a_ship_is_offered_what_fits_and_once_that_it_loads_nothing() -> None:
    """Types 1 and 2 are held, and one more fits: of depot 3 that makes one goods tile, of 2 two."""
    state = table(
        stored="ship",
        dice=(2, 4),
        left=(2,),
        goods_of=("12",),
        goods_at={"1": "13", "2": "333", "3": "4556"},
    )
    play(state, 0, "place 2 ship d3")
    assert said(state) == [
        "load 2 3 + end",
        "load 1 3 + end",
        "load 3 5 + end",
        "load 4 - + end",
    ]
    full = table(stored="ship", dice=(2, 4), goods_of=("126",), goods_at={"1": "1", "2": "3333"})
    play(full, 0, "place 2 ship d3")
    assert said(full)[0] == "load 1 -"


def test_a_ship_that_nothing_is_there_for_ends_the_turn() -> None:
    for goods, there, together in (("", "", True), ("126", "3", True), ("12", "3", False)):
        last = table(
            stored="ship", dice=(2, 4), left=(2,), goods_of=(goods,), goods_at={"1": there}
        )
        assert ("place 2 ship d3 + end" in said(last)) is together


def test_an_effect_that_nothing_is_there_for_does_not_keep_the_turn_open() -> None:
    for stored, goods, together in (
        ("city_hall", "", True),
        ("city_hall mine", "", False),
        ("warehouse", "", True),
        ("warehouse", "5", False),
    ):
        last = table(stored=stored, dice=(3, 2), left=(3,), goods_of=(goods,))
        line = f"place 3 {stored.split()[0]} c3"
        assert (f"{line} + end" in said(last)) is together


def test_every_board_that_is_left_is_offered() -> None:
    state = GAME.setup(2, {"boards": "choose"}, RandomChance(Random(1)))
    (decision,) = GAME.pending(state)
    legal = partial(GAME.legal, state, decision.seat)
    found = menu(GAME.view(state, decision.seat), decision, legal)
    assert [*found] == [("board", board) for board in "123456789"]


def test_a_menu_is_made_in_the_time_of_a_press() -> None:
    slowest = 0.0
    for each in offered(VERSIONS[-1], 301):
        legal = partial(GAME.legal, each.state, each.decision.seat)
        began = process_time()
        menu(each.view, each.decision, legal)
        slowest = max(slowest, process_time() - began)
    assert 0 < slowest < 0.01
