"""The plan of a city, the pieces, cards and numbers of Flandern 1302, read and validated once from
data/flandern.

All six cities have the same plan. A plot is a number internally and a word for people: ``c`` for
the centre, otherwise the letter of its shape and a number, clockwise: ``t1``, ``p4``, ``r2``. With
the name of its city it is a place of the board: ``gent-t1``. Sets of plots are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from bot.game import bits
from bot.game.bits import mask, union
from bot.game.content import Count, Strict, read
from bot.resources import data

FOLDER = data("flandern")

Corner = tuple[float, float]
"""x to the east, y to the north, in the units of data/flandern/city.toml."""
Outline = tuple[Corner, ...]

_CACHE_SIZE = 4096


class Plot(Strict, frozen=True):
    """A plot: its name, the plots that its long side touches (`on`), plots that it touches
    (`beside`; each pair is listed at one or both), and its outline. A plot with a `maker` is added
    by that quarter."""

    name: str
    on: tuple[str, ...]
    beside: tuple[str, ...]
    outline: Outline
    maker: str = ""

    @property
    def shape(self) -> str:
        """A key of `SHAPES`, or "" for the centre."""
        return self.name[0].replace("c", "")


class SpecialTile(Strict, frozen=True):
    """A quarter of the church with its own outline, drawn on the first plot of its shape."""

    key: str
    shape: str
    outline: Outline


class CityFile(Strict, frozen=True):
    """The file city.toml, with the first of each four rotated plots."""

    cities: tuple[str, ...]
    centre: Outline
    plots: tuple[Plot, ...]
    special: tuple[SpecialTile, ...]


_FILE = read(FOLDER / "city.toml", CityFile)

CITIES = _FILE.cities
"""The keys of the cities. The state stores the index."""
CITY_OF_NAME = {key: city for city, key in enumerate(CITIES)}

SHAPES = ("t", "p", "r")
"""Triangle, trapezoid, bar."""
T, P, R = range(len(SHAPES))
CENTRE = 0


@lru_cache(_CACHE_SIZE)
def members(plots: int) -> tuple[int, ...]:
    """Return `bits.members`, cached: the same sets of plots are listed many times."""
    return tuple(bits.members(plots))


def turned(outline: Outline, turns: int) -> Outline:
    """Return an outline after this many quarter turns clockwise around the middle of the city."""
    for _ in range(turns):
        outline = tuple((y, 4 - x) for x, y in outline)
    return outline


def _turned(name: str, turns: int) -> str:
    """Return the name of the plot this many quarter turns clockwise from this one."""
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
NEIGHBOURS = tuple(
    mask(
        n for n, other in enumerate(PLOTS) if plot.name in other.beside or other.name in plot.beside
    )
    for plot in PLOTS
)
"""By plot, the plots that it touches."""
OF_SHAPE = tuple(mask(n for n, plot in enumerate(PLOTS) if plot.shape == shape) for shape in SHAPES)
"""By shape, its plots."""
SHAPE_OF = tuple(SHAPES.index(plot.shape) if plot.shape else -1 for plot in PLOTS)
"""By plot, the index of its shape; -1 for the centre."""
PRINTED = mask(n for n, plot in enumerate(PLOTS) if not plot.maker) & ~(1 << CENTRE)
"""The twelve plots that every city has from the start."""

SPECIAL = tuple(tile.key for tile in _FILE.special)
"""The keys of the special quarters: A, B, C, D."""
A, B, C, D = range(len(SPECIAL))
SPECIAL_SHAPE = tuple(SHAPES.index(tile.shape) for tile in _FILE.special)


@lru_cache(_CACHE_SIZE)
def added_by(special: int, plot: int) -> int:
    """Return the plots that a special quarter adds when it is built on a plot."""
    key, on = SPECIAL[special], 1 << plot
    return mask(n for n, each in enumerate(PLOTS) if each.maker == key and ON[n] == on)


BARS = tuple(adjacent & OF_SHAPE[R] & PRINTED for adjacent in NEIGHBOURS)
"""By trapezoid, the two adjacent printed bars, of which D covers one."""


def special_outline(special: int, plot: int) -> Outline:
    """Return the outline of a special quarter on a plot. D's is that of its trapezoid, without the
    bar."""
    number = int(PLOTS[plot].name[1:]) - 1
    return turned(_FILE.special[special].outline, number % 4)


PLACE_NAMES = tuple(tuple(f"{city}-{plot}" for plot in PLOT_NAMES) for city in CITIES)
"""By city and plot."""
PLACE_OF_NAME = {
    name: (city, plot) for city, names in enumerate(PLACE_NAMES) for plot, name in enumerate(names)
}


def city_of(place: str) -> str:
    """Return the key of a place's city."""
    return place.partition("-")[0]


@lru_cache(_CACHE_SIZE)
def touched_by(plots: int) -> int:
    """Return the plots that share an edge with any of these."""
    return union(NEIGHBOURS[plot] for plot in members(plots))


