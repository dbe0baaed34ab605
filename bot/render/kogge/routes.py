"""Where the routes lead: a thin arrow over the water in the colour of the city it leads to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bot.game.kogge.data import CITY_GOOD
from bot.game.kogge.view import KoggeView
from bot.render.asked import Sheet
from bot.render.kept import kept
from bot.render.kogge.fairways import STEP, way
from bot.render.kogge.layout import COLOURS, LAYOUT
from bot.render.sprites import Pen, Point, Sprite, in_parts, paint

_BESIDE = 6
"""Pixels that an arrow keeps to the right of its way, so that none lies on the one back."""
_OFF = 16
"""Pixels that it keeps from the ports, where it can."""
_HEAD = 13
_MARGIN = 16
_DASH, _PERIOD = 5, 8
"""Points of a dash, and of a dash with its gap."""


def draw_routes(sheet: Sheet, view: KoggeView) -> None:
    """The arrows of all routes that the observer knows; those that lie face down are dashed."""
    for number, city in enumerate(view.cities):
        for side, route in enumerate(city.routes):
            if route.marker is None or route.marker == number:
                continue
            for part, x, y in _arrow(number, route.marker, side, route.hidden):
                sheet.stamp(part, x, y)


@kept
def _arrow(start: int, end: int, side: int, hidden: bool) -> tuple[tuple[Sprite, int, int], ...]:
    """The arrow between two cities in parts, each with its corner on the map."""
    path = list(_beside(way(LAYOUT.cities[start].port, LAYOUT.cities[end].port), side))
    off = _OFF // STEP if len(path) > 4 * _OFF // STEP else 1
    path = path[off:-off]
    left = round(min(x for x, _ in path)) - _MARGIN
    top = round(min(y for _, y in path)) - _MARGIN
    path = [(x - left, y - top) for x, y in path]
    wide = round(max(x for x, _ in path)) + _MARGIN
    high = round(max(y for _, y in path)) + _MARGIN
    fill = LAYOUT.goods[CITY_GOOD[end]].fill

    def draw(pen: Pen) -> None:
        lines = list(_dashes(path[:-1])) if hidden else [path[:-1]]
        for tone, width in ((COLOURS.ink, 5.5), (fill, 3)):
            for line in lines:
                pen.line(line, tone, width)
        pen.polygon(_head(path), fill, COLOURS.ink, 1.5)

    return tuple((part, left + x, top + y) for part, x, y in in_parts(paint(wide, high, draw)))


def _beside(path: Sequence[Point], side: int) -> Iterator[Point]:
    """The path moved to its right; the right route further than the left one."""
    by = _BESIDE * (1 + side) - _BESIDE / 2
    for (x, y), (to_x, to_y) in pairwise(path):
        length = math.hypot(to_x - x, to_y - y) or 1
        yield x - by * (to_y - y) / length, y + by * (to_x - x) / length


def _dashes(path: Sequence[Point]) -> Iterator[Sequence[Point]]:
    for place in range(0, len(path) - 1, _PERIOD):
        yield path[place : place + _DASH]


def _head(path: Sequence[Point]) -> list[Point]:
    """The outline of an arrow's head at the end of a path."""
    (from_x, from_y), (x, y) = path[-min(4, len(path))], path[-1]
    turn = math.atan2(y - from_y, x - from_x)
    return [
        (x + reach * math.cos(turn + at), y + reach * math.sin(turn + at))
        for reach, at in ((_HEAD * 0.5, 0), (_HEAD, 2.5), (_HEAD * 0.45, math.pi), (_HEAD, -2.5))
    ]
