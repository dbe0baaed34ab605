"""A computer player of Kogge that takes what gains most, a turn at a time."""

from __future__ import annotations

from random import Random

from bot.game.choices import Bundle
from bot.game.contract import ANSWER, Action, Decision, offer_of
from bot.game.kogge.view import View
from bot.policy.contract import Legal
from bot.policy.kogge.acting import act
from bot.policy.kogge.bidding import bid
from bot.policy.kogge.conflicts import challenge, conflict_bid, demand
from bot.policy.kogge.dealing import answer, propose, withdraw
from bot.policy.kogge.guild import advance
from bot.policy.kogge.memory import exchange, peek
from bot.policy.kogge.raids import choose, push, split
from bot.policy.kogge.situation import Situation, words
from bot.policy.kogge.voyage import best_voyage, voyage_from

TIMES_TO_TALK = ("move", "act")
"""When deals are proposed: on the own turn, what comes of it can still be used."""
OPEN_CITIES = 3
"""Among so many best cities the first office is chosen at random, or equals would for ever
choose the same city again."""


def greedy(view: View, decision: Decision, legal: Legal, rng: Random) -> Action:
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
            return _move(situation, legal)
        case "act":
            return act(situation, legal)
        case "tax":
            return _tax(situation, legal)
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


def _tax(situation: Situation, legal: Legal) -> Action:
    """The good that is missed least; nothing from an empty ship."""
    domain = legal(("tax",))
    assert isinstance(domain, Bundle)
    return ("tax", min(domain.each(), key=situation.without))


def _move(situation: Situation, legal: Legal) -> Action:
    kinds = words(legal, ())
    if "load" in kinds:
        cargo = legal(("load",))
        assert isinstance(cargo, Bundle)
        return ("load", cargo.stock())
    if "sail" not in kinds:
        return ("stop",)
    look = peek(situation, legal)
    if look is not None:
        return look
    view = situation.view
    assert view.start is not None, "a ship on its way began somewhere"
    voyage = best_voyage(situation, view.guild_city, view.start, _free_steps(situation, legal))
    if not voyage.routes or voyage.routes[0] not in words(legal, ("sail",)):
        return ("stop",)
    route = voyage.routes[0]
    fee = legal(("sail", route))
    assert isinstance(fee, Bundle)
    return ("sail", route, situation.spare(fee.most))


def _free_steps(situation: Situation, legal: Legal) -> int:
    """How many steps cost nothing beyond the route's own price."""
    route = words(legal, ("sail",))[0]
    fee = legal(("sail", route))
    assert isinstance(fee, Bundle)
    if fee.most > (route == "secret"):
        return 0
    begun = situation.me.city != situation.view.start
    return 2 if "spaces" in situation.me.chits and not begun else 1
