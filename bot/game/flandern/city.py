"""A city: what is built on its plots, where more may be built, and what it is worth (6 and 7).

A city lies open to all, so views hold a copy of it, and whoever thinks ahead can build on that.
Sets of plots are bit masks, see plan.py; emblems and kinds of quarter are numbers, see data.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from bot.game.flandern.data import CHURCH, CONTENT, EMBLEMS, FIRST_SPECIAL, GUILDS, WITH_LEADER
from bot.game.flandern.plan import (
    BARS,
    CENTRE,
    OF_SHAPE,
    PRINTED,
    SPECIAL,
    D,
    P,
    R,
    T,
    made_by,
    members,
    supported_by,
    touched_by,
)

NONE = -1
"""No plot, no card, no seat."""


class FlandernCity(msgspec.Struct):
    """`emblems` has by emblem the plots of its quarters, sites among them; the bar that D covers is
    one of the church's plots, and `bar` alone. `sites` are the quarters under construction,
    `printed` those that show a leader, without the centre. `leaders` are the plots of leaders put
    there, `special` the plots of A to D or NONE."""

    home: int
    """The emblem of the centre."""
    free: int = PRINTED
    covered: int = 0
    emblems: list[int] = msgspec.field(default_factory=lambda: [0] * EMBLEMS)
    sites: int = 0
    bar: int = 0
    printed: int = 0
    cathedrals: int = 0
    leaders: list[int] = []
    special: list[int] = msgspec.field(default_factory=lambda: [NONE] * len(SPECIAL))
    scored: bool = False


class Standing(NamedTuple):
    """What a guild has of a city and would score for it: completed quarters, the leaders on them,
    its place from 1 (the lowest of those it shares), and the points."""

    emblem: int
    quarters: int
    leaders: int
    place: int
    points: int


def new_city(home: int) -> FlandernCity:
    """A city with its centre alone."""
    city = FlandernCity(home)
    city.emblems[home] = 1 << CENTRE
    return city


def copy_of(city: FlandernCity) -> FlandernCity:
    """The same city, to build on without changing this one."""
    copy = msgspec.structs.replace(city)
    copy.emblems, copy.leaders, copy.special = [*city.emblems], [*city.leaders], [*city.special]
    return copy


def built(city: FlandernCity) -> int:
    """All plots with a quarter."""
    bits = 0
    for plots in city.emblems:
        bits |= plots
    return bits


def emblem_at(city: FlandernCity, plot: int) -> int:
    """Whose quarter stands on a plot; NONE where there is none."""
    for emblem, plots in enumerate(city.emblems):
        if plots >> plot & 1:
            return emblem
    return NONE


# Building


def ground(city: FlandernCity) -> int:
    """The free plots whose long side lies against what is built (6.1 and 6.2)."""
    return city.free & supported_by(built(city))


def plots_for(city: FlandernCity, emblem: int, stock: Sequence[int], on: int) -> int:
    """Where, `on` this ground, a quarter of an emblem may be built out of a stock, which counts
    kinds of quarter: nowhere beside its own (6.3)."""
    room = on & ~touched_by(city.emblems[emblem])
    plots = room & _in_stock(stock)
    if stock[FIRST_SPECIAL + D]:
        for plot in members(room & ~plots & OF_SHAPE[P]):
            if bars_for(city, plot):
                plots |= 1 << plot
    return plots


def _in_stock(stock: Sequence[int]) -> int:
    """The plots of the shapes of which there is a quarter; D counts apart."""
    t, p, r, t_leader, p_leader, r_leader, a, b, c, _ = stock
    plots = 0
    if t or t_leader:
        plots |= OF_SHAPE[T]
    if p or p_leader or a:
        plots |= OF_SHAPE[P]
    if r or r_leader or b or c:
        plots |= OF_SHAPE[R]
    return plots


def bars_for(city: FlandernCity, plot: int) -> int:
    """The bars that D can take in where it is built on a trapezoid (rulings 36 and 48)."""
    return BARS[plot] & city.free & ~touched_by(city.emblems[CHURCH])


def build(
    city: FlandernCity, emblem: int, tile: int, plot: int, *, site: bool, bar: int = NONE
) -> None:
    """Put a quarter on a plot; D on a `bar` as well. What it adds is there at once (ruling 37)."""
    bit = 1 << plot
    city.free &= ~bit
    city.emblems[emblem] |= bit
    if site:
        city.sites |= bit
    if tile >= FIRST_SPECIAL:
        special = tile - FIRST_SPECIAL
        city.special[special] = plot
        city.free |= made_by(special, plot)
    elif tile >= WITH_LEADER:
        city.printed |= bit
    if bar != NONE:
        city.bar = 1 << bar
        city.free &= ~city.bar
        city.emblems[CHURCH] |= city.bar


def hopes(city: FlandernCity, stock: Sequence[Sequence[int]]) -> list[int]:
    """By emblem, the free plots on which a quarter of it could come to stand now or later (ruling
    20); `stock` counts quarters by emblem and kind. A plot in none of them is dead."""
    standing, alive = built(city), city.free
    while True:
        found = [_hope(city, emblem, stock[emblem], alive) for emblem in range(EMBLEMS)]
        left = 0
        for plots in found:
            left |= plots
        left &= supported_by(standing | alive)
        if left == alive:
            return found
        alive = left


def _hope(city: FlandernCity, emblem: int, stock: Sequence[int], alive: int) -> int:
    room = alive & ~touched_by(city.emblems[emblem])
    plots = room & _in_stock(stock)
    if stock[FIRST_SPECIAL + D]:
        for plot in members(room & OF_SHAPE[P]):
            bars = BARS[plot] & room
            if bars:
                plots |= bars | 1 << plot
    return plots


def dead_plots(city: FlandernCity, stock: Sequence[Sequence[int]]) -> int:
    """The free plots on which nothing can ever be built."""
    alive = 0
    for plots in hopes(city, stock):
        alive |= plots
    return city.free & ~alive


# Scoring


def completed(city: FlandernCity, emblem: int) -> int:
    """The plots of an emblem's completed quarters; D is one."""
    return city.emblems[emblem] & ~city.sites & ~city.bar


