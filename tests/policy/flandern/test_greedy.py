"""The sensible player of Flandern 1302: it beats chance, and looks at nothing but its view."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action, Decision
from bot.game.flandern import GAME
from bot.game.flandern.state import FlandernState
from bot.policy.flandern.greedy import greedy
from bot.policy.random import random_policy
from bot.tools.playing import ComputerPlayer, play

GREEDY = ComputerPlayer(greedy)
CHANCE = ComputerPlayer(random_policy(GAME.moves), blind=True)


@pytest.mark.parametrize(("seats", "games"), [(2, 4), (4, 2)])
def test_it_wins_all_of_some_games_alone_against_chance(seats: int, games: int) -> None:
    for seed in range(games):
        seat = seed % seats
        seated = [GREEDY if each == seat else CHANCE for each in range(seats)]
        *_, last = play(GAME, seated, {}, Random(seed))
        outcome = GAME.outcome(last.state)
        assert outcome is not None
        assert outcome.winners == (seat,)


@pytest.mark.parametrize(("seats", "rounds", "best"), [(2, 24, 60), (3, 26, 40), (4, 24, 38)])
def test_with_its_like_it_fills_the_cities_in_time(seats: int, rounds: int, best: int) -> None:
    """On average of two games."""
    played, won = [], []
    for seed in range(2):
        *_, last = play(GAME, [GREEDY] * seats, {}, Random(seed))
        outcome = GAME.outcome(last.state)
        assert outcome is not None
        played.append(last.state.round)
        won.append(max(outcome.scores))
    assert sum(played) <= 2 * rounds
    assert sum(won) >= 2 * best


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_looks_at_nothing_but_its_view(seats: int) -> None:
    state = GAME.setup(seats, {}, RandomChance(Random(4)))
    rng = Random(9)
    for _ in range(80):
        decision = next(each for each in GAME.pending(state) if not each.optional)
        twin = GAME.resample(state, decision.seat, rng)
        assert answered(state, decision) == answered(twin, decision)
        GAME.apply(state, decision.seat, answered(state, decision), RandomChance(rng))


def answered(state: FlandernState, decision: Decision) -> Action:
    """What it answers, asked anew each time with the same luck."""
    seat = decision.seat
    return greedy(GAME.view(state, seat), decision, partial(GAME.legal, state, seat), Random(1))
