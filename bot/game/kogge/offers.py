"""Offers between players: with whom, of what, and when they lapse by themselves.

A partner is another ship or, by advanced rule B, another player's office, which stands for its
owner's ship. A deal that is only being thought of is an `Offer` of nothing for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from bot.game.contract import Seat
from bot.game.events import PairEvent
from bot.game.grammar import EventRecorder
from bot.game.kogge.common import goods_in_offices, here, highest_first, pieces
from bot.game.kogge.data import (
    CONTENT,
    GOODS,
    GUEST,
    MARKER_LETTERS,
    OFFICE,
    PIECE_LETTERS,
    split,
    split_partner,
)
from bot.game.kogge.state import NOBODY, NOWHERE, KoggeState, Offer

ALL_MARKERS = tuple(reversed(CONTENT.markers))
ALL_GOODS = tuple(good.total for good in CONTENT.goods)
MARKERS = slice(PIECE_LETTERS.index(MARKER_LETTERS[0]), None)
"""Where the markers are among the counts of a stock."""

Stocks = Mapping[int, tuple[int, ...]]
"""What the maker of each open offer has to give with, by the offer's number."""


class OfferLapsed(PairEvent, frozen=True):
    """The offer has fallen by itself."""

    kind: ClassVar[str] = "lapsed"


def partners(state: KoggeState, seat: Seat) -> Iterator[str]:
    """The ships with the seat's own; then, by advanced rule B, the offices of others there, and
    the ships of others where the seat has an office.

    Either side of an office may begin (ruling 63). Two offices never deal with one another.
    """
    city = state.players[seat].city
    if city == NOWHERE:
        return
    for other, player in enumerate(state.players):
        if other != seat and player.city == city:
            yield str(other)
    if not state.rules.offices:
        return
    for owner in sorted({office.seat for office in state.cities[city].offices} - {seat}):
        yield f"{OFFICE}{owner}"
    for other in range(len(state.players)):
        if other != seat and seat in [office.seat for office in here(state, other).offices]:
            yield f"{GUEST}{other}"


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
    return (*goods_in_offices(state.cities[deal.city], seat), *highest_first(player.markers))


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
    if state.rules.hidden:
        return True
    return state.rules.covered and any(split(word)[1] for word in (offer.give, offer.take))


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
    recorder.tell(OfferLapsed(seat=offer.seat, other=offer.other))


def _in_reach(state: KoggeState, offer: Offer) -> bool:
    """Whether the two ships are still together, or the ship is still at the office."""
    if offer.office == NOBODY:
        city = state.players[offer.seat].city
        return city != NOWHERE and state.players[offer.other].city == city
    ship = offer.other if offer.seat == offer.office else offer.seat
    return state.players[ship].city == offer.city
