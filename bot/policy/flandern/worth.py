"""What cities promise to the guilds, in points, as one seat sees the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp, sqrt

from bot.game.contract import Seat
from bot.game.flandern.city import FlandernCity, completed, leaders, plots_for, value
from bot.game.flandern.data import (
    CHURCH,
    CONTENT,
    EMBLEM_OF_KEY,
    EMBLEMS,
    FIRST_SPECIAL,
    GUILDS,
    WITH_LEADER,
)
from bot.game.flandern.plan import BESIDE, made_by
from bot.game.flandern.view import FlandernView

SITE = 0.4
"""What a site counts of a quarter, while there is room in its city."""
COMING = (1.0, 1.0, 1.0, 1.0, 0.6, 0.5)
"""By emblem, how readily free plots are built on with its quarters."""
LATER = 0.6
"""The same of a guild whose card of the city lies open."""
A_PLOT = 1.2
"""What a free plot will add to the value of its city."""
LEADER = 0.45
"""What a leader counts of a quarter in a city that is not full yet."""
NARROW, WIDE = 0.25, 0.35
"""How uncertain the standings of a city are: at least, and with the root of its free plots."""
RIVALS = 0.6
"""The points of all others together, against one's own."""
LEAD = 0.05
"""How much more each point that another is ahead makes theirs count."""
PRINTED = 0.15
"""What a quarter with a leader is worth kept in stock."""

Numbers = tuple[int, ...]
"""By guild."""


