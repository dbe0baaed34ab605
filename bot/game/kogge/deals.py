"""Trading among players: offers that stay open alongside the turn until they are answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, RuleBuilder, refuse, rule
from bot.game.kogge.data import GUEST, PIECE_LETTERS
from bot.game.kogge.notation import SHIP, split_partner
from bot.game.kogge.offers import OfferDeclined, Withdrawn, close, tell_accepted, tell_offered
from bot.game.kogge.partners import (
    PartnerPlace,
    can_be_asked,
    drop_offers_of,
    hand_over,
    has,
    is_secret,
    partner_of,
    partners,
    place_of,
    stock,
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


def _closed(state: KoggeState, seat: Seat) -> Refusal | None:
    """Deals rest until the first offices are founded, and while a raid, a tax or a conflict is
    being settled (ruling 48)."""
    if isinstance(state.frames[-1], OPEN_TO_DEALS):
        return None
    return refuse("deals_closed")


def _worthwhile(state: KoggeState, seat: Seat) -> Iterator[str]:
    """Partners, where either has anything to deal with."""
    for word in partners(state, seat):
        other, place = partner_of(state, seat, word)
        if any(stock(state, seat, place)) or any(can_be_asked(state, other, place)):
            yield word


def _partners(state: KoggeState, seat: Seat) -> OneOf:
    return OneOf("seat", tuple(_worthwhile(state, seat)))


def _offer_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if next(_worthwhile(state, seat), None) is None:
        code = "no_partner_here" if state.rules.offices else "not_together"
        return refuse(code, city=state.players[seat].city)
    return None


def _why_not_partner(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    way, other = split_partner(word)
    if other is None or other >= len(state.players) or other == seat:
        return None
    if way == SHIP:
        return refuse("not_with_you", other=other)
    if not state.rules.offices:
        code = "no_office_deals"
    else:
        code = "no_guest" if way == GUEST else "no_office_of"
    if way == GUEST:
        return refuse(code, OFFICE_TOPIC, other=other)
    return refuse(code, OFFICE_TOPIC, other=other, city=state.players[seat].city)


Party = tuple[Seat, PartnerPlace]
"""With whom a deal is made, and where."""


def _to_give(state: KoggeState, seat: Seat, party: Party) -> Bundle:
    other, place = party
    have = stock(state, seat, place)
    least = 0 if any(can_be_asked(state, other, place)) else 1
    return Bundle("give", PIECE_LETTERS, have, least, sum(have))


def _why_not_give(state: KoggeState, seat: Seat, party: Party, word: str) -> Refusal | None:
    _, place = party
    return None if has(stock(state, seat, place), word) else refuse("cannot_give", pieces=word)


def _to_take(state: KoggeState, party: Party, give: str) -> Bundle:
    other, place = party
    have = can_be_asked(state, other, place)
    most = sum(have if state.rules.hidden else stock(state, other, place))
    return Bundle("take", PIECE_LETTERS, have, 0 if give else 1, most)


def _why_not_take(state: KoggeState, party: Party, give: str, word: str) -> Refusal | None:
    other, place = party
    if not word and not give:
        return refuse("offer_empty")
    if not has(can_be_asked(state, other, place), word):
        return refuse("cannot_take", pieces=word, other=other)
    return None


def _with_terms(
    begun: RuleBuilder[KoggeState, str], party_of: Callable[[KoggeState, Seat, str], Party]
) -> RuleBuilder[KoggeState, str, str, str]:
    """Add what is given and what is taken to a rule whose first word says with whom."""
    return begun.word(
        "give",
        lambda state, seat, word: _to_give(state, seat, party_of(state, seat, word)),
        lambda state, seat, word, give: _why_not_give(
            state, seat, party_of(state, seat, word), give
        ),
    ).word(
        "take",
        lambda state, seat, word, give: _to_take(state, party_of(state, seat, word), give),
        lambda state, seat, word, give, take: _why_not_take(
            state, party_of(state, seat, word), give, take
        ),
    )


def _offer(
    state: KoggeState, seat: Seat, recorder: EventRecorder, partner: str, give: str, take: str
) -> None:
    _propose(state, seat, partner_of(state, seat, partner), give, take, recorder)


def _propose(
    state: KoggeState, seat: Seat, party: Party, give: str, take: str, recorder: EventRecorder
) -> None:
    """A new offer to a seat replaces the one of the same kind from the same seat."""
    other, place = party
    for offer in state.offers:
        if offer.seat == seat and offer.other == other and offer.office == place.office:
            close(state, offer, Withdrawn, seat, recorder)
            break
    offer = Offer(state.next_offer, seat, other, give, take, place.office, place.city)
    state.next_offer += 1
    state.offers.append(offer)
    tell_offered(state, offer, recorder)


def _named(state: KoggeState, word: str) -> Offer | None:
    return next((offer for offer in state.offers if str(offer.id) == word), None)


def _find(state: KoggeState, number: str) -> Offer:
    return next(offer for offer in state.offers if str(offer.id) == number)


def _offers(state: KoggeState, fits: Callable[[Offer], bool]) -> OneOf:
    return OneOf("offer", tuple(str(offer.id) for offer in state.offers if fits(offer)))


def _to_me(state: KoggeState, seat: Seat) -> OneOf:
    return _offers(state, lambda offer: offer.other == seat)


def _mine(state: KoggeState, seat: Seat) -> OneOf:
    return _offers(state, lambda offer: offer.seat == seat)


def _i_can_meet(state: KoggeState, seat: Seat) -> OneOf:
    return _offers(
        state,
        lambda offer: offer.other == seat and has(stock(state, seat, place_of(offer)), offer.take),
    )


def _to_counter(state: KoggeState, seat: Seat) -> OneOf:
    """Offers to the seat, except between two who have nothing left to deal with."""

    def fits(offer: Offer) -> bool:
        place = place_of(offer)
        return offer.other == seat and (
            any(stock(state, seat, place)) or any(can_be_asked(state, offer.seat, place))
        )

    return _offers(state, fits)


def _answer_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    return None if _to_me(state, seat).values else refuse("offer_gone")


def _accept_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if _i_can_meet(state, seat).values:
        return None
    take = next(offer.take for offer in state.offers if offer.other == seat)
    return refuse("cannot_give", pieces=take)


def _counter_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    return None if _to_counter(state, seat).values else refuse("offer_empty")


def _withdraw_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    return None if _mine(state, seat).values else refuse("offer_gone")


def _why_not_answer(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    return refuse("offer_not_yours" if _named(state, word) else "offer_gone")


def _why_not_accept(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    offer = _named(state, word)
    if offer is not None and offer.other == seat:
        return refuse("cannot_give", pieces=offer.take)
    return _why_not_answer(state, seat, word)


def _why_not_counter(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    offer = _named(state, word)
    if offer is not None and offer.other == seat:
        return refuse("offer_empty")
    return _why_not_answer(state, seat, word)


def _why_not_withdraw(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    return refuse("offer_not_mine" if _named(state, word) else "offer_gone")


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
    close(state, _find(state, number), OfferDeclined, seat, recorder)
    _propose(state, seat, maker, give, take, recorder)


OFFER: Rule[KoggeState] = _with_terms(
    rule("offer", TOPIC, _closed, _offer_gate, free=True, offers=True).word(
        "seat", _partners, _why_not_partner
    ),
    partner_of,
).does(_offer)
COUNTER: Rule[KoggeState] = _with_terms(
    rule("counter", TOPIC, _closed, _answer_gate, _counter_gate, free=True, offers=True).word(
        "offer", _to_counter, _why_not_counter
    ),
    _maker,
).does(_counter)
ACCEPT: Rule[KoggeState] = (
    rule("accept", TOPIC, _closed, _answer_gate, _accept_gate, free=True)
    .word("offer", _i_can_meet, _why_not_accept)
    .does(_accept)
)
DECLINE: Rule[KoggeState] = (
    rule("decline", TOPIC, _answer_gate, free=True)
    .word("offer", _to_me, _why_not_answer)
    .does(_decline)
)
WITHDRAW: Rule[KoggeState] = (
    rule("withdraw", TOPIC, _withdraw_gate, free=True)
    .word("offer", _mine, _why_not_withdraw)
    .does(_withdraw)
)
