"""The pieces of Kogge as sprites. Each is painted once and kept.

Whatever a colour shows, a shape, a letter or a number shows too.
"""

from __future__ import annotations

import math

from bot.game.kogge.data import CHIT_KEYS, CITY_GOOD
from bot.game.kogge.view import RouteView
from bot.render.fonts import Face
from bot.render.kogge.layout import COLOURS, LAYOUT, OUTLINES
from bot.render.sides import SIDE_LOOKS, Shape
from bot.render.sprites import Pen, Point, Sprite, painted, shaped, sized, square


@square
def marker(pen: Pen, number: int, size: int) -> None:
    """A route marker, face up, in the colour of its city."""
    look = LAYOUT.goods[CITY_GOOD[number]]
    pen.rect((0, 0, size, size), look.fill, COLOURS.ink, 2, size * 0.18)
    pen.text((size / 2, size / 2), str(number), look.writing, round(size * 0.84), Face.TEXT)


@shaped(lambda _, width, height: (width, height))
def slim_marker(pen: Pen, number: int, width: int, height: int) -> None:
    """A route marker for where there is little room."""
    look = LAYOUT.goods[CITY_GOOD[number]]
    pen.rect((0, 0, width, height), look.fill, COLOURS.ink, 2, width * 0.2)
    pen.text(pen.middle, str(number), look.writing, round(height * 0.84), Face.TEXT)


@square
def marker_back(pen: Pen, known: int | None, size: int) -> None:
    """A route marker, face down; `known` is its number where the observer alone has seen it."""
    pen.rect((0, 0, size, size), COLOURS.back, COLOURS.ink, 2, size * 0.18)
    if known is None:
        inset = size * 0.12
        frame = (inset, inset, size - inset, size - inset)
        pen.rect(frame, None, COLOURS.dusk, 2, size * 0.1)
        pen.text((size / 2, size / 2), "?", COLOURS.cream, round(size * 0.74), Face.TEXT)
        return
    look = LAYOUT.goods[CITY_GOOD[known]]
    box = (size * 0.16, size * 0.34, size * 0.84, size * 0.94)
    pen.rect(box, look.fill, None, 0, size * 0.12)
    pen.text((size / 2, size * 0.64), str(known), look.writing, round(size * 0.66), Face.TEXT)
    _eye(pen, size / 2, size * 0.19, size * 0.56)


def route(route: RouteView, size: int) -> Sprite:
    """The marker on a route square, as the observer knows it."""
    if route.hidden or route.marker is None:
        return marker_back(route.marker, size)
    return marker(route.marker, size)


@square
def good(pen: Pen, letters: str, kind: int, size: int) -> None:
    """A good: ore an ingot, fur a pelt, amber a drop, salt a sack; with its letter, if any."""
    look = LAYOUT.goods[kind]
    middle = (0.63, 0.6, 0.62, 0.66)[kind]
    edge = max(1.5, size / 18)
    for shade, outline in _GOODS[kind]:
        fill = look.light if shade else look.fill
        pen.polygon(sized(outline, size), fill, COLOURS.ink, edge)
    if letters and size >= 26:
        point = (size / 2, size * middle)
        pen.text(point, letters[kind], look.writing, round(size * 0.5), Face.TEXT)


@square
def ship(pen: Pen, seat: int, size: int) -> None:
    """A cog under sail; the sail bears the seat's letter and pattern."""
    look, unit = SIDE_LOOKS[seat], size / 56
    pen.line(sized([(28, 5), (28, 40)], unit), COLOURS.ink, 3 * unit)
    pen.polygon(sized([(28, 2), (43, 5), (28, 9)], unit), look.dark, COLOURS.ink, 1)
    sail = [(9, 10), (47, 10), (50, 20), (50, 30), (45, 38), (11, 38), (6, 30), (6, 20)]
    pen.polygon(sized(sail, unit), look.fill)
    for stripe in _SAILS[look.shape]:
        pen.polygon(sized(stripe, unit), look.dark)
    pen.polygon(sized(sail, unit), None, COLOURS.ink, 2 * unit)
    pen.text((28 * unit, 24 * unit), look.letter, look.writing, round(31 * unit), Face.TEXT)
    hull = [(2, 36), (11, 41), (44, 41), (54, 34), (52, 45), (45, 53), (12, 53), (5, 46)]
    pen.polygon(sized(hull, unit), COLOURS.wood, COLOURS.ink, 2 * unit)
    pen.line(sized([(8, 46), (48, 46)], unit), COLOURS.ink, 1.5 * unit)


