"""A city: its quarters, its buildable plots, and its value (rules: building, scoring).

A city is public, so views contain a copy of it, and a search can build on that. Sets of plots are
bit masks; emblems and kinds of quarter are numbers, see data.py.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec

from bot.game.bits import union
from bot.game.flandern.data import (
    BARS,
    CENTRE,
    CHURCH,
    CONTENT,
    D_TILE,
    EMBLEMS,
    FIRST_SPECIAL,
    GREY,
    GUILDS,
    HOME,
    OF_SHAPE,
    PLACE_NAMES,
    PRINTED,
    SHAPE_OF,
    SHAPE_OF_TILE,
    SPECIAL,
    WITH_LEADER,
    P,
    added_by,
    members,
    supported_by,
    touched_by,
)
from bot.game.hidden import PublicStruct

NONE = -1
"""No plot, no card, no seat, no guild."""
_CACHE_SIZE = 4096


class FlandernCity(PublicStruct):
    """The state of a city.

    `emblems` are the plots of the quarters and sites of each emblem. The bar that D covers is one
    of the church's plots, and `bar` alone. `sites` are the quarters under construction,
    `printed_leaders` those that show a leader, without the centre. `placed_leaders` are the plots
    of wooden leaders, `special` the plots of A to D or NONE.
    """

    home: int
    """The emblem of the centre."""
    free: int = PRINTED
    covered: int = 0
    emblems: list[int] = msgspec.field(default_factory=lambda: [0] * EMBLEMS)
    sites: int = 0
    bar: int = 0
    printed_leaders: int = msgspec.field(default=0, name="printed")
    cathedrals: int = 0
    placed_leaders: list[int] = msgspec.field(default_factory=list, name="leaders")
    special: list[int] = msgspec.field(default_factory=lambda: [NONE] * len(SPECIAL))
    scored: bool = False

    @property
    def number(self) -> int:
        """The index in data.CITIES."""
        return HOME[self.home]

    def places(self, plots: int) -> tuple[str, ...]:
        """Return plots as places of the board, such as ``gent-t1``."""
        return _places(self.number, plots)


@lru_cache(_CACHE_SIZE)
def _places(city: int, plots: int) -> tuple[str, ...]:
    return tuple([PLACE_NAMES[city][plot] for plot in members(plots)])


class Quarter(NamedTuple):
    """A quarter or site on the board. A centre has the kind NONE. `bar` is the second plot that D
    covers."""

    emblem: int
    plot: int
    kind: int
    site: bool
    cathedral: bool
    printed_leaders: int
    placed_leaders: int
    bar: int


class Standing(NamedTuple):
    """A guild's completed quarters in a city, the leaders on them, its place from 1 (shared places
    count as the lowest of them), and its points."""

    emblem: int
    quarters: int
    leaders: int
    place: int
    points: int


def new_city(home: int) -> FlandernCity:
    """Return a city with only its centre."""
    city = FlandernCity(home)
    city.emblems[home] = 1 << CENTRE
    return city


def copy_of(city: FlandernCity) -> FlandernCity:
    """Return an independent copy."""
    return msgspec.structs.replace(
        city,
        emblems=[*city.emblems],
        special=[*city.special],
        placed_leaders=[*city.placed_leaders],
    )


def built(city: FlandernCity) -> int:
    """Return all plots with a quarter or site."""
    return union(city.emblems)


def emblem_at(city: FlandernCity, plot: int) -> int:
    """Return the emblem of the quarter on a plot, or NONE."""
    return next((emblem for emblem, plots in enumerate(city.emblems) if plots >> plot & 1), NONE)


def quarters(city: FlandernCity) -> Iterator[Quarter]:
    """Return all quarters and sites, by emblem."""
    for emblem, plots in enumerate(city.emblems):
        for plot in members(plots & ~city.bar):
            kind, printed = NONE, CONTENT.emblems[emblem].centre_leaders
            if plot != CENTRE:
                printed = city.printed_leaders >> plot & 1
                kind = SHAPE_OF[plot] + WITH_LEADER * printed
                if plot in city.special:
                    kind = FIRST_SPECIAL + city.special.index(plot)
            yield Quarter(
                emblem=emblem,
                plot=plot,
                kind=kind,
                site=bool(city.sites >> plot & 1),
                cathedral=bool(city.cathedrals >> plot & 1),
                printed_leaders=printed,
                placed_leaders=city.placed_leaders.count(plot),
                bar=members(city.bar)[0] if kind == D_TILE else NONE,
            )


# Building


def supported_plots(city: FlandernCity) -> int:
    """Return the free plots whose long side touches a quarter (rules: building)."""
    return city.free & _supported_by_any(tuple(city.emblems))


@lru_cache(_CACHE_SIZE)
def _supported_by_any(emblems: tuple[int, ...]) -> int:
    return supported_by(union(emblems))


def plots_for(city: FlandernCity, emblem: int, stock: Sequence[int], on: int) -> int:
    """Return the plots of `on` where a quarter of an emblem may be built from a stock, which counts
    kinds of quarter. Quarters of one emblem are never adjacent (ruling 17)."""
    room = on & ~touched_by(city.emblems[emblem])
    plots = room and room & _in_stock(tuple(stock))
    if room and stock[D_TILE]:
        for plot in members(room & ~plots & OF_SHAPE[P]):
            if bars_for(city, plot):
                plots |= 1 << plot
    return plots


@lru_cache(_CACHE_SIZE)
def _in_stock(stock: tuple[int, ...]) -> int:
    """Return the plots whose shape is in stock. D counts separately."""
    return union(
        OF_SHAPE[SHAPE_OF_TILE[tile]]
        for tile, count in enumerate(stock)
        if count and tile != D_TILE
    )


@cache
def emblems_for(guild: int) -> tuple[int, ...]:
    """Return the emblems whose quarters a card builds and completes: the guild's, if any, the grey
    guild's and the church's."""
    return (GREY, CHURCH) if guild == NONE else (guild, GREY, CHURCH)


def city_plots(stock: Sequence[Sequence[int]], city: FlandernCity, guild: int) -> int:
    """Return the plots where any of these emblems can build from a stock by emblem and kind."""
    on = left = supported_plots(city)
    for emblem in emblems_for(guild):
        if left:
            left &= ~plots_for(city, emblem, stock[emblem], left)
    return on & ~left


def sites_of(city: FlandernCity, guild: int) -> int:
    """Return the sites of these emblems."""
    return city.sites and city.sites & union(city.emblems[each] for each in emblems_for(guild))


def bars_for(city: FlandernCity, plot: int) -> int:
    """Return the bars that D can cover if it is built on a trapezoid (rulings 36 and 48)."""
    return BARS[plot] & city.free & ~touched_by(city.emblems[CHURCH])


def build(
    city: FlandernCity, emblem: int, tile: int, plot: int, *, site: bool, bar: int = NONE
) -> None:
    """Build a quarter on a plot; D covers a `bar` as well. Plots that it adds are available at once
    (ruling 37)."""
    bit = 1 << plot
    city.free &= ~bit
    city.emblems[emblem] |= bit
    if site:
        city.sites |= bit
    if tile >= FIRST_SPECIAL:
        special = tile - FIRST_SPECIAL
        city.special[special] = plot
        city.free |= added_by(special, plot)
    elif tile >= WITH_LEADER:
        city.printed_leaders |= bit
    if bar != NONE:
        city.bar = 1 << bar
        city.free &= ~city.bar
        city.emblems[CHURCH] |= city.bar


def future_plots(city: FlandernCity, stock: Sequence[Sequence[int]]) -> list[int]:
    """Return, by emblem, the free plots where one of its quarters could still be built, now or
    later (ruling 20). `stock` counts quarters by emblem and kind. A plot in none of them is dead.
    """
    occupied, alive = built(city), city.free
    while True:
        found = [plots_for(city, emblem, stock[emblem], alive) for emblem in range(EMBLEMS)]
        if stock[CHURCH][D_TILE]:
            # D covers a bar, so that bar can still be built on too.
            found[CHURCH] |= union(bars_for(city, p) for p in members(found[CHURCH] & OF_SHAPE[P]))
        left = union(found) & supported_by(occupied | alive)
        if left == alive:
            return found
        alive = left


def dead_plots(city: FlandernCity, stock: Sequence[Sequence[int]]) -> int:
    """Return the free plots where nothing can ever be built."""
    return city.free & ~union(future_plots(city, stock))


# Scoring


def completed(city: FlandernCity, emblem: int) -> int:
    """Return the plots of an emblem's completed quarters; D counts once."""
    return city.emblems[emblem] & ~city.sites & ~city.bar