class CityWorth:
    """An open city, and what it would be worth to a seat after something is done there."""

    def __init__(
        self,
        city: FlandernCity,
        stock: tuple[Numbers, ...],
        ready: Sequence[float],
        weights: Sequence[float] = (),
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
        self.done = [completed(city, guild).bit_count() for guild in range(GUILDS)]
        self.sites = [(city.emblems[guild] & city.sites).bit_count() for guild in range(GUILDS)]
        self.leaders = [leaders(city, guild) for guild in range(GUILDS)]
        self.value = value(city)
        self.promised = self.promise()

    @property
    def now(self) -> float:
        """What it is worth if nothing is done."""
        return self.of(self.promised)

    def of(self, promise: tuple[float, ...]) -> float:
        """What points of the guilds are worth to the seat."""
        return sum(weight * points for weight, points in zip(self.weights, promise, strict=True))

    def seen_with(self, city: FlandernCity, weights: Sequence[float]) -> CityWorth:
        """The city after a change, or as somebody else sees it."""
        return CityWorth(city, self.stock, self.ready, weights)

    def promise(self, more: int = 0, *, free: int = -1) -> tuple[float, ...]:
        """The points that each guild may expect, with so much `more` value."""
        rooms = tuple([(room & free).bit_count() for room in self.rooms])
        plots = 0
        for room in self.rooms:
            plots |= room & free
        return promise(
            tuple(self.done),
            tuple(self.sites),
            tuple(self.leaders),
            rooms,
            plots.bit_count(),
            self.value + more,
            self.ready,
        )

    def after_building(self, emblem: int, tile: int, plot: int, bar: int, *, site: bool) -> float:
        """With a quarter more; `bar` is the one that D takes in."""
        gone = 1 << plot | (1 << bar if bar >= 0 else 0)
        counts = self.sites if site else self.done
        leader = int(not site and WITH_LEADER <= tile < FIRST_SPECIAL)
        mine = self.rooms[emblem]
        self.rooms[emblem] &= ~BESIDE[plot]
        if tile >= FIRST_SPECIAL:
            return self._after_special(tile - FIRST_SPECIAL, plot, gone, site=site, mine=mine)
        more = 0
        if emblem < GUILDS:
            counts[emblem] += 1
            self.leaders[emblem] += leader
        if not site:
            more = CONTENT.church_value if emblem == CHURCH else CONTENT.quarter_value
        found = self.of(self.promise(more, free=~gone)) - PRINTED * leader
        self.rooms[emblem] = mine
        if emblem < GUILDS:
            counts[emblem] -= 1
            self.leaders[emblem] -= leader
        return found

    def _after_special(self, special: int, plot: int, gone: int, *, site: bool, mine: int) -> float:
        rooms, made = self.rooms, made_by(special, plot)
        self.rooms = [*[room | made for room in rooms[:CHURCH]], rooms[CHURCH]]
        found = self.of(self.promise(0 if site else CONTENT.church_value, free=~gone))
        self.rooms = rooms
        rooms[CHURCH] = mine
        return found

    def after_completing(self, emblem: int, plot: int) -> float:
        """With a site completed."""
        if emblem == CHURCH:
            cathedral = self.city.cathedrals >> plot & 1
            return self.of(
                self.promise(CONTENT.cathedral_value if cathedral else CONTENT.church_value)
            )
        leader = (self.city.printed >> plot & 1) + self.city.leaders.count(plot)
        self.done[emblem] += 1
        self.sites[emblem] -= 1
        self.leaders[emblem] += leader
        found = self.of(self.promise(CONTENT.quarter_value))
        self.done[emblem] -= 1
        self.sites[emblem] += 1
        self.leaders[emblem] -= leader
        return found

    def after_leader(self, emblem: int, plot: int) -> float:
        """With a leader on a quarter."""
        if self.city.sites >> plot & 1:
            return self.now
        self.leaders[emblem] += 1
        found = self.of(self.promise())
        self.leaders[emblem] -= 1
        return found

    def after_cathedral(self, plot: int) -> float:
        """With a cathedral on a quarter of the church."""
        if self.city.sites >> plot & 1:
            return self.now
        return self.of(self.promise(CONTENT.cathedral_value - CONTENT.church_value))


class FlandernWorth:
    """The open cities as one seat sees them."""

    def __init__(self, view: FlandernView, seat: Seat) -> None:
        self.view, self.seat = view, seat
        self.cities = {
            number: CityWorth(city.plots, view.stock, _ready(view, city.city))
            for number, city in enumerate(view.cities)
            if city.plots is not None and not city.scored
        }
        weights = self._weights()
        for each in self.cities.values():
            each.weights = weights

    def _weights(self) -> tuple[float, ...]:
        """By guild: it plays against the others, and most against those in the lead."""
        view, seat = self.view, self.seat
        guilds = [
            [EMBLEM_OF_KEY[guild] for guild in (each.guild, each.controlled) if guild]
            for each in view.seats
        ]
        hopes = [
            each.score + sum(city.promised[guild] for city in self.cities.values() for guild in own)
            for each, own in zip(view.seats, guilds, strict=True)
        ]
        near = [exp(LEAD * (hope - max(hopes))) for hope in hopes]
        near[seat] = 0.0
        total, weights = sum(near), [0.0] * GUILDS
        for other, own in enumerate(guilds):
            for guild in own:
                weights[guild] = 1.0 if other == seat else -RIVALS * near[other] / total
        return tuple(weights)


def _ready(view: FlandernView, card: str) -> list[float]:
    """By emblem, how readily its quarters are built in a city, by who holds its card."""
    ready = [*COMING]
    for seat in view.seats:
        if card in seat.open:
            ready[EMBLEM_OF_KEY[seat.guild]] = LATER
    return ready


@lru_cache(1 << 15)
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
    return tuple([_expected(guild, counts, there, likely) for guild in range(GUILDS)])


def _expected(guild: int, counts: list[float], there: list[float], worth: float) -> float:
    """Over the places that a guild may come to, each other being better by chance."""
    if not there[guild]:
        return 0.0
    chances, mine = [1.0], counts[guild]
    for other, count in enumerate(counts):
        if other != guild and there[other]:
            better = there[other] / (1.0 + exp(mine - count))
            chances = [
                a * (1.0 - better) + b * better
                for a, b in zip([*chances, 0.0], [0.0, *chances], strict=True)
            ]
    places = (worth, worth / 2, *CONTENT.lower_places)
    return there[guild] * sum(a * b for a, b in zip(chances, places, strict=False))


def _settled(done: Numbers, held: Numbers, worth: int) -> Iterator[float]:
    """In a full city."""
    ranks = [*zip(done, held, strict=True)]
    places = (worth, (worth + 1) // 2, *CONTENT.lower_places)
    for mine in ranks:
        yield places[sum(each >= mine for each in ranks) - 1] if mine[0] else 0.0
