"""Trade between players: offers, which stay open during the turns until they are answered.

A partner is another ship or, by advanced rule B, another player's office in place of its owner's
ship. A deal without terms yet is an `Offer` of nothing for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import convert
from msgspec.structs import replace

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import PairEvent
from bot.game.grammar import EventRecorder, Gate, Rule, RuleBuilder, refuse, refuse_for, rule
from bot.game.kogge.common import (
    Bargain,
    PairInCity,
    current_city,
    gain,
    goods_in_offices,
    move_in_offices,
    pieces,
    spend,
)
from bot.game.kogge.data import (
    CONTENT,
    GOODS,
    GUEST,
    MARKER_LETTERS,
    OFFICE,
    PIECE_LETTERS,
    SHIP,
    cover,
    split,
    split_partner,
)
from bot.game.kogge.state import (
    NO_SEAT,
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
"""The frames during which deals are possible: also in Memory's opening exchange (ruling 62), and
before a conflict begins, so that a player can buy it off."""

ALL_MARKERS = tuple(reversed(CONTENT.markers))
ALL_GOODS = tuple(good.total for good in CONTENT.goods)
MARKERS = slice(PIECE_LETTERS.index(MARKER_LETTERS[0]), None)
"""The markers in a stock, which is counted by PIECE_LETTERS."""

Stocks = Mapping[int, tuple[int, ...]]
"""By number of an open offer: everything its maker could give."""


class OfficeBargain(PairInCity, frozen=True):
    """An exchange with an office in place of its owner's ship."""

    give: str
    take: str


class Offered(Bargain, frozen=True):
    """An offer with its number."""

    id: int


class OfferedSecretly(PairEvent, frozen=True):
    """An offer, without its terms."""


class OfficeOffered(OfficeBargain, frozen=True):
    """An offer from or to an office."""

    id: int


class OfficeOfferedSecretly(PairInCity, frozen=True):
    """An offer from or to an office, without its terms."""


class Accepted(Bargain, frozen=True):
    """A deal is made."""


class AcceptedSecretly(PairEvent, frozen=True):
    """A deal is made; the pieces are secret."""


class OfficeAccepted(OfficeBargain, frozen=True):
    """A deal with an office is made."""


class OfficeAcceptedSecretly(OfficeBargain, frozen=True):
    """A deal with an office is made: only the goods, which are public; the markers are secret."""


class OfferDeclined(PairEvent, frozen=True):
    kind: ClassVar[str] = "declined"


class Withdrawn(PairEvent, frozen=True):
    """The maker withdraws the offer."""


class OfferLapsed(PairEvent, frozen=True):
    """The offer can no longer be accepted."""

    kind: ClassVar[str] = "lapsed"


# Partners and stocks


def partners(state: KoggeState, seat: Seat) -> Iterator[str]:
    """Yield the possible partners of a seat, if either side has anything to deal with.

    They are the ships in the same city and, by advanced rule B, the others' offices there and the
    others' ships where the seat has an office. Either side may make the offer (ruling 63). Two
    offices never deal with each other.
    """
    city, others = state.players[seat].city, enumerate(state.players)
    words = [str(other) for other, ship in others if other != seat and ship.city == city]
    if state.rules.offices:
        owners = {office.seat for office in state.cities[city].offices} - {seat}
        words += [f"{OFFICE}{owner}" for owner in sorted(owners)]
        words += [
            f"{GUEST}{other}"
            for other in range(len(state.players))
            if other != seat
            and seat in [office.seat for office in current_city(state, other).offices]
        ]
    for word in words:
        deal = deal_with(state, seat, word)
        if any(stock(state, seat, deal)) or any(askable_pieces(state, deal.other, deal)):
            yield word


def deal_with(state: KoggeState, seat: Seat, partner: str) -> Offer:
    """Return a deal of the seat with a partner, without terms."""
    way, other = split_partner(partner)
    assert other is not None, "the word has been checked"
    if way == OFFICE:
        return Offer(0, seat, other, "", "", other, state.players[seat].city)
    if way == GUEST:
        return Offer(0, seat, other, "", "", seat, state.players[other].city)
    return Offer(0, seat, other, "", "")


