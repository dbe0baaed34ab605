"""Trading among players: offers that stay open alongside the turn until they are answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.grammar import EventRecorder, Gate, Rule, RuleBuilder, refuse, rule
from bot.game.kogge.data import GUEST, PIECE_LETTERS, SHIP, split_partner
from bot.game.kogge.offers import (
    OfferDeclined,
    PartnerPlace,
    Withdrawn,
    can_be_asked,
    close,
    drop_offers_of,
    hand_over,
    has,
    is_secret,
    partner_of,
    partners,
    place_of,
    stock,
    tell_accepted,
    tell_offered,
)
from bot.game.kogge.state import (
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
OPEN_TO_DEALS = (Exchange, Auction, GuildMaster, Movement, Acting, Challenge)
"""Memory's opening exchange is no exception (ruling 62), and a conflict that has not begun may
still be bought off."""

Party = tuple[Seat, PartnerPlace]
"""With whom a deal is made, and where."""


def _closed(state: KoggeState, seat: Seat) -> Refusal | None:
    """Deals rest until the first offices are founded, and while a raid, a tax or a conflict is
    being settled (ruling 48)."""
    return None if isinstance(state.frames[-1], OPEN_TO_DEALS) else refuse("deals_closed")


# What is offered


def _worthwhile(state: KoggeState, seat: Seat) -> Iterator[str]:
    """Partners, where either has anything to deal with."""
    for word in partners(state, seat):
        other, place = partner_of(state, seat, word)
        if any(stock(state, seat, place)) or any(can_be_asked(state, other, place)):
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
    if way == GUEST:
        code = "no_guest" if state.rules.offices else "no_office_deals"
        return refuse(code, OFFICE_TOPIC, other=other)
    code = "no_office_of" if state.rules.offices else "no_office_deals"
    return refuse(code, OFFICE_TOPIC, other=other, city=state.players[seat].city)


def _with_terms(
    begun: RuleBuilder[KoggeState, str], party_of: Callable[[KoggeState, Seat, str], Party]
) -> RuleBuilder[KoggeState, str, str, str]:
    """Add what is given and what is taken to a rule whose first word says with whom."""

    def to_give(state: KoggeState, seat: Seat, word: str) -> Bundle:
        other, place = party_of(state, seat, word)
        have = stock(state, seat, place)
        least = 0 if any(can_be_asked(state, other, place)) else 1
        return Bundle("give", PIECE_LETTERS, have, least, sum(have))

    def why_not_give(state: KoggeState, seat: Seat, word: str, give: str) -> Refusal | None:
        _, place = party_of(state, seat, word)
        return None if has(stock(state, seat, place), give) else refuse("cannot_give", pieces=give)

    def to_take(state: KoggeState, seat: Seat, word: str, give: str) -> Bundle:
        other, place = party_of(state, seat, word)
        have = can_be_asked(state, other, place)
        most = sum(have if state.rules.hidden else stock(state, other, place))
        return Bundle("take", PIECE_LETTERS, have, 0 if give else 1, most)

    def why_not_take(
        state: KoggeState, seat: Seat, word: str, give: str, take: str
    ) -> Refusal | None:
        other, place = party_of(state, seat, word)
        if not take and not give:
            return refuse("offer_empty")
        there = has(can_be_asked(state, other, place), take)
        return None if there else refuse("cannot_take", pieces=take, other=other)

    return begun.word("give", to_give, why_not_give).word("take", to_take, why_not_take)


def _offer(
    state: KoggeState, seat: Seat, recorder: EventRecorder, partner: str, give: str, take: str
) -> None:
    _propose(state, seat, partner_of(state, seat, partner), give, take, recorder)


def _propose(
    state: KoggeState, seat: Seat, party: Party, give: str, take: str, recorder: EventRecorder
) -> None:
    """A new offer to a seat replaces the one of the same kind from the same seat."""
    other, place = party
    for old in state.offers:
        if (old.seat, old.other, old.office) == (seat, other, place.office):
            close(state, old, Withdrawn, seat, recorder)
            break
    offer = Offer(state.next_offer, seat, other, give, take, place.office, place.city)
    state.next_offer += 1
    state.offers.append(offer)
    tell_offered(state, offer, recorder)


# What is answered

Fits = Callable[[KoggeState, Seat, Offer], bool]


def _is_mine(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    return offer.seat == seat


def _is_to_me(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    return offer.other == seat


def _can_be_met(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    return offer.other == seat and has(stock(state, seat, place_of(offer)), offer.take)


def _can_be_countered(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    """Not between two who have nothing left to deal with."""
    place = place_of(offer)
    return offer.other == seat and (
        any(stock(state, seat, place)) or any(can_be_asked(state, offer.seat, place))
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

    first, *more = (*gates, gate)
    begun = rule(kind, TOPIC, first, *more, free=True, offers=offers)
    return begun.word("offer", numbers, why_not)


def _find(state: KoggeState, number: str) -> Offer:
    return next(offer for offer in state.offers if str(offer.id) == number)


def _accept(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    offer = _find(state, number)
    state.offers.remove(offer)
    place, one, other = place_of(offer), offer.seat, offer.other
    hand_over(state, one, other, offer.give, place)
    hand_over(state, other, one, offer.take, place)
    tell_accepted(state, offer, recorder)
    if is_secret(state, offer):
        drop_offers_of(state, (one, other), recorder)


def _decline(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    close(state, _find(state, number), OfferDeclined, seat, recorder)


def _withdraw(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    close(state, _find(state, number), Withdrawn, seat, recorder)


def _maker(state: KoggeState, seat: Seat, number: str) -> Party:
    offer = _find(state, number)
    return offer.seat, place_of(offer)


def _counter(
    state: KoggeState, seat: Seat, recorder: EventRecorder, number: str, give: str, take: str
) -> None:
    """Declines the offer and puts a counter-offer in its place, the other way round."""
    maker = _maker(state, seat, number)
    _decline(state, seat, recorder, number)
    _propose(state, seat, maker, give, take, recorder)


OFFER: Rule[KoggeState] = _with_terms(
    rule("offer", TOPIC, _closed, _offer_gate, free=True, offers=True).word(
        "seat", _partners, _why_not_partner
    ),
    partner_of,
).does(_offer)
COUNTER: Rule[KoggeState] = _with_terms(
    _about_offer(
        "counter",
        _can_be_countered,
        _closed,
        unfit=lambda offer: refuse("offer_empty"),
        offers=True,
    ),
    _maker,
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
