"""What never changes on the picture: the sea, the coasts, the cities' boards, the frames.

Drawn once for each number of seats and each language.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from bot.game.kogge.data import CITIES, CITY_GOOD, CITY_NAMES
from bot.game.sides import Looks
from bot.render.fonts import Face
from bot.render.kept import kept
from bot.render.kogge.layout import COLOURS, LAYOUT
from bot.render.kogge.pieces import good
from bot.render.layout import Area, Spot
from bot.render.panels import paint_board, paint_panel
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Align, Backdrop, Canvas, Painting, Pen, Point, ground

HEADER = 46
"""Height of the band with number, good and name on a city's board."""

PANEL_HEADER = 48

_SIGN = 30
_CAPTIONS = (14, 398, 488, 802)
"""Where the captions of the market begin."""
_PORT = 11
"""Radius of a port."""
_SMOOTH = 8
"""Points of a coastline between two control points."""


def plaque(number: int) -> Area:
    """The city's board on the picture."""
    x, y = LAYOUT.cities[number].at
    width, height = LAYOUT.plaque
    return x - width // 2, y - height // 2, x + width // 2, y + height // 2


def panel(place: int) -> Area:
    """A player's panel, counted from the top."""
    left, top, right, bottom = LAYOUT.panels
    gap = LAYOUT.panel_gap
    height = (bottom - top - gap * (len(SIDE_LOOKS) - 1)) // len(SIDE_LOOKS)
    start = top + place * (height + gap)
    return left, start, right, start + height


@kept
def base(looks: Looks, captions: tuple[str, ...], letters: str) -> Backdrop:
    """The picture without pieces, with the `captions` of the market and the `letters` of goods."""
    canvas = Painting(ground(*LAYOUT.size, COLOURS.sea, lambda pen: _ground(pen, looks)))
    _lettering(canvas, letters)
    for x, caption in zip(_CAPTIONS, captions, strict=True):
        canvas.text(x, LAYOUT.market[1] + 17, caption, COLOURS.soft, 22)
    return Backdrop(canvas.image)


def _ground(pen: Pen, looks: Looks) -> None:
    width, height = LAYOUT.size
    _sea(pen)
    _land(pen)
    for number in range(CITIES):
        _harbour(pen, number)
        _plaque(pen, number)
    left, _, right, bottom = LAYOUT.market
    pen.rect((right, 0, width, height), COLOURS.dusk)
    pen.rect(LAYOUT.market, COLOURS.paper)
    pen.rect((left, bottom - 3, right, bottom), COLOURS.ink)
    pen.rect((0, 0, width, LAYOUT.bar), COLOURS.bar)
    pen.rect((right, LAYOUT.bar, right + 3, height), COLOURS.ink)
    for place, own in enumerate(looks):
        paint_panel(pen, panel(place), PANEL_HEADER, own)
    if len(looks) < len(SIDE_LOOKS):
        _cog(pen, len(looks))


def smooth(points: Sequence[Spot]) -> list[Point]:
    """A closed curve through all the points (Catmull and Rom's)."""
    count = len(points)
    return [
        _between(
            points[at - 1],
            points[at],
            points[(at + 1) % count],
            points[(at + 2) % count],
            step / _SMOOTH,
        )
        for at in range(count)
        for step in range(_SMOOTH)
    ]


def _between(before: Spot, start: Spot, end: Spot, after: Spot, t: float) -> Point:
    x, y = (
        0.5
        * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )
        for a, b, c, d in zip(before, start, end, after, strict=True)
    )
    return x, y


def _sea(pen: Pen) -> None:
    """Rhumb lines from the wind rose, as on a pilot's chart, and a few waves."""
    x, y = LAYOUT.rose.at
    for step in range(16):
        turn = math.pi * step / 8
        far = (x + 1500 * math.cos(turn), y + 1500 * math.sin(turn))
        pen.line([(x, y), far], COLOURS.rhumb, 1.5)


def _land(pen: Pen) -> None:
    coasts = [smooth(coast.points) for coast in LAYOUT.coasts]
    for shade, width in ((COLOURS.shoal, 40), (COLOURS.shallow, 18)):
        for coast in coasts:
            pen.polygon(coast, shade)
            pen.band(coast, shade, width)
    for coast in coasts:
        pen.polygon(coast, COLOURS.land, COLOURS.coast, 3)
    for x, y in LAYOUT.hills.at:
        pen.polygon([(x - 17, y), (x, y - 22), (x + 17, y)], COLOURS.hill)
        pen.line([(x - 17, y), (x, y - 22), (x + 17, y)], COLOURS.coast, 2.5)
        pen.line([(x, y - 22), (x + 5, y - 8)], COLOURS.coast, 2)
    for x, y in LAYOUT.waves.at:
        pen.line(list(_wave(x, y)), COLOURS.lettering, 2)
    _rose(pen)


