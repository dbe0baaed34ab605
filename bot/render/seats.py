"""The players in every game's pictures: colour, letter and shape of each seat, and its signs.

Whatever a colour shows, a shape and a letter show too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec.structs import astuple

from bot.game.sides import LETTERS, Looks, letters_of, own_looks
from bot.render.fonts import Face, fit, printable, width
from bot.render.layout import Area, Spot, Strict, read
from bot.render.sprites import Canvas, Pen, Point, Sprite, paint, painted, sized, square
from bot.render.theme import Colour
from bot.resources import Traversable, data

DATA = data("seats.toml")
COUNT = 4
"""Seats of the largest table."""

_CACHED = 128

_APART = 4
"""Pixels between the emblems of one seat."""

_REACH = 6
"""Pixels that a spotlight reaches out beyond a panel."""

_STRIP = 18
"""Width of its strips, round corners included."""


class Shape(StrEnum):
    """The outline of a seat's emblem: its second sign beside the colour."""

    ROUND = "round"
    SQUARE = "square"
    DIAMOND = "diamond"
    SHIELD = "shield"


class Tones(Strict, frozen=True):
    """The colours of what stands beside the emblems."""

    ink: Colour
    paper: Colour
    cream: Colour
    gold: Colour


class SeatLook(Strict, frozen=True):
    """How a side's pieces look: those of a seat, in most games."""

    letter: str
    fill: Colour
    dark: Colour
    writing: Colour
    shape: Shape


class _File(Strict, frozen=True):
    colours: Tones
    seats: tuple[SeatLook, ...]


def load(path: Traversable = DATA) -> _File:
    """The looks of a data file. Raises msgspec.ValidationError or ValueError if it is invalid."""
    file = read(path, _File)
    if len(file.seats) != COUNT:
        raise ValueError(f"{path}: {len(file.seats)} seats are described, there are {COUNT}")
    letters = "".join(look.letter for look in file.seats)
    if letters != LETTERS:
        raise ValueError(f"{path}: the seats' letters are {letters}, in words they are {LETTERS}")
    return file


_LOOKS = load()
SEATS = _LOOKS.seats
"""By the look of a side: its number. Where each seat is one side, it has its own number's."""
TONES = _LOOKS.colours
COLOURS = frozenset(
    {*astuple(TONES), *(c for look in SEATS for c in (look.fill, look.dark, look.writing))}
)
"""All that data/seats.toml names."""


def seat_names(
    names: Sequence[str], seats: int, player: str, looks: Looks | None = None
) -> tuple[str, ...]:
    """A name for every seat that can be drawn; what the font lacks is left out.

    `player` is the word for one whose name cannot be drawn at all; the letters of the seat's
    `looks` tell such players apart.
    """
    letters = [letters_of(each) for each in looks or own_looks(seats)]
    drawn = []
    for seat in range(seats):
        name = printable(names[seat], Face.TEXT) if seat < len(names) else ""
        drawn.append(name or f"{player} {letters[seat]}".rstrip())
    return tuple(drawn)


@square
def emblem(pen: Pen, side: int, size: int) -> None:
    """The sign of a side by its look, which is a seat's number where each seat is one side: its
    shape, colour and letter.
    """
    look = SEATS[side]
    pen.polygon(sized(SHAPES[look.shape], size), look.fill, TONES.ink, size / 22)
    # A shield is broadest near its top, so its letter stands a little higher.
    middle = size * (0.46 if look.shape is Shape.SHIELD else 0.5)
    pen.text((size / 2, middle), look.letter, look.writing, round(size * 0.66), Face.TEXT)


def stamp_emblems(canvas: Canvas, looks: Sequence[int], x: int, middle: int, size: int) -> int:
    """The signs of all sides of a seat in a row from x; returns where they end."""
    for place, look in enumerate(looks):
        canvas.stamp(emblem(look, size), x + place * (size + _APART), middle - size // 2)
    return x + len(looks) * (size + _APART) - _APART


@lru_cache(maxsize=COUNT)
def letter(seat: int) -> Sprite:
    """A seat's emblem with a light edge, for the band of its own colour."""
    size = 40
    look = SEATS[seat]

    def draw(pen: Pen) -> None:
        pen.polygon(sized(SHAPES[look.shape], size), TONES.cream, TONES.ink, 2)
        middle = size * (0.46 if look.shape is Shape.SHIELD else 0.5)
        pen.text((size / 2, middle), look.letter, TONES.ink, 28, Face.TEXT)

    return paint(size, size, draw)


@painted(38, 38)
def place(pen: Pen, number: int) -> None:
    """A place in the order of play, 1 the first."""
    pen.ellipse((0, 0, 38, 38), TONES.cream, TONES.ink, 2)
    pen.text((19, 19), str(number), TONES.ink, 32, Face.TEXT)


@painted(14, 24)
def then(pen: Pen, fill: Colour) -> None:
    """Between two places in the order of play."""
    pen.line([(3, 3), (10, 12), (3, 21)], fill, 4)


@lru_cache(maxsize=16)
def tag(text: str) -> Sprite:
    """A small label, for the observer's own panel."""
    long = width(text, 26) + 20

    def draw(pen: Pen) -> None:
        pen.rect((0, 0, long, 34), TONES.cream, TONES.ink, 2, 10)
        pen.text((long / 2, 17), text, TONES.ink, 26, Face.TEXT)

    return paint(long, 34, draw)


def draw_awaited(
    canvas: Canvas, at: Spot, end: int, seats: Sequence[int], names: Sequence[str]
) -> None:
    """The emblems of the seats that everybody waits for, in a row with its middle at this height.

    Of one alone there is the name as well, up to `end`.
    """
    x, middle = at
    for seat in seats:
        canvas.stamp(emblem(seat, 46), x, middle - 23)
        x += 52
    if len(seats) == 1:
        canvas.text(x + 2, middle, fit(names[seats[0]], 36, end - x), TONES.cream, 36)


def spotlight(canvas: Canvas, panel: Area) -> None:
    """Draw a golden frame around the panel of a seat that everybody waits for."""
    left, top, right, bottom = panel
    for strip, x, y in _frame(right - left, bottom - top):
        canvas.stamp(strip, left + x, top + y)


@lru_cache(maxsize=8)
def _frame(wide: int, high: int) -> tuple[tuple[Sprite, int, int], ...]:
    """The frame around a panel of this size as four strips, each with its place from the corner.

    As one sprite it would be mostly empty, and ten times as slow to lay down.
    """
    full_wide, full_high = wide + 2 * _REACH, high + 2 * _REACH

    def draw(pen: Pen) -> None:
        pen.rect((1, 1, full_wide - 1, full_high - 1), None, TONES.ink, 9, 16)
        pen.rect((2, 2, full_wide - 2, full_high - 2), None, TONES.gold, 7, 15)

    whole = paint(full_wide, full_high, draw)
    right, bottom = full_wide - _STRIP, full_high - _STRIP
    return tuple(
        (Sprite(whole.image.crop(box), whole.mask.crop(box)), box[0] - _REACH, box[1] - _REACH)
        for box in (
            (0, 0, full_wide, _STRIP),
            (0, bottom, full_wide, full_high),
            (0, _STRIP, _STRIP, bottom),
            (right, _STRIP, full_wide, bottom),
        )
    )


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
