"""The pieces and numbers of Kogge, read and checked from data/kogge/game.toml, and their words.

A word of pieces has its goods first, then its markers: ``oof53``, or ``oof??`` face down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul

from bot.game.content import Count, Strict, read
from bot.game.contract import Seat
from bot.resources import data


class GoodKind(Strict, frozen=True):
    """One of the four goods; `points` is its worth at the end."""

    key: str
    letter: str
    total: Count
    points: Count


class CityKind(Strict, frozen=True):
    """A city as printed: its name and the good it produces."""

    name: str
    good: str


class ChitKind(Strict, frozen=True):
    """One of the four kinds of bonus chit."""

    key: str
    copies: Count


class VictoryPoints(Strict, frozen=True):
    """Points at the end for what is not a good."""

    office: Count
    chit: Count
    raid: Count


class KoggeContent(Strict, frozen=True):
    """The whole data file."""

    development_points_to_win: Count
    laps_to_end: Count
    display_pairs: Count
    offices_per_city: Count
    guild_goods: Count
    supply_per_marker: Count
    bonus_price: Count
    raid_price: Count
    goods_per_city: Count
    start_goods: tuple[Count, Count, Count, Count]
    memory_start_goods: tuple[Count, Count, Count, Count]
    memory_start_goods_italian: tuple[Count, Count, Count, Count]
    victory_points: VictoryPoints
    markers: tuple[Count, ...]
    goods: tuple[GoodKind, ...]
    cities: tuple[CityKind, ...]
    chits: tuple[ChitKind, ...]

    def __post_init__(self) -> None:
        """Raises ValueError where the parts do not fit together."""
        if len(self.cities) != len(self.markers):
            raise ValueError(f"{len(self.cities)} cities, {len(self.markers)} markers")
        if {city.good for city in self.cities} - {good.key for good in self.goods}:
            raise ValueError("a city produces a good that is not listed")


CONTENT = read(data("kogge", "game.toml"), KoggeContent)
CITIES = len(CONTENT.cities)
GOODS = len(CONTENT.goods)
GOOD_KEYS = tuple(good.key for good in CONTENT.goods)
GOOD_LETTERS = "".join(good.letter for good in CONTENT.goods)
MARKER_LETTERS = "".join(str(number) for number in reversed(range(CITIES)))
"""Markers come highest first in a word, as people say a bid."""
PIECE_LETTERS = GOOD_LETTERS + MARKER_LETTERS
MARKER_BACK = "?"
"""Stands in a word for a route marker whose number is hidden."""
OFFICE, GUEST = "office", "guest"
"""The partner of a deal: ``office2`` is the office of seat 2 where the dealer's ship lies,
``guest2`` the ship of seat 2 where the dealer has an office; ``2`` is the ship of seat 2 beside the
dealer's."""
CHIT_KEYS = tuple(chit.key for chit in CONTENT.chits)
CITY_GOOD = tuple(GOOD_KEYS.index(city.good) for city in CONTENT.cities)
"""The index of the good that each city produces; also the colour of that city's markers."""
CITY_NAMES = tuple(city.name for city in CONTENT.cities)

GOOD_OF_LETTER = {letter: index for index, letter in enumerate(GOOD_LETTERS)}
LETTER_OF = dict(zip(GOOD_KEYS, GOOD_LETTERS, strict=True))
"""The letter of a good by its key."""
GOOD_OF_KEY = {key: index for index, key in enumerate(GOOD_KEYS)}
SHIP = ""
"""Beside `OFFICE` and `GUEST`, the third way to deal: between two ships."""


def number_of(word: str) -> int | None:
    """The number named by a word of one plain digit."""
    return int(word) if len(word) == 1 and word in "0123456789" else None


def split(word: str) -> tuple[str, str]:
    """The goods of a word of pieces, and its markers."""
    goods = word.rstrip(MARKER_LETTERS + MARKER_BACK)
    return goods, word[len(goods) :]


def cover(word: str) -> str:
    """The word with its markers face down."""
    goods, markers = split(word)
    return goods + MARKER_BACK * len(markers)


def goods_word(counts: Iterable[int]) -> str:
    """Counts of goods as a word."""
    return "".join(letter * count for letter, count in zip(GOOD_LETTERS, counts, strict=True))


def markers_word(counts: Sequence[int]) -> str:
    """Counts of markers by number as a word."""
    return "".join(map(mul, MARKER_LETTERS, reversed(counts)))


def goods_of(word: str) -> list[int]:
    """The counts of the goods in a word."""
    return [word.count(letter) for letter in GOOD_LETTERS]


@lru_cache(maxsize=64)
def split_partner(word: str) -> tuple[str, Seat | None]:
    """How the partner that a word names is dealt with (`SHIP`, `OFFICE` or `GUEST`), and its seat;
    None where it names no seat."""
    for way in (OFFICE, GUEST):
        if word.startswith(way):
            return way, number_of(word.removeprefix(way))
    return SHIP, number_of(word)
