"""The ways of ships over the water of the map, from port to port and to the open sea."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFilter

from bot.game.kogge.data import CITIES
from bot.render.kept import kept
from bot.render.kogge.base import plaque, smooth
from bot.render.kogge.layout import LAYOUT
from bot.render.layout import Spot
from bot.render.sprites import Point

_OFF_SHORE = 8
"""Pixels that a way keeps from coasts and boards, where it can."""
STEP = 4
"""Pixels between two points of a way."""
_WATER = 255
_ROOM, _OFF = 130, 75
"""Pixels of a way from which on a piece has room on it, and to the turn of one that has not."""


@lru_cache(maxsize=4 * CITIES * CITIES)
def way(first: Spot, last: Spot) -> tuple[Point, ...]:
    """Points at even distances, a few pixels each, along the shortest way over water.

    Where no fairway leads, straight ahead.
    """
    return tuple(_even(_rounded(_turns(first, last))))


def bowed(first: Spot, last: Spot) -> tuple[Point, ...]:
    """The same with room for a piece on it: between near ports by a turn further off."""
    path = way(first, last)
    if STEP * len(path) >= _ROOM:
        return path
    off = min(
        (at for at in LAYOUT.fairways.at if min(math.dist(first, at), math.dist(at, last)) > _OFF),
        key=lambda at: math.dist(first, at) + math.dist(at, last),
    )
    return (*way(first, off), *way(off, last))


def is_water(x: float, y: float) -> bool:
    """Whether that is on the map and neither land nor a city's board."""
    mask = _mask()
    return 0 <= x < mask.width and 0 <= y < mask.height and mask.getpixel((int(x), int(y))) != 0


@kept
def _mask() -> Image.Image:
    mask = Image.new("L", (LAYOUT.map[2], LAYOUT.map[3]), _WATER)
    draw = ImageDraw.Draw(mask)
    for coast in LAYOUT.coasts:
        draw.polygon(smooth(coast.points), 0)
    for number in range(CITIES):
        draw.rectangle(plaque(number), 0)
    draw.rectangle((0, 0, mask.width, LAYOUT.map[1]), 0)
    return mask


@kept
def _off_shore() -> Image.Image:
    return _mask().filter(ImageFilter.MinFilter(2 * _OFF_SHORE + 1))


@lru_cache(maxsize=1024)
def _is_open(start: Spot, end: Spot) -> bool:
    """Whether the straight line between two places keeps off the shore, near its ends excepted."""
    mask, length = _off_shore(), math.dist(start, end)
    for done in range(STEP, int(length), STEP):
        x = start[0] + (end[0] - start[0]) * done / length
        y = start[1] + (end[1] - start[1]) * done / length
        if mask.getpixel((int(x), int(y))) == 0:
            return False
    return True


def _turns(first: Spot, last: Spot) -> list[Spot]:
    """The shortest way along straight lines (Dijkstra's)."""
    places = [*LAYOUT.fairways.at, last]
    queue: list[tuple[float, Spot, list[Spot]]] = [(0.0, first, [first])]
    done: set[Spot] = set()
    while queue:
        length, here, turns = heappop(queue)
        if here == last:
            return turns
        if here in done:
            continue
        done.add(here)
        for place in places:
            if place not in done and _is_open(here, place):
                heappush(queue, (length + math.dist(here, place), place, [*turns, place]))
    return [first, last]


def _rounded(turns: Sequence[Spot]) -> list[Point]:
    """The way with its corners cut twice (Chaikin's)."""
    path: list[Point] = [*turns]
    for _ in range(2):
        cut: list[Point] = [path[0]]
        for (x, y), (to_x, to_y) in pairwise(path):
            cut.append((0.75 * x + 0.25 * to_x, 0.75 * y + 0.25 * to_y))
            cut.append((0.25 * x + 0.75 * to_x, 0.25 * y + 0.75 * to_y))
        path = [*cut, path[-1]]
    return path


def _even(path: Sequence[Point]) -> Iterator[Point]:
    yield path[0]
    left = float(STEP)
    for (x, y), (to_x, to_y) in pairwise(path):
        length = math.hypot(to_x - x, to_y - y)
        done = left
        while done <= length:
            yield x + (to_x - x) * done / length, y + (to_y - y) * done / length
            done += STEP
        left = done - length