def _wave(x: int, y: int) -> Iterator[Point]:
    for step in range(25):
        yield x + step * 1.6 - 20, y + 4 * math.sin(step * math.pi / 6)


def _rose(pen: Pen) -> None:
    x, y = LAYOUT.rose.at
    radius = LAYOUT.rose.radius
    ring = radius * 0.62
    pen.ellipse((x - ring, y - ring, x + ring, y + ring), None, COLOURS.lettering, 2)
    for step in (1, 3, 5, 7, 0, 2, 4, 6):
        length = radius if step % 2 == 0 else radius * 0.66
        turn = math.pi * step / 4 - math.pi / 2
        tip = (x + length * math.cos(turn), y + length * math.sin(turn))
        for side, fill in ((-1, COLOURS.lettering), (1, COLOURS.shallow)):
            edge = turn + side * math.pi / 4
            foot = (x + radius * 0.2 * math.cos(edge), y + radius * 0.2 * math.sin(edge))
            pen.polygon([(x, y), foot, tip], fill, COLOURS.lettering, 1.5)


def _harbour(pen: Pen, number: int) -> None:
    """A jetty from the city's board to the port where courses begin and end."""
    left, top, right, bottom = plaque(number)
    x, y = LAYOUT.cities[number].port
    shore = min(max(x, left + 20), right - 20), min(max(y, top + 20), bottom - 20)
    for tone, width in ((COLOURS.ink, 13), (COLOURS.wood, 9)):
        pen.line([shore, (x, y)], tone, width)
    fill = LAYOUT.goods[CITY_GOOD[number]].fill
    pen.ellipse((x - _PORT, y - _PORT, x + _PORT, y + _PORT), fill, COLOURS.ink, 2.5)


def _plaque(pen: Pen, number: int) -> None:
    left, top, right, bottom = plaque(number)
    pen.rect((left + 3, top + 4, right + 3, bottom + 4), COLOURS.coast, None, 0, 12)
    fill = LAYOUT.goods[CITY_GOOD[number]].fill
    paint_board(pen, (left, top, right, bottom), HEADER, fill)


def _cog(pen: Pen, seats: int) -> None:
    """A cog in full sail fills the places of players who are not there."""
    left, top, right, _ = panel(seats)
    bottom = LAYOUT.size[1]
    x, y = (left + right) / 2, (top + bottom) / 2 + 6
    dark, light = COLOURS.bar, COLOURS.back

    def at(*points: Point) -> list[Point]:
        return [(x + 4 * dx, y + 4 * dy) for dx, dy in points]

    pen.line(at((0, -26), (0, 12)), dark, 9)
    pen.polygon(at((0, -30), (16, -26.5), (0, -23)), dark)
    pen.polygon(
        at((-19, -19), (19, -19), (22, -9), (22, 1), (17, 9), (-17, 9), (-22, 1), (-22, -9)),
        light,
        dark,
        7,
    )
    pen.line(at((-11, -19), (-13, -4), (-10, 9)), dark, 4)
    pen.line(at((11, -19), (13, -4), (10, 9)), dark, 4)
    pen.polygon(
        at((-30, 6), (-19, 12), (17, 12), (29, 4), (26, 17), (18, 26), (-18, 26), (-26, 18)),
        dark,
        dark,
        7,
    )
    pen.line(at((-21, 18), (20, 18)), light, 4)
    for shift in (-34, -12, 10):
        wave = [(shift + step, 31 + 1.2 * math.sin(step * math.pi / 6)) for step in range(25)]
        pen.line(at(*wave), light, 5)


def _lettering(canvas: Canvas, letters: str) -> None:
    name = LAYOUT.sea_name
    canvas.text(*name.at, name.text, COLOURS.lettering, name.size, Face.TITLE, Align.CENTRE)
    for number in range(CITIES):
        left, top, _, _ = plaque(number)
        look = LAYOUT.goods[CITY_GOOD[number]]
        middle = top + HEADER // 2
        canvas.text(left + 24, middle, str(number), look.writing, 44, align=Align.CENTRE)
        canvas.stamp_centred(good(letters, CITY_GOOD[number], _SIGN), left + 54, middle)
        canvas.text(left + 72, middle, CITY_NAMES[number], look.writing, 30, Face.TITLE)
