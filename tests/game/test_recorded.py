"""Whole recorded games of every version of every title come to the same end as when they were
played, by the rules of their version."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.contract import SPECTATOR, THEN, Action, Chance, Event, Seat, parse_action
from bot.game.game import AnyGame
from bot.tables.core.record import decode, encode, rules_for, verify
from bot.titles import TITLES
from tests.recorded.results import (
    folder_of,
    names,
    out_of_place,
    read_record,
    read_results,
    result_of,
)

RELEASED = {"kogge": {2}, "burgundy": {2, 3}, "guatemala": {1}, "flandern": {1}}
"""The versions of rules that a release has had: kept for ever. Each release adds its own."""


class Watched:
    """A game that checks each state, and keeps the last one."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.state: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def apply(self, state: Any, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """The same, and the state is sound."""
        events = self._game.apply(state, seat, action, chance)
        assert self._game.invariants(state) == []
        self._game.view(state, SPECTATOR)
        self.state = state
        return events


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param(game, seats, id=f"{game.name}-v{game.version}-{seats}")
        for game in TITLES.games.every
        for seats in game.seats
    ],
)
def test_recorded_games_come_to_their_recorded_ends_by_the_draws_of_their_keys(
    game: AnyGame, seats: int
) -> None:
    """And are written as they were read."""
    results, played = read_results(game), 0
    for name in names(game):
        data = (folder_of(game) / f"{name}.json").read_bytes()
        record = decode(data)
        if len(record.seats) == seats:
            assert encode(record) + b"\n" == data, name
            assert rules_for(TITLES.games, record.game, record.version) is game
            watched: Any = Watched(game)
            verify(watched, record)
            assert result_of(game, watched.state) == results[name], name
            played += 1
    assert played > 3


def test_every_released_version_is_kept_and_nothing_before_the_first() -> None:
    for name in TITLES.games:
        assert RELEASED.get(name, set()) <= set(TITLES.games.versions(name))
        assert min(TITLES.games.versions(name)) >= min(RELEASED.get(name, {1}))


def test_every_version_has_recorded_games_and_these_have_their_rules_and_results() -> None:
    assert out_of_place(TITLES.games) == []
    for game in TITLES.games.every:
        assert sorted(read_results(game)) == names(game)


@pytest.mark.parametrize("game", TITLES.games.values(), ids=lambda game: game.name)
def test_recorded_games_show_every_kind_of_action_and_every_option_at_each_number_of_seats(
    game: AnyGame,
) -> None:
    """An option is left at its default by not being named. No game has the word that joins
    actions."""
    records = [read_record(game, name) for name in names(game)]
    actions = [parse_action(entry.action) for each in records for entry in each.entries]
    assert {action[0] for action in actions} >= set(game.moves)
    assert THEN not in {word for action in actions for word in action} | set(game.moves)
    there = {
        (len(each.seats), option.name, each.options.get(option.name, option.values[0]))
        for each in records
        for option in game.options
    }
    options = [
        option
        for option in game.options
        if option.name not in ("office_price", "failed_route", "memory_fur")
    ]
    # One board of nine for all is enough at one number of seats.
    wanted = {
        (seats, option.name, value)
        for seats in game.seats
        for option in options
        for value in option.values
        if not value.isdecimal()
    }
    assert wanted <= there
    values = {(name, value) for _, name, value in there}
    assert {(option.name, value) for option in options for value in option.values} <= values
