"""The sensible player of Burgundy: it beats chance, and does the obvious."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.state import BurgundyState
from bot.game.chance import RandomChance
from bot.game.contract import Action, Decision
from bot.policy.burgundy.greedy import greedy
from bot.titles import TITLES
from bot.tools.playing import ComputerPlayer, play, players

SETS: list[dict[str, str]] = [{}, {"boards": "random", "sold_goods": "hidden"}]


@pytest.mark.parametrize("options", SETS)
def test_it_wins_all_of_some_games_against_chance(options: Mapping[str, str]) -> None:
    for seed in range(5):
        seat = seed % 2
        names = ["normal", "random"] if seat == 0 else ["random", "normal"]
        *_, last = play(GAME, players(TITLES["burgundy"], names, 2), options, Random(seed))
        outcome = GAME.outcome(last.state)
        assert outcome is not None
        assert outcome.winners == (seat,)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_plays_well_with_its_like(seats: int) -> None:
    options = {"boards": "choose"}
    *_, last = play(GAME, [ComputerPlayer(greedy)] * seats, options, Random(seats))
    outcome = GAME.outcome(last.state)
    assert outcome is not None
    assert min(outcome.scores) > 100


def test_it_looks_at_nothing_but_its_view() -> None:
    state = GAME.setup(3, {"boards": "random"}, RandomChance(Random(4)))
    rng = Random(9)
    for _ in range(60):
        decision = next(each for each in GAME.pending(state) if not each.optional)
        twin = GAME.resample(state, decision.seat, rng)
        assert answered(state, decision) == answered(twin, decision)
        GAME.apply(state, decision.seat, answered(state, decision), RandomChance(rng))


def answered(state: BurgundyState, decision: Decision) -> Action:
    """What it answers, asked twice with the same luck."""
    seat = decision.seat
    return greedy(GAME.view(state, seat), decision, partial(GAME.legal, state, seat), Random(1))
