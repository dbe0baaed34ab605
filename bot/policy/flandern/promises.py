"""What open cities promise the guilds, in points, and what that is worth to one seat."""

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
"""The points of the places after the second."""
MAX_CITIES = 3000
"""That are remembered; then all are forgotten."""

Numbers = tuple[int, ...]
"""By guild."""


class FlandernWeights(Strict, frozen=True):
    """What things are worth; data/flandern/weights.toml says what each number means."""

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
    """What cities promise by some weights. It remembers what it has found: from one moment of a
    game to the next, and from one imagined game to another, most cities stay as they are."""

    def __init__(self, weights: FlandernWeights) -> None:
        self.weights = weights
        self.points = lru_cache(1 << 14)(self._points)
        guild, grey, church = weights.coming
        coming = [*[guild] * PLAYER_GUILDS, grey, church]
        self.ready = [
            tuple([weights.later if lying >> e & 1 else each for e, each in enumerate(coming)])
            for lying in range(1 << PLAYER_GUILDS)
        ]
        """By the set of guilds whose card of a city lies open: by emblem, how readily its quarters
        are built there."""
        self._cities: dict[object, CityPromise] = {}

    def city(
        self, city: FlandernCity, stock: tuple[Numbers, ...], lying: int, gains: tuple[float, ...]
    ) -> CityPromise:
        """An open city, which may change afterwards; see `CityPromise`."""
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
        """By guild, the points that it may expect of a city, of which are known: completed
        quarters, sites and leaders `held` by guild; by emblem the free plots that it could come to;
        all free plots; the value."""
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
    """The one that judges by these weights."""
    return Promises(weights)


@lru_cache(1 << 12)
def _kinds(stock: tuple[Numbers, ...]) -> Numbers:
    """By emblem, of which kinds of quarter there is one: how many there are does not matter."""
    return tuple([mask(kind for kind, count in enumerate(counts) if count) for counts in stock])


def _settled(done: Numbers, held: Numbers, worth: int) -> Iterator[float]:
    """In a full city."""
    ranks = [*zip(done, held, strict=True)]
    scores = scores_of(worth)
    for mine in ranks:
        yield scores[sum(each >= mine for each in ranks) - 1] if mine[0] else 0.0


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


class CityPromise:
    """An open city, and what it would be worth to a seat after something is done there.

    `stock` counts quarters by emblem and kind, `lying` are the guilds whose card of the city lies
    open, and `gains` says by guild what a point of it is worth to the seat.
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
        """By emblem, the free plots that its quarters could come to."""
        self.done = tuple([completed(city, g).bit_count() for g in range(GUILDS)])
        self.sites = tuple([(city.emblems[g] & city.sites).bit_count() for g in range(GUILDS)])
        self.held = tuple([count_leaders(city, g) for g in range(GUILDS)])
        self.value = value(city)
        self.points = self._points(self.done, self.sites, self.held, self.rooms, self.value)
        """By guild, the points that it may expect."""
        self.now = self._to_seat(self.points)
        """What it is worth if nothing is done."""
        self.ways: dict[tuple[int, bool], list[tuple[float, Action]]] = {}
        """What a card could do there for a guild, the card of a site or not, once looked for."""

    def after(self, action: Action) -> CityPromise:
        """The city once something has been done there."""
        return self.judge.city(after(self.city, action), self.stock, self.lying, self.gains)

    def after_building(self, emblem: int, tile: int, bar: int, plot: int, *, site: bool) -> float:
        """What it is worth with a quarter more, sooner than `after` says it; `bar` is the one that
        D takes in, or NONE."""
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
        """What the points that each guild may expect are worth to the seat."""
        worth = 0.0
        for gain, mine in zip(self.gains, points, strict=True):
            worth += gain * mine
        return worth


def _one_more(counts: Numbers, guild: int) -> Numbers:
    """The same with one more of a guild; the church is none."""
    if guild == CHURCH:
        return counts
    return *counts[:guild], counts[guild] + 1, *counts[guild + 1 :]
