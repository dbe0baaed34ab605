"""What stands beside the pieces on the pictures of Flandern 1302: points, counts, marks."""

from __future__ import annotations

import math

from PIL import ImageChops

from bot.render.drawing import Stencil
from bot.render.flandern import pieces
from bot.render.flandern.layout import COLOURS
from bot.render.flandern.outlines import bounds, middle, outline
from bot.render.fonts import Face, width
from bot.render.kept import kept
from bot.render.sprites import Painting, Pen, Sprite, shaped, sized, square

_MARK = 8
"""Pixels that a mark reaches out beyond a quarter."""


@shaped(lambda points, size, _: (max(size + 8, width(str(points), size) + size // 2), size + 6))
def plate(pen: Pen, points: int, size: int, first: bool) -> None:
    """Points on a plate, a golden one for those who lead."""
    wide, high = pen.width, pen.height
    fill, writing = (COLOURS.gold, COLOURS.ink) if first else (COLOURS.bar, COLOURS.white)
    pen.rect((0, 0, wide, high), COLOURS.cream, COLOURS.ink, 2, size / 4)
    pen.rect((3.5, 3.5, wide - 3.5, high - 3.5), fill, None, 0, size / 6)
    pen.text(pen.middle, str(points), writing, size, Face.TEXT)


@shaped(lambda text: (width(text, 26) + 10, 30))
def code(pen: Pen, text: str) -> None:
    """The name of a plot, on what is built there."""
    pen.rect((0, 0, pen.width, pen.height), COLOURS.ink, COLOURS.cream, 1.5, 6)
    pen.text(pen.middle, text, COLOURS.cream, 26, Face.TEXT)


@square
def seal(pen: Pen, value: int, size: int) -> None:
    """What a city is worth, on a seal of gold."""
    pen.ellipse((0, 0, size, size), COLOURS.gold, COLOURS.ink, 2)
    inset = size * 0.09
    pen.ellipse((inset, inset, size - inset, size - inset), None, COLOURS.wood, 1.5)
    pen.text(pen.middle, str(value), COLOURS.ink, round(size * 0.62), Face.TEXT)


@shaped(lambda wide, high: (wide + _MARK, high + _MARK))
def frame(pen: Pen, wide: int, high: int) -> None:
    """Around what has just changed: so wide and high inside, and 8 more."""
    pen.rect((0, 0, pen.width, pen.height), None, COLOURS.white, 8, 9)
    pen.rect((1.5, 1.5, pen.width - 1.5, pen.height - 1.5), None, COLOURS.mark, 5, 8)


def _around(plot: str, kind: str, bar: str, unit: int) -> tuple[int, int]:
    """How large a mark around a quarter is."""
    left, top, right, bottom = bounds(outline(plot, kind, bar))
    edge = 2 * _MARK
    return math.ceil((right - left) * unit) + edge, math.ceil((bottom - top) * unit) + edge


@shaped(_around)
def ring(pen: Pen, plot: str, kind: str, bar: str, unit: int) -> None:
    """The same around a quarter, or a plot, in a city of this scale."""
    x, y = middle(outline(plot, kind, bar))
    across, down = pen.middle
    path = [
        (across + (to_x - x) * unit, down + (to_y - y) * unit)
        for to_x, to_y in outline(plot, kind, bar)
    ]
    pen.band(path, COLOURS.white, 10)
    pen.band(path, COLOURS.mark, 6)


@shaped(lambda wide, high: (wide, high))
def gap(pen: Pen, wide: int, high: int) -> None:
    """The place of a card where none lies."""
    pen.rect((1, 1, wide - 1, high - 1), COLOURS.shade, COLOURS.dusk, 1.5, wide / 9)


@shaped(lambda count, size: (round(size * (0.7 if count == 1 else 1.2)), size))
def leaders(pen: Pen, count: int, size: int) -> None:
    """So many leaders: a figure, and how many if there are more."""
    pieces.ICONS["leader"](Stencil(pen, size * 0.35, size / 2, size * 0.96), COLOURS.gold)
    if count > 1:
        at = size * 0.92, size / 2
        pen.text(at, str(count), COLOURS.ink, round(size * 0.8), Face.TEXT)


@square
def _strike(pen: Pen, size: int) -> None:
    path = sized(((0.08, 0.92), (0.92, 0.08)), size)
    pen.line(path, COLOURS.cream, size / 4.5)
    pen.line(path, COLOURS.ink, size / 9)


@kept
def barred(key: str, size: int) -> Sprite:
    """The sign of an emblem that may not build on a plot, struck through."""
    own, strike = pieces.sign(key, size), _strike(size)
    canvas = Painting(own.image.copy())
    canvas.stamp(strike, 0, 0)
    return Sprite(canvas.image, ImageChops.lighter(own.mask, strike.mask))


@square
def tick(pen: Pen, size: int) -> None:
    """What is done."""
    pen.ellipse((0, 0, size, size), COLOURS.fresh, COLOURS.white, 2)
    path = sized(((0.26, 0.52), (0.44, 0.7), (0.75, 0.32)), size)
    pen.line(path, COLOURS.white, size / 8)


@shaped(lambda shift, high: (abs(shift) + 6, high))
def pin(pen: Pen, shift: int, high: int) -> None:
    """From the foot of a marker to what it stands for, so far to the right of it, or the left."""
    start, end = (3, pen.width - 3) if shift >= 0 else (pen.width - 3, 3)
    pen.line([(start, 1), (end, high - 2)], COLOURS.ink, 2)
