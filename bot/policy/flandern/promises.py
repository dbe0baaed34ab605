"""The points that guilds can expect from open cities, and their value for one seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp, sqrt

from bot.game.bits import mask
from bot.game.content import Strict, read
from bot.game.contract import Action
from bot.game.flandern.building import after
from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    completed,
    copy_of,
    count_leaders,
    plots_for,
    scores_of,
    value,
)
from bot.game.flandern.data import (
    CHURCH,
    CONTENT,
    EMBLEMS,
    FIRST_SPECIAL,
    FOLDER,
    GUILDS,
    PLAYER_GUILDS,
    WITH_LEADER,
    made_by,
    touched_by,
)

THIRD, FOURTH, FIFTH = CONTENT.lower_places
"""The points of the third to fifth places."""
MAX_CITIES = 3000
"""Cached cities; at this number the cache is cleared."""

Numbers = tuple[int, ...]
"""By guild."""


class FlandernWeights(Strict, frozen=True):
    """Weights; data/flandern/weights.toml explains each."""

    site: float
    coming: tuple[float, float, float]
    later: float
    a_plot: float
    leader: float
    narrow: float
    wide: float
    rivals: tuple[float, float, float]
    printed: float
    loss: float


WEIGHTS = read(FOLDER / "weights.toml", dict[str, FlandernWeights])
"""By the name of a player."""


class Promises:
    """Evaluates cities with given weights. Results are cached, because most cities stay the same
    from one position to the next."""

    def __init__(self, weights: FlandernWeights) -> None:
        self.weights = weights
        self.points = lru_cache(1 << 14)(self._points)
        guild, grey, church = weights.coming
        coming = [*[guild] * PLAYER_GUILDS, grey, church]
        self.ready = [
            tuple([weights.later if lying >> e & 1 else each for e, each in enumerate(coming)])
            for lying in range(1 << PLAYER_GUILDS)
        ]
        """By the set of guilds whose card of a city is open: by emblem, how likely its quarters are
        built there."""
        self._cities: dict[object, CityPromise] = {}

    def city(
        self, city: FlandernCity, stock: tuple[Numbers, ...], lying: int, gains: tuple[float, ...]
    ) -> CityPromise:
        """Return the evaluation of an open city. The city may change afterwards."""
        key = (
            city.home,
            city.free,
            city.sites,
            city.bar,
            city.printed_leaders,
            city.cathedrals,
            *city.emblems,
            *city.placed_leaders,
            lying,
            _kinds(stock),
            gains,
        )
        found = self._cities.get(key)
        if found is None:
            if len(self._cities) >= MAX_CITIES:
                self._cities.clear()
            found = self._cities[key] = CityPromise(self, copy_of(city), stock, lying, gains)
        return found

    def _points(
        self,
        done: Numbers,
        sites: Numbers,
        held: Numbers,
        rooms: Numbers,
        free: int,
        worth: int,
        ready: tuple[float, ...],
    ) -> tuple[float, ...]:
        """Return the expected points of each guild in a city, from: completed quarters, sites and
        leaders (`held`) by guild, plots by emblem where it can build, all free plots, and the
        value."""
        if not free:
            return tuple(_settled(done, held, worth))
        weights = self.weights
        share = free / sum([room * each for room, each in zip(rooms, ready, strict=True)])
        spread = weights.narrow + weights.wide * sqrt(free)
        standings = []
        for guild in range(GUILDS):
            more = weights.site * sites[guild] + share * ready[guild] * rooms[guild]
            there = 1.0 if done[guild] else 1.0 - exp(-more)
            standings.append(((done[guild] + more + weights.leader * held[guild]) / spread, there))
        likely = worth + weights.a_plot * free
        return tuple([_expected(guild, standings, likely) for guild in range(GUILDS)])


@lru_cache(4)
def promises_by(weights: FlandernWeights) -> Promises:
    """Return the shared evaluator with these weights."""
    return Promises(weights)


@lru_cache(1 << 12)
def _kinds(stock: tuple[Numbers, ...]) -> Numbers:
    """Return, by emblem, which kinds of quarter are in stock; the number doesn't matter."""
    return tuple([mask(kind for kind, count in enumerate(counts) if count) for counts in stock])


def _settled(done: Numbers, held: Numbers, worth: int) -> Iterator[float]:
    """Yield the points of each guild in a full city."""
    ranks = [*zip(done, held, strict=True)]
    scores = scores_of(worth)
    for mine in ranks:
        yield scores[sum(each >= mine for each in ranks) - 1] if mine[0] else 0.0


