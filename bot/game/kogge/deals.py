"""Trading among players: offers that stay open alongside the turn until they are answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import PairEvent
from bot.game.grammar import EventRecorder, Gate, Rule, RuleBuilder, refuse, rule
from bot.game.kogge.common import Bargain, PairInCity, gain, move_in_offices, spend, tell
from bot.game.kogge.data import GUEST, PIECE_LETTERS, SHIP, cover, split, split_partner
from bot.game.kogge.offers import (
    can_be_asked,
    deal_with,
    drop_offers_of,
    has,
    is_secret,
    partners,
    stock,
)
from bot.game.kogge.state import (
    NOBODY,
    Acting,
    Auction,
    Challenge,
    Exchange,
    GuildMaster,
    KoggeState,
    Movement,
    Offer,
)

TOPIC = "deals"
OFFICE_TOPIC = "offices"
OPEN_TO_DEALS = (Movement, Acting, Exchange, Auction, GuildMaster, Challenge)
"""Memory's opening exchange is no exception (ruling 62), and a conflict that has not begun may
still be bought off."""


class OfficeBargain(PairInCity, frozen=True):
    """A bargain with an office in the city, which stands for its owner's ship."""

    give: str
    take: str


class Offered(Bargain, frozen=True):
    """An offer with its number: `give` goes from the seat to the other one, `take` the other
    way."""

    id: int

    @property
    def offer(self) -> str:
        """Its number as a word."""
        return str(self.id)


class OfferedSecretly(PairEvent, frozen=True):
    """What is offered is not told."""


class OfficeOffered(OfficeBargain, frozen=True):
    """An offer by an office, or to one."""

    id: int

    @property
    def offer(self) -> str:
        """Its number as a word."""
        return str(self.id)


class OfficeOfferedSecretly(PairInCity, frozen=True):
    """What is offered is not told."""


class Accepted(Bargain, frozen=True):
    """A deal is made."""


class AcceptedSecretly(PairEvent, frozen=True):
    """What changed hands is not told."""


class OfficeAccepted(OfficeBargain, frozen=True):
    """A deal by an office is made."""


class OfficeAcceptedSecretly(OfficeBargain, frozen=True):
    """The goods that all see; which markers changed hands is not told."""


class OfferDeclined(PairEvent, frozen=True):
    """The receiver says no."""

    kind: ClassVar[str] = "declined"


class Withdrawn(PairEvent, frozen=True):
    """The maker takes the offer back."""


def _closed(state: KoggeState, seat: Seat) -> Refusal | None:
    """Deals rest until the first offices are founded, and while a raid, a tax or a conflict is
    being settled (ruling 48)."""
    return None if isinstance(state.frames[-1], OPEN_TO_DEALS) else refuse("deals_closed")


# What is offered


def _worthwhile(state: KoggeState, seat: Seat) -> Iterator[str]:
    """Partners, where either has anything to deal with."""
    for word in partners(state, seat):
        deal = deal_with(state, seat, word)
        if any(stock(state, seat, deal)) or any(can_be_asked(state, deal.other, deal)):
            yield word


def _partners(state: KoggeState, seat: Seat) -> OneOf:
    return OneOf("seat", tuple(_worthwhile(state, seat)))


def _offer_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if next(_worthwhile(state, seat), None) is not None:
        return None
    code = "no_partner_here" if state.rules.offices else "not_together"
    return refuse(code, city=state.players[seat].city)


