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
    added_by,
    touched_by,
)

THIRD, FOURTH, FIFTH = CONTENT.lower_places
"""The points of the third to fifth places."""
MAX_CACHED = 3000
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


class CityEvaluator:
    """Evaluates cities with given weights and caches the results, because most cities stay the
    same from one position to the next."""

    def __init__(self, weights: FlandernWeights) -> None:
        self.weights = weights
        self.points = lru_cache(1 << 14)(self._points)
        guild, grey, church = weights.coming
        coming = [*[guild] * PLAYER_GUILDS, grey, church]
        self.ready = [
            tuple([weights.later if opened >> e & 1 else each for e, each in enumerate(coming)])
            for opened in range(1 << PLAYER_GUILDS)
        ]
        """By the set of guilds whose card of the city is open: by emblem, how likely its quarters
        are built there."""
        self._cities: dict[object, CityValuation] = {}

    def city(
        self, city: FlandernCity, stock: tuple[Numbers, ...], opened: int, gains: tuple[float, ...]
    ) -> CityValuation:
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
            opened,
            _kinds(stock),
            gains,
        )
        valuation = self._cities.get(key)
        if valuation is None:
            if len(self._cities) >= MAX_CACHED:
                self._cities.clear()
            valuation = self._cities[key] = CityValuation(self, copy_of(city), stock, opened, gains)
        return valuation

    def _points(
        self,
        done: Numbers,
        sites: Numbers,
        leaders: Numbers,
        rooms: Numbers,
        free: int,
        city_value: int,
        ready: tuple[float, ...],
    ) -> tuple[float, ...]:
        """Return the expected points of each guild in a city, from: completed quarters, sites and
        leaders by guild, the number of plots by emblem where it can build, all free plots, and the
        value."""
        if not free:
            return tuple(_final_points(done, leaders, city_value))
        weights = self.weights
        share = free / sum([room * each for room, each in zip(rooms, ready, strict=True)])
        spread = weights.narrow + weights.wide * sqrt(free)
        standings = []
        for guild in range(GUILDS):
            more = weights.site * sites[guild] + share * ready[guild] * rooms[guild]
            chance = 1.0 if done[guild] else 1.0 - exp(-more)
            standings.append(
                ((done[guild] + more + weights.leader * leaders[guild]) / spread, chance)
            )
        likely = city_value + weights.a_plot * free
        return tuple([_expected(guild, standings, likely) for guild in range(GUILDS)])


@lru_cache(4)
def evaluator_with(weights: FlandernWeights) -> CityEvaluator:
    """Return the shared evaluator with these weights."""
    return CityEvaluator(weights)


@lru_cache(1 << 12)
def _kinds(stock: tuple[Numbers, ...]) -> Numbers:
    """Return, by emblem, which kinds of quarter are in stock; the number doesn't matter."""
    return tuple([mask(kind for kind, count in enumerate(counts) if count) for counts in stock])


def _final_points(done: Numbers, leaders: Numbers, city_value: int) -> Iterator[float]:
    """Yield the points of each guild in a full city."""
    ranks = [*zip(done, leaders, strict=True)]
    scores = scores_of(city_value)
    for own in ranks:
        yield scores[sum(each >= own for each in ranks) - 1] if own[0] else 0.0


def _expected(guild: int, standings: Sequence[tuple[float, float]], city_value: float) -> float:
    """Return the expected points of a guild over the places it may reach. Each other guild is ahead
    of it with some probability. `standings` has, by guild, its strength in the city and the chance
    that it has quarters there at all.

    The probabilities of the five places are variables instead of a list, because most of a search's
    time is spent here.
    """
    own, own_chance = standings[guild]
    if not own_chance:
        return 0.0
    first, second, third, fourth, fifth = 1.0, 0.0, 0.0, 0.0, 0.0
    for other, (count, chance) in enumerate(standings):
        if chance and other != guild:
            better = chance / (1.0 + exp(own - count))
            fifth += better * (fourth - fifth)
            fourth += better * (third - fourth)
            third += better * (second - third)
            second += better * (first - second)
            first *= 1.0 - better
    best = first * city_value + second * (city_value / 2)
    return own_chance * (best + third * THIRD + fourth * FOURTH + fifth * FIFTH)


class CityValuation:
    """An open city, and its value for a seat after actions.

    `stock` counts quarters by emblem and kind, `opened` are the guilds whose card of the city is
    open, and `gains` is by guild the value of a point for the seat.
    """

    def __init__(
        self,
        evaluator: CityEvaluator,
        city: FlandernCity,
        stock: tuple[Numbers, ...],
        opened: int,
        gains: tuple[float, ...],
    ) -> None:
        self.evaluator, self.city, self.stock = evaluator, city, stock
        self.opened, self.gains = opened, gains
        self.rooms = [plots_for(city, e, stock[e], city.free) for e in range(EMBLEMS)]
        """By emblem, the free plots where its quarters can be built."""
        self.done = tuple([completed(city, g).bit_count() for g in range(GUILDS)])
        self.sites = tuple([(city.emblems[g] & city.sites).bit_count() for g in range(GUILDS)])
        self.leaders = tuple([count_leaders(city, g) for g in range(GUILDS)])
        self.value = value(city)
        self.points = self._points(self.done, self.sites, self.leaders, self.rooms, self.value)
        """By guild, the expected points."""
        self.now = self._to_seat(self.points)
        """The value if nothing changes."""
        self.actions: dict[tuple[int, bool], list[tuple[float, Action]]] = {}
        """The rated actions of a guild's city card or site card; computed on demand."""

    def after(self, action: Action) -> CityValuation:
        """Return the city after an action."""
        return self.evaluator.city(after(self.city, action), self.stock, self.opened, self.gains)

    def after_building(self, emblem: int, tile: int, bar: int, plot: int, *, site: bool) -> float:
        """Return the value with one more quarter, faster than `after`. `bar` is the bar that D
        covers, or NONE."""
        used_plots = 1 << plot | (0 if bar == NONE else 1 << bar)
        rooms = [room & ~used_plots for room in self.rooms]
        rooms[emblem] &= ~touched_by(used_plots)
        if tile >= FIRST_SPECIAL:
            added = added_by(tile - FIRST_SPECIAL, plot)
            rooms = [*[room | added for room in rooms[:CHURCH]], rooms[CHURCH]]
        done, sites, leaders, city_value = self.done, self.sites, self.leaders, self.value
        leader = int(WITH_LEADER <= tile < FIRST_SPECIAL and not site)
        if site:
            sites = _incremented(sites, emblem)
        elif emblem == CHURCH:
            city_value += CONTENT.church_value
        else:
            done, city_value = _incremented(done, emblem), city_value + CONTENT.quarter_value
            leaders = _incremented(leaders, emblem) if leader else leaders
        points = self._points(done, sites, leaders, rooms, city_value)
        return self._to_seat(points) - self.evaluator.weights.printed * leader

    def _points(
        self, done: Numbers, sites: Numbers, leaders: Numbers, rooms: Sequence[int], city_value: int
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
        ready = self.evaluator.ready[self.opened]
        return self.evaluator.points(done, sites, leaders, sizes, free, city_value, ready)

    def _to_seat(self, points: Sequence[float]) -> float:
        """Return the value for the seat of each guild's expected points."""
        total = 0.0
        for gain, expected in zip(self.gains, points, strict=True):
            total += gain * expected
        return total


def _incremented(counts: Numbers, guild: int) -> Numbers:
    """Return the counts with one more for a guild; the church doesn't count."""
    if guild == CHURCH:
        return counts
    return *counts[:guild], counts[guild] + 1, *counts[guild + 1 :]
