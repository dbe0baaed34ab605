"""Sides in the pictures of all games: in most games the seats.

Each side has a colour, a shape and a letter, so colours are never the only distinction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

from bot.game.content import Strict, read
from bot.game.sides import LETTERS, Looks, letters_of
from bot.render.fonts import Face, printable
from bot.render.palettes import colours
from bot.render.sprites import Canvas, Pen, Point, sized, square
from bot.render.theme import Colour
from bot.resources import Traversable, data

DATA = data("sides.toml")
_APART = 4
"""Pixels between the emblems of one seat."""


class Shape(StrEnum):
    """The outline of a side's emblem."""

    ROUND = "round"
    SQUARE = "square"
    DIAMOND = "diamond"
    SHIELD = "shield"


class Look(Strict, frozen=True):
    """The colour of a kind of piece, and of writing on it."""

    fill: Colour
    writing: Colour


class SideLook(Look, frozen=True):
    """The look of a side's pieces and emblem."""

    letter: str
    dark: Colour
    shape: Shape


def load(path: Traversable = DATA) -> tuple[SideLook, ...]:
    """Read a data file. Raise msgspec.ValidationError or ValueError if it is invalid."""
    sides = read(path, dict[str, tuple[SideLook, ...]])["sides"]
    letters = "".join(look.letter for look in sides)
    if letters != LETTERS:
        raise ValueError(f"{path}: the sides' letters are {letters}, but texts use {LETTERS}")
    return sides


SIDE_LOOKS = load()
"""By the number of a look. If each seat is one side, it is the seat's number."""
TONES = colours()
"""The colours that all pictures share."""


def rgb(colour: Colour) -> int:
    """Return a colour as a number for Discord: ``#c4372c`` is 0xC4372C."""
    return int(colour.removeprefix("#"), 16)


def seat_names(names: Sequence[str], player: str, looks: Looks) -> tuple[str, ...]:
    """Return a printable name for every seat, without characters that the fonts lack.

    A player with nothing printable is called `player` and the letters of the seat's `looks`.
    """
    drawn = []
    for seat, own in enumerate(looks):
        name = printable(names[seat], Face.TEXT) if seat < len(names) else ""
        drawn.append(name or f"{player} {letters_of(own)}".rstrip())
    return tuple(drawn)


def _paint_emblem(
    pen: Pen, look: SideLook, fill: Colour, writing: Colour, edge: float, letter: float
) -> None:
    size = pen.width
    pen.polygon(sized(SHAPES[look.shape], size), fill, TONES.ink, edge)
    # A shield is widest near its top, so its letter is a little higher.
    middle = size * (0.46 if look.shape is Shape.SHIELD else 0.5)
    pen.text((size / 2, middle), look.letter, writing, round(size * letter), Face.TEXT)


@square
def emblem(pen: Pen, side: int, size: int) -> None:
    """Draw the emblem of a side, by the number of its look: shape, colour and letter."""
    look = SIDE_LOOKS[side]
    _paint_emblem(pen, look, look.fill, look.writing, size / 22, 0.66)


@square
def light_emblem(pen: Pen, side: int, edge: float, _size: int) -> None:
    """Draw a light emblem, for a background in the side's colour, with an edge of this width."""
    _paint_emblem(pen, SIDE_LOOKS[side], TONES.cream, TONES.ink, edge, 0.7)


def stamp_emblems(canvas: Canvas, looks: Sequence[int], x: int, middle: int, size: int) -> int:
    """Draw the emblems of a seat's sides in a row from x. Return the x where they end."""
    for place, look in enumerate(looks):
        canvas.stamp(emblem(look, size), x + place * (size + _APART), middle - size // 2)
    return x + len(looks) * (size + _APART) - _APART


@square
def crown(pen: Pen, size: int) -> None:
    """Draw the sign of a winner."""
    outline = (
        (0.06, 0.3),
        (0.3, 0.52),
        (0.5, 0.14),
        (0.7, 0.52),
        (0.94, 0.3),
        (0.84, 0.86),
        (0.16, 0.86),
    )
    pen.polygon(sized(outline, size), TONES.gold, TONES.ink, 2)


def _round(count: int = 40) -> tuple[Point, ...]:
    turns = (2 * math.pi * step / count for step in range(count))
    return tuple((0.5 + 0.46 * math.cos(turn), 0.5 + 0.46 * math.sin(turn)) for turn in turns)


SHAPES: dict[Shape, tuple[Point, ...]] = {
    Shape.ROUND: _round(),
    Shape.SQUARE: ((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)),
    Shape.DIAMOND: ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)),
    Shape.SHIELD: (
        (0.08, 0.06),
        (0.92, 0.06),
        (0.92, 0.5),
        (0.82, 0.74),
        (0.5, 0.97),
        (0.18, 0.74),
        (0.08, 0.5),
    ),
}
"""Outlines in a unit square."""