@square
def office(pen: Pen, seat: int, size: int) -> None:
    """A brick house with a stepped gable, in its owner's colour and with the letter."""
    look = SIDE_LOOKS[seat]
    pen.polygon(sized(OUTLINES.gable, size), look.fill, COLOURS.ink, size / 22)
    pen.rect((size * 0.1, size * 0.88, size * 0.9, size), look.dark)
    pen.rect((size * 0.1, size * 0.95, size * 0.9, size), COLOURS.ink)
    pen.text((size / 2, size * 0.58), look.letter, look.writing, round(size * 0.62), Face.TEXT)


@shaped(lambda _, size: (round(size * 0.86), size))
def raid(pen: Pen, seat: int, size: int) -> None:
    """The flag of a Raid, swallow-tailed, with its owner's letter; as high as `size`."""
    look, unit = SIDE_LOOKS[seat], size / 48
    pen.line([(3 * unit, 3 * unit), (3 * unit, 46 * unit)], COLOURS.ink, 4 * unit)
    flag = [(4, 3), (40, 3), (34, 16), (40, 29), (4, 29)]
    pen.polygon(sized(flag, unit), look.fill, COLOURS.ink, 2 * unit)
    pen.text((18 * unit, 16 * unit), look.letter, look.writing, round(26 * unit), Face.TEXT)


@painted(38, 56)
def guild_master(pen: Pen) -> None:
    """The guild master: a man in robe and beret with his chain of office, 38 by 56."""
    pen.line([(34, 12), (34, 54)], COLOURS.wood, 3)
    pen.ellipse((31, 6, 37, 12), COLOURS.gold, COLOURS.ink, 1)
    robe = [(13, 24), (23, 24), (29, 32), (32, 54), (4, 54), (7, 32)]
    pen.polygon(robe, COLOURS.robe, COLOURS.ink, 2)
    pen.line([(13, 28), (18, 37), (23, 28)], COLOURS.gold, 2.5)
    pen.ellipse((15, 35, 21, 41), COLOURS.gold)
    pen.ellipse((10, 8, 26, 26), COLOURS.skin, COLOURS.ink, 2)
    beret = [(5, 12), (8, 4), (18, 1), (28, 4), (31, 12), (18, 15)]
    pen.polygon(beret, COLOURS.robe, COLOURS.ink, 2)


@painted(36, 48)
def end_marker(pen: Pen) -> None:
    """Where the guild master's laps are counted: a chequered flag, 36 by 48."""
    pen.line([(3, 3), (3, 46)], COLOURS.ink, 4)
    pen.rect((4, 3, 36, 27), COLOURS.white)
    for row in range(3):
        for column in range(4):
            if (row + column) % 2:
                x, y = 4 + column * 8, 3 + row * 8
                pen.rect((x, y, x + 8, y + 8), COLOURS.ink)
    pen.rect((3, 2, 36, 28), None, COLOURS.ink, 2)


@square
def chit(pen: Pen, key: str, size: int) -> None:
    """A bonus chit, a golden coin: 3:1, one marker more, two spaces, the secret route."""
    pen.ellipse((0, 0, size, size), COLOURS.gold, COLOURS.ink, 2)
    unit = size / 44
    draw_symbol = _CHITS[key]
    draw_symbol(pen, unit)


