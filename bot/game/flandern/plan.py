"""The plan of a city, the same for all six: its plots, their outlines, and which of them touch.

A plot is a number, and a word wherever people read it: ``c`` for the centre, otherwise the letter
of its shape and a number, clockwise: ``t1``, ``p4``, ``r2``. With the name of its city it is a
place of the board: ``gent-t1``. Sets of plots are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from bot.game.content import Count, Strict, read
from bot.resources import data

FOLDER = data("flandern")

Corner = tuple[float, float]
"""x to the east, y to the north, in the units of data/flandern/city.toml."""
Outline = tuple[Corner, ...]

_TURNS = 4
_CACHED = 4096


class Ring(Strict, frozen=True):
    """Four plots of one shape, described by the first of them."""

    shape: str
    first: Count
    on: tuple[str, ...]
    beside: tuple[str, ...]
    corners: Outline
    maker: str = ""


class SpecialTile(Strict, frozen=True):
    """A quarter of the church of another outline, on the first plot of its shape."""

    key: str
    shape: str
    corners: Outline


class CityFile(Strict, frozen=True):
    """The file city.toml."""

    cities: tuple[str, ...]
    centre: Outline
    rings: tuple[Ring, ...]
    special: tuple[SpecialTile, ...]


class Plot(msgspec.Struct, frozen=True):
    """A plot: its name and shape, its outline, the plots that its long side lies against (`on`),
    and all that it touches, as bit masks. One with a `maker` comes with that quarter."""

    name: str
    shape: str
    outline: Outline
    on: int
    beside: int
    maker: str


_FILE = read(FOLDER / "city.toml", CityFile)

CITIES = _FILE.cities
"""In the state a city is a number, its place in this list; wherever people read it, a key."""
CITY_OF_NAME = {key: city for city, key in enumerate(CITIES)}

SHAPES = ("t", "p", "r")
"""Triangle, trapezoid, bar."""
T, P, R = range(len(SHAPES))
CENTRE = 0


def mask(numbers: Iterable[int]) -> int:
    """A set of numbers as a bit mask."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


@lru_cache(_CACHED)
def members(bits: int) -> tuple[int, ...]:
    """The numbers of a bit mask, in order."""
    return tuple([number for number in range(bits.bit_length()) if bits >> number & 1])


def turned(outline: Outline, turns: int) -> Outline:
    """An outline by so many quarter turns clockwise about the middle of the city."""
    for _ in range(turns):
        outline = tuple((y, 4 - x) for x, y in outline)
    return outline


def _next(name: str, turns: int) -> str:
    """The plot that lies so many quarter turns clockwise from one of the same ring."""
    if name == "c":
        return name
    number = int(name[1:]) - 1
    ring, place = divmod(number, _TURNS)
    return f"{name[0]}{ring * _TURNS + (place + turns) % _TURNS + 1}"


def _plots() -> tuple[Plot, ...]:
    names = ["c"]
    names += [f"{ring.shape}{ring.first + turn}" for ring in _FILE.rings for turn in range(_TURNS)]
    number = {name: plot for plot, name in enumerate(names)}
    touching = [0] * len(names)
    supports = [0] * len(names)
    for ring in _FILE.rings:
        for turn in range(_TURNS):
            plot = number[f"{ring.shape}{ring.first + turn}"]
            supports[plot] = mask(number[_next(name, turn)] for name in ring.on)
            for name in ring.beside:
                other = number[_next(name, turn)]
                touching[plot] |= 1 << other
                touching[other] |= 1 << plot
    plots = [Plot("c", "", _FILE.centre, 0, touching[CENTRE], "")]
    for ring in _FILE.rings:
        for turn in range(_TURNS):
            plot = len(plots)
            outline = turned(ring.corners, turn)
            plots.append(
                Plot(names[plot], ring.shape, outline, supports[plot], touching[plot], ring.maker)
            )
    return tuple(plots)


PLOTS = _plots()
PLOT_NAMES = tuple(plot.name for plot in PLOTS)
PLOT_OF_NAME = {name: plot for plot, name in enumerate(PLOT_NAMES)}
ON = tuple(plot.on for plot in PLOTS)
BESIDE = tuple(plot.beside for plot in PLOTS)
OF_SHAPE = tuple(mask(n for n, plot in enumerate(PLOTS) if plot.shape == shape) for shape in SHAPES)
"""By shape, its plots."""
SHAPE_OF = tuple(SHAPES.index(plot.shape) if plot.shape else -1 for plot in PLOTS)
"""By plot, the number of its shape; the centre has none, -1."""
PRINTED = mask(n for n, plot in enumerate(PLOTS) if not plot.maker) & ~(1 << CENTRE)
"""The twelve plots that every city has from the start."""

SPECIAL = tuple(tile.key for tile in _FILE.special)
"""The keys of the special quarters: A, B, C, D."""
A, B, C, D = range(len(SPECIAL))
SPECIAL_SHAPE = tuple(SHAPES.index(tile.shape) for tile in _FILE.special)


def made_by(special: int, plot: int) -> int:
    """The plots that a special quarter adds when it is built on a plot."""
    key = SPECIAL[special]
    return mask(n for n, each in enumerate(PLOTS) if each.maker == key and each.on == 1 << plot)


BARS = tuple(beside & OF_SHAPE[R] & PRINTED for beside in BESIDE)
"""By trapezoid, the two printed bars beside it, of which D covers one."""


def special_outline(special: int, plot: int) -> Outline:
    """The outline of a special quarter on a plot; D's is that of its trapezoid, without the bar."""
    number = int(PLOTS[plot].name[1:]) - 1
    return turned(_FILE.special[special].corners, number % _TURNS)


PLACE_NAMES = tuple(tuple(f"{city}-{plot}" for plot in PLOT_NAMES) for city in CITIES)
"""By city and plot."""
PLACE_OF_NAME = {
    name: (city, plot) for city, names in enumerate(PLACE_NAMES) for plot, name in enumerate(names)
}


@lru_cache(_CACHED)
def touched_by(bits: int) -> int:
    """The plots that share an edge with any of these."""
    found = 0
    for plot in members(bits):
        found |= BESIDE[plot]
    return found


@lru_cache(_CACHED)
def supported_by(bits: int) -> int:
    """The plots whose long side lies against any of these."""
    return mask(plot for plot, on in enumerate(ON) if on & bits)
