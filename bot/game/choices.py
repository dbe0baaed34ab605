"""Domains: the legal values of an action's next word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import mul
from random import Random

import msgspec

MAX_TRIES = 24
"""Random words that `Bundle.sample` tests with `fits` before it lists all words."""
MAX_SHOWN = 12
"""Words of a domain, or pieces of a stock, in its repr."""
MAX_FIGURES = 10
"""Characters of an amount."""


class Grouping(msgspec.Struct, frozen=True):
    """A way to divide the words of a large domain: by ``zone``, by ``row``, by ``city``.

    `of(word)` returns the group of a word, itself a word, or "" for a word without a group, such
    as ``pass`` among spaces. It must not use anything hidden from the seat to act.
    """

    param: str
    of: Callable[[str], str]


class _Words(msgspec.Struct, frozen=True):
    """The base of all domains. `param` names the parameter: ``route``, ``seat`` ..."""

    param: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.param}: {self})"


class OneOf(_Words, frozen=True):
    """One word of a list. A word has at most 100 characters.

    `groups` divide a long list for display, the largest groups first. They do not affect which
    words are legal, and short lists are shown without them.
    """

    values: tuple[str, ...]
    groups: tuple[Grouping, ...] = ()

    def __str__(self) -> str:
        """Return a short form: ``0..8``, ``left or right``, ``nothing``."""
        if _is_range(self.values):
            return "..".join(sorted((self.values[0], self.values[-1]), key=int))
        if len(self.values) > MAX_SHOWN:
            return f"{', '.join(self.values[:MAX_SHOWN])} or others ({len(self.values)} in all)"
        *words, last = (word or "-" for word in self.values or ("nothing",))
        return f"{', '.join(words)} or {last}" if words else last

    def admits(self, word: str) -> bool:
        """Return whether the word is in the domain."""
        return word in self.values

    def each(self) -> Iterator[str]:
        """Return all words of the domain, in order."""
        return iter(self.values)

    def sample(self, rng: Random) -> str:
        """Return a random word of the domain. Raise IndexError if there is none."""
        return self.values[int(rng.random() * len(self.values))]

    def only(self) -> str | None:
        """Return the word if there is only one."""
        return self.values[0] if len(self.values) == 1 else None


class Bundle(_Words, frozen=True):
    """Pieces from a stock, as a word with one letter per piece in the order of the alphabet.

    `alphabet` has a letter for each kind, `have` the stock of each. `minimum` and `maximum` bound
    the number of pieces. `fits`, if given, is a further test of the whole word.
    """

    alphabet: str
    have: tuple[int, ...]
    minimum: int
    maximum: int
    fits: Callable[[str], bool] | None = None

    def __str__(self) -> str:
        """Return size and stock, without `fits`: ``1..2 of ffo``, ``0..3 of f*12 o*9``."""
        stock = self.stock()
        if len(stock) > MAX_SHOWN:
            kinds = zip(self.alphabet, self.have, strict=True)
            stock = " ".join(f"{letter}*{count}" for letter, count in kinds if count)
        size = (
            str(self.minimum) if self.minimum == self.maximum else f"{self.minimum}..{self.maximum}"
        )
        return f"{size} of {stock or 'nothing'}"

    def admits(self, word: str) -> bool:
        """Return whether the word is sorted, in stock, of an allowed size, and passes `fits`."""
        if not self.minimum <= len(word) <= self.maximum:
            return False
        last = run = 0
        for letter in word:
            kind = self.alphabet.find(letter)
            if kind < last:
                return False
            run = run + 1 if kind == last else 1
            if run > self.have[kind]:
                return False
            last = kind
        return self.fits is None or self.fits(word)

    def spells(self, word: str) -> bool:
        """Return whether the word consists of letters of the alphabet, in order."""
        kinds = [self.alphabet.find(letter) for letter in word]
        return -1 not in kinds and kinds == sorted(kinds)

    def stock(self) -> str:
        """Return the whole stock as a word."""
        return "".join(map(mul, self.alphabet, self.have))

    def sort(self, pieces: str) -> str:
        """Sort pieces by the alphabet. Raise ValueError for an unknown letter."""
        return "".join(sorted(pieces, key=self.alphabet.index))

    def each(self) -> Iterator[str]:
        """Yield all words of the domain; there may be very many."""
        counts, size = [0] * len(self.have), 0
        while True:
            if size >= self.minimum:
                word = "".join(
                    [letter * n for letter, n in zip(self.alphabet, counts, strict=True)]
                )
                if self.fits is None or self.fits(word):
                    yield word
            # Count up like an odometer: one more of the last kind with room, none of later kinds.
            kind = len(counts) - 1
            while kind >= 0 and (size == self.maximum or counts[kind] == self.have[kind]):
                size -= counts[kind]
                counts[kind] = 0
                kind -= 1
            if kind < 0:
                return
            counts[kind] += 1
            size += 1

    def sample(self, rng: Random) -> str:
        """Return a random word of the domain. Raise IndexError if there is none."""
        stock = self.stock()
        maximum = min(self.maximum, len(stock))
        if maximum >= self.minimum:
            for _ in range(MAX_TRIES):
                size = self.minimum + int(rng.random() * (maximum - self.minimum + 1))
                if size > 1:
                    # The stock is sorted, so pieces picked in its order are sorted too.
                    picked = sorted(rng.sample(range(len(stock)), size))
                    word = "".join([stock[index] for index in picked])
                else:
                    word = rng.choice(stock) if size else ""
                if self.fits is None or self.fits(word):
                    return word
        return rng.choice(list(self.each()))

    def only(self) -> str | None:
        """Return the word if the stock allows only one; `fits` is not tried."""
        stock = self.stock()
        size = min(self.maximum, len(stock))
        if self.minimum != size or (0 < size < len(stock) and len(set(stock)) > 1):
            return None
        word = stock[:size]
        return word if self.fits is None or self.fits(word) else None


class Amount(_Words, frozen=True):
    """A whole number from `minimum` to `maximum`, as a word: ``12``, ``-3``."""

    minimum: int
    maximum: int

    def __str__(self) -> str:
        """Return the bounds: ``0..8``, or ``nothing`` if no number is possible."""
        if self.maximum <= self.minimum:
            return str(self.minimum) if self.maximum == self.minimum else "nothing"
        return f"{self.minimum}..{self.maximum}"

    @property
    def size(self) -> int:
        """The count of possible numbers."""
        return max(self.maximum - self.minimum + 1, 0)

    def admits(self, word: str) -> bool:
        """Return whether the word is a number within the bounds, without "+" or leading zeros."""
        if len(word) > MAX_FIGURES or not word.removeprefix("-").isdecimal():
            return False
        return str(int(word)) == word and self.minimum <= int(word) <= self.maximum

    def each(self) -> Iterator[str]:
        """Return all numbers, the smallest first; there may be very many."""
        return map(str, range(self.minimum, self.maximum + 1))

    def sample(self, rng: Random) -> str:
        """Return a random number of the domain. Raise IndexError if there is none."""
        return str(range(self.minimum, self.maximum + 1)[int(rng.random() * self.size)])

    def only(self) -> str | None:
        """Return the number if there is only one."""
        return str(self.minimum) if self.minimum == self.maximum else None


class Done(msgspec.Struct, frozen=True):
    """The action is complete: no word can follow."""

    def admits(self, word: str) -> bool:
        """Return False."""
        return False


Domain = OneOf | Bundle | Amount
"""The legal values of a word."""

Choices = Domain | Done


def _is_range(values: tuple[str, ...]) -> bool:
    """Return whether the values are at least three consecutive numbers, in either direction."""
    if len(values) < 3 or not (values[0].isdecimal() and values[-1].isdecimal()):
        return False
    first, last = int(values[0]), int(values[-1])
    step = 1 if first < last else -1
    return values == tuple(map(str, range(first, last + step, step)))
