"""Positions of Flandern 1302 in plain words, and moves by their canonical lines.

A city is said by what stands on its plots: ``t1 red, p1 grey-leader site, r2 church cathedral, t2
covered``. After the quarter come, in any order, ``site``, ``cathedral`` and ``leader`` (as often as
there are leaders put on it). Quarters are built in the order in which they are said, so one that
makes plots comes before what stands on those. No quarter is lost: what stands nowhere is in stock.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.game.flandern.city import NONE, FlandernCity, build, new_city
from bot.game.flandern.data import (
    CHURCH,
    EMBLEM_KEYS,
    EMBLEM_OF_KEY,
    FIRST_SPECIAL,
    HOME,
    TILES,
    WITH_LEADER,
    stock_of,
)
from bot.game.flandern.plan import (
    CITIES,
    PLOT_NAMES,
    PLOT_OF_NAME,
    SHAPE_OF,
    SPECIAL,
    members,
)

HOME_OF = {emblem: CITIES[HOME[number]] for number, emblem in enumerate(EMBLEM_KEYS)}
EMBLEM_AT_HOME = {city: emblem for emblem, city in HOME_OF.items()}

FILLED = (
    "t1 red, t2 green, t3 red, t4 green, "
    "p1 yellow, p2 grey, p3 yellow, p4 grey, "
    "r1 red, r2 green, r3 red, r4 green"
)
"""A way to fill every city whose centre is neither red nor green."""


# Cities


def plots(names: str) -> int:
    """The bit mask of a list of plots: ``t1 p2``."""
    bits = 0
    for name in names.split():
        bits |= 1 << PLOT_OF_NAME[name]
    return bits


def named_plots(bits: int) -> str:
    """The plots of a bit mask, as a list in words."""
    return " ".join(PLOT_NAMES[plot] for plot in members(bits))


def tile_of(plot: str, word: str) -> tuple[int, int, int]:
    """The emblem, the kind and D's bar (or NONE) of a quarter on a plot: ``church-d-r1``."""
    emblem, *more = word.split("-")
    bar = PLOT_OF_NAME[more[1]] if len(more) == 2 else NONE
    tile = SHAPE_OF[PLOT_OF_NAME[plot]]
    if more[:1] == ["leader"]:
        tile += WITH_LEADER
    elif more:
        tile = FIRST_SPECIAL + SPECIAL.index(more[0])
    return EMBLEM_OF_KEY[emblem], tile, bar


def fill(city: FlandernCity, text: str) -> FlandernCity:
    """The same city, changed: what the text says stands on it."""
    for said in filter(None, (part.strip() for part in text.split(","))):
        name, word, *more = said.split()
        plot = PLOT_OF_NAME[name]
        if name == "c":
            assert word == EMBLEM_KEYS[city.home]
        elif word == "covered":
            city.free &= ~(1 << plot)
            city.covered |= 1 << plot
            continue
        else:
            assert city.free >> plot & 1, f"{name} is not free"
            emblem, tile, bar = tile_of(name, word)
            build(city, emblem, tile, plot, site="site" in more, bar=bar)
        if "cathedral" in more:
            city.cathedrals |= 1 << plot
        city.leaders += [plot] * more.count("leader")
        assert set(more) <= {"site", "cathedral", "leader"}, said
    return city


def city_of(home: str, text: str = "") -> FlandernCity:
    """A city by its name, or by the emblem of its centre."""
    emblem = EMBLEM_AT_HOME.get(home, home)
    return fill(new_city(EMBLEM_OF_KEY[emblem]), text)


def without(text: str, names: str) -> str:
    """The text without what it says of some plots."""
    gone = names.split()
    return ", ".join(said for said in text.split(", ") if said.split()[0] not in gone)


def kinds_on(city: FlandernCity) -> Iterable[tuple[int, int]]:
    """The quarters that stand in a city but its centre, each as its emblem and kind."""
    for emblem, standing in enumerate(city.emblems):
        for plot in members(standing & ~city.bar & ~1):
            tile = SHAPE_OF[plot]
            if emblem == CHURCH and plot in city.special:
                tile = FIRST_SPECIAL + city.special.index(plot)
            elif city.printed >> plot & 1:
                tile += WITH_LEADER
            yield emblem, tile


# Stock


def quarters(text: str) -> list[int]:
    """Counts of quarters by kind from a list such as ``t t p-leader a``."""
    assert set(text.split()) <= set(TILES)
    return [text.split().count(key) for key in TILES]


def stock(text: str = "") -> list[list[int]]:
    """A stock of a few quarters: ``red t t; church p d``."""
    counts = [[0] * len(TILES) for _ in EMBLEM_KEYS]
    for said in filter(None, (part.strip() for part in text.split(";"))):
        emblem, _, kinds = said.partition(" ")
        counts[EMBLEM_OF_KEY[emblem]] = quarters(kinds)
    return counts


def full_stock(but: str = "") -> list[list[int]]:
    """All quarters of the box, but those of some emblems."""
    gone = but.split()
    return [
        [0] * len(TILES) if key in gone else stock_of(emblem)
        for emblem, key in enumerate(EMBLEM_KEYS)
    ]
