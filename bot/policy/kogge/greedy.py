"""A computer player of Kogge that takes what gains most, a turn at a time."""

from __future__ import annotations

from random import Random

from bot.game.contract import ANSWER, Action, Decision, offer_of
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.auction import bid
from bot.policy.kogge.conflicts import challenge, conflict_bid, demand
from bot.policy.kogge.deals import answer, propose, withdraw
from bot.policy.kogge.guild_master import advance, tax
from bot.policy.kogge.movement import move, voyage_from
from bot.policy.kogge.raid import choose, push, split
from bot.policy.kogge.routes import exchange
from bot.policy.kogge.situation import Situation, words
from bot.policy.kogge.turn import act

TIMES_TO_TALK = ("move", "act")
"""When deals are proposed: in the seat's own turn, when the result can still be used."""
OPEN_CITIES = 3
"""Among so many best cities the first office is chosen at random, or equals would for ever
choose the same city again."""


def greedy(view: KoggeView, decision: Decision, legal: Legal, rng: Random) -> Action:
    """The action that seems to gain most. Plays from the view alone."""
    situation = Situation(view, decision.seat)
    if decision.kind in TIMES_TO_TALK:
        talk = withdraw(situation, legal) or propose(situation, legal, rng)
        if talk is not None:
            return talk
    match decision.kind:
        case "found":
            return _found(situation, legal, rng)
        case "bid":
            return bid(situation, legal)
        case "advance":
            return advance(situation)
        case "move":
            return move(situation, legal)
        case "act":
            return act(situation, legal)
        case "tax":
            return tax(situation, legal)
        case "exchange":
            return exchange(situation, legal)
        case "challenge":
            return challenge(situation, legal)
        case "conflict":
            return conflict_bid(situation)
        case "demand":
            return demand(situation)
        case "split":
            return split(situation, legal)
        case "choose":
            return choose(situation)
        case "push":
            return push(situation, legal)
        case _ if decision.kind == ANSWER:
            return answer(situation, offer_of(decision), legal, rng)
    raise ValueError(f"{decision.kind!r} is no decision of Kogge")


def _found(situation: Situation, legal: Legal, rng: Random) -> Action:
    cities = sorted(
        words(legal, ("found",)),
        key=lambda word: voyage_from(situation, int(word)).worth,
        reverse=True,
    )
    return ("found", rng.choice(cities[:OPEN_CITIES]))
