"""Deals with other players: what to offer them, and which of their offers to accept."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from bot.game.choices import OneOf
from bot.game.contract import Action
from bot.game.kogge.common import goods_in_offices, pieces
from bot.game.kogge.data import CITIES, GOODS
from bot.game.kogge.offers import deal_with
from bot.game.kogge.state import Offer
from bot.policy.contract import Legal
from bot.policy.kogge.worth import LEAST_FIRST, PLACE, Held, KoggeWorth, Situation, after, worth_of

CLEARLY_GOOD = 2.0
"""What a deal must gain to be accepted; an offer is made where it gains both so much."""
GUESSED_GOODS = (2, 0, 1, 0)
"""What a ship that hides its goods is taken to carry."""
TALKATIVE = 0.3
"""How often a deal that would be good for both is proposed, or an offer countered: who was
refused does not ask for ever."""


class Dealer(NamedTuple):
    """One of the two who deal: how it judges, what it has, and what of it it can give here."""

    worth: KoggeWorth
    held: Held
    stock: Held

    def gain(self, gets: str, gives: str) -> float:
        """By how much a deal is good for them."""
        return self.worth.of(after(self.held, gets, gives)) - self.worth.of(self.held)

    def gifts(self) -> Iterator[str]:
        """One piece or two alike, as words."""
        for letter in LEAST_FIRST:
            yield from (letter * n for n in range(1, min(self.stock[PLACE[letter]], 2) + 1))


def talk(situation: Situation, legal: Legal, rng: Random) -> Action | None:
    """Takes back an offer that would now do harm, or makes one that both sides should like, to a
    ship or an office here; usually None."""
    state, me = situation.state, situation.seat
    kinds = legal(())
    assert isinstance(kinds, OneOf)
    for offer in state.offers if "withdraw" in kinds.values else ():
        if offer.seat == me:
            mine = _side(situation, me, offer)
            if mine.gain(offer.take, offer.give) < 0:
                return ("withdraw", str(offer.id))
    if "offer" not in kinds.values or rng.random() >= TALKATIVE:
        return None
    asked = [(offer.other, offer.office) for offer in state.offers if offer.seat == me]
    partners = legal(("offer",))
    assert isinstance(partners, OneOf)
    for partner in partners.values:
        deal = deal_with(state, me, partner)
        if (deal.other, deal.office) not in asked:
            terms = _best_deal(_side(situation, me, deal), _side(situation, deal.other, deal))
            if terms is not None:
                return ("offer", partner, *terms)
    return None


def answer(situation: Situation, number: str, legal: Legal, rng: Random) -> Action:
    """Accepts what is clearly good; the rest may get a better counter-offer."""
    offer = next(offer for offer in situation.state.offers if str(offer.id) == number)
    kinds = legal(())
    assert isinstance(kinds, OneOf)
    can = [
        kind
        for kind in ("accept", "counter")
        if kind in kinds.values and legal((kind,)).admits(number)
    ]
    mine = _side(situation, situation.seat, offer)
    if "accept" in can and mine.gain(offer.give, offer.take) >= CLEARLY_GOOD:
        return ("accept", number)
    if "counter" in can and rng.random() < TALKATIVE:
        terms = _best_deal(mine, _side(situation, offer.seat, offer))
        if terms is not None:
            return ("counter", number, *terms)
    return ("decline", number)


def _side(situation: Situation, seat: int, deal: Offer) -> Dealer:
    """A seat, dealing by its ship or its office; hidden goods are guessed.

    What lies in the own office is as good as on the ship. Markers whose numbers are secret do not
    count: they are neither asked for nor reckoned with.
    """
    state, player = situation.state, situation.state.players[seat]
    own = seat == situation.seat
    shown = own or len(player.markers) == CITIES
    held = [*(player.goods or GUESSED_GOODS), *(pieces(player)[GOODS:] if shown else [0] * CITIES)]
    worth = situation.worth if own else worth_of(state, seat, situation.weights)
    if seat != deal.office:
        return Dealer(worth, held, held)
    stock = goods_in_offices(state.cities[deal.city], seat)
    both = [have + more for have, more in zip(held, stock, strict=False)]
    return Dealer(worth, [*both, *held[GOODS:]], [*stock, *held[GOODS:]])


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
