"""Seats in order, and sides: the owners of pieces, each with its own colour.

In most games each seat is one side. In some, a seat plays several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bot.game.contract import Seat

LETTERS = "ABCD"
"""By look: the letter next to its colour, in pictures and in text."""


class Side(NamedTuple):
    """A side. `owner` is the seat that plays it, or None if the observer doesn't know.

    `look` is the number of its colour, shape and letter in data/sides.toml.
    """

    owner: Seat | None
    look: int


Sides = Callable[[Any, int], tuple[Side, ...]]
"""(view, number of seats) -> the sides, as far as the view's observer may know them."""

Looks = tuple[tuple[int, ...], ...]
"""By seat: the looks of its sides."""


def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats in seating order, starting with `first`."""
    return tuple([(first + step) % seats for step in range(seats)])


def one_each(_view: object, seats: int) -> tuple[Side, ...]:
    """Return one side for each seat, in its own colour."""
    return tuple(Side(seat, seat) for seat in range(seats))


def looks_of(sides: Sequence[Side], seats: int) -> Looks:
    """Return the looks of each seat's sides; none for a seat that has revealed no side."""
    return tuple(tuple(side.look for side in sides if side.owner == seat) for seat in range(seats))


def own_looks(seats: int) -> Looks:
    """Return the looks in a game with one side per seat."""
    return looks_of(one_each(None, seats), seats)


def letters_of(looks: Sequence[int]) -> str:
    """Return the letters of sides with these looks: ``A``, or ``A+C``."""
    return "+".join(LETTERS[look] for look in looks)
