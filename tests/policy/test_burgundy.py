"""The normal player of The Castles of Burgundy."""

from __future__ import annotations

from random import Random

from bot.game.burgundy import GAME
from bot.game.burgundy.dice import Bought, Discarded
from bot.game.events import TurnEnded
from bot.titles import TITLES
from bot.tools.playing import play, players
from tests.game.burgundy.positions import table
from tests.policy.menus import answer

ESTATE = {"d4": "castle", "c3": "bank", "c2": "pig3", "b2": "pig2"}


def test_it_does_not_discard_a_tile_bought_in_the_same_turn() -> None:
    bought = 0
    for seed in range(12):
        bought_tiles: set[str] = set()
        for step in play(GAME, players(TITLES["burgundy"], ["normal"], 2), {}, Random(seed)):
            for event in step.events:
                match event:
                    case Bought():
                        bought_tiles.add(event.tile)
                        bought += 1
                    case Discarded():
                        assert event.tile not in bought_tiles
                    case TurnEnded():
                        bought_tiles.clear()
    assert bought > 50


def test_it_buys_only_with_a_gain_and_room_and_then_discards_nothing() -> None:
    shop = {"black": "k7", "1": "ship castle"}
    for stored, left, bought, expected in (
        ("cow2", (), False, "buy black k7 -"),
        ("cow2", (), True, "end"),
        ("mine mine mine", (), False, "end"),
        ("mine mine mine", (1,), False, "take 1 1 castle mine"),
        ("mine mine mine", (1,), True, "workers 1"),
    ):
        state = table(
            stored=stored, left=left, silverlings=2, bought=bought, depots=shop, estates=(ESTATE,)
        )
        assert answer(GAME, state) == expected, (stored, left)
