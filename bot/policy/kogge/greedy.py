"""A computer player of Kogge that takes what gains most, a turn at a time."""

from __future__ import annotations

from random import Random

from bot.game.choices import Bundle
from bot.game.contract import Action, Decision
from bot.game.kogge.view import View
from bot.policy.contract import ANSWER, Legal, offer_of
from bot.policy.kogge.acting import act, words
from bot.policy.kogge.advanced import conflict_bid, demand, keep_peace, tax
from bot.policy.kogge.bidding import bid
from bot.policy.kogge.guild import advance
from bot.policy.kogge.raids import choose, push, split
from bot.policy.kogge.situation import Situation, change
from bot.policy.kogge.voyage import best_voyage, voyage_from

CLEARLY_GOOD = 2.0
"""What a deal must gain to be accepted."""
OPEN_CITIES = 3
"""Among so many best cities the first office is chosen at random, or equals would for ever
choose the same city again."""


def greedy(view: View, decision: Decision, legal: Legal, rng: Random) -> Action:
    """The action that seems to gain most. Plays from the view alone; proposes no deals."""
    situation = Situation(view, decision.seat)
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
            return tax(situation, legal)
        case "exchange" | "challenge":
            return keep_peace()
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
            return _answer(situation, offer_of(decision), legal)
    raise ValueError(f"{decision.kind!r} is no decision of Kogge")


def _found(situation: Situation, legal: Legal, rng: Random) -> Action:
    cities = sorted(
        words(legal, ("found",)),
        key=lambda word: voyage_from(situation, int(word)).worth,
        reverse=True,
    )
    return ("found", rng.choice(cities[:OPEN_CITIES]))


def _move(situation: Situation, legal: Legal) -> Action:
    kinds = words(legal, ())
    if "load" in kinds:
        cargo = legal(("load",))
        assert isinstance(cargo, Bundle)
        return ("load", cargo.stock())
    if "sail" not in kinds:
        return ("stop",)
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


def _answer(situation: Situation, number: str, legal: Legal) -> Action:
    offer = next(offer for offer in situation.view.offers if str(offer.id) == number)
    if offer.give is None or offer.take is None or "accept" not in words(legal, ()):
        return ("decline", number)
    if number not in words(legal, ("accept",)):
        return ("decline", number)
    goods, markers = situation.goods[:], situation.markers[:]
    if offer.office == situation.seat and offer.city is not None:
        # What lies in the own office there is as good as on the ship.
        for office in situation.view.cities[offer.city].offices:
            if office.seat == situation.seat:
                goods = [have + more for have, more in zip(goods, office.goods, strict=True)]
    now = situation.worth.of(goods, markers)
    change(goods, markers, offer.give, 1)
    change(goods, markers, offer.take, -1)
    gain = situation.worth.of(goods, markers) - now
    return ("accept" if gain >= CLEARLY_GOOD else "decline", number)