def value(city: FlandernCity) -> int:
    """Return the value of the completed quarters of a city (rules: scoring)."""
    churches = completed(city, CHURCH)
    cathedrals = churches & city.cathedrals
    points = CONTENT.cathedral_value * cathedrals.bit_count()
    points += CONTENT.church_value * (churches & ~cathedrals).bit_count()
    guilds = sum(completed(city, guild).bit_count() for guild in range(GUILDS))
    return points + CONTENT.quarter_value * guilds


def count_leaders(city: FlandernCity, guild: int) -> int:
    """Return the number of leaders on a guild's completed quarters, printed and wooden."""
    quarters = completed(city, guild)
    count = (city.printed_leaders & quarters).bit_count()
    if guild == city.home:
        count += CONTENT.emblems[guild].centre_leaders
    for plot in city.placed_leaders:
        count += quarters >> plot & 1
    return count


def standings(city: FlandernCity) -> list[Standing]:
    """Return the guilds with completed quarters by rank, with the points they would score (rules:
    scoring)."""
    ranks = sorted(
        (-quarters, -count_leaders(city, guild), guild)
        for guild in range(GUILDS)
        if (quarters := completed(city, guild).bit_count())
    )
    counts = [rank[:2] for rank in ranks]
    scores, found = scores_of(value(city)), []
    for quarters, count, guild in ranks:
        place = bisect_right(counts, (quarters, count))
        found.append(Standing(guild, -quarters, -count, place, scores[place - 1]))
    return found


def scores_of(city_value: int) -> tuple[int, ...]:
    """Return the points of each place in a city of this value (rulings 27 and 54)."""
    return (city_value, (city_value + 1) // 2, *CONTENT.lower_places)
