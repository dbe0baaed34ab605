"""Whole recorded games come to the same end as when they were played."""

from __future__ import annotations

from itertools import product

import pytest

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.tables.record import Record, decode, encode, fold, verify
from tests.game.kogge.random_games import ADVANCED
from tests.recorded.results import FOLDER, RESULTS, read_results, result_of

RESULT_OF = read_results()
FILES = sorted(path.stem for path in FOLDER.glob("*.json") if path.name != RESULTS)


def record(name: str) -> Record:
    """A recorded game by its file's name."""
    return decode((FOLDER / f"{name}.json").read_bytes())


@pytest.mark.parametrize("name", FILES)
def test_a_recorded_game_comes_to_its_recorded_end(name: str) -> None:
    entries = 0
    for _, state, _ in fold(GAME, record(name)):
        assert GAME.invariants(state) == []
        GAME.view(state, SPECTATOR)
        entries += 1
    assert entries == len(record(name).entries)
    assert result_of(state) == RESULT_OF[name]


@pytest.mark.parametrize("name", FILES)
def test_every_draw_of_a_recorded_game_comes_from_its_key(name: str) -> None:
    verify(GAME, record(name))


@pytest.mark.parametrize("name", FILES)
def test_a_record_is_read_and_written_the_same(name: str) -> None:
    assert encode(record(name)) + b"\n" == (FOLDER / f"{name}.json").read_bytes()


def test_there_is_a_result_for_each_recorded_game() -> None:
    assert sorted(RESULT_OF) == FILES


def test_each_way_to_end_is_recorded_at_each_number_of_seats() -> None:
    """With open and hidden goods, by the English and the Italian text."""
    there = {
        (
            len(record(name).seats),
            RESULT_OF[name].ending,
            record(name).options["goods"],
            record(name).options["edition"],
        )
        for name in FILES
    }
    wanted = product(
        GAME.seats, ("laps", "development"), ("open", "hidden"), ("english", "italian")
    )
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


def test_every_kind_of_action_is_taken_in_some_recorded_game() -> None:
    taken = {entry.action.split()[0] for name in FILES for entry in record(name).entries}
    assert taken >= set(GAME.moves)
