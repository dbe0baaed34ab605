"""What cities promise to the guilds, in points, as one seat sees the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp, sqrt

from bot.game.contract import Action, Seat
from bot.game.flandern.building import after
from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    completed,
    leaders,
    plots_for,
    scores_of,
    value,
)
from bot.game.flandern.data import (
    CHURCH,
    CONTENT,
    EMBLEM_OF_KEY,
    EMBLEMS,
    FIRST_SPECIAL,
    GUILDS,
    WITH_LEADER,
)
from bot.game.flandern.plan import made_by, touched_by
from bot.game.flandern.view import FlandernView

SITE = 0.4
"""What a site counts of a quarter, while there is room in its city."""
COMING = (1.0, 1.0, 1.0, 1.0, 0.9, 0.8)
"""By emblem, how readily free plots are built on with its quarters."""
LATER = 0.7
"""The same of a guild whose card of the city lies open."""
A_PLOT = 1.2
"""What a free plot will add to the value of its city."""
LEADER = 0.45
"""What a leader counts of a quarter in a city that is not full yet."""
NARROW, WIDE = 0.25, 0.25
"""How uncertain the standings of a city are: at least, and with the root of its free plots."""
RIVALS = {2: 0.8, 3: 0.6, 4: 0.6}
"""By number of players, the points of all others together, against one's own."""
PRINTED = 0.15
"""What a quarter with a leader is worth kept in stock."""

THIRD, FOURTH, FIFTH = CONTENT.lower_places
"""The points of the places after the second."""

Numbers = tuple[int, ...]
"""By guild."""


class CityWorth:
    """An open city, and what it would be worth to a seat after something is done there."""

    def __init__(
        self,
        city: FlandernCity,
        stock: tuple[Numbers, ...],
        ready: Sequence[float],
        weights: Sequence[float],
    ) -> None:
        self.city = city
        self.stock = stock
        """By emblem and kind of quarter."""
        self.ready = tuple(ready)
        """By emblem, how readily its quarters are built here."""
        self.weights = weights
        """By guild, what a point of it is worth to the seat."""
        self.rooms = [plots_for(city, e, stock[e], city.free) for e in range(EMBLEMS)]
        """By emblem, the free plots that its quarters could come to."""
        self.done = tuple([completed(city, g).bit_count() for g in range(GUILDS)])
        self.sites = tuple([(city.emblems[g] & city.sites).bit_count() for g in range(GUILDS)])
        self.leaders = tuple([leaders(city, g) for g in range(GUILDS)])
        self.value = value(city)
        self.now = self._of(self.done, self.sites, self.leaders, self.rooms, 0)
        """What it is worth if nothing is done."""

    def seen_with(self, weights: Sequence[float]) -> CityWorth:
        """The same city, as somebody else sees it."""
        return CityWorth(self.city, self.stock, self.ready, weights)

    def after(self, action: Action) -> CityWorth:
        """The city once something has been done there."""
        return CityWorth(after(self.city, action), self.stock, self.ready, self.weights)

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
        return self._of(done, self.sites, held, rooms, CONTENT.quarter_value) - PRINTED * leader

    def _of(
        self, done: Numbers, sites: Numbers, held: Numbers, rooms: Sequence[int], more: int
    ) -> float:
        """What the points that each guild may expect are worth to the seat; `more` is added to the
        value of the city."""
        plots = 0
        for room in rooms:
            plots |= room
        sizes = tuple([room.bit_count() for room in rooms])
        free = plots.bit_count()
        points = promise(done, sites, held, sizes, free, self.value + more, self.ready)
        worth = 0.0
        for weight, mine in zip(self.weights, points, strict=True):
            worth += weight * mine
        return worth


def _more(counts: Numbers, guild: int, number: int = 1) -> Numbers:
    """The same with so many more of a guild; the church is none."""
    if guild == CHURCH:
        return counts
    return *counts[:guild], counts[guild] + number, *counts[guild + 1 :]


class FlandernWorth:
    """The open cities as one seat sees them."""

    def __init__(self, view: FlandernView, seat: Seat) -> None:
        self.view, self.seat = view, seat
        weights = _weights(view, seat)
        self.cities = {
            number: CityWorth(city.plots, view.stock, _ready(view, city.city), weights)
            for number, city in enumerate(view.cities)
            if city.plots is not None and not city.scored
        }


def _weights(view: FlandernView, seat: Seat) -> list[float]:
    """By guild, what a point of it is worth: it plays for its own, and against the others."""
    weights = [0.0] * GUILDS
    for other, each in enumerate(view.seats):
        for guild in each.guilds:
            against = -RIVALS[len(view.seats)] / (len(view.seats) - 1)
            weights[EMBLEM_OF_KEY[guild]] = 1.0 if other == seat else against
    return weights


def _ready(view: FlandernView, card: str) -> list[float]:
    """By emblem, how readily its quarters are built in a city, by who holds its card."""
    ready = [*COMING]
    for seat in view.seats:
        if card in seat.open:
            ready[EMBLEM_OF_KEY[seat.guild]] = LATER
    return ready


@lru_cache(1 << 13)
def promise(
    done: Numbers,
    sites: Numbers,
    held: Numbers,
    rooms: Numbers,
    free: int,
    worth: int,
    ready: tuple[float, ...],
) -> tuple[float, ...]:
    """The points that each guild may expect of a city: by its completed quarters, sites, leaders
    `held` and, church included, the free plots that it could come to; the value of the city."""
    if not free:
        return tuple(_settled(done, held, worth))
    share = free / sum(room * ready for room, ready in zip(rooms, ready, strict=True))
    spread = NARROW + WIDE * sqrt(free)
    likely = worth + A_PLOT * free
    counts, there = [], []
    for guild in range(GUILDS):
        more = SITE * sites[guild] + share * ready[guild] * rooms[guild]
        there.append(1.0 if done[guild] else 1.0 - exp(-more))
        counts.append((done[guild] + more + LEADER * held[guild]) / spread)
    standings = [*zip(counts, there, strict=True)]
    return tuple([_expected(guild, standings, likely) for guild in range(GUILDS)])


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
