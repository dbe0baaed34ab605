"""The action that ends a game is known for it before, by nothing that its seat does not see."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from bot.game import trial as trials
from bot.game.chance import RecordedChance
from bot.game.contract import parse_action
from bot.game.game_end import GameEnds
from bot.tables.core.record import fold
from bot.titles import TITLES
from tests.game.sampled import SAMPLED
from tests.recorded.results import names, read_record

GAMES = 20
"""Recorded games of each title."""


@pytest.mark.parametrize("name", SAMPLED)
def test_no_game_ends_unannounced_and_no_plan_shows_its_end(name: str) -> None:
    game, endings = TITLES.games[name], set()
    played = names(game)
    for record in (read_record(game, each) for each in played[:: len(played) // GAMES or 1]):
        *_, before = islice(fold(game, record), len(record.entries) - 1)
        state, last = before.state, record.entries[-1]
        seat, action = last.seat, parse_action(last.action)
        view = game.view(state, seat)
        end = GameEnds(game, view).of(seat, [action])
        assert end is not None

        twin = game.resample(state, seat, Random(1))
        assert GameEnds(game, game.view(twin, seat)).of(seat, [action]) == end
        planned = trials.then(trials.begin(game, state, seat), action)
        assert planned.view == view
        assert planned.decision is None
        game.apply(state, seat, action, RecordedChance(last.drawn))
        outcome = game.outcome(state)
        assert outcome is not None
        assert end.outcome in (None, outcome)
        endings.add(outcome.ending)
    assert len(endings) > 1
