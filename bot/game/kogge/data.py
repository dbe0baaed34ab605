"""The pieces and numbers of Kogge, from data/kogge/game.toml, and the notation for pieces.

A word of pieces has its goods first, then its markers: ``oof53``, or ``oof??`` if the markers are
face down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul

from bot.game.content import Count, Strict, read
from bot.game.contract import Seat
from bot.resources import data


class GoodKind(Strict, frozen=True):
    """One of the four goods; `points` are its victory points at the end."""

    key: str
    letter: str
    total: Count
    points: Count


class CityKind(Strict, frozen=True):
    """A city: its name and the good it produces."""

    name: str
    good: str


class ChitKind(Strict, frozen=True):
    """One of the four kinds of bonus chit."""

    key: str
    copies: Count


class VictoryPoints(Strict, frozen=True):
    """Victory points at the end, except for goods."""

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
        """Raise ValueError if the parts do not fit together."""
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
"""Highest first, the order of markers in a word."""
PIECE_LETTERS = GOOD_LETTERS + MARKER_LETTERS
MARKER_BACK = "?"
"""A route marker whose number is hidden."""
SHIP, OFFICE, GUEST = "", "office", "guest"
"""The partner of a deal. ``2``: the ship of seat 2, in the same city as the dealer's ship.
``office2``: the office of seat 2 in that city. ``guest2``: the ship of seat 2 in a city where the
dealer has an office."""
CHIT_KEYS = tuple(chit.key for chit in CONTENT.chits)
CITY_GOOD = tuple(GOOD_KEYS.index(city.good) for city in CONTENT.cities)
"""By city: the index of the good it produces, which is also the colour of the city's markers."""
CITY_NAMES = tuple(city.name for city in CONTENT.cities)

GOOD_OF_LETTER = {letter: index for index, letter in enumerate(GOOD_LETTERS)}
LETTER_OF = dict(zip(GOOD_KEYS, GOOD_LETTERS, strict=True))
"""By good key: its letter."""
GOOD_OF_KEY = {key: index for index, key in enumerate(GOOD_KEYS)}


def number_of(word: str) -> int | None:
    """Return the number if the word is one ASCII digit."""
    return int(word) if len(word) == 1 and word in "0123456789" else None


def split(word: str) -> tuple[str, str]:
    """Split a word of pieces into goods and markers."""
    goods = word.rstrip(MARKER_LETTERS + MARKER_BACK)
    return goods, word[len(goods) :]


def cover(word: str) -> str:
    """Return the word with its markers face down."""
    goods, markers = split(word)
    return goods + MARKER_BACK * len(markers)


def goods_word(counts: Iterable[int]) -> str:
    return "".join(letter * count for letter, count in zip(GOOD_LETTERS, counts, strict=True))


def markers_word(counts: Sequence[int]) -> str:
    """Return counts of markers by number as a word."""
    return "".join(map(mul, MARKER_LETTERS, reversed(counts)))


def goods_of(word: str) -> list[int]:
    """Return the counts of goods in a word."""
    return [word.count(letter) for letter in GOOD_LETTERS]


@lru_cache(maxsize=64)
def split_partner(word: str) -> tuple[str, Seat | None]:
    """Split a partner into `SHIP`, `OFFICE` or `GUEST`, and the seat; None if it has no seat."""
    for way in (OFFICE, GUEST):
        if word.startswith(way):
            return way, number_of(word.removeprefix(way))
    return SHIP, number_of(word)