def stock(state: KoggeState, seat: Seat, deal: Offer) -> tuple[int, ...]:
    """Return what one of the two sides can give in a deal, counted by PIECE_LETTERS.

    An office gives its own goods, but its owner's markers.
    """
    player = state.players[seat]
    if seat != deal.office:
        return pieces(player)
    return (*goods_in_offices(state.cities[deal.city], seat), *reversed(player.markers))


def askable_pieces(state: KoggeState, other: Seat, deal: Offer) -> tuple[int, ...]:
    """Return the pieces a seat may ask the other for: those the other has, or any if that is
    secret.

    If only the numbers are secret, no number is possible more often than the other has markers.
    Goods in an office are public.
    """
    have = stock(state, other, deal)
    if state.rules.open:
        return have
    if state.rules.hidden:
        goods = have[:GOODS] if other == deal.office else ALL_GOODS
        return (*goods, *ALL_MARKERS)
    held = sum(state.players[other].markers)
    return (*have[:GOODS], *[min(held, count) for count in ALL_MARKERS])


def is_secret(state: KoggeState, offer: Offer) -> bool:
    """Return whether part of an offer is secret from the seats not involved."""
    markers = split(offer.give)[1] + split(offer.take)[1]
    return state.rules.hidden or (state.rules.covered and bool(markers))


def has(have: tuple[int, ...], word: str) -> bool:
    """Return whether all pieces of a word are in a stock."""
    return all(word.count(letter) <= have[PIECE_LETTERS.index(letter)] for letter in set(word))


def stocks_offered(state: KoggeState) -> Stocks:
    """Return what the makers of all open offers hold now."""
    return {offer.id: stock(state, offer.seat, offer) for offer in state.offers}


def drop_offers_of(state: KoggeState, seats: Sequence[Seat], recorder: EventRecorder) -> None:
    """Drop all offers of seats whose secret pieces have changed in secret.

    The offers lapse no matter what they promise, even if nothing changed: if one lapsed and another
    did not, that would reveal what was spent.
    """
    for offer in state.offers[:]:
        if offer.seat in seats:
            _drop(state, offer, recorder)


def drop_lapsed_offers(state: KoggeState, before: Stocks, recorder: EventRecorder) -> None:
    """Drop offers whose ships have parted, or whose maker may have spent something promised.

    `before` are the stocks before the action. If the promise and the stock are public, an offer
    lapses when its maker can no longer give it. Otherwise it lapses whenever its maker spends
    anything secret.
    """
    for offer in state.offers[:]:
        if not _in_reach(state, offer) or _spent(state, offer, before):
            _drop(state, offer, recorder)


def _spent(state: KoggeState, offer: Offer, before: Stocks) -> bool:
    now = stock(state, offer.seat, offer)
    had = before.get(offer.id, now)
    secret = slice(None) if state.rules.hidden else MARKERS
    promised = state.rules.hidden or (state.rules.covered and bool(split(offer.give)[1]))
    if promised and any(n < old for n, old in zip(now[secret], had[secret], strict=True)):
        return True
    return not has(now, offer.give)


def _drop(state: KoggeState, offer: Offer, recorder: EventRecorder) -> None:
    state.offers.remove(offer)
    recorder.record(OfferLapsed(seat=offer.seat, other=offer.other))


def _in_reach(state: KoggeState, offer: Offer) -> bool:
    """Return whether the ships are still in the same city, or the ship is still at the office."""
    if offer.office == NO_SEAT:
        return state.players[offer.seat].city == state.players[offer.other].city
    ship = offer.other if offer.seat == offer.office else offer.seat
    return state.players[ship].city == offer.city


def _closed(state: KoggeState, seat: Seat) -> Refusal | None:
    """No deals until the first offices are founded, nor during a raid, a tax or a conflict
    (ruling 48)."""
    return None if isinstance(state.frames[-1], OPEN_TO_DEALS) else refuse("deals_closed")


# Offers


def _offer_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if next(partners(state, seat), None) is not None:
        return None
    code = "no_partner_here" if state.rules.offices else "not_together"
    return refuse(code, city=state.players[seat].city)


