"""A computer player of Kogge that takes what gains most, a turn at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from bot.game.contract import ANSWER, Action, Decision, offer_of
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal, Policy
from bot.policy.kogge.auction import bids
from bot.policy.kogge.conflicts import challenges, conflict_bids, demands
from bot.policy.kogge.deals import answer, propose, withdraw
from bot.policy.kogge.guild_master import advances, taxes
from bot.policy.kogge.movement import foundings, move
from bot.policy.kogge.raid import choices, pushes, splits
from bot.policy.kogge.routes import exchanges
from bot.policy.kogge.situation import Situation
from bot.policy.kogge.turn import act
from bot.policy.kogge.weights import NORMAL, KoggeWeights

TIMES_TO_TALK = ("move", "act")
"""When deals are proposed: in the seat's own turn, when the result can still be used."""
OPEN_CITIES = 3
"""Among so many best cities the first office is chosen at random, or equals would for ever
choose the same city again."""

RANKED: Mapping[str, Callable[[Situation, Legal], list[Action]]] = {
    "found": foundings,
    "bid": bids,
    "advance": advances,
    "tax": taxes,
    "exchange": exchanges,
    "challenge": challenges,
    "conflict": conflict_bids,
    "demand": demands,
    "split": splits,
    "choose": choices,
    "push": pushes,
}
"""What can be done where one answer is all there is to give, the best first, by what is asked."""


def player(weights: KoggeWeights) -> Policy:
    """A player that judges by these weights, from the view alone."""

    def policy(view: KoggeView, decision: Decision, legal: Legal, rng: Random) -> Action:
        situation = Situation(view, decision.seat, weights)
        return _talk(situation, decision, legal, rng) or _answer(situation, decision, legal, rng)

    return policy


def silent(weights: KoggeWeights) -> Policy:
    """Such a player, which proposes no deals."""

    def policy(view: KoggeView, decision: Decision, legal: Legal, rng: Random) -> Action:
        return _answer(Situation(view, decision.seat, weights), decision, legal, rng)

    return policy


def talker(weights: KoggeWeights) -> Callable[[KoggeView, Decision, Legal, Random], Action | None]:
    """The deal that such a player proposes or takes back before what is asked is answered."""

    def talk(view: KoggeView, decision: Decision, legal: Legal, rng: Random) -> Action | None:
        return _talk(Situation(view, decision.seat, weights), decision, legal, rng)

    return talk


greedy: Policy = player(NORMAL)
"""The normal player."""


def _talk(situation: Situation, decision: Decision, legal: Legal, rng: Random) -> Action | None:
    if decision.kind not in TIMES_TO_TALK:
        return None
    return withdraw(situation, legal) or propose(situation, legal, rng)


def _answer(situation: Situation, decision: Decision, legal: Legal, rng: Random) -> Action:
    """The answer to what is asked that seems to gain most."""
    match decision.kind:
        case "found":
            return rng.choice(RANKED["found"](situation, legal)[:OPEN_CITIES])
        case "move":
            return move(situation, legal)
        case "act":
            return act(situation, legal)
        case _ if decision.kind == ANSWER:
            return answer(situation, offer_of(decision), legal, rng)
    if decision.kind not in RANKED:
        raise ValueError(f"{decision.kind!r} is no decision of Kogge")
    return RANKED[decision.kind](situation, legal)[0]
