"""The sides in every game's pictures, in most games the seats: colour, letter and shape of each.

Whatever a colour shows, a shape and a letter show too.
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
    """The outline of a side's emblem: its second sign beside the colour."""

    ROUND = "round"
    SQUARE = "square"
    DIAMOND = "diamond"
    SHIELD = "shield"


class Look(Strict, frozen=True):
    """How a kind of piece looks: its colour, and that of what is written on it."""

    fill: Colour
    writing: Colour


class SideLook(Look, frozen=True):
    """How a side's pieces look: those of a seat, in most games."""

    letter: str
    dark: Colour
    shape: Shape


def load(path: Traversable = DATA) -> tuple[SideLook, ...]:
    """The looks of a data file. Raises msgspec.ValidationError or ValueError if it is invalid."""
    sides = read(path, dict[str, tuple[SideLook, ...]])["sides"]
    letters = "".join(look.letter for look in sides)
    if letters != LETTERS:
        raise ValueError(f"{path}: the sides' letters are {letters}, in words they are {LETTERS}")
    return sides


SIDE_LOOKS = load()
"""By the look of a side: its number. Where each seat is one side, it has its own number's."""
TONES = colours()
"""Of what stands beside the emblems."""


def rgb(colour: Colour) -> int:
    """A colour as one number, as Discord wants it: ``#c4372c`` is 0xC4372C."""
    return int(colour.removeprefix("#"), 16)


def seat_names(names: Sequence[str], player: str, looks: Looks) -> tuple[str, ...]:
    """A name for every seat that can be drawn; what the font lacks is left out.

    `player` is the word for one whose name cannot be drawn at all; the letters of the seat's
    `looks` tell such players apart.
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
    # A shield is broadest near its top, so its letter stands a little higher.
    middle = size * (0.46 if look.shape is Shape.SHIELD else 0.5)
    pen.text((size / 2, middle), look.letter, writing, round(size * letter), Face.TEXT)


@square
def emblem(pen: Pen, side: int, size: int) -> None:
    """The sign of a side by its look, which is a seat's number where each seat is one side: its
    shape, colour and letter.
    """
    look = SIDE_LOOKS[side]
    _paint_emblem(pen, look, look.fill, look.writing, size / 22, 0.66)


@square
def light_emblem(pen: Pen, side: int, edge: float, _size: int) -> None:
    """The same light, for ground in the side's own colour, with an edge so wide."""
    _paint_emblem(pen, SIDE_LOOKS[side], TONES.cream, TONES.ink, edge, 0.7)


def stamp_emblems(canvas: Canvas, looks: Sequence[int], x: int, middle: int, size: int) -> int:
    """The signs of all sides of a seat in a row from x; returns where they end."""
    for place, look in enumerate(looks):
        canvas.stamp(emblem(look, size), x + place * (size + _APART), middle - size // 2)
    return x + len(looks) * (size + _APART) - _APART


@square
def crown(pen: Pen, size: int) -> None:
    """The sign of a winner."""
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
