"""Recorded games of every version of every title still replay to their results."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.contract import SPECTATOR, THEN, Action, Chance, Event, Seat, parse_action
from bot.game.game import AnyGame
from bot.tables.core.record import decode, encode, rules_for, verify
from bot.titles import TITLES
from tests.recorded.results import (
    folder_of,
    mismatches,
    names,
    read_record,
    read_results,
    result_of,
)

RELEASED = {"kogge": {2}, "burgundy": {2, 3}, "guatemala": {1}, "flandern": {1}}
"""The rules versions of all releases, which must stay for ever. Each release adds its own."""


class CheckedGame:
    """A game that checks each state and stores the last one."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.state: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def apply(self, state: Any, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """Apply the action, and check the state."""
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
def test_recorded_games_replay_to_their_recorded_results(game: AnyGame, seats: int) -> None:
    results, played = read_results(game), 0
    for name in names(game):
        data = (folder_of(game) / f"{name}.json").read_bytes()
        record = decode(data)
        if len(record.seats) == seats:
            assert encode(record) + b"\n" == data, name
            assert rules_for(TITLES.games, record.game, record.version) is game
            checked: Any = CheckedGame(game)
            verify(checked, record)
            assert result_of(game, checked.state) == results[name], name
            played += 1
    assert played > 3


def test_all_released_versions_still_exist_and_none_before_the_first() -> None:
    for name in TITLES.games:
        assert RELEASED.get(name, set()) <= set(TITLES.games.versions(name))
        assert min(TITLES.games.versions(name)) >= min(RELEASED.get(name, {1}))


def test_every_version_has_recorded_games_with_results() -> None:
    assert mismatches(TITLES.games) == []
    for game in TITLES.games.every:
        assert sorted(read_results(game)) == names(game)


@pytest.mark.parametrize("game", TITLES.games.values(), ids=lambda game: game.name)
def test_recorded_games_cover_all_actions_and_options_at_each_number_of_seats(
    game: AnyGame,
) -> None:
    """A record may omit options at their default. No game may use `THEN` as a word."""
    records = [read_record(game, name) for name in names(game)]
    actions = [parse_action(entry.action) for each in records for entry in each.entries]
    assert {action[0] for action in actions} >= set(game.moves)
    assert THEN not in {word for action in actions for word in action} | set(game.moves)
    covered = {
        (len(each.seats), option.name, each.options.get(option.name, option.values[0]))
        for each in records
        for option in game.options
    }
    options = [
        option
        for option in game.options
        if option.name not in ("office_price", "failed_route", "memory_fur")
    ]
    # For numbered values, such as boards, one number of seats is enough.
    required = {
        (seats, option.name, value)
        for seats in game.seats
        for option in options
        for value in option.values
        if not value.isdecimal()
    }
    assert required <= covered
    values = {(name, value) for _, name, value in covered}
    assert {(option.name, value) for option in options for value in option.values} <= values
