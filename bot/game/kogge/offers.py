"""Offers between players: with whom, of what, when they lapse by themselves, and who is told.

A partner is another ship or, by advanced rule B, another player's office. Once a deal with an
office is made, everybody sees which goods went in and came out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from bot.game.contract import Event, Seat
from bot.game.events import PairEvent
from bot.game.grammar import EventRecorder
from bot.game.kogge.common import (
    Bargain,
    PairInCity,
    gain,
    goods_in_offices,
    here,
    highest_first,
    pieces,
    ships_with,
    spend,
)
from bot.game.kogge.data import (
    CONTENT,
    GOOD_OF_LETTER,
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
from bot.game.kogge.state import NOBODY, NOWHERE, KoggeState, Offer

ALL_MARKERS = tuple(reversed(CONTENT.markers))
ALL_GOODS = tuple(good.total for good in CONTENT.goods)


class OfferLapsed(PairEvent, frozen=True):
    """The offer has fallen by itself."""

    kind: ClassVar[str] = "lapsed"


class PartnerPlace(NamedTuple):
    """Where a deal is made: between two ships, or with the office that `office` has in `city`."""

    office: Seat = NOBODY
    city: int = NOWHERE


SHIPS = PartnerPlace()


def place_of(offer: Offer) -> PartnerPlace:
    """Where an offer is to be carried out."""
    return PartnerPlace(offer.office, offer.city)


def partners(state: KoggeState, seat: Seat) -> Iterator[str]:
    """The ships with the seat's own; then, by advanced rule B, the offices of others there, and
    the ships of others where the seat has an office.

    Either side of an office may begin (ruling 63). Two offices never deal with one another.
    """
    city = state.players[seat].city
    if city == NOWHERE:
        return
    yield from map(str, ships_with(state, seat))
    if not state.rules.offices:
        return
    for owner in sorted({office.seat for office in state.cities[city].offices} - {seat}):
        yield f"{OFFICE}{owner}"
    for other in range(len(state.players)):
        if other != seat and seat in [office.seat for office in here(state, other).offices]:
            yield f"{GUEST}{other}"


def partner_of(state: KoggeState, seat: Seat, word: str) -> tuple[Seat, PartnerPlace]:
    """The seat that a partner's word names, and where the deal takes place."""
    way, other = split_partner(word)
    assert other is not None, "the word has been checked"
    if way == SHIP:
        return other, SHIPS
    if way == OFFICE:
        return other, PartnerPlace(other, state.players[seat].city)
    return other, PartnerPlace(seat, state.players[other].city)


def stock(state: KoggeState, seat: Seat, place: PartnerPlace) -> tuple[int, ...]:
    """What the seat can give there, by PIECE_LETTERS: with an office its goods, but the owner's
    markers."""
    player = state.players[seat]
    if seat != place.office:
        return pieces(player)
    return (*goods_in_offices(state.cities[place.city], seat), *highest_first(player.markers))


def can_be_asked(state: KoggeState, other: Seat, place: PartnerPlace) -> tuple[int, ...]:
    """What may be asked for: what the other has, or, where that is secret, anything. Where the
    count is open, no number more often than the other has markers.

    What lies in an office is on the board for all to see.
    """
    have = stock(state, other, place)
    if state.rules.open:
        return have
    if state.rules.hidden:
        goods = have[:GOODS] if other == place.office else ALL_GOODS
        return (*goods, *ALL_MARKERS)
    held = sum(state.players[other].markers)
    return (*have[:GOODS], *[min(held, count) for count in ALL_MARKERS])


def is_secret(state: KoggeState, offer: Offer) -> bool:
    """Whether part of what is offered is secret to all but the two concerned."""
    if state.rules.hidden:
        return True
    return state.rules.covered and any(split(word)[1] for word in (offer.give, offer.take))


def has(have: tuple[int, ...], word: str) -> bool:
    """Whether all pieces of a word are in a stock."""
    return all(word.count(letter) <= have[PIECE_LETTERS.index(letter)] for letter in set(word))


def hand_over(state: KoggeState, giver: Seat, taker: Seat, word: str, place: PartnerPlace) -> None:
    """Goods go from and to the office where one stands for a ship, markers from hand to hand."""
    goods, markers = split(word)
    spend(state.players[giver], markers if giver == place.office else word)
    gain(state.players[taker], markers if taker == place.office else word)
    for letter in goods:
        if giver == place.office:
            _move(state, place, letter, -1)
        elif taker == place.office:
            _move(state, place, letter, 1)


def _move(state: KoggeState, place: PartnerPlace, letter: str, by: int) -> None:
    """Move one good into or out of the office; of two offices of one owner, the first that can."""
    good = GOOD_OF_LETTER[letter]
    for office in state.cities[place.city].offices:
        if office.seat == place.office and office.goods[good] + by >= 0:
            office.goods[good] += by
            return


MARKERS = slice(PIECE_LETTERS.index(MARKER_LETTERS[0]), None)
"""Where the markers are among the counts of a stock."""

Stocks = Mapping[int, tuple[int, ...]]
"""What the giver of each open offer has to give with, by the offer's number."""