def _why_not_partner(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    way, other = split_partner(word)
    if other is None or other >= len(state.players) or other == seat:
        return None
    if way == SHIP:
        return refuse("not_with_you", other=other)
    if not state.rules.offices:
        return refuse("no_office_deals", OFFICE_TOPIC, other=other)
    if way == GUEST:
        return refuse("no_guest", OFFICE_TOPIC, other=other)
    return refuse("no_office_of", OFFICE_TOPIC, other=other, city=state.players[seat].city)


def _with_terms(
    begun: RuleBuilder[KoggeState, str], deal_of: Callable[[KoggeState, Seat, str], Offer]
) -> RuleBuilder[KoggeState, str, str, str]:
    """Add what is given and what is taken to a rule whose first word says in which deal."""

    def to_give(state: KoggeState, seat: Seat, word: str) -> Bundle:
        deal = deal_of(state, seat, word)
        have = stock(state, seat, deal)
        least = 0 if any(can_be_asked(state, deal.other, deal)) else 1
        return Bundle("give", PIECE_LETTERS, have, least, sum(have))

    def why_not_give(state: KoggeState, seat: Seat, word: str, give: str) -> Refusal | None:
        have = stock(state, seat, deal_of(state, seat, word))
        return None if has(have, give) else refuse("cannot_give", pieces=give)

    def to_take(state: KoggeState, seat: Seat, word: str, give: str) -> Bundle:
        deal = deal_of(state, seat, word)
        have = can_be_asked(state, deal.other, deal)
        most = sum(have if state.rules.hidden else stock(state, deal.other, deal))
        return Bundle("take", PIECE_LETTERS, have, 0 if give else 1, most)

    def why_not_take(
        state: KoggeState, seat: Seat, word: str, give: str, take: str
    ) -> Refusal | None:
        if not take and not give:
            return refuse("offer_empty")
        deal = deal_of(state, seat, word)
        there = has(can_be_asked(state, deal.other, deal), take)
        return None if there else refuse("cannot_take", pieces=take, other=deal.other)

    return begun.word("give", to_give, why_not_give).word("take", to_take, why_not_take)


def _offer(
    state: KoggeState, seat: Seat, recorder: EventRecorder, partner: str, give: str, take: str
) -> None:
    _propose(state, deal_with(state, seat, partner), give, take, recorder)


def _propose(state: KoggeState, deal: Offer, give: str, take: str, recorder: EventRecorder) -> None:
    """A new offer to a seat replaces the one of the same kind from the same seat."""
    seat, other = deal.seat, deal.other
    for old in state.offers:
        if (old.seat, old.other, old.office) == (seat, other, deal.office):
            state.offers.remove(old)
            recorder.tell(Withdrawn(seat=seat, other=other))
            break
    number = state.next_offer
    offer = replace(deal, id=number, give=give, take=take)
    state.next_offer += 1
    state.offers.append(offer)
    full: Event
    twin: Event
    if offer.office == NOBODY:
        full = Offered(seat=seat, other=other, give=give, take=take, id=number)
        twin = OfferedSecretly(seat=seat, other=other)
    else:
        city = offer.city
        full = OfficeOffered(seat=seat, other=other, city=city, give=give, take=take, id=number)
        twin = OfficeOfferedSecretly(seat=seat, other=other, city=city)
    _tell(state, offer, full, twin, recorder)


def _tell(
    state: KoggeState, offer: Offer, full: Event, twin: Event, recorder: EventRecorder
) -> None:
    """The two concerned hear everything.

    Where only the numbers of markers are secret, the others hear of the goods and of how many
    markers, which is what they see change hands. Of a hidden deal they hear only that it happened
    (ruling 59).
    """
    covered = replace(full, give=cover(offer.give), take=cover(offer.take))
    twin = twin if state.rules.hidden else covered
    tell(recorder, full, twin, (offer.seat, offer.other), secret=is_secret(state, offer))


# What is answered

Fits = Callable[[KoggeState, Seat, Offer], bool]


def _is_mine(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    return offer.seat == seat


def _is_to_me(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    return offer.other == seat


def _can_be_met(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    return offer.other == seat and has(stock(state, seat, offer), offer.take)


def _can_be_countered(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    """Not between two who have nothing left to deal with."""
    return offer.other == seat and (
        any(stock(state, seat, offer)) or any(can_be_asked(state, offer.seat, offer))
    )


def _about_offer(
    kind: str,
    fits: Fits,
    *gates: Gate[KoggeState],
    unfit: Callable[[Offer], Refusal] | None = None,
    foreign: str = "offer_not_yours",
    offers: bool = False,
) -> RuleBuilder[KoggeState, str]:
    """A rule whose first word is the number of an offer that fits.

    `unfit` says what is wrong with one to the seat that does not, `foreign` with one of others.
    """

    def numbers(state: KoggeState, seat: Seat) -> OneOf:
        fitting = [str(offer.id) for offer in state.offers if fits(state, seat, offer)]
        return OneOf("offer", tuple(fitting))

    def gate(state: KoggeState, seat: Seat) -> Refusal | None:
        if numbers(state, seat).values:
            return None
        to_me = next((offer for offer in state.offers if offer.other == seat), None)
        return refuse("offer_gone") if unfit is None or to_me is None else unfit(to_me)

    def why_not(state: KoggeState, seat: Seat, number: str) -> Refusal:
        offer = next((offer for offer in state.offers if str(offer.id) == number), None)
        if offer is None:
            return refuse("offer_gone")
        return unfit(offer) if unfit and offer.other == seat else refuse(foreign)

    begun = rule(kind, TOPIC, *gates, gate, free=True, offers=offers)
    return begun.word("offer", numbers, why_not)


def _take_away(state: KoggeState, number: str) -> Offer:
    offer = next(offer for offer in state.offers if str(offer.id) == number)
    state.offers.remove(offer)
    return offer


def _accept(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    """In a hidden deal with an office, all see what goes into it and comes out."""
    offer = _take_away(state, number)
    other, give, take = offer.seat, offer.give, offer.take
    _hand_over(state, other, seat, give, offer)
    _hand_over(state, seat, other, take, offer)
    full: Event
    twin: Event
    if offer.office == NOBODY:
        full = Accepted(seat=other, other=seat, give=give, take=take)
        twin = AcceptedSecretly(seat=other, other=seat)
    else:
        city, goods = offer.city, (split(give)[0], split(take)[0])
        full = OfficeAccepted(seat=other, other=seat, city=city, give=give, take=take)
        twin = OfficeAcceptedSecretly(
            seat=other, other=seat, city=city, give=goods[0], take=goods[1]
        )
    _tell(state, offer, full, twin, recorder)
    if is_secret(state, offer):
        drop_offers_of(state, (other, seat), recorder)


def _hand_over(state: KoggeState, giver: Seat, taker: Seat, word: str, deal: Offer) -> None:
    """Goods go from and to the office where one stands for a ship, markers from hand to hand."""
    goods, markers = split(word)
    if giver == deal.office:
        move_in_offices(state.cities[deal.city], giver, goods, -1)
    if taker == deal.office:
        move_in_offices(state.cities[deal.city], taker, goods, 1)
    spend(state.players[giver], markers if giver == deal.office else word)
    gain(state.players[taker], markers if taker == deal.office else word)


def _decline(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    recorder.tell(OfferDeclined(seat=seat, other=_take_away(state, number).seat))


def _withdraw(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    recorder.tell(Withdrawn(seat=seat, other=_take_away(state, number).other))


def _turned_round(state: KoggeState, seat: Seat, number: str) -> Offer:
    """The deal of an offer to the seat, as the seat would begin it."""
    offer = next(offer for offer in state.offers if str(offer.id) == number)
    return replace(offer, seat=seat, other=offer.seat)


def _counter(
    state: KoggeState, seat: Seat, recorder: EventRecorder, number: str, give: str, take: str
) -> None:
    """Declines the offer and puts a counter-offer in its place, the other way round."""
    deal = _turned_round(state, seat, number)
    _decline(state, seat, recorder, number)
    _propose(state, deal, give, take, recorder)


OFFER: Rule[KoggeState] = _with_terms(
    rule("offer", TOPIC, _closed, _offer_gate, free=True, offers=True).word(
        "seat", _partners, _why_not_partner
    ),
    deal_with,
).does(_offer)
COUNTER: Rule[KoggeState] = _with_terms(
    _about_offer(
        "counter",
        _can_be_countered,
        _closed,
        unfit=lambda offer: refuse("offer_empty"),
        offers=True,
    ),
    _turned_round,
).does(_counter)
ACCEPT: Rule[KoggeState] = _about_offer(
    "accept",
    _can_be_met,
    _closed,
    unfit=lambda offer: refuse("cannot_give", pieces=offer.take),
).does(_accept)
DECLINE: Rule[KoggeState] = _about_offer("decline", _is_to_me).does(_decline)
WITHDRAW: Rule[KoggeState] = _about_offer("withdraw", _is_mine, foreign="offer_not_mine").does(
    _withdraw
)
