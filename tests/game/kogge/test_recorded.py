"""The recorded games show each way in which a game of Kogge can end."""

from __future__ import annotations

from itertools import product

from bot.game.kogge import GAME
from bot.tables.core.record import Record
from tests.game.kogge.random_games import ADVANCED
from tests.recorded.results import names, read_record, read_results

RESULT_OF = read_results(GAME)
FILES = names(GAME)


def record(name: str) -> Record:
    """A recorded game by its file's name."""
    return read_record(GAME, name)


def test_each_way_to_end_is_recorded_at_each_number_of_seats() -> None:
    """With all `goods`, by the English and the Italian text."""
    there = {
        (
            len(record(name).seats),
            RESULT_OF[name].ending,
            record(name).options["goods"],
            record(name).options["edition"],
        )
        for name in FILES
    }
    goods = next(option.values for option in GAME.options if option.name == "goods")
    wanted = product(GAME.seats, ("laps", "development"), goods, ("english", "italian"))
    assert set(wanted) <= there


def test_each_advanced_rule_is_recorded_at_each_number_of_seats() -> None:
    """With both ends of the game."""
    there = {
        (len(record(name).seats), RESULT_OF[name].ending, option)
        for name in FILES
        for option, value in record(name).options.items()
        if value == "on"
    }
    assert set(product(GAME.seats, ("laps", "development"), ADVANCED)) <= there
    together = {
        (len(record(name).seats), RESULT_OF[name].ending)
        for name in FILES
        if all(record(name).options.get(option) == "on" for option in ADVANCED)
    }
    assert set(product(GAME.seats, ("laps", "development"))) <= together
