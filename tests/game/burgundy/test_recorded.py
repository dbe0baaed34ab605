"""The recorded games show all that a game of Burgundy can come to."""

from __future__ import annotations

from itertools import product

from bot.game.burgundy import GAME
from tests.game.test_recorded import RESULT_OF, record
from tests.recorded.results import names

FILES = names(GAME)


def test_each_way_to_win_is_recorded_by_both_readings_of_ties() -> None:
    there = {
        (RESULT_OF["burgundy"][name].ending, record("burgundy", name).options["ties"])
        for name in FILES
    }
    assert there >= set(product(("points", "estate", "order"), ("fullest", "emptiest")))


def test_every_effect_is_used_and_declined_in_the_recorded_games() -> None:
    lines = {
        " ".join(entry.action.split()[:2])
        for name in FILES
        for entry in record("burgundy", name).entries
    }
    effects = {"take any", "place any", "sell any", "workers any", "decline", "buy black"}
    assert lines >= effects
