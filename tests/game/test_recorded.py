"""Whole recorded games of every version of every title come to the same end as when they were
played, by the rules of their version."""

from __future__ import annotations

import pytest

from bot.game.contract import SPECTATOR, AnyGame
from bot.game.versions import Games
from bot.tables.core.record import decode, encode, fold, rules_for, verify
from bot.titles import TITLES
from tests.games.pebbles import GAME as PEBBLES
from tests.recorded.results import (
    folder_of,
    names,
    out_of_place,
    read_record,
    read_results,
    result_of,
)

RELEASED = {"kogge": {2}, "burgundy": {2}}
"""The versions of rules that a release has had: kept for ever. Each release adds its own."""


def called(game: AnyGame) -> str:
    """``kogge-v2``."""
    return f"{game.name}-v{game.version}"


every_game = pytest.mark.parametrize("game", TITLES.games.every, ids=called)
newest_game = pytest.mark.parametrize("game", TITLES.games.values(), ids=called)
each_record = pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(game, name, id=f"{called(game)}-{name}")
        for game in TITLES.games.every
        for name in names(game)
    ],
)


@each_record
def test_a_recorded_game_comes_to_its_recorded_end(game: AnyGame, name: str) -> None:
    played, entries = read_record(game, name), 0
    assert rules_for(TITLES.games, played.game, played.version) is game
    for folded in fold(game, played):
        assert game.invariants(folded.state) == []
        game.view(folded.state, SPECTATOR)
        entries += 1
    assert entries == len(played.entries)
    assert result_of(game, folded.state) == read_results(game)[name]


@each_record
def test_every_draw_of_a_recorded_game_comes_from_its_key(game: AnyGame, name: str) -> None:
    verify(game, read_record(game, name))


@each_record
def test_a_record_is_read_and_written_the_same(game: AnyGame, name: str) -> None:
    data = (folder_of(game) / f"{name}.json").read_bytes()
    assert encode(decode(data)) + b"\n" == data


def test_every_released_version_is_kept_and_nothing_before_the_first() -> None:
    for name in TITLES.games:
        assert RELEASED.get(name, set()) <= set(TITLES.games.versions(name))
        assert min(TITLES.games.versions(name)) >= min(RELEASED.get(name, {1}))


def test_every_version_has_recorded_games_and_these_have_their_rules() -> None:
    assert out_of_place(TITLES.games) == []
    unrecorded = Games((*TITLES.games.every, PEBBLES))
    assert out_of_place(unrecorded) == ["pebbles 1"]
    lost, *others = TITLES.games.every
    assert out_of_place(Games(others)) == [f"{lost.name}/v{lost.version}"]


@every_game
def test_there_is_a_result_for_each_recorded_game(game: AnyGame) -> None:
    assert sorted(read_results(game)) == names(game)


@newest_game
def test_every_kind_of_action_is_taken_in_some_recorded_game(game: AnyGame) -> None:
    records = (read_record(game, name) for name in names(game))
    taken = {entry.action.split()[0] for record in records for entry in record.entries}
    assert taken >= set(game.moves)


@newest_game
def test_each_option_is_recorded_at_each_number_of_seats(game: AnyGame) -> None:
    """Left at its default by not being named."""
    there = set()
    for name in names(game):
        played = read_record(game, name)
        for option in game.options:
            value = played.options.get(option.name, option.values[0])
            there.add((len(played.seats), option.name, value))
    rare = {"office_price", "failed_route", "memory_fur"}
    for seats in game.seats:
        for option in game.options:
            # One board of nine for all is enough at one number of seats.
            common = [value for value in option.values if not value.isdecimal()]
            if option.name not in rare:
                assert {(seats, option.name, value) for value in common} <= there
    values = {(name, value) for _, name, value in there}
    for option in game.options:
        if option.name not in rare:
            assert {(option.name, value) for value in option.values} <= values
