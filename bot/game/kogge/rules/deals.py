"""Trading among players: offers that stand beside the turn until they are answered."""

from __future__ import annotations

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Action, Refusal, Seat
from bot.game.grammar import Rule, Telling, rule
from bot.game.kogge.data import CONTENT, PIECE_LETTERS
from bot.game.kogge.rules.common import gain, holds, number_of, pieces, spend
from bot.game.kogge.state import (
    NOWHERE,
    Acting,
    Auction,
    GuildMaster,
    Movement,
    Offer,
    State,
)

TOPIC = "deals"
OPEN_TO_DEALS = (Auction, GuildMaster, Movement, Acting)
ALL_PIECES = (*(good.total for good in CONTENT.goods), *reversed(CONTENT.markers))


def _closed(state: State) -> Refusal | None:
    """Deals rest before the founding is over and while a raid is being settled (ruling 48)."""
    if isinstance(state.frames[-1], OPEN_TO_DEALS):
        return None
    return Refusal("deals_closed", TOPIC)


def _together(state: State, seat: Seat, other: Seat) -> bool:
    city = state.players[seat].city
    return city != NOWHERE and state.players[other].city == city


def _can_take(state: State, other: Seat) -> tuple[int, ...]:
    """What may be asked for: what the other has, or, where that is secret, anything."""
    return ALL_PIECES if state.rules.hidden else pieces(state.players[other])


def _partners(state: State, seat: Seat) -> OneOf:
    city = state.players[seat].city
    if city == NOWHERE:
        return OneOf("seat", ())
    there = [
        other for other, player in enumerate(state.players) if player.city == city and other != seat
    ]
    if there and not any(pieces(state.players[seat])):
        there = [other for other in there if any(_can_take(state, other))]
    return OneOf("seat", tuple([str(other) for other in there]))


def _offer_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = _closed(state)
    if refusal is not None:
        return refusal
    if not _partners(state, seat).values:
        return Refusal("not_together", TOPIC, {"city": state.players[seat].city})
    return None


def _why_not_offer(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) == 1:
        other = number_of(word)
        if other is not None and other < len(state.players) and other != seat:
            return Refusal("not_with_you", TOPIC, {"other": other})
        return None
    return _why_not_pieces(state, seat, int(prefix[1]), prefix[2:], word)


def _why_not_pieces(
    state: State, seat: Seat, other: Seat, given: Action, word: str
) -> Refusal | None:
    if not given:
        if not holds(state.players[seat], word):
            return Refusal("cannot_give", TOPIC, {"pieces": word})
    elif not word and not given[0]:
        return Refusal("offer_empty", TOPIC)
    elif not state.rules.hidden and not holds(state.players[other], word):
        return Refusal("cannot_take", TOPIC, {"pieces": word, "other": other})
    return None


def _give_domain(state: State, seat: Seat, other: Seat) -> Bundle:
    have = pieces(state.players[seat])
    least = 0 if any(_can_take(state, other)) else 1
    return Bundle("give", PIECE_LETTERS, have, least, sum(have))


def _take_domain(state: State, other: Seat, give: str) -> Bundle:
    have = _can_take(state, other)
    return Bundle("take", PIECE_LETTERS, have, 0 if give else 1, sum(have))


def _give(state: State, seat: Seat, other: str) -> Bundle:
    return _give_domain(state, seat, int(other))


def _take(state: State, seat: Seat, other: str, give: str) -> Bundle:
    return _take_domain(state, int(other), give)


def _offer(state: State, seat: Seat, telling: Telling, other: str, give: str, take: str) -> None:
    """A new offer to somebody takes the place of the one she has from you."""
    for offer in state.offers:
        if offer.seat == seat and offer.other == int(other):
            _close(state, offer, "withdrawn", seat, telling)
            break
    _propose(state, seat, int(other), give, take, telling)


def _propose(state: State, seat: Seat, other: Seat, give: str, take: str, telling: Telling) -> None:
    offer = Offer(state.next_offer, seat, other, give, take)
    state.next_offer += 1
    state.offers.append(offer)
    _tell_both(state, "offered", seat, other, telling, id=offer.id, give=give, take=take)


def _tell_both(
    state: State, kind: str, seat: Seat, other: Seat, telling: Telling, **facts: int | str
) -> None:
    """All hear an open deal; of a hidden one all but the two hear only that it is (ruling 59)."""
    if not state.rules.hidden:
        telling.all(kind, seat=seat, other=other, **facts)
        return
    telling.only((seat, other), kind, seat=seat, other=other, **facts)
    telling.but((seat, other), f"{kind}_secretly", seat=seat, other=other)


def _close(state: State, offer: Offer, kind: str, by: Seat, telling: Telling) -> None:
    state.offers.remove(offer)
    telling.all(kind, seat=by, other=offer.other if by == offer.seat else offer.seat)


def _find(state: State, number: str) -> Offer:
    return next(offer for offer in state.offers if str(offer.id) == number)


def _to_me(state: State, seat: Seat) -> OneOf:
    return OneOf("offer", tuple(str(o.id) for o in state.offers if o.other == seat))


