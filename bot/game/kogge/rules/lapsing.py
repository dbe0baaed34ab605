"""When open offers fall by themselves, and why that tells nobody what a hand holds (ruling 61)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.contract import Seat
from bot.game.grammar import EventRecorder
from bot.game.kogge.data import MARKER_LETTERS, PIECE_LETTERS
from bot.game.kogge.events import OfferLapsed
from bot.game.kogge.notation import split
from bot.game.kogge.rules.partners import has, place_of, stock
from bot.game.kogge.state import NOBODY, NOWHERE, Offer, State

MARKERS = slice(PIECE_LETTERS.index(MARKER_LETTERS[0]), None)
"""Where the markers stand among the counts of a stock."""

Stocks = Mapping[int, tuple[int, ...]]
"""What the giver of each open offer has to give with, by the offer's number."""


def stocks_offered(state: State) -> Stocks:
    """What those who made the open offers hold now."""
    return {offer.id: stock(state, offer.seat, place_of(offer)) for offer in state.offers}


def drop_offers_of(state: State, seats: Sequence[Seat], recorder: EventRecorder) -> None:
    """Drop all offers of seats whose secret holdings have changed other than in the open.

    They fall whatever they promise, and also where nothing changed hands in the end: that one
    fell and another stood would tell what was spent.
    """
    for offer in state.offers[:]:
        if offer.seat in seats:
            _drop(state, offer, recorder)


def drop_fallen_offers(state: State, before: Stocks, recorder: EventRecorder) -> None:
    """Offers fall when the ships part, or when something was spent that they may promise.

    `before` is what the givers held before the action. Where all can see what is promised and
    what is left, an offer falls once it cannot be met. Where they cannot, it falls whenever its
    maker spends of what is secret, met or not.
    """
    for offer in state.offers[:]:
        if not _in_reach(state, offer) or _spent(state, offer, before):
            _drop(state, offer, recorder)


def _spent(state: State, offer: Offer, before: Stocks) -> bool:
    now = stock(state, offer.seat, place_of(offer))
    had = before.get(offer.id, now)
    secret = slice(None) if state.rules.hidden else MARKERS
    promised = state.rules.hidden or (state.rules.covered and bool(split(offer.give)[1]))
    if promised and any(n < old for n, old in zip(now[secret], had[secret], strict=True)):
        return True
    return not has(now, offer.give)


def _drop(state: State, offer: Offer, recorder: EventRecorder) -> None:
    state.offers.remove(offer)
    recorder.tell(OfferLapsed(seat=offer.seat, other=offer.other))


def _in_reach(state: State, offer: Offer) -> bool:
    """Whether the two ships are together, or the one ship is still at the office."""
    if offer.office == NOBODY:
        city = state.players[offer.seat].city
        return city != NOWHERE and state.players[offer.other].city == city
    ship = offer.other if offer.seat == offer.office else offer.seat
    return state.players[ship].city == offer.city
