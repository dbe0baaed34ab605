"""Parsing the words of Kogge's notation: pieces, goods, numbers, and partners of deals.

A word of pieces has its goods first, then its markers: ``oof53``, or ``oof??`` face down.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bot.game.contract import Seat
from bot.game.kogge.data import (
    GOOD_KEYS,
    GOOD_LETTERS,
    GUEST,
    MARKER_BACK,
    MARKER_LETTERS,
    OFFICE,
)

GOOD_OF_LETTER = {letter: index for index, letter in enumerate(GOOD_LETTERS)}
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
