"""The sensible player of Guatemala Café: it beats chance, and has reasons."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action, Decision
from bot.game.guatemala import GAME
from bot.game.guatemala.state import GuatemalaState
from bot.policy.guatemala.greedy import greedy
from bot.policy.random import random_policy
from bot.tools.playing import ComputerPlayer, play

SETS: list[dict[str, str]] = [{}, {"setup": "random"}]
GREEDY = ComputerPlayer(greedy)
CHANCE = ComputerPlayer(random_policy(GAME.moves), blind=True)


@pytest.mark.parametrize("options", SETS)
def test_it_wins_all_of_some_games_against_chance(options: Mapping[str, str]) -> None:
    for seed in range(6):
        seat = seed % 2
        seated = [GREEDY, CHANCE] if seat == 0 else [CHANCE, GREEDY]
        *_, last = play(GAME, seated, options, Random(seed))
        outcome = GAME.outcome(last.state)
        assert outcome is not None
        assert outcome.winners == (seat,)


@pytest.mark.parametrize(("seats", "rounds", "best"), [(2, 24, 60), (3, 21, 50), (4, 20, 48)])
def test_with_its_like_it_plays_to_the_end_of_the_track(seats: int, rounds: int, best: int) -> None:
    *_, last = play(GAME, [GREEDY] * seats, {}, Random(seats))
    outcome = GAME.outcome(last.state)
    assert outcome is not None
    assert outcome.ending == "met"
    assert last.state.round <= rounds
    assert max(outcome.scores) >= best
    assert last.state.roads


def test_it_looks_at_nothing_but_its_view() -> None:
    state = GAME.setup(3, {}, RandomChance(Random(4)))
    rng = Random(9)
    for _ in range(120):
        decision = next(each for each in GAME.pending(state) if not each.optional)
        twin = GAME.resample(state, decision.seat, rng)
        assert answered(state, decision) == answered(twin, decision)
        GAME.apply(state, decision.seat, answered(state, decision), RandomChance(rng))


def answered(state: GuatemalaState, decision: Decision) -> Action:
    """What it answers, asked anew each time with the same luck."""
    seat = decision.seat
    return greedy(GAME.view(state, seat), decision, partial(GAME.legal, state, seat), Random(1))
