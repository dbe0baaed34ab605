"""What an observer cannot know, put at random in place of the blanks of what they do.

Markers that the observer cannot place are dealt to the squares that lie face down, to the hands and
to the bag; where the sizes of hands are secret, each goes to a hand or the bag as likely as at the
beginning of the game. Hidden goods go to any of the others' ships.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from bot.game.choices import Bundle
from bot.game.contract import Observer, Seat
from bot.game.hidden import UNSEEN
from bot.game.kogge.auction import can_bid
from bot.game.kogge.common import highest_first
from bot.game.kogge.conflicts import conflict_bids
from bot.game.kogge.data import CITIES, CONTENT, MARKER_LETTERS, PIECE_LETTERS
from bot.game.kogge.guild_master import taxes_of
from bot.game.kogge.notation import goods_of, goods_word, split
from bot.game.kogge.partners import ALL_MARKERS, place_of, stock
from bot.game.kogge.setup import cities_to_found
from bot.game.kogge.state import (
    NOWHERE,
    SECRET,
    Auction,
    Choosing,
    Conflict,
    Founding,
    KoggeState,
    Offer,
    Route,
    Taxing,
    numbers_seen_in_the_bag,
)

ASKED_FOR = 3
"""A secret offer asks for at most this many pieces."""


def deal(state: KoggeState, observer: Observer, rng: Random) -> None:
    """Put something possible in place of each blank of a state as the observer knows it."""
    frame = state.frames[-1]
    if isinstance(frame, Founding):
        for player in state.players:
            # Nothing but the marker of its city has left a hand.
            player.markers = [int(number != player.city) for number in range(CITIES)]
    _deal_markers(state, observer, rng)
    if any(not player.goods for player in state.players):
        _deal_goods(state, observer, rng)
    for sighting in state.sightings:
        if sighting.marker == UNSEEN:
            there = state.cities[sighting.city].routes[sighting.slot]
            lies_there = sighting.seats & there.known
            sighting.marker = there.marker if lies_there else rng.randrange(CITIES)
    state.offers = [_reworded(state, offer, rng) for offer in state.offers]
    match frame:
        case Founding(chosen):
            for seat, city in enumerate(chosen):
                if city == UNSEEN:
                    chosen[seat] = int(cities_to_found(state, seat).sample(rng))
        case Taxing(_, taxes):
            for seat, good in enumerate(taxes):
                if good == SECRET:
                    taxes[seat] = taxes_of(state, seat).sample(rng)
        case Conflict(sides, bids):
            for place, seat in enumerate(sides):
                if bids[place] == SECRET:
                    bids[place] = conflict_bids(state, seat).sample(rng)
        case Choosing(_, victim, groups) if SECRET in groups:
            frame.groups = _divided(state.players[victim].goods, rng)


def promised_pieces(state: KoggeState, seat: Seat, observer: Observer) -> str:
    """Pieces the observer knows a seat to hold, because they were offered to the observer.

    Goods offered from an office lie there, not on the ship.
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
    """Deal all markers anew until none lies where it cannot, and whoever is asked for a bid has
    one to make."""
    squares = [
        (route, NOWHERE if state.rules.memory and not route.laid else number)
        for number, city in enumerate(state.cities)
        for route in city.routes
        if route.marker == UNSEEN
    ]
    hands = {
        seat: sum(player.markers)
        for seat, player in enumerate(state.players)
        if len(player.markers) != CITIES
    }
    pool = _unplaced_markers(state)
    promised = {
        seat: [promised_pieces(state, seat, observer).count(str(n)) for n in range(CITIES)]
        for seat in hands
    }
    seen = numbers_seen_in_the_bag(state, observer)
    bag = [int(number in seen and state.bag[number] > 0) for number in range(CITIES)]
    absent = {number for number in seen if not bag[number]}
    for counts in (bag, *promised.values()):
        pool = [count - there for count, there in zip(pool, counts, strict=True)]
    pieces = [number for number, count in enumerate(pool) for _ in range(count)]
    slots = [seat for seat, size in hands.items() for _ in range(size - sum(promised[seat]))]
    frame = state.frames[-1]
    while True:
        for seat in hands:
            state.players[seat].markers = promised[seat][:]
        state.bag = bag[:]
        if state.rules.hidden and hands:
            _deal_unbounded(state, squares, [*hands], pieces, absent, rng)
        else:
            _deal_to_slots(state, squares, slots, pieces, absent, rng)
        if all(route.marker != barred for route, barred in squares) and not (
            isinstance(frame, Auction) and not can_bid(state, state.order[frame.at])
        ):
            return


