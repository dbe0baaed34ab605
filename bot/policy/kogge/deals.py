"""Deals with other players: what to offer them, and which of their offers to accept."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from bot.game.contract import Action
from bot.game.kogge.data import CITIES, GOOD_LETTERS, GOODS, GUEST, OFFICE, split_partner
from bot.game.kogge.view import OfferView
from bot.policy.contract import Legal
from bot.policy.kogge.situation import Situation, change, words
from bot.policy.kogge.worth import Counts, KoggeWorth, worth_of

CLEARLY_GOOD = 2.0
"""What a deal must gain to be accepted; an offer is made where it gains both so much."""
GUESSED_GOODS = (2, 0, 1, 0)
"""What a ship that hides its goods is taken to carry."""
TALKATIVE = 0.3
"""How often a deal that would be good for both is proposed, or an offer countered: who was
refused does not ask for ever."""


class Dealer(NamedTuple):
    """One of the two who deal: how it judges, what it has, and the goods it can give here."""

    worth: KoggeWorth
    goods: Counts
    markers: Counts
    stock: Counts

    def gain(self, gets: str, gives: str) -> float:
        """By how much a deal is good for them."""
        goods, markers = self.goods[:], self.markers[:]
        change(goods, markers, gets, 1)
        change(goods, markers, gives, -1)
        return self.worth.of(goods, markers) - self.worth.of(self.goods, self.markers)

    def gifts(self) -> Iterator[str]:
        """One piece or two alike, as words."""
        for letters, counts in ((GOOD_LETTERS, self.stock), (range(CITIES), self.markers)):
            for letter, count in zip(letters, counts, strict=True):
                yield from (str(letter) * n for n in range(1, min(count, 2) + 1))


def propose(situation: Situation, legal: Legal, rng: Random) -> Action | None:
    """An offer that both sides should like, to a ship or an office here; usually None."""
    if "offer" not in words(legal, ()) or rng.random() >= TALKATIVE:
        return None
    view, me = situation.view, situation.seat
    asked = {(offer.other, offer.office) for offer in view.offers if offer.seat == me}
    for partner in words(legal, ("offer",)):
        way, other = split_partner(partner)
        assert other is not None, "what may be said names a seat"
        owner = {OFFICE: other, GUEST: me}.get(way)
        if (other, owner) in asked:
            continue
        mine = _side(situation, me, view.seats[other].city if owner == me else None)
        theirs = _side(situation, other, situation.me.city if owner == other else None)
        deal = _best_deal(mine, theirs)
        if deal is not None:
            return ("offer", partner, *deal)
    return None


def withdraw(situation: Situation, legal: Legal) -> Action | None:
    """Withdraws the seat's own offer if it would now do harm."""
    if "withdraw" not in words(legal, ()):
        return None
    for number in words(legal, ("withdraw",)):
        offer = _offer(situation, number)
        mine = _side(situation, situation.seat, _office_of(offer, situation.seat))
        if mine.gain(offer.take or "", offer.give or "") < 0:
            return ("withdraw", number)
    return None


def answer(situation: Situation, number: str, legal: Legal, rng: Random) -> Action:
    """Accepts what is clearly good; the rest may get a better counter-offer."""
    offer, kinds = _offer(situation, number), words(legal, ())
    mine = _side(situation, situation.seat, _office_of(offer, situation.seat))
    if offer.give is None or offer.take is None:
        return ("decline", number)
    can = [
        kind for kind in ("accept", "counter") if kind in kinds and number in words(legal, (kind,))
    ]
    if "accept" in can and mine.gain(offer.give, offer.take) >= CLEARLY_GOOD:
        return ("accept", number)
    if "counter" in can and rng.random() < TALKATIVE:
        deal = _best_deal(mine, _side(situation, offer.seat, _office_of(offer, offer.seat)))
        if deal is not None:
            return ("counter", number, *deal)
    return ("decline", number)


def _offer(situation: Situation, number: str) -> OfferView:
    return next(offer for offer in situation.view.offers if str(offer.id) == number)


def _office_of(offer: OfferView, seat: int) -> int | None:
    """The city of the seat's office, where that stands for its ship."""
    return offer.city if offer.office == seat else None


def _side(situation: Situation, seat: int, office_in: int | None = None) -> Dealer:
    """A seat, dealing by its ship or its office; hidden goods are guessed.

    What lies in the own office is as good as on the ship. Markers whose numbers are secret do not
    count: they are neither asked for nor reckoned with.
    """
    view = situation.view
    goods, markers = view.seats[seat].goods, view.seats[seat].markers or (0,) * CITIES
    if goods is None:
        goods = GUESSED_GOODS
    worth = situation.worth if seat == situation.seat else worth_of(view, seat, situation.weights)
    if office_in is None:
        return Dealer(worth, list(goods), list(markers), list(goods))
    stock = [0] * GOODS
    for office in view.cities[office_in].offices:
        if office.seat == seat:
            stock = [have + more for have, more in zip(stock, office.goods, strict=True)]
    both = [have + more for have, more in zip(goods, stock, strict=True)]
    return Dealer(worth, both, list(markers), stock)


def _best_deal(mine: Dealer, theirs: Dealer) -> tuple[str, str] | None:
    """What to give and to take so that both gain clearly, and this side as much or more."""
    best, deal = CLEARLY_GOOD, None
    for take in theirs.gifts():
        for give in mine.gifts():
            gain = mine.gain(take, give)
            if (
                gain > best
                and take[0] != give[0]
                and CLEARLY_GOOD <= theirs.gain(give, take) <= gain
            ):
                best, deal = gain, (give, take)
    return deal
