"""What planned actions would change, now and after."""

from __future__ import annotations

from bot.game.burgundy import GAME
from bot.game.burgundy.state import BurgundyState
from bot.game.contract import SPECTATOR
from bot.game.trial import foreseen
from bot.text.words import words_for
from bot.titles import TITLES
from tests.game.burgundy.positions import play, table
from tests.text.moments import NAMES

TEXT, EN = TITLES.texts["burgundy"], words_for("en")


def changed(state: BurgundyState, *lines: str, observer: int = 0) -> list[str]:
    """What these actions of seat 0 change."""
    before = GAME.view(state, observer)
    for line in lines:
        play(state, 0, line)
    return [*TEXT.what_if(EN, before, GAME.view(state, observer), NAMES)]


def test_a_region_is_told_now_and_after_with_what_it_will_bring() -> None:
    estate = {"d4": "castle", "d5": "ship"}
    state = table(estates=(estate,), stored="ship mine", dice=(4, 2))
    assert changed(state, "place 4 ship d6") == [
        "Place on the turn track: 1 → 2",
        "⛵ River of 3: 1/3 → 2/3, +16 when complete",
        "Storage: ⛵ Ship, ⛏️ Mine → ⛏️ Mine",
    ]


def test_a_region_completed_and_a_colour_covered_are_reasons_with_their_points() -> None:
    estate = {"d4": "castle", "d1": "ship", "d2": "ship", "d3": "ship", "d5": "ship", "d6": "ship"}
    state = table(estates=(estate,), stored="ship", dice=(1, 2))
    (made,) = foreseen(GAME, GAME.view(state, 0), [("place", "1", "ship", "d7")])
    assert TEXT.reasons(EN, made.events, NAMES) == [
        "Completes the 3-space ⛵ river: 6 points, +10 for the phase",
        "Is first to cover all ⛵ ships: 5 points",
    ]
    assert changed(state, "place 1 ship d7") == [
        "Points: 0 → 21",
        "Place on the turn track: 1 → 2",
        "Storage: ⛵ Ship → nothing",
    ]


def test_what_is_sold_and_taken_is_counted() -> None:
    state = table(dice=(4, 2), goods_of=("44",), workers=1)
    assert changed(state, "sell 4 4", "workers 2") == [
        "Points: 0 → 4",
        "Workers: 1 → 3",
        "Silverlings: 0 → 1",
        "Goods: 2 of type 4 → nothing",
    ]


def test_nothing_is_told_to_whom_it_does_not_concern() -> None:
    state = table(dice=(4, 2), goods_of=("44",))
    assert changed(state, "sell 4 4", observer=1) == []
    assert changed(state, "workers 2", observer=SPECTATOR) == []
