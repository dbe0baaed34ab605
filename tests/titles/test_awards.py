"""The records and achievements of each game, measured in recorded games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from bot.game.contract import SPECTATOR, Event, Outcome, Seat
from bot.game.game import AnyGame
from bot.tables.core.record import fold
from bot.text.awards import Award, awards, measured
from bot.text.words import Forms
from bot.titles import TITLES
from tests.recorded.results import names, read_record

GAMES = [*TITLES.games]
DEFAULT = "score", "margin", "rounds"


@cache
def played(game: str, name: str) -> tuple[Sequence[Event], Outcome, int]:
    """Return the public events of a recorded game, its outcome and its rounds."""
    rules, events, state = TITLES.games[game], list[Event](), None
    for entry, now in fold(rules, read_record(rules, name)):
        events += entry.visible_to(SPECTATOR)
        state = now
    outcome = rules.outcome(state)
    assert outcome is not None
    return events, outcome, rules.round(state)


def in_game(game: str, name: str, award: str) -> dict[Seat, int]:
    return dict(measured(awards(game)[award], *played(game, name)))


# The values were counted by hand in the lines of the logs.
@pytest.mark.parametrize(
    ("game", "name", "award", "values"),
    [
        ("kogge", "2-development-markers-italian", "voyages", {1: 7, 0: 6}),
        ("kogge", "2-development-markers-italian", "trade", {0: 6, 1: 5}),
        ("kogge", "2-development-markers-italian", "bid", {0: 1, 1: 1}),
        ("kogge", "2-development-markers-italian", "quickest", {0: 3}),
        # It did not end by laps.
        ("kogge", "2-development-markers-italian", "score", {}),
        ("flandern", "4-full-chosen", "quarters", {3: 19, 1: 17, 0: 16, 2: 14}),
        ("flandern", "4-full-chosen", "completed", {1: 1}),
        ("flandern", "4-full-chosen", "margin", {0: 1}),
        ("flandern", "4-full-chosen", "by_a_brick", {0: 1}),
        ("burgundy", "2-board-4", "score", {0: 87, 1: 25}),
        ("burgundy", "2-board-4", "margin", {0: 62}),
        ("burgundy", "2-board-4", "by_a_hair", {}),
        ("guatemala", "2-printed-79", "score", {1: 61, 0: 52}),
        ("guatemala", "2-printed-79", "full_palette", {0: 5, 1: 5}),
    ],
)
def test_a_measure_has_the_value_that_was_counted_by_hand(
    game: str, name: str, award: str, values: dict[Seat, int]
) -> None:
    assert in_game(game, name, award) == values
    assert list(in_game(game, name, award)) == list(values), "not the best first"


@pytest.mark.parametrize("game", GAMES)
def test_every_record_can_be_set_and_achievements_are_rare_but_possible(game: str) -> None:
    rules = TITLES.games[game]
    recorded = names(rules)
    for name, award in awards(game).items():
        found = [in_game(game, each, name) for each in recorded]
        seats = sum(map(len, found))
        assert seats, name
        if award.better:
            # Otherwise its first holder would keep it for ever.
            assert len({value for each in found for value in each.values()}) > 2, name
        else:
            assert seats <= sum(len(read_record(rules, each).seats) for each in recorded) / 3, name


def check_names_facts(rules: AnyGame, award: Award) -> None:
    if award.of is None:
        assert award.measure in DEFAULT
        return
    facts: Any = rules.events[award.of.event].__struct_fields__
    assert award.measure in ("total", "best")
    assert {*award.of.when, *award.of.least} <= {*facts}
    assert award.fact in facts if award.fact else award.measure == "total"
    assert "seat" in facts


@pytest.mark.parametrize("rules", TITLES.games.every, ids=str)
def test_the_awards_of_a_game_fit_its_events_in_all_versions(rules: AnyGame) -> None:
    every = awards(rules.name)
    assert len(every) == 12
    in_order = [award.better != 0 for award in every.values()]
    assert in_order == sorted(in_order, reverse=True), "records first"
    for name, award in every.items():
        check_names_facts(rules, award)
        assert isinstance(award.text, Forms) is (award.better != 0), name
    assert len({award.title for award in every.values()}) == 12


def test_a_game_without_awards_has_the_records_of_every_game() -> None:
    assert tuple(awards("pebbles")) == DEFAULT
