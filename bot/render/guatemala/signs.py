"""What stands beside the pieces on the pictures of Guatemala Café: prices, points, marks."""

from __future__ import annotations

from bot.render.drawing import Stencil, stencilled
from bot.render.fonts import Face, width
from bot.render.guatemala.layout import COLOURS
from bot.render.guatemala.pieces import ICONS
from bot.render.sprites import Pen, shaped, square


@shaped(lambda points, size: (max(size + 12, width(str(points), size) + size // 2), size + 6))
def total(pen: Pen, points: int, size: int) -> None:
    """Points on a dark plate."""
    wide, high = pen.width, pen.height
    pen.rect((0, 0, wide, high), COLOURS.cream, COLOURS.ink, 2, size / 4)
    pen.rect((4, 4, wide - 4, high - 4), COLOURS.bar, None, 0, size / 6)
    pen.text(pen.middle, str(points), COLOURS.white, size, Face.TEXT)


@shaped(lambda change, size: (width(_signed(change), size) + size // 2, round(size * 1.15)))
def gain(pen: Pen, change: int, size: int) -> None:
    """What has just been gained or spent, as ``+4``."""
    wide, high = pen.width, pen.height
    fill = COLOURS.fresh if change > 0 else COLOURS.mark
    pen.rect((0, 0, wide, high), COLOURS.white, None, 0, size * 0.35)
    pen.rect((1.5, 1.5, wide - 1.5, high - 1.5), fill, None, 0, size * 0.3)
    pen.text(pen.middle, _signed(change), COLOURS.white, size, Face.TEXT)


@shaped(lambda wide, high: (wide + 8, high + 8))
def frame(pen: Pen, wide: int, high: int) -> None:
    """Around what has just changed: so wide and high inside, and 8 more."""
    pen.rect((0, 0, wide + 8, high + 8), None, COLOURS.white, 8, 9)
    pen.rect((1.5, 1.5, wide + 6.5, high + 6.5), None, COLOURS.mark, 5, 8)


@square
def price(pen: Pen, amount: int, size: int) -> None:
    """A price in centavos, as a coin."""
    pen.ellipse((0, 0, size, size), COLOURS.gold, COLOURS.ink, max(1.5, size / 18))
    pen.text(pen.middle, str(amount), COLOURS.ink, round(size * 0.76), Face.TEXT)


@stencilled
def any_worker(at: Stencil) -> None:
    """A worker of no colour."""
    ICONS["worker"](at, COLOURS.cream)
    ICONS["worker_trim"](at, COLOURS.shade)


@stencilled
def no_plantation(at: Stencil, letter: str) -> None:
    """The place of a plantation that there is not, by the letter of its colour."""
    at.rect(-44, -44, 44, 44, COLOURS.shade, COLOURS.soft, 14)
    at.text(0, 0, letter, COLOURS.soft, 60)


def _signed(change: int) -> str:
    return f"{change:+}".replace("-", "−")