def _deal_to_slots(
    state: KoggeState,
    squares: Sequence[tuple[Route, int]],
    slots: Sequence[Seat],
    pieces: list[int],
    absent: set[int],
    rng: Random,
) -> None:
    """Fill the squares and the places in hands; the rest is in the bag, but none that is absent."""
    rng.shuffle(pieces)
    pieces.sort(key=lambda number: number not in absent)
    given = pieces[: len(squares) + len(slots)]
    rng.shuffle(given)
    for (route, _), number in zip(squares, given, strict=False):
        route.marker = number
    for seat, number in zip(slots, given[len(squares) :], strict=True):
        state.players[seat].markers[number] += 1
    for number in pieces[len(given) :]:
        state.bag[number] += 1


def _deal_unbounded(
    state: KoggeState,
    squares: Sequence[tuple[Route, int]],
    hands: Sequence[Seat],
    pieces: list[int],
    absent: set[int],
    rng: Random,
) -> None:
    """Fill the squares; of the rest any number may be in any hand or in the bag."""
    rng.shuffle(pieces)
    for (route, _), number in zip(squares, pieces, strict=False):
        route.marker = number
    in_hands = len(state.players) * CITIES / sum(CONTENT.markers)
    for number in pieces[len(squares) :]:
        if number in absent or rng.random() < in_hands:
            state.players[rng.choice(hands)].markers[number] += 1
        else:
            state.bag[number] += 1


def _unplaced_markers(state: KoggeState) -> list[int]:
    """By number, the markers whose place the observer does not know."""
    lying = "".join(state.display)
    if isinstance(state.frames[0], Auction):
        # Later the bids are only remembered: their markers have gone back.
        lying += "".join(state.bids)
    pool = [total - lying.count(str(number)) for number, total in enumerate(CONTENT.markers)]
    for player in state.players:
        if len(player.markers) == CITIES:
            pool = [count - held for count, held in zip(pool, player.markers, strict=True)]
    for city in state.cities:
        for route in city.routes:
            if route.marker != UNSEEN:
                pool[route.marker] -= 1
    return pool


def _deal_goods(state: KoggeState, observer: Observer, rng: Random) -> None:
    hidden = [player for player in state.players if not player.goods]
    frame = state.frames[-1]
    if isinstance(frame, Choosing) and SECRET not in frame.groups:
        victim = state.players[frame.victim]
        if not victim.goods:
            # Both groups lie before the raider, who so knows the whole cargo.
            victim.goods = goods_of("".join(frame.groups))
            hidden.remove(victim)
    for seat, player in enumerate(state.players):
        if not player.goods:
            player.goods = goods_of(promised_pieces(state, seat, observer))
    stocks = [state.reserve, *(player.goods for player in state.players)]
    for city in state.cities:
        stocks += [city.goods, *(office.goods for office in city.offices)]
    for good, kind in enumerate(CONTENT.goods):
        for _ in range(kind.total - sum(each[good] for each in stocks)):
            rng.choice(hidden).goods[good] += 1


def _reworded(state: KoggeState, offer: Offer, rng: Random) -> Offer:
    """The offer, where it is secret, in words that its maker may have used."""
    have = stock(state, offer.seat, place_of(offer))
    if offer.give == SECRET:
        give = Bundle("give", PIECE_LETTERS, have, 0, sum(have)).sample(rng)
        asked = rng.sample(PIECE_LETTERS, rng.randint(0 if give else 1, ASKED_FOR))
        take = "".join(sorted(asked, key=PIECE_LETTERS.index))
        return replace(offer, give=give, take=take)

    def numbered(word: str, have: Sequence[int]) -> str:
        goods, backs = split(word)
        if "?" not in backs:
            return word
        markers = Bundle("markers", MARKER_LETTERS, tuple(have), len(backs), len(backs))
        return goods + markers.sample(rng)

    give = numbered(offer.give, highest_first(state.players[offer.seat].markers))
    return replace(offer, give=give, take=numbered(offer.take, ALL_MARKERS))


def _divided(goods: list[int], rng: Random) -> tuple[str, str]:
    """A cargo in two groups, as its owner may have divided it; each a word of goods."""
    cargo = list(goods_word(goods))
    rng.shuffle(cargo)
    half = len(cargo) // 2
    first, second = (goods_word(goods_of("".join(part))) for part in (cargo[:half], cargo[half:]))
    return first, second
