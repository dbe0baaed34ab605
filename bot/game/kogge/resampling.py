"""Random states that an observer cannot tell from the real one."""

from __future__ import annotations

from random import Random
from typing import TypeVar

import msgspec

from bot.game.choices import Bundle
from bot.game.contract import SPECTATOR, Observer, Seat
from bot.game.kogge.auction import can_bid
from bot.game.kogge.common import highest_first
from bot.game.kogge.conflicts import conflict_bids
from bot.game.kogge.data import (
    CITIES,
    CITY_GOOD,
    GOODS,
    MARKER_LETTERS,
    PIECE_LETTERS,
)
from bot.game.kogge.guild_master import taxes_of
from bot.game.kogge.notation import goods_of, goods_word, split
from bot.game.kogge.partners import ALL_MARKERS, place_of, stock
from bot.game.kogge.setup import cities_to_found
from bot.game.kogge.state import (
    NOWHERE,
    Acting,
    Auction,
    Choosing,
    Conflict,
    Founding,
    KoggeOver,
    KoggeState,
    Offer,
    Route,
    Taxing,
    no_markers,
)
from bot.game.kogge.turn import TURNS

T = TypeVar("T")

MOVES = 40
ASKED_FOR = 3


def mix(state: KoggeState, observer: Observer, rng: Random) -> None:
    """Replace, in place, what the observer does not know by something equally possible.

    Secret are sealed choices of others, markers face down that the observer does not know, and
    what the bag holds; unless hands are open, the numbers of others' markers, also of those they
    offer one another; and with hidden goods, what and how much others hold and offer one another,
    and how a third one's cargo was divided. Before the founding all hands are still known, and
    after the end they are shown.
    """
    frame = state.frames[-1]
    if isinstance(frame, Founding):
        choose_anew(state, frame, observer, rng)
    others: list[Seat] = []
    if state.rules.covered and not isinstance(frame, (Founding, KoggeOver)):
        others = [seat for seat in range(len(state.players)) if seat != observer]
    _mix_markers(state, observer, others, rng)
    if state.rules.hidden:
        _mix_goods(state, observer, others, rng)
    if isinstance(frame, Taxing):
        choose_taxes_anew(state, frame, observer, rng)
    if isinstance(frame, Conflict):
        bid_anew(state, frame, observer, rng)
    if others:
        reword_offers(state, observer, rng)
    hidden = state.rules.hidden
    if hidden and isinstance(frame, Choosing) and observer not in (frame.raider, frame.victim):
        frame.groups = divided(state.players[frame.victim].goods, rng)


def choose_anew(state: KoggeState, frame: Founding, observer: Observer, rng: Random) -> None:
    """Other first cities for others who have chosen one."""
    for seat, chosen in enumerate(frame.chosen):
        if seat != observer and chosen != NOWHERE:
            frame.chosen[seat] = int(cities_to_found(state, seat).sample(rng))


def choose_taxes_anew(state: KoggeState, frame: Taxing, observer: Observer, rng: Random) -> None:
    """Other taxes for others who have chosen one."""
    for seat in frame.asked:
        if seat != observer and frame.chosen[seat] is not None:
            frame.chosen[seat] = taxes_of(state, seat).sample(rng)


def bid_anew(state: KoggeState, frame: Conflict, observer: Observer, rng: Random) -> None:
    """Other bids for others who have made one."""
    for place, seat in enumerate(frame.sides):
        if seat != observer and frame.bids[place] is not None:
            frame.bids[place] = conflict_bids(state, seat).sample(rng)


class _Place(msgspec.Struct):
    """Where secret markers lie. Markers in `keep` do not leave, those in `barred` do not come in.

    An `elastic` place may hold more or fewer of them; a route square holds just one.
    """

    counts: list[int]
    keep: list[int]
    barred: tuple[int, ...] = ()
    elastic: bool = False

    def give(self, barred: tuple[int, ...], rng: Random) -> int | None:
        """Take a random marker out that is not `barred` elsewhere, if there is one."""
        there = zip(self.counts, self.keep, strict=True)
        numbers = [
            number
            for number, (count, keep) in enumerate(there)
            if count > keep and number not in barred
        ]
        if not numbers:
            return None
        number = numbers[int(rng.random() * len(numbers))]
        self.counts[number] -= 1
        return number


def _mix_markers(state: KoggeState, observer: Observer, others: list[Seat], rng: Random) -> None:
    seen = numbers_seen_in_the_bag(state, observer)
    bag = _Place(
        state.bag,
        [int(number in seen and count > 0) for number, count in enumerate(state.bag)],
        tuple(number for number in seen if not state.bag[number]),
        elastic=state.rules.hidden,
    )
    hands = [
        _Place(
            state.players[seat].markers,
            _promised_markers(state, seat, observer),
            elastic=state.rules.hidden,
        )
        for seat in others
    ]
    squares = [
        (route, _Place(no_markers(), no_markers(), barred=_barred(state, number, route)))
        for number, city in enumerate(state.cities)
        for route in city.routes
        if route.hidden and (observer == SPECTATOR or not route.known >> observer & 1)
    ]
    for route, square in squares:
        square.counts[route.marker] = 1
    places = [bag, *hands, *(square for _, square in squares)]
    if len(places) < 2:
        return
    for _ in range(MOVES):
        _move_a_marker(state, places, rng)
    for route, square in squares:
        route.marker = square.counts.index(1)
    for sighting in state.sightings:
        # What others have seen is their secret too; they have seen what still lies there.
        there = state.cities[sighting.city].routes[sighting.slot]
        if sighting.seats & there.known:
            sighting.marker = there.marker
        elif observer == SPECTATOR or not sighting.seats >> observer & 1:
            sighting.marker = rng.randrange(CITIES)