def _why_not_partner(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    way, other = split_partner(word)
    if other is None or other >= len(state.players) or other == seat:
        return None
    if way == SHIP:
        return refuse("not_with_you", other=other)
    code = {OFFICE: "no_office_of", GUEST: "no_guest"}[way]
    code = code if state.rules.offices else "no_office_deals"
    return refuse(code, OFFICE_TOPIC, other=other, city=state.players[seat].city)


def _with_terms(
    builder: RuleBuilder[KoggeState, str], deal_of: Callable[[KoggeState, Seat, str], Offer]
) -> RuleBuilder[KoggeState, str, str, str]:
    """Add the words for the terms to a rule whose first word leads to a deal."""

    def to_give(state: KoggeState, seat: Seat, word: str) -> Bundle:
        deal = deal_of(state, seat, word)
        have = stock(state, seat, deal)
        minimum = 0 if any(askable_pieces(state, deal.other, deal)) else 1
        return Bundle("give", PIECE_LETTERS, have, minimum, sum(have))

    def why_not_give(state: KoggeState, seat: Seat, word: str, give: str) -> Refusal | None:
        has_pieces = has(stock(state, seat, deal_of(state, seat, word)), give)
        return None if has_pieces else refuse("cannot_give", pieces=give)

    def to_take(state: KoggeState, seat: Seat, word: str, give: str) -> Bundle:
        deal = deal_of(state, seat, word)
        have = askable_pieces(state, deal.other, deal)
        maximum = sum(have if state.rules.hidden else stock(state, deal.other, deal))
        return Bundle("take", PIECE_LETTERS, have, 0 if give else 1, maximum)

    def why_not_take(
        state: KoggeState, seat: Seat, word: str, give: str, take: str
    ) -> Refusal | None:
        deal = deal_of(state, seat, word)
        has_pieces = has(askable_pieces(state, deal.other, deal), take)
        reasons = {"offer_empty": not (give or take), "cannot_take": not has_pieces}
        return refuse_for(reasons, pieces=take, other=deal.other)

    return builder.word("give", to_give, why_not_give).word("take", to_take, why_not_take)


def _offer(
    state: KoggeState, seat: Seat, recorder: EventRecorder, partner: str, give: str, take: str
) -> None:
    _propose(state, deal_with(state, seat, partner), give, take, recorder)


def _propose(state: KoggeState, deal: Offer, give: str, take: str, recorder: EventRecorder) -> None:
    """Make an offer. It replaces an earlier one to the same partner."""
    seat, other = deal.seat, deal.other
    for old in state.offers:
        if (old.seat, old.other, old.office) == (seat, other, deal.office):
            state.offers.remove(old)
            recorder.record(Withdrawn(seat=seat, other=other))
            break
    offer = replace(deal, id=state.next_offer, give=give, take=take)
    state.next_offer += 1
    state.offers.append(offer)
    kinds = (Offered, OfferedSecretly, OfficeOffered, OfficeOfferedSecretly)
    _record_offer(state, offer, kinds, recorder)


def _record_offer(
    state: KoggeState, offer: Offer, kinds: Sequence[type[Event]], recorder: EventRecorder
) -> None:
    """Record an event about an offer.

    `kinds` are the event between ships and its public version, then both for offices. The two seats
    see everything. If only the numbers of markers are secret, the others see the goods and the
    count of markers. With hidden goods, they see only that there is a deal, and which goods go into
    or out of an office (ruling 59).
    """
    kind, public = kinds[:2] if offer.office == NO_SEAT else kinds[2:]
    event = convert(offer, kind, from_attributes=True)
    if not is_secret(state, offer):
        recorder.record(event)
        return
    sides = (offer.seat, offer.other)
    recorder.record(replace(event, only=sides))
    if state.rules.hidden:
        goods = replace(offer, give=split(offer.give)[0], take=split(offer.take)[0])
        recorder.record(replace(convert(goods, public, from_attributes=True), but=sides))
    else:
        covered = {"give": cover(offer.give), "take": cover(offer.take)}
        recorder.record(replace(event, but=sides, **covered))


# Answers

Fits = Callable[[KoggeState, Seat, Offer], bool]


def _can_be_met(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    return offer.other == seat and has(stock(state, seat, offer), offer.take)


def _can_be_countered(state: KoggeState, seat: Seat, offer: Offer) -> bool:
    """A counter-offer needs a piece on either side."""
    return offer.other == seat and (
        any(stock(state, seat, offer)) or any(askable_pieces(state, offer.seat, offer))
    )


def _about_offer(
    kind: str,
    fits: Fits,
    *gates: Gate[KoggeState],
    why_unfit: Callable[[Offer], Refusal] | None = None,
    not_mine: str = "offer_not_yours",
    offers: bool = False,
) -> RuleBuilder[KoggeState, str]:
    """Start a rule whose first word is the number of an open offer for which `fits` is true.

    `why_unfit` explains why an offer to the seat does not fit; `not_mine` is the code for offers
    between others.
    """

    def numbers(state: KoggeState, seat: Seat) -> OneOf:
        fitting = [str(offer.id) for offer in state.offers if fits(state, seat, offer)]
        return OneOf("offer", tuple(fitting))

    def gate(state: KoggeState, seat: Seat) -> Refusal | None:
        if numbers(state, seat).values:
            return None
        to_me = next((offer for offer in state.offers if offer.other == seat), None)
        return refuse("offer_gone") if why_unfit is None or to_me is None else why_unfit(to_me)

    def why_not(state: KoggeState, seat: Seat, number: str) -> Refusal:
        offer = next((offer for offer in state.offers if str(offer.id) == number), None)
        if offer is None:
            return refuse("offer_gone")
        return why_unfit(offer) if why_unfit and offer.other == seat else refuse(not_mine)

    builder = rule(kind, TOPIC, *gates, gate, free=True, offers=offers)
    return builder.word("offer", numbers, why_not)


def _remove_offer(state: KoggeState, number: str) -> Offer:
    offer = next(offer for offer in state.offers if str(offer.id) == number)
    state.offers.remove(offer)
    return offer


def _accept(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    offer = _remove_offer(state, number)
    _hand_over(state, offer.seat, seat, offer.give, offer)
    _hand_over(state, seat, offer.seat, offer.take, offer)
    kinds = (Accepted, AcceptedSecretly, OfficeAccepted, OfficeAcceptedSecretly)
    _record_offer(state, offer, kinds, recorder)
    if is_secret(state, offer):
        drop_offers_of(state, (offer.seat, seat), recorder)


def _hand_over(state: KoggeState, giver: Seat, taker: Seat, word: str, deal: Offer) -> None:
    """Hand pieces over. An office gives and gets the goods in place of the ship, never markers."""
    goods, markers = split(word)
    if giver == deal.office:
        move_in_offices(state.cities[deal.city], giver, goods, -1)
    if taker == deal.office:
        move_in_offices(state.cities[deal.city], taker, goods, 1)
    spend(state.players[giver], markers if giver == deal.office else word)
    gain(state.players[taker], markers if taker == deal.office else word)


def _decline(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    recorder.record(OfferDeclined(seat=seat, other=_remove_offer(state, number).seat))


def _withdraw(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    recorder.record(Withdrawn(seat=seat, other=_remove_offer(state, number).other))


def _reversed(state: KoggeState, seat: Seat, number: str) -> Offer:
    """Return the deal of an offer to the seat, from the seat's side."""
    offer = next(offer for offer in state.offers if str(offer.id) == number)
    return replace(offer, seat=seat, other=offer.seat)


def _counter(
    state: KoggeState, seat: Seat, recorder: EventRecorder, number: str, give: str, take: str
) -> None:
    """Decline an offer and make one in return."""
    deal = _reversed(state, seat, number)
    _decline(state, seat, recorder, number)
    _propose(state, deal, give, take, recorder)


OFFER: Rule[KoggeState] = _with_terms(
    rule("offer", TOPIC, _closed, _offer_gate, free=True, offers=True).word(
        "seat",
        lambda state, seat: OneOf("seat", tuple(partners(state, seat))),
        _why_not_partner,
    ),
    deal_with,
).does(_offer)
COUNTER: Rule[KoggeState] = _with_terms(
    _about_offer(
        "counter",
        _can_be_countered,
        _closed,
        why_unfit=lambda offer: refuse("offer_empty"),
        offers=True,
    ),
    _reversed,
).does(_counter)
ACCEPT: Rule[KoggeState] = _about_offer(
    "accept",
    _can_be_met,
    _closed,
    why_unfit=lambda offer: refuse("cannot_give", pieces=offer.take),
).does(_accept)
DECLINE: Rule[KoggeState] = _about_offer(
    "decline", lambda state, seat, offer: offer.other == seat
).does(_decline)
WITHDRAW: Rule[KoggeState] = _about_offer(
    "withdraw", lambda state, seat, offer: offer.seat == seat, not_mine="offer_not_mine"
).does(_withdraw)
