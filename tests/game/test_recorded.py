"""Whole recorded games of every title come to the same end as when they were played."""

from __future__ import annotations

import pytest

from bot.game.contract import SPECTATOR
from bot.game.registry import GAMES
from bot.tables.record import Record, decode, encode, fold, verify
from tests.recorded.results import folder_of, names, read_results, result_of

RESULT_OF = {title: read_results(game) for title, game in GAMES.items()}

each_record = pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES for name in names(GAMES[game])]
)


def record(game: str, name: str) -> Record:
    """A recorded game of a title by its file's name."""
    return decode((folder_of(GAMES[game]) / f"{name}.json").read_bytes())


@each_record
def test_a_recorded_game_comes_to_its_recorded_end(game: str, name: str) -> None:
    rules, played, entries = GAMES[game], record(game, name), 0
    for _, state, _ in fold(rules, played):
        assert rules.invariants(state) == []
        rules.view(state, SPECTATOR)
        entries += 1
    assert entries == len(played.entries)
    assert result_of(rules, state) == RESULT_OF[game][name]


@each_record
def test_every_draw_of_a_recorded_game_comes_from_its_key(game: str, name: str) -> None:
    verify(GAMES[game], record(game, name))


@each_record
def test_a_record_is_read_and_written_the_same(game: str, name: str) -> None:
    data = (folder_of(GAMES[game]) / f"{name}.json").read_bytes()
    assert encode(decode(data)) + b"\n" == data


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_result_for_each_recorded_game(game: str) -> None:
    assert names(GAMES[game])
    assert sorted(RESULT_OF[game]) == names(GAMES[game])


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_action_is_taken_in_some_recorded_game(game: str) -> None:
    taken = {e.action.split()[0] for name in names(GAMES[game]) for e in record(game, name).entries}
    assert taken >= set(GAMES[game].moves)


@pytest.mark.parametrize("game", GAMES)
def test_each_option_is_recorded_at_each_number_of_seats(game: str) -> None:
    """Left at its default by not being named."""
    there = set()
    for name in names(GAMES[game]):
        played = record(game, name)
        for option in GAMES[game].options:
            value = played.options.get(option.name, option.values[0])
            there.add((len(played.seats), option.name, value))
    rare = {"office_price", "failed_route", "memory_fur"}
    for seats in GAMES[game].seats:
        for option in GAMES[game].options:
            if option.name not in rare:
                assert {(seats, option.name, value) for value in option.values} <= there
