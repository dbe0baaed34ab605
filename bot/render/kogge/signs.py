"""Signs that are not pieces: places, counts, rings, courses, frames, what is hidden."""

from __future__ import annotations

import math

from bot.render.fonts import Face, width
from bot.render.kept import kept
from bot.render.kogge.layout import COLOURS, LAYOUT, OUTLINES
from bot.render.sprites import Pen, Sprite, paint, painted, shaped, sized, square, turned
from bot.render.theme import Colour

SMALL = 22
"""Size of the small print."""

RING = 11
"""How far a ring reaches out beyond a city's board, in pixels."""


@square
def pip(pen: Pen, full: bool, size: int) -> None:
    """A development point, gained or not yet: a star, or its empty place."""
    points = []
    for step in range(10):
        angle = math.radians(-90 + 36 * step)
        radius = size * (0.47 if step % 2 == 0 else 0.24)
        points.append((size / 2 + radius * math.cos(angle), size * 0.53 + radius * math.sin(angle)))
    if full:
        pen.polygon(points, COLOURS.gold, COLOURS.ink, 2)
    else:
        pen.polygon(points, COLOURS.shade, COLOURS.soft, 1.5)


@square
def bag(pen: Pen, size: int) -> None:
    """The bag that markers are drawn from."""
    pen.polygon(sized(OUTLINES.sack, size), COLOURS.back, COLOURS.ink, 2)
    pen.polygon(sized(OUTLINES.sack_neck, size), COLOURS.dusk, COLOURS.ink, 2)
    pen.text((size / 2, size * 0.66), "?", COLOURS.cream, round(size * 0.5), Face.TEXT)


@square
def lock(pen: Pen, size: int) -> None:
    """The sign of what is hidden from the observer."""
    box = (size * 0.26, size * 0.08, size * 0.74, size * 0.72)
    pen.rect(box, None, COLOURS.back, size * 0.1, size * 0.24)
    box = (size * 0.12, size * 0.42, size * 0.88, size * 0.96)
    pen.rect(box, COLOURS.back, COLOURS.ink, 2, size * 0.1)
    pen.ellipse((size * 0.42, size * 0.56, size * 0.58, size * 0.72), COLOURS.cream)
    pen.rect((size * 0.46, size * 0.64, size * 0.54, size * 0.84), COLOURS.cream)


@square
def empty_marker(pen: Pen, size: int) -> None:
    """The place of a marker that is not there."""
    pen.rect((0, 0, size, size), COLOURS.shade, COLOURS.soft, 2, size * 0.18)


@square
def faint_marker(pen: Pen, number: int, size: int) -> None:
    """A number of which none is held."""
    pen.rect((0, 0, size, size), COLOURS.shade, None, 0, size * 0.18)
    pen.text((size / 2, size / 2), str(number), COLOURS.soft, round(size * 0.7), Face.TEXT)


@painted(40, 52)
def guild_badge(pen: Pen) -> None:
    """The guild master's head, as the sign of its laps, 40 by 52."""
    pen.ellipse((0, 6, 40, 46), COLOURS.cream)
    pen.polygon([(8, 43), (11, 36), (29, 36), (32, 43), (20, 46)], COLOURS.robe)
    pen.ellipse((11, 16, 29, 36), COLOURS.skin, COLOURS.ink, 2)
    beret = [(6, 21), (9, 12), (20, 8), (31, 12), (34, 21), (20, 24)]
    pen.polygon(beret, COLOURS.robe, COLOURS.ink, 2)


@square
def no_chit(pen: Pen, size: int) -> None:
    """The place of chits that are all taken."""
    pen.ellipse((0, 0, size, size), COLOURS.shade, COLOURS.soft, 2)


@shaped(lambda count: (width(f"+{count}", 30) + 14, 34))
def plus(pen: Pen, count: int) -> None:
    """So many goods more."""
    pen.rect((0, 0, pen.width, 34), COLOURS.fresh, None, 0, 10)
    pen.text(pen.middle, f"+{count}", COLOURS.white, 30, Face.TEXT)


@painted(*(side + 2 * RING for side in LAYOUT.plaque))
def ring(pen: Pen, fill: Colour) -> None:
    """A ring around a city's board."""
    pen.rect((0, 0, pen.width, pen.height), None, COLOURS.cream, 10, 20)
    pen.rect((2, 2, pen.width - 2, pen.height - 2), None, fill, 6, 18)


@painted(58, 58)
def frame(pen: Pen) -> None:
    """Around a route marker that has just been changed, 58 by 58."""
    pen.rect((0, 0, 58, 58), None, COLOURS.white, 8, 14)
    pen.rect((1.5, 1.5, 56.5, 56.5), None, COLOURS.mark, 5, 13)


@painted(13, 13)
def dot(pen: Pen, fill: Colour) -> None:
    """A dot of a course."""
    pen.ellipse((0, 0, 13, 13), COLOURS.cream)
    pen.ellipse((2, 2, 11, 11), fill)


@square
def bead(pen: Pen, fill: Colour, size: int) -> None:
    """A bit of a line, as thick as `size`."""
    pen.ellipse((0, 0, size, size), fill)


@shaped(lambda text: (width(text, 28) + 16, 34))
def price(pen: Pen, text: str) -> None:
    """What a step costs, on a slip of paper."""
    pen.rect((0, 0, pen.width, pen.height), COLOURS.paper, COLOURS.ink, 2, 9)
    pen.text(pen.middle, text, COLOURS.ink, 28, Face.TEXT)


@kept
def arrow(fill: Colour, degrees: int) -> Sprite:
    """The head of a course; 0 degrees points right, 90 up."""

    def draw(pen: Pen) -> None:
        head = [(38.0, 22.0), (10.0, 36.0), (17.0, 22.0), (10.0, 8.0)]
        pen.polygon(head, fill, COLOURS.cream, 6)
        pen.polygon(head, fill)

    return turned(paint(44, 44, draw), degrees)


@shaped(lambda lines: (max(width(line, SMALL) for line in lines) + 16, 27 * len(lines) + 10))
def slip(pen: Pen, lines: tuple[str, ...]) -> None:
    """A slip of paper with a few lines of small print."""
    pen.rect((0, 0, pen.width, pen.height), COLOURS.paper, COLOURS.coast, 2, 8)
    for number, line in enumerate(lines):
        pen.text((pen.width / 2, 18 + 27 * number), line, COLOURS.ink, SMALL, Face.TEXT)
