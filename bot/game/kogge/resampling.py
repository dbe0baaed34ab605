"""Random states that an observer cannot tell from the real one."""

from __future__ import annotations

from random import Random

from bot.game.contract import SPECTATOR, Observer
from bot.game.kogge.data import CITIES, GOODS
from bot.game.kogge.rules.common import GOOD_OF_LETTER
from bot.game.kogge.state import NOWHERE, Auction, Choosing, Founding, Split, State

SWAPS = 40


def mix(state: State, observer: Observer, rng: Random) -> None:
    """Exchange, in place, what the observer does not know for something as possible.

    Hidden are: sealed choices of others, markers face down that he does not know, the order of
    the bag (which is nowhere in the state), and, with hidden goods, what others hold. Pieces
    change places among these, one pair at a time; a swap that would break a promise of the
    rules (an offer that its giver cannot keep, a bidder without a bid, a bag that the observer
    may look into) is not made.
    """
    _mix_founding(state, observer, rng)
    _mix_markers(state, observer, rng)
    if state.rules.hidden:
        _mix_goods(state, observer, rng)


def _mix_founding(state: State, observer: Observer, rng: Random) -> None:
    frame = state.frames[-1]
    if not isinstance(frame, Founding):
        return
    for seat, chosen in enumerate(frame.chosen):
        if seat != observer and chosen != NOWHERE:
            choices = [
                number
                for number in range(CITIES)
                if state.players[seat].markers[number]
                and number != frame.barred[seat]
                and len(state.cities[number].offices) < 2
            ]
            frame.chosen[seat] = rng.choice(choices)


class _Place:
    """A place where a hidden marker lies: a hand, the bag, or a route square."""

    def __init__(self, counts: list[int], barred: tuple[int, ...], keep: list[int]) -> None:
        self.counts = counts
        self.barred = barred
        self.keep = keep

    def may_give(self, number: int) -> bool:
        return self.counts[number] > self.keep[number]

    def may_take(self, number: int) -> bool:
        return number not in self.barred


def _mix_markers(state: State, observer: Observer, rng: Random) -> None:
    nothing = [0] * CITIES
    # Whoever trades with the guild master sees which numbers the bag holds: at least one of
    # each that is there stays, and none comes that was not there (ruling 45).
    bag = _Place(
        state.bag,
        tuple(number for number in range(CITIES) if not state.bag[number]),
        [min(1, count) for count in state.bag],
    )
    places = [bag]
    squares: list[tuple[int, int, _Place]] = []
    for number, city in enumerate(state.cities):
        for slot, route in enumerate(city.routes):
            if route.hidden and (observer == SPECTATOR or not route.known >> observer & 1):
                counts = nothing[:]
                counts[route.marker] = 1
                # A hidden route that its placer's own Raid bars stays as barred as it was.
                barred = (number, *_raided_by_anyone(state))
                if route.marker in barred:
                    continue
                squares.append((number, slot, _Place(counts, barred, nothing)))
    places.extend(place for _, _, place in squares)
    if state.rules.hidden:
        for seat in range(len(state.players)):
            if seat != observer:
                places.append(_Place(state.players[seat].markers, (), _promised(state, seat)))
    if len(places) < 2:
        return
    for _ in range(SWAPS):
        one, other = rng.sample(places, 2)
        mine = [number for number in range(CITIES) if one.may_give(number)]
        theirs = [number for number in range(CITIES) if other.may_give(number)]
        if not mine or not theirs:
            continue
        a, b = rng.choice(mine), rng.choice(theirs)
        if one.may_take(b) and other.may_take(a):
            one.counts[a] -= 1
            one.counts[b] += 1
            other.counts[b] -= 1
            other.counts[a] += 1
    for number, slot, place in squares:
        state.cities[number].routes[slot].marker = place.counts.index(1)


def _raided_by_anyone(state: State) -> tuple[int, ...]:
    return tuple(number for number, city in enumerate(state.cities) if city.raids)


def _promised(state: State, seat: int) -> list[int]:
    """Markers a seat must keep: those it offers, and all while it is being asked for a bid."""
    frame = state.frames[-1]
    if isinstance(frame, Auction) and state.order[frame.at] == seat:
        return state.players[seat].markers[:]
    keep = [0] * CITIES
    for offer in state.offers:
        if offer.seat == seat:
            for letter in offer.give:
                if letter not in GOOD_OF_LETTER:
                    keep[int(letter)] = max(keep[int(letter)], offer.give.count(letter))
    return keep


def _mix_goods(state: State, observer: Observer, rng: Random) -> None:
    frame = state.frames[-1]
    fixed = {observer}
    if isinstance(frame, Split):
        # The size of the groups the victim may make follows from the cargo; the victim alone
        # is asked, and whoever else looks learns nothing from it.
        fixed |= set()
    if isinstance(frame, Choosing):
        fixed |= {frame.victim}
    seats = [seat for seat in range(len(state.players)) if seat not in fixed]
    if len(seats) < 2:
        return
    for _ in range(SWAPS):
        giver, taker = rng.sample(seats, 2)
        keep = _promised_goods(state, giver)
        goods = state.players[giver].goods
        movable = [good for good in range(GOODS) if goods[good] > keep[good]]
        if movable:
            good = rng.choice(movable)
            goods[good] -= 1
            state.players[taker].goods[good] += 1


def _promised_goods(state: State, seat: int) -> list[int]:
    keep = [0] * GOODS
    for offer in state.offers:
        if offer.seat == seat:
            for letter in offer.give:
                good = GOOD_OF_LETTER.get(letter)
                if good is not None:
                    keep[good] = max(keep[good], offer.give.count(letter))
    return keep