def _eye(pen: Pen, x: float, y: float, width: float) -> None:
    high = width * 0.27
    lid = [(x - width / 2, y), (x - width / 4, y - high * 0.8), (x, y - high)]
    lid += [(x + width / 4, y - high * 0.8), (x + width / 2, y), (x + width / 4, y + high * 0.8)]
    lid += [(x, y + high), (x - width / 4, y + high * 0.8)]
    pen.polygon(lid, COLOURS.cream)
    pupil = high * 0.62
    pen.ellipse((x - pupil, y - pupil, x + pupil, y + pupil), COLOURS.ink)


def _drop() -> tuple[Point, ...]:
    """A drop: an arc of a circle, drawn together to a tip."""
    arc = [math.radians(degrees) for degrees in range(-35, 216, 8)]
    body = tuple((0.5 + 0.34 * math.cos(turn), 0.6 + 0.34 * math.sin(turn)) for turn in arc)
    return ((0.5, 0.03), (0.6, 0.2), *body, (0.4, 0.2))


def _ratio(pen: Pen, unit: float) -> None:
    pen.text((22 * unit, 22 * unit), "3:1", COLOURS.ink, round(26 * unit), Face.TEXT)


def _one_more(pen: Pen, unit: float) -> None:
    pen.rect((9 * unit, 9 * unit, 35 * unit, 35 * unit), COLOURS.cream, COLOURS.ink, 2, 5 * unit)
    pen.text((22 * unit, 22 * unit), "+1", COLOURS.ink, round(21 * unit), Face.TEXT)


def _two_spaces(pen: Pen, unit: float) -> None:
    for left in (10, 22):
        path = [(left, 11), (left + 10, 22), (left, 33)]
        pen.line([(x * unit, y * unit) for x, y in path], COLOURS.ink, 5 * unit)


def _secret_route(pen: Pen, unit: float) -> None:
    """A dotted way to the guild master's hat."""
    for x, y in ((9, 33), (16, 31), (22, 27)):
        pen.ellipse(
            ((x - 2.5) * unit, (y - 2.5) * unit, (x + 2.5) * unit, (y + 2.5) * unit), COLOURS.ink
        )
    hat = [(17, 19), (20, 10), (28, 7), (35, 11), (38, 20), (28, 23)]
    pen.polygon([(x * unit, y * unit) for x, y in hat], COLOURS.robe, COLOURS.ink, 1.5)


_CHITS = dict(zip(CHIT_KEYS, (_ratio, _one_more, _two_spaces, _secret_route), strict=True))


_GOODS: tuple[tuple[tuple[bool, tuple[Point, ...]], ...], ...] = (
    ((False, OUTLINES.ingot), (True, OUTLINES.ingot_top)),
    ((False, OUTLINES.pelt),),
    ((False, _drop()),),
    ((False, OUTLINES.sack), (True, OUTLINES.sack_neck)),
)
"""By good: whether in the lighter shade, and the outline in a unit square."""

_SAILS: dict[Shape, tuple[tuple[Point, ...], ...]] = {
    Shape.ROUND: (),
    Shape.SQUARE: (
        ((9, 10), (16, 10), (16, 38), (11, 38), (6, 30), (6, 20)),
        ((40, 10), (47, 10), (50, 20), (50, 30), (45, 38), (40, 38)),
    ),
    Shape.DIAMOND: (
        ((9, 10), (26, 10), (6, 26), (6, 20)),
        ((47, 10), (30, 10), (50, 26), (50, 20)),
        ((6, 26), (22, 38), (11, 38), (6, 30)),
        ((50, 26), (34, 38), (45, 38), (50, 30)),
    ),
    Shape.SHIELD: (((7, 31), (49, 31), (45, 38), (11, 38)), ((9, 10), (47, 10), (49, 16), (7, 16))),
}
"""What is darker on a sail, in the pixels of a ship."""
