"""What cities promise to the guilds, in points, as one seat sees the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import exp, sqrt
from typing import NamedTuple

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
    GUILDS,
    PLAYER_GUILDS,
    WITH_LEADER,
)
from bot.game.flandern.plan import made_by, mask, touched_by
from bot.policy.flandern.situation import FlandernSituation
from bot.policy.flandern.weights import FlandernWeights

THIRD, FOURTH, FIFTH = CONTENT.lower_places
"""The points of the places after the second."""

Numbers = tuple[int, ...]
"""By guild."""


class Prospect(NamedTuple):
    """A way to carry a card out, and the points that it gains."""

    gain: float
    action: Action


NOTHING = Prospect(0.0, ())

_KEPT = 3000
"""Cities that are remembered; then all are forgotten."""


class FlandernJudge:
    """What cities promise, by some weights. It remembers what it has found: from one moment of a
    game to the next, and from one imagined game to another, most cities stay as they are."""

    def __init__(self, weights: FlandernWeights) -> None:
        self.weights = weights
        self.promise = lru_cache(1 << 14)(_promise_by(weights))
        guild, grey, church = weights.coming
        coming = [*[guild] * PLAYER_GUILDS, grey, church]
        self._ready = [
            tuple([weights.later if lying >> e & 1 else each for e, each in enumerate(coming)])
            for lying in range(1 << PLAYER_GUILDS)
        ]
        """By the set of guilds whose card of a city lies open: by emblem, how readily its quarters
        are built there."""
        self._cities: dict[object, CityWorth] = {}

    def city(
        self,
        city: FlandernCity,
        stock: tuple[Numbers, ...],
        lying: int,
        gains: tuple[float, ...],
    ) -> CityWorth:
        """An open city, which may change afterwards. `lying` are the guilds whose card of it lies
        open, and `gains` by guild what a point of it is worth."""
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
            if len(self._cities) >= _KEPT:
                self._cities.clear()
            found = CityWorth(self, copy_of(city), stock, lying, gains)
            self._cities[key] = found
        return found

    def ready(self, lying: int) -> tuple[float, ...]:
        """By emblem, how readily its quarters are built in a city."""
        return self._ready[lying]


@lru_cache(4)
def judge(weights: FlandernWeights) -> FlandernJudge:
    """The one that judges by these weights."""
    return FlandernJudge(weights)


@lru_cache(1 << 12)
def _kinds(stock: tuple[Numbers, ...]) -> Numbers:
    """By emblem, of which kinds of quarter there is one: how many there are does not matter."""
    return tuple([mask(kind for kind, count in enumerate(counts) if count) for counts in stock])


class CityWorth:
    """An open city, and what it would be worth to a seat after something is done there."""

    def __init__(
        self,
        judge: FlandernJudge,
        city: FlandernCity,
        stock: tuple[Numbers, ...],
        lying: int,
        gains: tuple[float, ...],
    ) -> None:
        self.judge = judge
        self.city = city
        self.stock = stock
        """By emblem and kind of quarter."""
        self.lying = lying
        """The guilds whose card of the city lies open."""
        self.gains = gains
        """By guild, what a point of it is worth to the seat."""
        self.ready = judge.ready(lying)
        self.rooms = [plots_for(city, e, stock[e], city.free) for e in range(EMBLEMS)]
        """By emblem, the free plots that its quarters could come to."""
        self.done = tuple([completed(city, g).bit_count() for g in range(GUILDS)])
        self.sites = tuple([(city.emblems[g] & city.sites).bit_count() for g in range(GUILDS)])
        self.leaders = tuple([count_leaders(city, g) for g in range(GUILDS)])
        self.value = value(city)
        self.points = self._points(self.done, self.sites, self.leaders, self.rooms, 0)
        """By guild, the points that it may expect."""
        self.now = self._to_seat(self.points)
        """What it is worth if nothing is done."""
        self._best: dict[tuple[int, bool], Prospect] = {}

    def seen_with(self, gains: tuple[float, ...]) -> CityWorth:
        """The same city, as somebody else sees it."""
        return self.judge.city(self.city, self.stock, self.lying, gains)

    def after(self, action: Action) -> CityWorth:
        """The city once something has been done there."""
        return self.judge.city(after(self.city, action), self.stock, self.lying, self.gains)

    def best(
        self,
        guild: int,
        ways: Callable[[CityWorth, int], Iterator[Prospect]],
        *,
        site: bool,
    ) -> Prospect:
        """The best of the ways for a guild, found once; nothing where there is none. `site` tells
        the ways to set up a site from those of the card of the city."""
        found = self._best.get((guild, site))
        if found is None:
            found = self._best[guild, site] = max(ways(self, guild), default=NOTHING)
        return found

    def after_building(self, emblem: int, tile: int, bar: int, plot: int, *, site: bool) -> float:
        """What it is worth with a quarter more, sooner than `after` says it; `bar` is the one that
        D takes in, or NONE."""
        gone = 1 << plot | (0 if bar == NONE else 1 << bar)
        rooms = [room & ~gone for room in self.rooms]
        rooms[emblem] &= ~touched_by(gone)
        if tile >= FIRST_SPECIAL:
            made = made_by(tile - FIRST_SPECIAL, plot)
            rooms = [*[room | made for room in rooms[:CHURCH]], rooms[CHURCH]]
        if site:
            return self._of(self.done, _more(self.sites, emblem), self.leaders, rooms, 0)
        if emblem == CHURCH:
            return self._of(self.done, self.sites, self.leaders, rooms, CONTENT.church_value)
        leader = int(tile >= WITH_LEADER)
        done, held = _more(self.done, emblem), _more(self.leaders, emblem, leader)
        worth = self._of(done, self.sites, held, rooms, CONTENT.quarter_value)
        return worth - self.judge.weights.printed * leader

    def _of(
        self, done: Numbers, sites: Numbers, held: Numbers, rooms: Sequence[int], more: int
    ) -> float:
        return self._to_seat(self._points(done, sites, held, rooms, more))

    def _to_seat(self, points: Sequence[float]) -> float:
        """What the points that each guild may expect are worth to the seat."""
        worth = 0.0
        for gain, mine in zip(self.gains, points, strict=True):
            worth += gain * mine
        return worth

    def _points(
        self, done: Numbers, sites: Numbers, held: Numbers, rooms: Sequence[int], more: int
    ) -> tuple[float, ...]:
        """`more` is added to the value of the city."""
        one, two, three, four, grey, church = rooms
        free = (one | two | three | four | grey | church).bit_count()
        sizes = (
            one.bit_count(),
            two.bit_count(),
            three.bit_count(),
            four.bit_count(),
            grey.bit_count(),
            church.bit_count(),
        )
        return self.judge.promise(done, sites, held, sizes, free, self.value + more, self.ready)


def _more(counts: Numbers, guild: int, number: int = 1) -> Numbers:
    """The same with so many more of a guild; the church is none."""
    if guild == CHURCH:
        return counts
    return *counts[:guild], counts[guild] + number, *counts[guild + 1 :]


class FlandernWorth:
    """The open cities as one seat sees them."""

    def __init__(self, situation: FlandernSituation, judge: FlandernJudge) -> None:
        self.situation, self.judge = situation, judge
        self._stock = tuple(map(tuple, situation.stock))
        self._gains = _gains(judge.weights, tuple(map(tuple, situation.guilds)), situation.seat)
        self._found: dict[int, CityWorth] = {}

    @property
    def numbers(self) -> list[int]:
        """Of the open cities."""
        return [
            number
            for number, city in enumerate(self.situation.cities)
            if city is not None and not city.scored
        ]

    def city(self, number: int) -> CityWorth:
        """An open city."""
        found = self._found.get(number)
        if found is None:
            about = self.situation
            city = about.cities[number]
            assert city is not None
            lying = 0
            for (guild, *_), cards in zip(about.guilds, about.lying, strict=True):
                if number in cards:
                    lying |= 1 << guild
            found = self.judge.city(city, self._stock, lying, self._gains)
            self._found[number] = found
        return found


@lru_cache(1 << 10)
def _gains(weights: FlandernWeights, guilds: tuple[Numbers, ...], seat: int) -> tuple[float, ...]:
    """By guild, what a point of it is worth to a seat: it plays for its own, and against the
    others. `guilds` are those of each seat."""
    gains = [0.0] * GUILDS
    against = -weights.rivals[len(guilds) - 2] / (len(guilds) - 1)
    for other, each in enumerate(guilds):
        for guild in each:
            gains[guild] = 1.0 if other == seat else against
    return tuple(gains)


Promise = Callable[
    [Numbers, Numbers, Numbers, Numbers, int, int, tuple[float, ...]], tuple[float, ...]
]


def _promise_by(weights: FlandernWeights) -> Promise:
    site, a_plot, leader = weights.site, weights.a_plot, weights.leader
    narrow, wide = weights.narrow, weights.wide

    def promise(
        done: Numbers,
        sites: Numbers,
        held: Numbers,
        rooms: Numbers,
        free: int,
        worth: int,
        ready: tuple[float, ...],
    ) -> tuple[float, ...]:
        """The points that each guild may expect of a city: by its completed quarters, sites,
        leaders `held` and, church included, the free plots that it could come to; the value of
        the city."""
        if not free:
            return tuple(_settled(done, held, worth))
        share = free / sum([room * each for room, each in zip(rooms, ready, strict=True)])
        spread = narrow + wide * sqrt(free)
        likely = worth + a_plot * free
        standings = []
        for guild in range(GUILDS):
            more = site * sites[guild] + share * ready[guild] * rooms[guild]
            there = 1.0 if done[guild] else 1.0 - exp(-more)
            standings.append(((done[guild] + more + leader * held[guild]) / spread, there))
        return tuple([_expected(guild, standings, likely) for guild in range(GUILDS)])

    return promise


def _expected(guild: int, standings: Sequence[tuple[float, float]], worth: float) -> float:
    """Over the places that a guild may come to, each other being better by chance. `standings`
    has by guild what it counts and how likely it is there at all.

    The chances of the five places are names and not a list: this is most of what it takes to
    think.
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


def _settled(done: Numbers, held: Numbers, worth: int) -> Iterator[float]:
    """In a full city."""
    ranks = [*zip(done, held, strict=True)]
    scores = scores_of(worth)
    for mine in ranks:
        yield scores[sum(each >= mine for each in ranks) - 1] if mine[0] else 0.0
