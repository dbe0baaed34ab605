"""What the strong player of Pebbles thinks by: it plays on at random, for three rounds."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import ANSWER, Action, Decision
from bot.policy.contract import Legal
from bot.policy.random import random_policy
from bot.policy.search import Mind, by_view
from tests.games.pebbles import GAME, State, View


def candidates(view: View, decision: Decision, legal: Legal) -> Sequence[Action]:
    """All that answers what is asked."""
    kinds = ("accept", "decline") if decision.kind == ANSWER else (decision.kind,)
    offer = decision.id.removeprefix("o")
    return [
        (kind, word)
        for kind in kinds
        for word in legal((kind,)).each()  # type: ignore[union-attr]
        if decision.kind != ANSWER or word == offer
    ]


def value(state: State) -> Sequence[float]:
    """The pebbles that each has."""
    return [float(count) for count in state.pebbles]


MIND = Mind(
    game=GAME,
    module=__name__,
    candidates=candidates,
    quick=by_view(GAME, random_policy(GAME.moves, free_moves=0)),
    rounds=2,
    value=value,
    spread=lambda state: 1.5,
    nodes=200,
)
