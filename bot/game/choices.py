"""Domains of an action's next word: what may be chosen, in a form that suits every caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import mul
from random import Random

import msgspec

TRIES = 24
SHOWN = 12
"""The most words of a domain, or pieces of a stock, that printing it shows."""
MAX_FIGURES = 10
"""Characters of an amount."""


class Grouping(msgspec.Struct, frozen=True):
    """A way to divide the words of a large domain: by ``zone``, by ``row``, by ``city``.

    `of` tells the group of a word, which is a word as well; "" where it lies in none, such as
    ``pass`` among spaces. It may know no more than the seat that is asked.
    """

    param: str
    of: Callable[[str], str]


class _Words(msgspec.Struct, frozen=True):
    """`param` names what is chosen (``route``, ``seat`` ...)."""

    param: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.param}: {self})"


class OneOf(_Words, frozen=True):
    """One word out of a list.

    A word has at most 100 characters. Where there are more words than a person takes in at a
    glance, `groups` say how to divide them for display, the largest groups first; what is legal
    does not depend on them. With few words they are not shown.
    """

    values: tuple[str, ...]
    groups: tuple[Grouping, ...] = ()

    def __str__(self) -> str:
        """The words in short: ``0..8``, ``left or right``, ``nothing``."""
        if _are_a_run(self.values):
            return "..".join(sorted((self.values[0], self.values[-1]), key=int))
        if len(self.values) > SHOWN:
            return f"{', '.join(self.values[:SHOWN])} or others ({len(self.values)} in all)"
        *most, end = (word or "-" for word in self.values or ("nothing",))
        return f"{', '.join(most)} or {end}" if most else end

    def admits(self, word: str) -> bool:
        """Whether the word is in the domain."""
        return word in self.values

    def each(self) -> Iterator[str]:
        """Every word of the domain, in order."""
        return iter(self.values)

    def sample(self, rng: Random) -> str:
        """A random word of the domain. Raises IndexError where there is none."""
        return self.values[int(rng.random() * len(self.values))]

    def only(self) -> str | None:
        """The word, where there is no choice."""
        return self.values[0] if len(self.values) == 1 else None


class Bundle(_Words, frozen=True):
    """Some pieces out of a stock, as a word with one letter a piece in the alphabet's order.

    `alphabet` has a letter for each kind, `have` the stock of each. `minimum` and `maximum` bound
    the number taken. `fits`, if given, is a further test of the whole word.
    """

    alphabet: str
    have: tuple[int, ...]
    minimum: int
    maximum: int
    fits: Callable[[str], bool] | None = None

    def __str__(self) -> str:
        """Size and stock in short: ``1..2 of ffo``, ``0..3 of f*12 o*9``; `fits` is not told."""
        stock = self.stock()
        if len(stock) > SHOWN:
            kinds = zip(self.alphabet, self.have, strict=True)
            stock = " ".join(f"{letter}*{count}" for letter, count in kinds if count)
        size = (
            str(self.minimum) if self.minimum == self.maximum else f"{self.minimum}..{self.maximum}"
        )
        return f"{size} of {stock or 'nothing'}"

    def admits(self, word: str) -> bool:
        """Whether the word is in the domain: canonical, in stock, of an allowed size, and
        fitting."""
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
        """Whether the word consists of the alphabet's letters, in order."""
        places = [self.alphabet.find(letter) for letter in word]
        return -1 not in places and places == sorted(places)

    def stock(self) -> str:
        """All pieces there are to choose from, as a word."""
        return "".join(map(mul, self.alphabet, self.have))

    def sort(self, pieces: str) -> str:
        """The pieces in canonical order. Raises ValueError for a letter of no kind."""
        return "".join(sorted(pieces, key=self.alphabet.index))

    def each(self) -> Iterator[str]:
        """Every word of the domain; there may be very many."""
        counts, size = [0] * len(self.have), 0
        while True:
            if size >= self.minimum:
                word = "".join(
                    [letter * n for letter, n in zip(self.alphabet, counts, strict=True)]
                )
                if self.fits is None or self.fits(word):
                    yield word
            # One more of the last kind that has room, and none of those after it.
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
        """A random word of the domain. Raises IndexError where there is none."""
        stock = self.stock()
        most = min(self.maximum, len(stock))
        if most >= self.minimum:
            for _ in range(TRIES):
                size = self.minimum + int(rng.random() * (most - self.minimum + 1))
                if size > 1:
                    # The stock is in canonical order, and so is what is taken in that of places.
                    places = sorted(rng.sample(range(len(stock)), size))
                    word = "".join([stock[place] for place in places])
                else:
                    word = rng.choice(stock) if size else ""
                if self.fits is None or self.fits(word):
                    return word
        return rng.choice(list(self.each()))

    def only(self) -> str | None:
        """The only word, where it is evident that there is just one."""
        stock = self.stock()
        size = min(self.maximum, len(stock))
        if self.minimum != size or (0 < size < len(stock) and len(set(stock)) > 1):
            return None
        word = stock[:size]
        return word if self.fits is None or self.fits(word) else None


class Amount(_Words, frozen=True):
    """A whole number from `minimum` to `maximum`, as a word without a sign but a minus: ``12``."""

    minimum: int
    maximum: int

    def __str__(self) -> str:
        """The bounds: ``0..8``; ``nothing`` where they leave none."""
        if self.maximum <= self.minimum:
            return str(self.minimum) if self.maximum == self.minimum else "nothing"
        return f"{self.minimum}..{self.maximum}"

    @property
    def size(self) -> int:
        """How many numbers there are to choose from."""
        return max(self.maximum - self.minimum + 1, 0)

    def admits(self, word: str) -> bool:
        """Whether the word is a number within the bounds, and written as such."""
        if len(word) > MAX_FIGURES or not word.removeprefix("-").isdecimal():
            return False
        return str(int(word)) == word and self.minimum <= int(word) <= self.maximum

    def each(self) -> Iterator[str]:
        """Every number, from the least; there may be very many."""
        return map(str, range(self.minimum, self.maximum + 1))

    def sample(self, rng: Random) -> str:
        """A random number of the domain. Raises IndexError where there is none."""
        return str(range(self.minimum, self.maximum + 1)[int(rng.random() * self.size)])

    def only(self) -> str | None:
        """The number, where there is no choice."""
        return str(self.minimum) if self.minimum == self.maximum else None


class Done(msgspec.Struct, frozen=True):
    """The action is whole: nothing is left to choose."""

    def admits(self, word: str) -> bool:
        """Never: no word may follow."""
        return False


Domain = OneOf | Bundle | Amount
"""What a word may be."""

Choices = Domain | Done


def _are_a_run(values: tuple[str, ...]) -> bool:
    """Whether they are three or more consecutive numbers, rising or falling."""
    if len(values) < 3 or not (values[0].isdecimal() and values[-1].isdecimal()):
        return False
    first, last = int(values[0]), int(values[-1])
    step = 1 if first < last else -1
    return values == tuple(map(str, range(first, last + step, step)))
