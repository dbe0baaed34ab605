"""The recorded games cover every way a game of Burgundy can go."""

from __future__ import annotations

from itertools import product

from bot.game.burgundy import GAME
from tests.recorded.results import names, read_record, read_results

RECORDS = {name: read_record(GAME, name) for name in names(GAME)}
RESULT_OF = read_results(GAME)


def test_each_way_to_win_is_recorded_by_both_readings_of_ties() -> None:
    there = {
        (RESULT_OF[name].ending, record.options.get("ties", "fullest"))
        for name, record in RECORDS.items()
    }
    assert there >= set(product(("points", "estate", "order"), ("fullest", "emptiest")))


def test_every_effect_is_used_and_declined_in_the_recorded_games() -> None:
    lines = {
        " ".join(entry.action.split()[:2])
        for record in RECORDS.values()
        for entry in record.entries
    }
    effects = {"take any", "place any", "sell any", "workers any", "decline", "buy black"}
    assert lines >= effects
