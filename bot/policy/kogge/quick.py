"""The player that plays imagined games of Kogge on: it answers as one that has the whole view."""

from __future__ import annotations

from random import Random

from bot.game.contract import Action, Decision
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState
from bot.policy.kogge.glance import glance
from bot.policy.kogge.greedy import silent
from bot.policy.kogge.weights import KoggeWeights
from bot.policy.search import Quick


def quickly(weights: KoggeWeights) -> Quick[KoggeState]:
    """A player that judges by these weights, and proposes no deals."""
    policy = silent(weights)

    def quick(state: KoggeState, decision: Decision, rng: Random) -> Action:
        seat = decision.seat
        return policy(glance(state, seat), decision, GAME.walk(state, seat), rng)

    return quick