def _i_can_meet(state: State, seat: Seat) -> OneOf:
    words = (
        str(offer.id)
        for offer in state.offers
        if offer.other == seat and holds(state.players[seat], offer.take)
    )
    return OneOf("offer", tuple(words))


def _to_counter(state: State, seat: Seat) -> OneOf:
    """Offers to the seat; not one between two who have nothing left to deal with."""
    mine = any(pieces(state.players[seat]))
    words = (
        str(offer.id)
        for offer in state.offers
        if offer.other == seat and (mine or any(_can_take(state, offer.seat)))
    )
    return OneOf("offer", tuple(words))


def _mine(state: State, seat: Seat) -> OneOf:
    return OneOf("offer", tuple(str(o.id) for o in state.offers if o.seat == seat))


def _answer_gate(state: State, seat: Seat) -> Refusal | None:
    return None if _to_me(state, seat).values else Refusal("offer_gone", TOPIC)


def _accept_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = _closed(state) or _answer_gate(state, seat)
    if refusal is not None or _i_can_meet(state, seat).values:
        return refusal
    take = next(offer.take for offer in state.offers if offer.other == seat)
    return Refusal("cannot_give", TOPIC, {"pieces": take})


def _counter_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = _closed(state) or _answer_gate(state, seat)
    if refusal is not None or _to_counter(state, seat).values:
        return refusal
    return Refusal("offer_empty", TOPIC)


def _withdraw_gate(state: State, seat: Seat) -> Refusal | None:
    return None if _mine(state, seat).values else Refusal("offer_gone", TOPIC)


def _named(state: State, word: str) -> Offer | None:
    return next((offer for offer in state.offers if str(offer.id) == word), None)


def _why_not_answer(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    return Refusal("offer_not_yours" if _named(state, word) else "offer_gone", TOPIC)


def _why_not_accept(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    offer = _named(state, word)
    if offer is not None and offer.other == seat:
        return Refusal("cannot_give", TOPIC, {"pieces": offer.take})
    return _why_not_answer(state, seat, prefix, word)


def _why_not_counter(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) > 1:
        return _why_not_pieces(state, seat, _find(state, prefix[1]).seat, prefix[2:], word)
    offer = _named(state, word)
    if offer is not None and offer.other == seat:
        return Refusal("offer_empty", TOPIC)
    return _why_not_answer(state, seat, prefix, word)


def _why_not_withdraw(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    return Refusal("offer_not_mine" if _named(state, word) else "offer_gone", TOPIC)


def _accept(state: State, seat: Seat, telling: Telling, number: str) -> None:
    offer = _find(state, number)
    state.offers.remove(offer)
    for giver, taker, word in (
        (offer.seat, offer.other, offer.give),
        (offer.other, offer.seat, offer.take),
    ):
        spend(state.players[giver], word)
        gain(state.players[taker], word)
    _tell_both(
        state, "accepted", offer.seat, offer.other, telling, give=offer.give, take=offer.take
    )


def _decline(state: State, seat: Seat, telling: Telling, number: str) -> None:
    _close(state, _find(state, number), "declined", seat, telling)


def _withdraw(state: State, seat: Seat, telling: Telling, number: str) -> None:
    _close(state, _find(state, number), "withdrawn", seat, telling)


def _counter_give(state: State, seat: Seat, number: str) -> Bundle:
    return _give_domain(state, seat, _find(state, number).seat)


def _counter_take(state: State, seat: Seat, number: str, give: str) -> Bundle:
    return _take_domain(state, _find(state, number).seat, give)


def _counter(state: State, seat: Seat, telling: Telling, number: str, give: str, take: str) -> None:
    """The offer is declined and one's own stands in its place, the other way round."""
    offer = _find(state, number)
    _close(state, offer, "declined", seat, telling)
    _offer(state, seat, telling, str(offer.seat), give, take)


def drop_impossible_offers(state: State, telling: Telling) -> None:
    """Offers fall when the ships part or the giver no longer has what was promised."""
    for offer in state.offers[:]:
        if not _together(state, offer.seat, offer.other) or not holds(
            state.players[offer.seat], offer.give
        ):
            state.offers.remove(offer)
            telling.all("lapsed", seat=offer.seat, other=offer.other)


OFFER: Rule[State] = rule(
    "offer",
    TOPIC,
    _offer_gate,
    _offer,
    explain=_why_not_offer,
    free=True,
    seat=_partners,
    give=_give,
    take=_take,
)
ACCEPT: Rule[State] = rule(
    "accept", TOPIC, _accept_gate, _accept, explain=_why_not_accept, free=True, offer=_i_can_meet
)
COUNTER: Rule[State] = rule(
    "counter",
    TOPIC,
    _counter_gate,
    _counter,
    explain=_why_not_counter,
    free=True,
    offer=_to_counter,
    give=_counter_give,
    take=_counter_take,
)
DECLINE: Rule[State] = rule(
    "decline", TOPIC, _answer_gate, _decline, explain=_why_not_answer, free=True, offer=_to_me
)
WITHDRAW: Rule[State] = rule(
    "withdraw", TOPIC, _withdraw_gate, _withdraw, explain=_why_not_withdraw, free=True, offer=_mine
)
