"""The judgement of Pebbles: players are random; the search looks three rounds ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bot.game.contract import ANSWER, Action, Decision
from bot.policy.contract import Judgement, Legal, Policy, Rated
from bot.policy.menu import few_actions
from bot.policy.random import random_policy
from tests.games.pebbles import GAME, State

_QUICK = random_policy(GAME.moves, free_moves=0)


class PebblesJudgement(Judgement[State]):
    def rated(self, view: Any, decision: Decision, legal: Legal, weights: Any) -> Sequence[Rated]:
        """Return all actions for the decision with equal value."""
        kinds = ("accept", "decline") if decision.kind == ANSWER else (decision.kind,)
        offer = decision.id.removeprefix("o")
        return [
            (0.0, (kind, word))
            for kind in kinds
            for word in legal((kind,)).each()  # type: ignore[union-attr]
            if decision.kind != ANSWER or word == offer
        ]

    def player(self, weights: Any = None) -> Policy:
        return random_policy(GAME.moves)

    def menu(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        return few_actions(view, decision, legal)

    def candidates(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        return [action for _, action in self.rated(view, decision, legal, None)]

    def quick(self, state: State, decision: Decision, rng: Random) -> Action:
        seat = decision.seat
        return _QUICK(GAME.view(state, seat), decision, GAME.walk(state, seat), rng)

    def value(self, state: State) -> Sequence[float]:
        return [float(count) for count in state.pebbles]

    def spread(self, state: State) -> float:
        return 1.5


JUDGEMENT = PebblesJudgement(game=GAME, weights={"normal": 1.0}, nodes=200, rounds=2)
