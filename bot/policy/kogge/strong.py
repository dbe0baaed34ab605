"""How the strong player of Kogge thinks: to the end of the round."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bot.game.contract import Action, Decision
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState
from bot.policy.contract import Judgement, Legal, Policy, Rated
from bot.policy.kogge.glance import glance
from bot.policy.kogge.greedy import player, silent, talker
from bot.policy.kogge.menu import menu
from bot.policy.kogge.promise import promised
from bot.policy.kogge.weights import NORMAL, WEIGHTS, KoggeWeights

_SILENT, _TALK = silent(NORMAL), talker(NORMAL)


class KoggeJudgement(Judgement[KoggeState]):
    """By the functions of this package."""

    def rated(
        self, view: Any, decision: Decision, legal: Legal, weights: KoggeWeights
    ) -> Sequence[Rated]:
        """The menu, which is rated already."""
        return [(0.0, action) for action in menu(view, decision, legal)]

    def talk(self, view: Any, decision: Decision, legal: Legal, rng: Random) -> Action | None:
        """A deal to propose or to take back."""
        return _TALK(view, decision, legal, rng)

    def best(
        self, view: Any, decision: Decision, legal: Legal, rng: Random, weights: Any = None
    ) -> Action:
        """What seems to gain most, deals aside."""
        return silent(weights or NORMAL)(view, decision, legal, rng)

    def player(self, weights: Any = None) -> Policy:
        """What seems to gain most."""
        return player(weights or NORMAL)

    def menu(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        """What people are offered."""
        return menu(view, decision, legal)

    def quick(self, state: KoggeState, decision: Decision, rng: Random) -> Action:
        """The same on a state, without deals."""
        seat = decision.seat
        return _SILENT(glance(state, seat), decision, GAME.walk(state, seat), rng)

    def value(self, state: KoggeState) -> Sequence[float]:
        """What is promised, which tells by itself how likely each seat is to win."""
        return promised(state)

    def spread(self, state: KoggeState) -> float:
        """As it is."""
        return 1.0


JUDGEMENT = KoggeJudgement(game=GAME, weights=WEIGHTS, nodes=400, rounds=0, in_points=False)
"""What the computer players go by."""
