"""What planned actions would change in Flandern 1302."""

from __future__ import annotations

from typing import Any

from bot.game.contract import SPECTATOR
from bot.game.flandern import GAME
from tests.game.flandern.positions import lay, one_plays, play, table
from tests.text.flandern.tables import EN, NAMES, TEXT

CROWDED = "t1 yellow, t2 blue, p1 church, p2 grey"
"""In Gent, whose centre is red, as seat 0 is: worth 6."""


def planned(card: str, action: str, **position: Any) -> list[str]:
    """What seat 0 is told after it has carried a card out so."""
    state = table(cities={"gent": CROWDED}, **position)
    one_plays(state, card)
    before = GAME.view(state, 0)
    play(state, 0, action)
    return [*TEXT.what_if(EN, before, GAME.view(state, 0), NAMES)]


def test_a_quarter_raises_its_city_and_what_its_guild_would_score() -> None:
    assert planned("gent", "build gent-r2 red") == [
        "Points if all cities were scored now: 6 → 7",
        "Gent: worth 6 → 7; 🔴 Red 6 → 7",
    ]


def test_who_is_first_then_is_said() -> None:
    said = planned("brugge", "build brugge-t1 red")
    assert said[-1] == "Brugge: worth 1 → 2; 🔴 Red 0 → 1; 🔵 Blue 1 → 2"
    said = planned("gent", "build gent-t3 grey")
    assert said[0] == "Gent: worth 6 → 7; 🔴 Red 6 → 4; ⚪ Grey 2 → 7; ⚪ Grey leads"


def test_influence_cards_that_come_or_go_are_said() -> None:
    state = table(influence=2)
    before = GAME.view(state, 0)
    lay(state, "gent 1", "take", "take", "take")
    assert "Influence cards: 2 → 1" in TEXT.what_if(EN, before, GAME.view(state, 0), NAMES)


def test_spectators_are_told_nothing() -> None:
    state = table(cities={"gent": CROWDED})
    one_plays(state, "gent")
    before = GAME.view(state, SPECTATOR)
    play(state, 0, "build gent-r2 red")
    assert TEXT.what_if(EN, before, GAME.view(state, SPECTATOR), NAMES) == []
