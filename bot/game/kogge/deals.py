"""Trading among players: offers that stay open beside the turn until they are answered.

A partner is another ship or, by advanced rule B, another player's office, which stands for its
owner's ship. A deal that is only being thought of is an `Offer` of nothing for nothing.
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
    gain,
    goods_in_offices,
    here,
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
"""Memory's opening exchange is no exception (ruling 62), and a conflict that has not begun may
still be bought off."""

ALL_MARKERS = tuple(reversed(CONTENT.markers))
ALL_GOODS = tuple(good.total for good in CONTENT.goods)
MARKERS = slice(PIECE_LETTERS.index(MARKER_LETTERS[0]), None)
"""Where the markers are among the counts of a stock."""

Stocks = Mapping[int, tuple[int, ...]]
"""What the maker of each open offer has to give with, by the offer's number."""


class OfficeBargain(PairInCity, frozen=True):
    """A bargain with an office in the city, which stands for its owner's ship."""

    give: str
    take: str


class Offered(Bargain, frozen=True):
    """An offer with its number."""

    id: int


class OfferedSecretly(PairEvent, frozen=True):
    """What is offered is not told."""


class OfficeOffered(OfficeBargain, frozen=True):
    """An offer by an office, or to one."""

    id: int


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


class OfferLapsed(PairEvent, frozen=True):
    """The offer has fallen by itself."""

    kind: ClassVar[str] = "lapsed"


# With whom, and of what


def partners(state: KoggeState, seat: Seat) -> Iterator[str]:
    """The ships with the seat's own; then, by advanced rule B, the offices of others there, and
    the ships of others where the seat has an office; each where either has anything to deal with.

    Either side of an office may begin (ruling 63). Two offices never deal with one another.
    """
    city, others = state.players[seat].city, enumerate(state.players)
    words = [str(other) for other, ship in others if other != seat and ship.city == city]
    if state.rules.offices:
        owners = {office.seat for office in state.cities[city].offices} - {seat}
        words += [f"{OFFICE}{owner}" for owner in sorted(owners)]
        words += [
            f"{GUEST}{other}"
            for other in range(len(state.players))
            if other != seat and seat in [office.seat for office in here(state, other).offices]
        ]
    for word in words:
        deal = deal_with(state, seat, word)
        if any(stock(state, seat, deal)) or any(can_be_asked(state, deal.other, deal)):
            yield word


def deal_with(state: KoggeState, seat: Seat, partner: str) -> Offer:
    """A deal of the seat with the partner that a word names, of nothing yet."""
    way, other = split_partner(partner)
    assert other is not None, "the word has been checked"
    if way == OFFICE:
        return Offer(0, seat, other, "", "", other, state.players[seat].city)
    if way == GUEST:
        return Offer(0, seat, other, "", "", seat, state.players[other].city)
    return Offer(0, seat, other, "", "")


def stock(state: KoggeState, seat: Seat, deal: Offer) -> tuple[int, ...]:
    """What one of its two sides can give in a deal, by PIECE_LETTERS: with an office its goods, but
    the owner's markers."""
    player = state.players[seat]
    if seat != deal.office:
        return pieces(player)
    return (*goods_in_offices(state.cities[deal.city], seat), *reversed(player.markers))


def can_be_asked(state: KoggeState, other: Seat, deal: Offer) -> tuple[int, ...]:
    """What may be asked for: what the other has, or, where that is secret, anything. Where the
    count is open, no number more often than the other has markers.

    What lies in an office is on the board for all to see.
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
    """Whether part of what is offered is secret to all but the two concerned."""
    markers = split(offer.give)[1] + split(offer.take)[1]
    return state.rules.hidden or (state.rules.covered and bool(markers))


def has(have: tuple[int, ...], word: str) -> bool:
    """Whether all pieces of a word are in a stock."""
    return all(word.count(letter) <= have[PIECE_LETTERS.index(letter)] for letter in set(word))


def stocks_offered(state: KoggeState) -> Stocks:
    """What the makers of the open offers hold now."""
    return {offer.id: stock(state, offer.seat, offer) for offer in state.offers}


def drop_offers_of(state: KoggeState, seats: Sequence[Seat], recorder: EventRecorder) -> None:
    """Drop all offers of seats whose secret holdings have changed other than in the open.

    They lapse whatever they promise, and even where nothing changed hands in the end: one lapsing
    and another standing would reveal what was spent.
    """
    for offer in state.offers[:]:
        if offer.seat in seats:
            _drop(state, offer, recorder)


def drop_fallen_offers(state: KoggeState, before: Stocks, recorder: EventRecorder) -> None:
    """Offers lapse when the ships part, or when something they may promise was spent.

    `before` is what their makers held before the action. Where all can see what is promised and
    what is left, an offer lapses once it cannot be met. Where they cannot, it lapses whenever its
    maker spends anything secret, whether or not it could still be met.
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
    """Whether the two ships are still together, or the ship is still at the office."""
    if offer.office == NO_SEAT:
        return state.players[offer.seat].city == state.players[offer.other].city
    ship = offer.other if offer.seat == offer.office else offer.seat
    return state.players[ship].city == offer.city


