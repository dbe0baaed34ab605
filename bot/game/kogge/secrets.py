"""Random values for everything that an observer cannot know.

Markers that the observer cannot locate are dealt to face-down routes, hands and the bag. If the
sizes of hands are secret, a marker is in a hand with the same chance as at the start of the game.
Hidden goods go to any of the others' ships.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from bot.game.choices import Bundle
from bot.game.contract import Observer, Seat
from bot.game.hidden import UNSEEN
from bot.game.kogge.common import goods_stocks, marker_stocks
from bot.game.kogge.data import (
    CITIES,
    CONTENT,
    MARKER_BACK,
    MARKER_LETTERS,
    PIECE_LETTERS,
    goods_of,
    goods_word,
    split,
)
from bot.game.kogge.deals import ALL_MARKERS, stock
from bot.game.kogge.raid import conflict_bids
from bot.game.kogge.rounds import can_bid, taxes_of
from bot.game.kogge.setup import cities_to_found, start_goods
from bot.game.kogge.state import (
    NOWHERE,
    SECRET,
    Auction,
    Choosing,
    Conflict,
    Founding,
    KoggeState,
    Offer,
    Taxing,
    numbers_seen_in_the_bag,
)

MAX_ASKED = 3
"""Pieces that a secret offer asks for."""


def deal(state: KoggeState, observer: Observer, rng: Random) -> None:
    """Replace each blank of a state as the observer knows it by something possible."""
    frame = state.frames[-1]
    if isinstance(frame, Founding):
        for player in state.players:
            # Only the marker of the player's city has left the hand.
            player.markers = [int(number != player.city) for number in range(CITIES)]
            player.goods = player.goods or [*start_goods(state.rules)]
    _deal_markers(state, observer, rng)
    if any(not player.goods for player in state.players):
        _deal_goods(state, observer, rng)
    for sighting in state.sightings:
        if sighting.marker == UNSEEN:
            route = state.cities[sighting.city].routes[sighting.slot]
            is_current = sighting.seats & route.known
            sighting.marker = route.marker if is_current else rng.randrange(CITIES)
    state.offers = [_fill_offer(state, offer, rng) for offer in state.offers]
    match frame:
        case Founding(chosen):
            frame.chosen = [
                int(cities_to_found(state, seat).sample(rng)) if city == UNSEEN else city
                for seat, city in enumerate(chosen)
            ]
        case Taxing(_, chosen):
            frame.chosen = [
                taxes_of(state, seat).sample(rng) if good == SECRET else good
                for seat, good in enumerate(chosen)
            ]
        case Conflict(sides, bids):
            frame.bids = [
                conflict_bids(state, seat).sample(rng) if bid == SECRET else bid
                for seat, bid in zip(sides, bids, strict=True)
            ]
        case Choosing(_, victim, groups) if SECRET in groups:
            frame.groups = _split_cargo(state.players[victim].goods, rng)


def promised_pieces(state: KoggeState, seat: Seat, observer: Observer) -> str:
    """Return the pieces that a seat must hold, because it has offered them to the observer.

    Goods offered from an office are in the office, not on the ship.
    """
    words = [
        split(offer.give)[1] if offer.office == seat else offer.give
        for offer in state.offers
        if offer.seat == seat and offer.other == observer
    ]
    return "".join(
        letter * max(word.count(letter) for word in words) for letter in sorted(set("".join(words)))
    )


def _deal_markers(state: KoggeState, observer: Observer, rng: Random) -> None:
    """Deal all hidden markers. Retry until no route leads to its own city without need, and the
    seat to bid can bid."""
    squares = [
        (route, NOWHERE if state.rules.memory and not route.laid else number)
        for number, city in enumerate(state.cities)
        for route in city.routes
        if route.marker == UNSEEN
    ]
    seen = numbers_seen_in_the_bag(state, observer)
    bag = [int(number in seen and state.bag[number] > 0) for number in range(CITIES)]
    absent = [number for number in seen if not bag[number]]
    hands, slots = {}, []
    for seat, player in enumerate(state.players):
        if len(player.markers) != CITIES:
            word = promised_pieces(state, seat, observer)
            hands[seat] = [word.count(str(number)) for number in range(CITIES)]
            slots += [seat] * (sum(player.markers) - sum(hands[seat]))
            player.markers = hands[seat]
    state.bag = bag
    pieces = _missing(marker_stocks(state), CONTENT.markers)
    unbounded = state.rules.hidden and bool(hands)
    in_hands = len(state.players) * CITIES / sum(CONTENT.markers)
    frame = state.frames[-1]
    while True:
        rng.shuffle(pieces)
        given = pieces
        if not unbounded:
            # The numbers missing in the bag must be on a square or in a hand.
            pieces.sort(key=lambda number: number not in absent)
            given = pieces[: len(squares) + len(slots)]
            rng.shuffle(given)
        for (route, _), number in zip(squares, given, strict=False):
            route.marker = number
        for seat, promised in hands.items():
            state.players[seat].markers = promised[:]
        state.bag = bag[:]
        if unbounded:
            for number in given[len(squares) :]:
                if number in absent or rng.random() < in_hands:
                    state.players[rng.choice([*hands])].markers[number] += 1
                else:
                    state.bag[number] += 1
        else:
            for seat, number in zip(slots, given[len(squares) :], strict=True):
                state.players[seat].markers[number] += 1
            for number in pieces[len(given) :]:
                state.bag[number] += 1
        if all(route.marker != barred for route, barred in squares) and not (
            isinstance(frame, Auction) and not can_bid(state, state.order[frame.at])
        ):
            return


def _missing(stocks: list[list[int]], totals: Sequence[int]) -> list[int]:
    """Return the pieces that are in none of the stocks, each as the index of its kind."""
    counts = zip(totals, *stocks, strict=True)
    return [kind for kind, (total, *known) in enumerate(counts) for _ in range(total - sum(known))]


def _deal_goods(state: KoggeState, observer: Observer, rng: Random) -> None:
    hidden = [player for player in state.players if not player.goods]
    frame = state.frames[-1]
    if isinstance(frame, Choosing) and SECRET not in frame.groups:
        victim = state.players[frame.victim]
        if not victim.goods:
            # The raider sees both groups and so knows the whole cargo.
            victim.goods = goods_of("".join(frame.groups))
            hidden.remove(victim)
    for seat, player in enumerate(state.players):
        if not player.goods:
            player.goods = goods_of(promised_pieces(state, seat, observer))
    for good in _missing(goods_stocks(state), [kind.total for kind in CONTENT.goods]):
        rng.choice(hidden).goods[good] += 1


def _fill_offer(state: KoggeState, offer: Offer, rng: Random) -> Offer:
    """Return the offer with possible pieces in place of secret ones."""
    have = stock(state, offer.seat, offer)
    if offer.give == SECRET:
        give = Bundle("give", PIECE_LETTERS, have, 0, sum(have)).sample(rng)
        asked = rng.sample(PIECE_LETTERS, rng.randint(0 if give else 1, MAX_ASKED))
        take = "".join(sorted(asked, key=PIECE_LETTERS.index))
        return replace(offer, give=give, take=take)

    def numbered(word: str, have: Sequence[int]) -> str:
        goods, backs = split(word)
        if MARKER_BACK not in backs:
            return word
        markers = Bundle("markers", MARKER_LETTERS, tuple(have), len(backs), len(backs))
        return goods + markers.sample(rng)

    give = numbered(offer.give, state.players[offer.seat].markers[::-1])
    return replace(offer, give=give, take=numbered(offer.take, ALL_MARKERS))


def _split_cargo(goods: list[int], rng: Random) -> tuple[str, str]:
    """Split a cargo into two possible groups, each a word of goods."""
    cargo = list(goods_word(goods))
    rng.shuffle(cargo)
    half = len(cargo) // 2
    first, second = (goods_word(goods_of("".join(part))) for part in (cargo[:half], cargo[half:]))
    return first, second
