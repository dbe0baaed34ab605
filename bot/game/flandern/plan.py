"""The plan of a city, the same for all six: its plots, their outlines, and which of them touch.

A plot is a number, and a word wherever people read it: ``c`` for the centre, otherwise the letter
of its shape and a number, clockwise: ``t1``, ``p4``, ``r2``. With the name of its city it is a
place of the board: ``gent-t1``. Sets of plots are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from bot.game.content import Strict, read
from bot.resources import data

FOLDER = data("flandern")

Corner = tuple[float, float]
"""x to the east, y to the north, in the units of data/flandern/city.toml."""
Outline = tuple[Corner, ...]

_CACHED = 4096


class Plot(Strict, frozen=True):
    """A plot: its name, the plots that its long side lies against (`on`), those that it is said to
    touch, and its outline. One with a `maker` comes with that quarter."""

    name: str
    on: tuple[str, ...]
    beside: tuple[str, ...]
    outline: Outline
    maker: str = ""

    @property
    def shape(self) -> str:
        """A key of `SHAPES`; "" for the centre."""
        return self.name[0].replace("c", "")


class SpecialTile(Strict, frozen=True):
    """A quarter of the church of another outline, on the first plot of its shape."""

    key: str
    shape: str
    outline: Outline


class CityFile(Strict, frozen=True):
    """The file city.toml; of each four plots the first."""

    cities: tuple[str, ...]
    centre: Outline
    plots: tuple[Plot, ...]
    special: tuple[SpecialTile, ...]


_FILE = read(FOLDER / "city.toml", CityFile)

CITIES = _FILE.cities
"""In the state a city is a number, its place in this list; wherever people read it, a key."""
CITY_OF_NAME = {key: city for city, key in enumerate(CITIES)}

SHAPES = ("t", "p", "r")
"""Triangle, trapezoid, bar."""
T, P, R = range(len(SHAPES))
CENTRE = 0


def union(sets: Iterable[int]) -> int:
    """All that is in any of some bit masks."""
    found = 0
    for bits in sets:
        found |= bits
    return found


def mask(numbers: Iterable[int]) -> int:
    """A set of numbers as a bit mask."""
    return union(1 << number for number in numbers)


@lru_cache(_CACHED)
def members(bits: int) -> tuple[int, ...]:
    """The numbers of a bit mask, in order."""
    return tuple([number for number in range(bits.bit_length()) if bits >> number & 1])


def turned(outline: Outline, turns: int) -> Outline:
    """An outline by so many quarter turns clockwise about the middle of the city."""
    for _ in range(turns):
        outline = tuple((y, 4 - x) for x, y in outline)
    return outline


def _turned(name: str, turns: int) -> str:
    """The plot that lies so many quarter turns clockwise from this one."""
    if name == "c":
        return name
    ring, place = divmod(int(name[1:]) - 1, 4)
    return f"{name[0]}{4 * ring + (place + turns) % 4 + 1}"


def _plots() -> Iterator[Plot]:
    yield Plot("c", (), (), _FILE.centre)
    for first in _FILE.plots:
        for turn in range(4):
            on = tuple(_turned(name, turn) for name in first.on)
            beside = tuple(_turned(name, turn) for name in first.beside)
            name, outline = _turned(first.name, turn), turned(first.outline, turn)
            yield Plot(name, on, beside, outline, first.maker)


PLOTS = tuple(_plots())
PLOT_NAMES = tuple(plot.name for plot in PLOTS)
PLOT_OF_NAME = {name: plot for plot, name in enumerate(PLOT_NAMES)}
ON = tuple(mask(PLOT_OF_NAME[name] for name in plot.on) for plot in PLOTS)
BESIDE = tuple(
    mask(
        n for n, other in enumerate(PLOTS) if plot.name in other.beside or other.name in plot.beside
    )
    for plot in PLOTS
)
"""By plot, those that it touches: of two one at least says so."""
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


@lru_cache(_CACHED)
def made_by(special: int, plot: int) -> int:
    """The plots that a special quarter adds when it is built on a plot."""
    key, on = SPECIAL[special], 1 << plot
    return mask(n for n, each in enumerate(PLOTS) if each.maker == key and ON[n] == on)


BARS = tuple(beside & OF_SHAPE[R] & PRINTED for beside in BESIDE)
"""By trapezoid, the two printed bars beside it, of which D covers one."""


def special_outline(special: int, plot: int) -> Outline:
    """The outline of a special quarter on a plot; D's is that of its trapezoid, without the bar."""
    number = int(PLOTS[plot].name[1:]) - 1
    return turned(_FILE.special[special].outline, number % 4)


PLACE_NAMES = tuple(tuple(f"{city}-{plot}" for plot in PLOT_NAMES) for city in CITIES)
"""By city and plot."""
PLACE_OF_NAME = {
    name: (city, plot) for city, names in enumerate(PLACE_NAMES) for plot, name in enumerate(names)
}


def city_of(place: str) -> str:
    """The key of the city in which a place lies."""
    return place.partition("-")[0]


@lru_cache(_CACHED)
def touched_by(bits: int) -> int:
    """The plots that share an edge with any of these."""
    return union(BESIDE[plot] for plot in members(bits))


@lru_cache(_CACHED)
def supported_by(bits: int) -> int:
    """The plots whose long side lies against any of these."""
    return mask(plot for plot, on in enumerate(ON) if on & bits)