def stocks_offered(state: KoggeState) -> Stocks:
    """What the makers of the open offers hold now."""
    return {offer.id: stock(state, offer.seat, place_of(offer)) for offer in state.offers}


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

    `before` is what the givers held before the action. Where all can see what is promised and what
    is left, an offer lapses once it cannot be met. Where they cannot, it lapses whenever its maker
    spends anything secret, whether or not it could still be met.
    """
    for offer in state.offers[:]:
        if not _in_reach(state, offer) or _spent(state, offer, before):
            _drop(state, offer, recorder)


def _spent(state: KoggeState, offer: Offer, before: Stocks) -> bool:
    now = stock(state, offer.seat, place_of(offer))
    had = before.get(offer.id, now)
    secret = slice(None) if state.rules.hidden else MARKERS
    promised = state.rules.hidden or (state.rules.covered and bool(split(offer.give)[1]))
    if promised and any(n < old for n, old in zip(now[secret], had[secret], strict=True)):
        return True
    return not has(now, offer.give)


def _drop(state: KoggeState, offer: Offer, recorder: EventRecorder) -> None:
    state.offers.remove(offer)
    recorder.tell(OfferLapsed(seat=offer.seat, other=offer.other))


def _in_reach(state: KoggeState, offer: Offer) -> bool:
    """Whether the two ships are still together, or the ship is still at the office."""
    if offer.office == NOBODY:
        city = state.players[offer.seat].city
        return city != NOWHERE and state.players[offer.other].city == city
    ship = offer.other if offer.seat == offer.office else offer.seat
    return state.players[ship].city == offer.city


class OfficeBargain(PairInCity, frozen=True):
    """The same with an office in the city, which stands for its owner's ship."""

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


class Accepted(Bargain, frozen=True):
    """A deal is made."""


class AcceptedSecretly(PairEvent, frozen=True):
    """What changed hands is not told."""


class OfficeOffered(OfficeBargain, frozen=True):
    """An offer by an office."""

    id: int

    @property
    def offer(self) -> str:
        """Its number as a word."""
        return str(self.id)


class OfficeOfferedSecretly(PairInCity, frozen=True):
    """What is offered is not told."""


class OfficeAccepted(OfficeBargain, frozen=True):
    """A deal by an office is made."""


class OfficeAcceptedSecretly(OfficeBargain, frozen=True):
    """The goods that all see; which markers changed hands is not told."""


class OfferDeclined(PairEvent, frozen=True):
    """The receiver says no."""

    kind: ClassVar[str] = "declined"


class Withdrawn(PairEvent, frozen=True):
    """The maker takes the offer back."""


def tell_offered(state: KoggeState, offer: Offer, recorder: EventRecorder) -> None:
    seat, other, give, take, number = offer.seat, offer.other, offer.give, offer.take, offer.id
    full: Offered | OfficeOffered
    hidden: Event
    if offer.office == NOBODY:
        full = Offered(seat=seat, other=other, give=give, take=take, id=number)
        hidden = OfferedSecretly(seat=seat, other=other)
    else:
        city = offer.city
        full = OfficeOffered(seat=seat, other=other, city=city, give=give, take=take, id=number)
        hidden = OfficeOfferedSecretly(seat=seat, other=other, city=city)
    _tell(state, offer, full, hidden, recorder)


def tell_accepted(state: KoggeState, offer: Offer, recorder: EventRecorder) -> None:
    """In a hidden deal with an office, all see what goes into it and comes out."""
    seat, other, give, take = offer.seat, offer.other, offer.give, offer.take
    full: Accepted | OfficeAccepted
    hidden: Event
    if offer.office == NOBODY:
        full = Accepted(seat=seat, other=other, give=give, take=take)
        hidden = AcceptedSecretly(seat=seat, other=other)
    else:
        city, goods = offer.city, (split(give)[0], split(take)[0])
        full = OfficeAccepted(seat=seat, other=other, city=city, give=give, take=take)
        hidden = OfficeAcceptedSecretly(
            seat=seat, other=other, city=city, give=goods[0], take=goods[1]
        )
    _tell(state, offer, full, hidden, recorder)


def _tell(
    state: KoggeState,
    offer: Offer,
    full: Offered | OfficeOffered | Accepted | OfficeAccepted,
    hidden: Event,
    recorder: EventRecorder,
) -> None:
    """The two concerned hear everything.

    Where only the numbers of markers are secret, the others hear of the goods and of how many
    markers, which is what they see change hands. Of a hidden deal they hear only that it happened
    (ruling 59).
    """
    if not is_secret(state, offer):
        recorder.tell(full)
        return
    pair = (offer.seat, offer.other)
    recorder.tell(replace(full, only=pair))
    covered = replace(full, give=cover(offer.give), take=cover(offer.take))
    recorder.tell(replace(hidden if state.rules.hidden else covered, but=pair))


def close(
    state: KoggeState,
    offer: Offer,
    closed: type[OfferDeclined | Withdrawn],
    by: Seat,
    recorder: EventRecorder,
) -> None:
    state.offers.remove(offer)
    other = offer.other if by == offer.seat else offer.seat
    recorder.tell(closed(seat=by, other=other))
