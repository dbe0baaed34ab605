"""What stands beside the pieces on the pictures of Guatemala Café: prices, points, marks."""

from __future__ import annotations

from bot.render.drawing import Stencil, stencilled
from bot.render.fonts import Face, width
from bot.render.guatemala.layout import COLOURS
from bot.render.guatemala.pieces import ICONS
from bot.render.sprites import Pen, shaped, sized, square, strokes

_PATH = 12
"""Pixels that a path is wide."""
_DASHES = (10, 8)


@shaped(lambda points, size: (max(size + 12, width(str(points), size) + size // 2), size + 6))
def total(pen: Pen, points: int, size: int) -> None:
    """Points on a dark plate."""
    wide, high = pen.width, pen.height
    pen.rect((0, 0, wide, high), COLOURS.cream, COLOURS.ink, 2, size / 4)
    pen.rect((4, 4, wide - 4, high - 4), COLOURS.bar, None, 0, size / 6)
    pen.text(pen.middle, str(points), COLOURS.white, size, Face.TEXT)


@shaped(lambda wide, high: (wide + 8, high + 8))
def frame(pen: Pen, wide: int, high: int) -> None:
    """Around what has just changed: so wide and high inside, and 8 more."""
    pen.rect((0, 0, wide + 8, high + 8), None, COLOURS.white, 8, 9)
    pen.rect((1.5, 1.5, wide + 6.5, high + 6.5), None, COLOURS.mark, 5, 8)


@shaped(lambda wide, high: (wide, high))
def changed(pen: Pen, wide: int, high: int) -> None:
    """Around a space of the score track, so narrow that it hides nothing there."""
    pen.rect((0, 0, wide, high), None, COLOURS.mark, 3, 7)


@square
def price(pen: Pen, amount: int, size: int) -> None:
    """A price in centavos, as a coin."""
    pen.ellipse((0, 0, size, size), COLOURS.gold, COLOURS.ink, max(1.5, size / 18))
    pen.text(pen.middle, str(amount), COLOURS.ink, round(size * 0.76), Face.TEXT)


@stencilled
def any_worker(at: Stencil) -> None:
    """A worker of no colour."""
    ICONS["worker"](at, COLOURS.furrow)
    ICONS["worker_trim"](at, COLOURS.soft)


@shaped(lambda wide, high: (wide, high))
def card(pen: Pen, wide: int, high: int) -> None:
    """The place of a plantation in a panel."""
    pen.rect((0, 0, wide, high), COLOURS.shade, COLOURS.furrow, 1.5, 9)


@shaped(lambda length, upright, _: (_PATH, length) if upright else (length, _PATH))
def path(pen: Pen, length: int, upright: bool, is_open: bool) -> None:
    """Where a road is printed between two cells; one that is closed is grey."""
    x, y = pen.middle
    ends = [(x, 4.0), (x, length - 4.0)] if upright else [(4.0, y), (length - 4.0, y)]
    pen.line(ends, COLOURS.beach, _PATH - 1)
    for stroke in strokes(ends, _DASHES):
        pen.line(stroke, COLOURS.path if is_open else COLOURS.closed, 5)


@shaped(lambda number, size: (size, size))
def port(pen: Pen, number: int, size: int) -> None:
    """The number of a port, on a pennant."""
    shape = ((0.06, 0.04), (0.94, 0.04), (0.94, 0.66), (0.5, 0.98), (0.06, 0.66))
    pen.polygon(sized(shape, size), COLOURS.bar, COLOURS.cream, 2)
    pen.text((size / 2, size * 0.42), str(number), COLOURS.cream, round(size * 0.66), Face.TEXT)
