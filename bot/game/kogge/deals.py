"""Trading among players: offers that stay open alongside the turn until they are answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Action, Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, rule
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


def _closed(state: KoggeState) -> Refusal | None:
    """Deals rest until the first offices are founded, and while a raid, a tax or a conflict is
    being settled (ruling 48)."""
    if isinstance(state.frames[-1], OPEN_TO_DEALS):
        return None
    return Refusal("deals_closed", TOPIC)


def _worthwhile(state: KoggeState, seat: Seat) -> Iterator[str]:
    """Partners, where either has anything to deal with."""
    for word in partners(state, seat):
        other, place = partner_of(state, seat, word)
        if any(stock(state, seat, place)) or any(can_be_asked(state, other, place)):
            yield word


def _partners(state: KoggeState, seat: Seat) -> OneOf:
    return OneOf("seat", tuple(_worthwhile(state, seat)))


def _offer_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    refusal = _closed(state)
    if refusal is not None:
        return refusal
    if next(_worthwhile(state, seat), None) is None:
        code = "no_partner_here" if state.rules.offices else "not_together"
        return Refusal(code, TOPIC, {"city": state.players[seat].city})
    return None


def _why_not_offer(state: KoggeState, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) == 1:
        way, other = split_partner(word)
        if other is None or other >= len(state.players) or other == seat:
            return None
        if way == SHIP:
            return Refusal("not_with_you", TOPIC, {"other": other})
        if way == GUEST:
            code = "no_guest" if state.rules.offices else "no_office_deals"
            return Refusal(code, OFFICE_TOPIC, {"other": other})
        code = "no_office_of" if state.rules.offices else "no_office_deals"
        facts = {"other": other, "city": state.players[seat].city}
        return Refusal(code, OFFICE_TOPIC, facts)
    other, place = partner_of(state, seat, prefix[1])
    return _why_not_pieces(state, seat, other, place, prefix[2:], word)


def _why_not_pieces(
    state: KoggeState, seat: Seat, other: Seat, place: PartnerPlace, given: Action, word: str
) -> Refusal | None:
    if not given:
        if not has(stock(state, seat, place), word):
            return Refusal("cannot_give", TOPIC, {"pieces": word})
    elif not word and not given[0]:
        return Refusal("offer_empty", TOPIC)
    elif not has(can_be_asked(state, other, place), word):
        return Refusal("cannot_take", TOPIC, {"pieces": word, "other": other})
    return None


def _give_domain(state: KoggeState, seat: Seat, other: Seat, place: PartnerPlace) -> Bundle:
    have = stock(state, seat, place)
    least = 0 if any(can_be_asked(state, other, place)) else 1
    return Bundle("give", PIECE_LETTERS, have, least, sum(have))


def _take_domain(state: KoggeState, other: Seat, place: PartnerPlace, give: str) -> Bundle:
    have = can_be_asked(state, other, place)
    most = sum(have if state.rules.hidden else stock(state, other, place))
    return Bundle("take", PIECE_LETTERS, have, 0 if give else 1, most)


def _give(state: KoggeState, seat: Seat, partner: str) -> Bundle:
    return _give_domain(state, seat, *partner_of(state, seat, partner))


def _take(state: KoggeState, seat: Seat, partner: str, give: str) -> Bundle:
    return _take_domain(state, *partner_of(state, seat, partner), give)


def _offer(
    state: KoggeState, seat: Seat, recorder: EventRecorder, partner: str, give: str, take: str
) -> None:
    _propose(state, seat, *partner_of(state, seat, partner), give, take, recorder)


def _propose(
    state: KoggeState,
    seat: Seat,
    other: Seat,
    place: PartnerPlace,
    give: str,
    take: str,
    recorder: EventRecorder,
) -> None:
    """A new offer to a seat replaces the one of the same kind from the same seat."""
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
    return None if _to_me(state, seat).values else Refusal("offer_gone", TOPIC)


def _accept_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    refusal = _closed(state) or _answer_gate(state, seat)
    if refusal is not None or _i_can_meet(state, seat).values:
        return refusal
    take = next(offer.take for offer in state.offers if offer.other == seat)
    return Refusal("cannot_give", TOPIC, {"pieces": take})


def _counter_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    refusal = _closed(state) or _answer_gate(state, seat)
    if refusal is not None or _to_counter(state, seat).values:
        return refusal
    return Refusal("offer_empty", TOPIC)


def _withdraw_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    return None if _mine(state, seat).values else Refusal("offer_gone", TOPIC)


def _why_not_answer(state: KoggeState, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    return Refusal("offer_not_yours" if _named(state, word) else "offer_gone", TOPIC)


def _why_not_accept(state: KoggeState, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    offer = _named(state, word)
    if offer is not None and offer.other == seat:
        return Refusal("cannot_give", TOPIC, {"pieces": offer.take})
    return _why_not_answer(state, seat, prefix, word)


def _why_not_counter(state: KoggeState, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) > 1:
        offer = _find(state, prefix[1])
        return _why_not_pieces(state, seat, offer.seat, place_of(offer), prefix[2:], word)
    named = _named(state, word)
    if named is not None and named.other == seat:
        return Refusal("offer_empty", TOPIC)
    return _why_not_answer(state, seat, prefix, word)


def _why_not_withdraw(state: KoggeState, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    return Refusal("offer_not_mine" if _named(state, word) else "offer_gone", TOPIC)


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


def _counter_give(state: KoggeState, seat: Seat, number: str) -> Bundle:
    offer = _find(state, number)
    return _give_domain(state, seat, offer.seat, place_of(offer))


def _counter_take(state: KoggeState, seat: Seat, number: str, give: str) -> Bundle:
    offer = _find(state, number)
    return _take_domain(state, offer.seat, place_of(offer), give)


def _counter(
    state: KoggeState, seat: Seat, recorder: EventRecorder, number: str, give: str, take: str
) -> None:
    """Declines the offer and puts a counter-offer in its place, the other way round."""
    offer = _find(state, number)
    close(state, offer, OfferDeclined, seat, recorder)
    _propose(state, seat, offer.seat, place_of(offer), give, take, recorder)


OFFER: Rule[KoggeState] = (
    rule("offer", TOPIC, _offer_gate, free=True, offers=True)
    .word("seat", _partners)
    .word("give", _give)
    .word("take", _take)
    .does(_offer, explain=_why_not_offer)
)
ACCEPT: Rule[KoggeState] = (
    rule("accept", TOPIC, _accept_gate, free=True)
    .word("offer", _i_can_meet)
    .does(_accept, explain=_why_not_accept)
)
COUNTER: Rule[KoggeState] = (
    rule("counter", TOPIC, _counter_gate, free=True, offers=True)
    .word("offer", _to_counter)
    .word("give", _counter_give)
    .word("take", _counter_take)
    .does(_counter, explain=_why_not_counter)
)
DECLINE: Rule[KoggeState] = (
    rule("decline", TOPIC, _answer_gate, free=True)
    .word("offer", _to_me)
    .does(_decline, explain=_why_not_answer)
)
WITHDRAW: Rule[KoggeState] = (
    rule("withdraw", TOPIC, _withdraw_gate, free=True)
    .word("offer", _mine)
    .does(_withdraw, explain=_why_not_withdraw)
)