def _closed(state: KoggeState, seat: Seat) -> Refusal | None:
    """Deals rest until the first offices are founded, and while a raid, a tax or a conflict is
    being settled (ruling 48)."""
    return None if isinstance(state.frames[-1], OPEN_TO_DEALS) else refuse("deals_closed")


# What is offered


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
    begun: RuleBuilder[KoggeState, str], deal_of: Callable[[KoggeState, Seat, str], Offer]
) -> RuleBuilder[KoggeState, str, str, str]:
    """Add what is given and what is taken to a rule whose first word says in which deal."""

    def to_give(state: KoggeState, seat: Seat, word: str) -> Bundle:
        deal = deal_of(state, seat, word)
        have = stock(state, seat, deal)
        least = 0 if any(can_be_asked(state, deal.other, deal)) else 1
        return Bundle("give", PIECE_LETTERS, have, least, sum(have))

    def why_not_give(state: KoggeState, seat: Seat, word: str, give: str) -> Refusal | None:
        there = has(stock(state, seat, deal_of(state, seat, word)), give)
        return None if there else refuse("cannot_give", pieces=give)

    def to_take(state: KoggeState, seat: Seat, word: str, give: str) -> Bundle:
        deal = deal_of(state, seat, word)
        have = can_be_asked(state, deal.other, deal)
        most = sum(have if state.rules.hidden else stock(state, deal.other, deal))
        return Bundle("take", PIECE_LETTERS, have, 0 if give else 1, most)

    def why_not_take(
        state: KoggeState, seat: Seat, word: str, give: str, take: str
    ) -> Refusal | None:
        deal = deal_of(state, seat, word)
        there = has(can_be_asked(state, deal.other, deal), take)
        reasons = {"offer_empty": not (give or take), "cannot_take": not there}
        return refuse_for(reasons, pieces=take, other=deal.other)

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
            recorder.record(Withdrawn(seat=seat, other=other))
            break
    offer = replace(deal, id=state.next_offer, give=give, take=take)
    state.next_offer += 1
    state.offers.append(offer)
    kinds = (Offered, OfferedSecretly, OfficeOffered, OfficeOfferedSecretly)
    _tell(state, offer, kinds, recorder)


def _tell(
    state: KoggeState, offer: Offer, kinds: Sequence[type[Event]], recorder: EventRecorder
) -> None:
    """Tell of an offer by a kind of event and its secret twin, or those of a deal with an office.

    The two concerned hear everything. Where only the numbers of markers are secret, the others hear
    of the goods and of how many markers, which is what they see change hands. Of a hidden deal they
    hear only that it happened, and what goes into an office and comes out (ruling 59).
    """
    kind, twin = kinds[:2] if offer.office == NO_SEAT else kinds[2:]
    event = convert(offer, kind, from_attributes=True)
    if not is_secret(state, offer):
        recorder.record(event)
        return
    sides = (offer.seat, offer.other)
    recorder.record(replace(event, only=sides))
    if state.rules.hidden:
        seen = replace(offer, give=split(offer.give)[0], take=split(offer.take)[0])
        recorder.record(replace(convert(seen, twin, from_attributes=True), but=sides))
    else:
        covered = {"give": cover(offer.give), "take": cover(offer.take)}
        recorder.record(replace(event, but=sides, **covered))


# What is answered

Fits = Callable[[KoggeState, Seat, Offer], bool]


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
    offer = _take_away(state, number)
    _hand_over(state, offer.seat, seat, offer.give, offer)
    _hand_over(state, seat, offer.seat, offer.take, offer)
    kinds = (Accepted, AcceptedSecretly, OfficeAccepted, OfficeAcceptedSecretly)
    _tell(state, offer, kinds, recorder)
    if is_secret(state, offer):
        drop_offers_of(state, (offer.seat, seat), recorder)


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
    recorder.record(OfferDeclined(seat=seat, other=_take_away(state, number).seat))


def _withdraw(state: KoggeState, seat: Seat, recorder: EventRecorder, number: str) -> None:
    recorder.record(Withdrawn(seat=seat, other=_take_away(state, number).other))


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
DECLINE: Rule[KoggeState] = _about_offer(
    "decline", lambda state, seat, offer: offer.other == seat
).does(_decline)
WITHDRAW: Rule[KoggeState] = _about_offer(
    "withdraw", lambda state, seat, offer: offer.seat == seat, foreign="offer_not_mine"
).does(_withdraw)