def _barred(state: KoggeState, city: int, route: Route) -> tuple[int, ...]:
    """With Memory, only markers laid by a player are barred from leading to their own city."""
    return () if state.rules.memory and not route.laid else (city,)


def _move_a_marker(state: KoggeState, places: list[_Place], rng: Random) -> None:
    """Move a marker to another place, swapping it where the places are of fixed size.

    Whoever is asked for a bid can make one, so their hand must still allow it.
    """
    one, other = _two_of(places, rng)
    there = one.give(other.barred, rng)
    if there is None:
        return
    alone = one.elastic and other.elastic and rng.random() < 0.5
    back = None if alone else other.give(one.barred, rng)
    if back is None and not alone:
        one.counts[there] += 1
        return
    other.counts[there] += 1
    if back is not None:
        one.counts[back] += 1
    frame = state.frames[-1]
    if isinstance(frame, Auction) and not can_bid(state, state.order[frame.at]):
        other.counts[there] -= 1
        one.counts[there] += 1
        if back is not None:
            one.counts[back] -= 1
            other.counts[back] += 1


def _two_of(items: list[T], rng: Random) -> tuple[T, T]:
    """Two different ones at random."""
    first, second = int(rng.random() * len(items)), int(rng.random() * (len(items) - 1))
    return items[first], items[second + (second >= first)]


def numbers_seen_in_the_bag(state: KoggeState, observer: Observer) -> tuple[int, ...]:
    """Whoever may swap a good with the guild master sees the bag's numbers of its colour (ruling
    45)."""
    frame = state.frames[-1]
    if (
        not isinstance(frame, Acting)
        or TURNS.asked_seat(state) != observer
        or "guild" in frame.used
    ):
        return ()
    player = state.players[observer]
    if player.city != state.guild_city:
        return ()
    return tuple(number for number in range(CITIES) if player.goods[CITY_GOOD[number]])


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


def _promised_markers(state: KoggeState, seat: Seat, observer: Observer) -> list[int]:
    word = promised_pieces(state, seat, observer)
    return [word.count(str(number)) for number in range(CITIES)]


def _mix_goods(state: KoggeState, observer: Observer, others: list[Seat], rng: Random) -> None:
    frame = state.frames[-1]
    if isinstance(frame, Choosing) and observer == frame.raider:
        # Both groups lie before the raider, who so knows the victim's whole cargo.
        others = [seat for seat in others if seat != frame.victim]
    if len(others) < 2:
        return
    cargoes = [
        (state.players[seat].goods, goods_of(promised_pieces(state, seat, observer)))
        for seat in others
    ]
    for _ in range(MOVES):
        (goods, promised), (taken, _) = _two_of(cargoes, rng)
        spare = [good for good in range(GOODS) if goods[good] > promised[good]]
        if spare:
            good = spare[int(rng.random() * len(spare))]
            goods[good] -= 1
            taken[good] += 1


def reword_offers(state: KoggeState, observer: Observer, rng: Random) -> None:
    """Put offers between others, which are secret, into other words."""
    for place, offer in enumerate(state.offers):
        if observer in (offer.seat, offer.other):
            continue
        if not state.rules.hidden:
            state.offers[place] = _renumbered(state, offer, rng)
            continue
        have = stock(state, offer.seat, place_of(offer))
        give = Bundle("give", PIECE_LETTERS, have, 0, sum(have)).sample(rng)
        asked = rng.sample(PIECE_LETTERS, rng.randint(0 if give else 1, ASKED_FOR))
        take = "".join(sorted(asked, key=PIECE_LETTERS.index))
        state.offers[place] = msgspec.structs.replace(offer, give=give, take=take)


def _renumbered(state: KoggeState, offer: Offer, rng: Random) -> Offer:
    """The offer with as many other markers that the giver holds, and asking for as many others."""

    def other(word: str, have: tuple[int, ...]) -> str:
        goods, markers = split(word)
        stock = Bundle("markers", MARKER_LETTERS, have, len(markers), len(markers))
        return goods + stock.sample(rng)

    give = other(offer.give, highest_first(state.players[offer.seat].markers))
    return msgspec.structs.replace(offer, give=give, take=other(offer.take, ALL_MARKERS))


def divided(goods: list[int], rng: Random) -> tuple[str, str]:
    """A cargo in two groups, as its owner may have divided it; each a word of goods."""
    cargo = list(goods_word(goods))
    rng.shuffle(cargo)
    half = len(cargo) // 2
    first, second = (goods_word(goods_of("".join(part))) for part in (cargo[:half], cargo[half:]))
    return first, second
