"""Whole actions as entries of a menu."""

from __future__ import annotations

from bot.game.burgundy import GAME
from bot.game.burgundy.state import BurgundyState
from bot.text.contract import Label, Style
from bot.text.words import words_for
from bot.titles import TITLES
from tests.game.burgundy.positions import play, table
from tests.text.moments import NAMES

TEXT, EN = TITLES.texts["burgundy"], words_for("en")


def entry(state: BurgundyState, line: str) -> Label:
    """What an action of seat 0 is called; ``-`` is an empty word."""
    action = tuple("" if word == "-" else word for word in line.split())
    return TEXT.whole(EN, action, [GAME.view(state, 0)], NAMES)


def test_an_entry_says_what_is_done_where_what_it_brings_and_what_it_costs() -> None:
    state = table(
        estates=({"d4": "castle", "d5": "ship", "d6": "ship"},),
        stored="ship k12",
        workers=2,
        silverlings=2,
        dice=(2, 4),
        goods_of=("44",),
        depots={"2": "castle", "3": "market", "black": "bank"},
    )
    assert entry(state, "take 2 2 castle -").text == "Take Castle from depot 2 (die 2)"
    assert entry(state, "take 2 3 market -").text == "Take Market from depot 3 (die 2, 1 worker)"
    assert entry(state, "sell 4 4").text == "Sell 2 of type 4, +4 (die 4)"
    assert entry(state, "workers 4").text == "Take 2 workers (die 4)"
    assert entry(state, "buy black bank -").text == "Buy Bank for 2 silverlings"
    placed = entry(state, "place 2 ship d7")
    assert placed.text == "Place Ship on d7, +16 (die 2, 1 worker)"
    assert placed.called == "d7"
    assert placed.style is Style.SUCCESS
    assert (placed.description or "").startswith("completes the river: 6 + 10 points · ")


def test_what_leaves_a_full_storage_is_said() -> None:
    state = table(stored="ship k12 bank", dice=(2, 4), depots={"2": "castle"})
    assert entry(state, "take 2 2 castle bank").text == (
        "Take Castle from depot 2, discard Bank (die 2)"
    )


def test_the_end_of_the_turn_is_said_with_what_comes_before_it() -> None:
    state = table(dice=(2, 4), left=(2,), depots={"2": "castle"})
    assert entry(state, "take 2 2 castle - + end").text == "Take Castle from depot 2, end turn"
    assert entry(state, "workers 2 + end").name == "Take 2 workers"


def test_a_die_is_named_only_where_there_is_another() -> None:
    for dice, die in (((2, 4), "die 2, "), ((2, 2), "")):
        state = table(dice=dice, workers=1, depots={"3": "market"})
        assert entry(state, "take 2 3 market -").text == f"Take Market from depot 3 ({die}1 worker)"


def test_a_ship_says_what_it_loads_and_whether_it_need_not() -> None:
    state = table(stored="ship", dice=(2, 4), goods_of=("12",), goods_at={"1": "113", "2": "36"})
    play(state, 0, "place 2 ship d3")
    assert entry(state, "load 1 3").text == "Load 2 of type 1 and 1 of type 3 from depot 1"
    assert entry(state, "load 2 6").text == "Load 1 of type 6 from depot 2"
    assert entry(state, "load 4 -").text == "Load nothing"
