"""Seats in their order, and sides: what owns pieces and has a colour.

Usually each seat is one side; some play for several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bot.game.contract import Seat

LETTERS = "ABCD"
"""By look: the letter that accompanies its colour everywhere, in pictures and in words."""


class Side(NamedTuple):
    """One side. `owner` is the seat that plays for it, None where the observer does not know whose
    it is; `look` is the number of its colour, shape and letter, as data/sides.toml lists them.
    """

    owner: Seat | None
    look: int


Sides = Callable[[Any, int], tuple[Side, ...]]
"""A game's view and its number of seats -> its sides, as far as the view's observer may know."""

Looks = tuple[tuple[int, ...], ...]
"""By seat: the looks of its sides."""


def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in the order in which they sit, from the first one on."""
    return tuple([(first + step) % seats for step in range(seats)])


def one_each(_view: object, seats: int) -> tuple[Side, ...]:
    """The sides of most games: each seat is one, in its own colour."""
    return tuple(Side(seat, seat) for seat in range(seats))


def looks_of(sides: Sequence[Side], seats: int) -> Looks:
    """The looks of each seat's sides, in order; none for a seat that has revealed no side."""
    return tuple(tuple(side.look for side in sides if side.owner == seat) for seat in range(seats))


def own_looks(seats: int) -> Looks:
    """The same where each seat is one side."""
    return looks_of(one_each(None, seats), seats)


def letters_of(looks: Sequence[int]) -> str:
    """What tables of points call a seat with sides of these looks: ``A``, or ``A+C``."""
    return "+".join(LETTERS[look] for look in looks)