def value(city: FlandernCity) -> int:
    """What the completed quarters of a city are worth (7.1)."""
    churches = completed(city, CHURCH)
    cathedrals = churches & city.cathedrals
    points = CONTENT.cathedral_value * cathedrals.bit_count()
    points += CONTENT.church_value * (churches & ~cathedrals).bit_count()
    guilds = sum(completed(city, guild).bit_count() for guild in range(GUILDS))
    return points + CONTENT.quarter_value * guilds


def leaders(city: FlandernCity, guild: int) -> int:
    """The leaders on a guild's completed quarters, printed ones and others."""
    quarters = completed(city, guild)
    count = (city.printed & quarters).bit_count()
    if guild == city.home:
        count += CONTENT.emblems[guild].centre_leaders
    for plot in city.leaders:
        count += quarters >> plot & 1
    return count


def standings(city: FlandernCity) -> list[Standing]:
    """The guilds with completed quarters by rank, and what they would score (7.2 to 7.4)."""
    ranks = []
    for guild in range(GUILDS):
        quarters = completed(city, guild).bit_count()
        if quarters:
            ranks.append((-quarters, -leaders(city, guild), guild))
    ranks.sort()
    worth, found = value(city), []
    for quarters, count, guild in ranks:
        place = sum(each[:2] <= (quarters, count) for each in ranks)
        found.append(Standing(guild, -quarters, -count, place, _points(worth, place)))
    return found


def _points(worth: int, place: int) -> int:
    """For a place from 1 (rulings 27 and 54)."""
    if place == 1:
        return worth
    if place == 2:
        return (worth + 1) // 2
    return CONTENT.lower_places[place - 3]