@lru_cache(_CACHE_SIZE)
def supported_by(plots: int) -> int:
    """Return the plots whose long side touches any of these."""
    return mask(plot for plot, on in enumerate(ON) if on & plots)


# Pieces and cards


class Emblem(Strict, frozen=True):
    """A guild, the grey guild or the church: its home city, its quarters of each shape, how many of
    these show a leader, and the leaders on its centre."""

    key: str
    city: str
    quarters: Count
    with_leader: Count
    centre_leaders: Count


class GoldenDecks(Strict, frozen=True):
    """The golden cards of both decks by kind. `cities` is how often each city is among them."""

    cities: Count
    a: Mapping[str, Count]
    b: Mapping[str, Count]


class FlandernContent(Strict, frozen=True):
    """The file game.toml."""

    site_pieces: Count
    cathedrals: Count
    leaders: Count
    covers: Count
    influence: Count
    bonus: Count
    turns_without_building: Count
    quarter_value: Count
    church_value: Count
    cathedral_value: Count
    lower_places: tuple[Count, ...]
    emblems: tuple[Emblem, ...]
    golden: tuple[GoldenDecks, ...]


CONTENT = read(FOLDER / "game.toml", FlandernContent)

EMBLEM_KEYS = tuple(emblem.key for emblem in CONTENT.emblems)
"""The keys of the emblems. The state stores the index."""
EMBLEM_OF_KEY = {key: emblem for emblem, key in enumerate(EMBLEM_KEYS)}
EMBLEMS = len(EMBLEM_KEYS)
PLAYER_GUILDS = 4
"""The number of player guilds, which come first in `EMBLEM_KEYS`."""
GREY, CHURCH = EMBLEM_OF_KEY["grey"], EMBLEM_OF_KEY["church"]
GUILDS = EMBLEMS - 1
"""The number of guilds, which score: all emblems except the church."""
HOME = tuple(CITY_OF_NAME[emblem.city] for emblem in CONTENT.emblems)
"""By emblem, the city of its centre."""
EMBLEM_OF_CITY = {city: emblem for emblem, city in enumerate(HOME)}

ACTION_CARDS = (*CITIES, "site", "take")
"""The silver cards that players play for an action."""
CARDS = (*ACTION_CARDS, "influence", "cathedral", "leader")
"""All kinds of card, cities first. The state stores the index."""
CARD_OF_KEY = {key: card for card, key in enumerate(CARDS)}
SITE, TAKE, INFLUENCE, CATHEDRAL, LEADER = range(len(CITIES), len(CARDS))
DECK_CARDS = SITE + 1
"""The number of kinds of card in the two-player deck for each guild: cities and the site."""

GOLDEN = {
    decks.cities: tuple(tuple(deck.get(key, 0) for key in CARDS) for deck in (decks.a, decks.b))
    for decks in CONTENT.golden
}
"""Decks A and B as counts by card, by how often each city is in them."""

_GOLDEN_INFLUENCE = max(sum(deck[INFLUENCE] for deck in decks) for decks in GOLDEN.values())
INFLUENCE_COUNTS = tuple(map(str, range(CONTENT.influence + _GOLDEN_INFLUENCE + 1)))
"""All numbers of influence cards that a hand can ever contain, as words."""

TILES = (*SHAPES, *(f"{shape}-leader" for shape in SHAPES), *SPECIAL)
"""The kinds of quarter: each shape, each shape with a leader, and the church's special quarters.
The state stores the index."""
WITH_LEADER = len(SHAPES)
"""The offset from a shape to the quarter of that shape with a leader."""
FIRST_SPECIAL = 2 * WITH_LEADER
D_TILE = FIRST_SPECIAL + D
SHAPE_OF_TILE = (*range(WITH_LEADER), *range(WITH_LEADER), *SPECIAL_SHAPE)
TILES_OF_SHAPE = [
    [tile for tile, of in enumerate(SHAPE_OF_TILE) if of == shape] for shape in range(len(SHAPES))
]


def stock_of(emblem: int) -> list[int]:
    """Return the number of quarters of an emblem, by kind."""
    content = CONTENT.emblems[emblem]
    plain = [content.quarters - content.with_leader] * WITH_LEADER
    special = [int(emblem == CHURCH)] * len(SPECIAL)
    return [*plain, *[content.with_leader] * WITH_LEADER, *special]


def _check() -> None:
    homes = {emblem.city for emblem in CONTENT.emblems}
    if homes != set(CITIES):
        raise ValueError(f"the centres of the emblems are {sorted(homes)}, not {sorted(CITIES)}")
    for decks in CONTENT.golden:
        for deck in (decks.a, decks.b):
            if unknown := set(deck) - set(CARDS):
                raise ValueError(f"there are no golden cards {sorted(unknown)}")
    sizes = {sum(map(sum, decks)) for decks in GOLDEN.values()}
    if len(sizes) != 1:
        raise ValueError(f"golden decks have {sorted(sizes)} cards")


_check()
