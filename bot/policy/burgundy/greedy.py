"""A computer player of The Castles of Burgundy that takes what gains most, one die at a time."""

from __future__ import annotations

from random import Random

from bot.game.burgundy.view import BurgundyView
from bot.game.contract import Action, Decision
from bot.policy.burgundy.rating import best_loads, castles, completed, has_room, rated, values
from bot.policy.burgundy.weights import NORMAL, BurgundyWeights
from bot.policy.burgundy.worth import BurgundyWorth
from bot.policy.contract import Legal, Policy


def player(weights: BurgundyWeights) -> Policy:
    """The one that judges by these weights. Plays from the view alone."""

    def policy(view: BurgundyView, decision: Decision, legal: Legal, rng: Random) -> Action:
        return _best(view, decision, legal, rng, weights)

    return policy


greedy = player(NORMAL)
"""The normal player."""


def _best(
    view: BurgundyView, decision: Decision, legal: Legal, rng: Random, weights: BurgundyWeights
) -> Action:
    match decision.kind:
        case "board":
            return "board", rng.choice(values(legal(("board",))))
        case "castle":
            spaces = list(values(legal(("castle",))))
            rng.shuffle(spaces)
            return "castle", castles(view, decision.seat, spaces)[0]
        case "roll":
            return ("roll",)
    worth = BurgundyWorth(view, decision.seat, weights)
    if decision.kind == "load":
        return best_loads(worth, legal)[0][1]
    for value, action in rated(worth, legal):
        if action[0] != "buy" or (value > 0 and has_room(worth)):
            return completed(worth, action, legal)
    raise ValueError(f"nothing to answer {decision.kind!r} with")
