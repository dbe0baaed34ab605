"""What planned actions would change in Guatemala Café."""

from __future__ import annotations

from typing import Any

import msgspec

from bot.game.contract import SPECTATOR
from bot.game.guatemala import GAME
from tests.game.guatemala.positions import play, table
from tests.text.guatemala.tables import EN, NAMES, TEXT

POSITION: dict[str, Any] = {
    "seats": 4,
    "buyer": "r5",
    "line": "red worker, road, red ship, white worker, white hut",
    "huts": ({"red": "d2"}, {"red": "a2"}),
    "workers": ({"red": "d1 c1"}, {"red": "a1"}),
    "roads": "b1-c1",
}


def planned(*actions: str, **position: Any) -> list[str]:
    """What seat 0 is told after these actions."""
    state = table(**{**POSITION, **position})
    before = GAME.view(state, 0)
    for action in actions:
        play(state, 0, action)
    return [*TEXT.what_if(EN, before, GAME.view(state, 0), NAMES)]


def test_what_a_worker_brings_is_told_before_what_it_costs() -> None:
    assert planned("buy 51 c2") == [
        "Red plantation, next harvest: 2 → 3",
        "Money: 15 → 12",
    ]


def test_what_scores_nothing_yet_is_said_as_it_stands() -> None:
    assert planned("buy 54 h3") == ["1 white worker, no hut", "Money: 15 → 12"]


def test_a_hut_says_how_far_it_is_from_a_port_and_a_road_how_far_it_still_is() -> None:
    said = planned("buy 55 h2")
    assert "White hut: Port 2 is 2 roads away" in said
    assert planned("buy 52 f1-g1", huts=({"white": "h2"},), workers=({},), roads="") == [
        "White hut: Port 2 is 1 road away"
    ]


def test_a_ship_may_raise_the_harvest_of_others_too() -> None:
    assert planned("buy 53 port1", roads="b1-c1 c1-c2 b1-b2") == [
        "Red plantation, next harvest: 2 → 4",
        "Money: 15 → 13",
        "**Bob**, red plantation, next harvest: 1 → 2",
    ]


def test_nothing_is_said_where_nothing_changes_and_to_spectators() -> None:
    assert planned() == []
    state = table(**POSITION)
    before = msgspec.structs.replace(GAME.view(state, 0), observer=SPECTATOR)
    play(state, 0, "buy 51 c2")
    assert TEXT.what_if(EN, before, GAME.view(state, SPECTATOR), NAMES) == []