def _expected(guild: int, standings: Sequence[tuple[float, float]], worth: float) -> float:
    """Return the expected points of a guild over the places it may reach. Each other guild is ahead
    of it with some probability. `standings` has by guild what it counts and how likely it is there
    at all.

    The probabilities of the five places are variables instead of a list, because most of a search's
    time is spent here.
    """
    mine, here = standings[guild]
    if not here:
        return 0.0
    first, second, third, fourth, fifth = 1.0, 0.0, 0.0, 0.0, 0.0
    for other, (count, there) in enumerate(standings):
        if there and other != guild:
            better = there / (1.0 + exp(mine - count))
            fifth += better * (fourth - fifth)
            fourth += better * (third - fourth)
            third += better * (second - third)
            second += better * (first - second)
            first *= 1.0 - better
    best = first * worth + second * (worth / 2)
    return here * (best + third * THIRD + fourth * FOURTH + fifth * FIFTH)


class CityPromise:
    """An open city, and its value for a seat after actions.

    `stock` counts quarters by emblem and kind, `lying` are the guilds whose card of the city is
    open, and `gains` is by guild the value of a point for the seat.
    """

    def __init__(
        self,
        judge: Promises,
        city: FlandernCity,
        stock: tuple[Numbers, ...],
        lying: int,
        gains: tuple[float, ...],
    ) -> None:
        self.judge, self.city, self.stock = judge, city, stock
        self.lying, self.gains = lying, gains
        self.rooms = [plots_for(city, e, stock[e], city.free) for e in range(EMBLEMS)]
        """By emblem, the free plots where its quarters can be built."""
        self.done = tuple([completed(city, g).bit_count() for g in range(GUILDS)])
        self.sites = tuple([(city.emblems[g] & city.sites).bit_count() for g in range(GUILDS)])
        self.held = tuple([count_leaders(city, g) for g in range(GUILDS)])
        self.value = value(city)
        self.points = self._points(self.done, self.sites, self.held, self.rooms, self.value)
        """By guild, the expected points."""
        self.now = self._to_seat(self.points)
        """The value if nothing changes."""
        self.ways: dict[tuple[int, bool], list[tuple[float, Action]]] = {}
        """The actions of a guild's card, or site card, there; computed on demand."""

    def after(self, action: Action) -> CityPromise:
        """Return the city after an action."""
        return self.judge.city(after(self.city, action), self.stock, self.lying, self.gains)

    def after_building(self, emblem: int, tile: int, bar: int, plot: int, *, site: bool) -> float:
        """Return the value with one more quarter, faster than `after`. `bar` is the bar that D
        covers, or NONE."""
        gone = 1 << plot | (0 if bar == NONE else 1 << bar)
        rooms = [room & ~gone for room in self.rooms]
        rooms[emblem] &= ~touched_by(gone)
        if tile >= FIRST_SPECIAL:
            made = made_by(tile - FIRST_SPECIAL, plot)
            rooms = [*[room | made for room in rooms[:CHURCH]], rooms[CHURCH]]
        done, sites, held, worth = self.done, self.sites, self.held, self.value
        leader = int(WITH_LEADER <= tile < FIRST_SPECIAL and not site)
        if site:
            sites = _one_more(sites, emblem)
        elif emblem == CHURCH:
            worth += CONTENT.church_value
        else:
            done, worth = _one_more(done, emblem), worth + CONTENT.quarter_value
            held = _one_more(held, emblem) if leader else held
        points = self._points(done, sites, held, rooms, worth)
        return self._to_seat(points) - self.judge.weights.printed * leader

    def _points(
        self, done: Numbers, sites: Numbers, held: Numbers, rooms: Sequence[int], worth: int
    ) -> tuple[float, ...]:
        one, two, three, four, grey, church = rooms
        sizes = (
            one.bit_count(),
            two.bit_count(),
            three.bit_count(),
            four.bit_count(),
            grey.bit_count(),
            church.bit_count(),
        )
        free = (one | two | three | four | grey | church).bit_count()
        ready = self.judge.ready[self.lying]
        return self.judge.points(done, sites, held, sizes, free, worth, ready)

    def _to_seat(self, points: Sequence[float]) -> float:
        """Return the value for the seat of each guild's expected points."""
        worth = 0.0
        for gain, mine in zip(self.gains, points, strict=True):
            worth += gain * mine
        return worth


def _one_more(counts: Numbers, guild: int) -> Numbers:
    """Return the counts with one more for a guild; the church doesn't count."""
    if guild == CHURCH:
        return counts
    return *counts[:guild], counts[guild] + 1, *counts[guild + 1 :]
