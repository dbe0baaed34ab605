"""The outlines of plots and quarters as pictures have them: from the middle of the city, y down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from bot.game.flandern.plan import PLOT_OF_NAME, PLOTS, SPECIAL, Outline, special_outline
from bot.game.flandern.plan import D as TWO_PLOTS
from bot.render.sprites import Point

Path = tuple[Point, ...]
"""Corners of a closed line, clockwise as it is seen."""

_MIDDLE = 2.0
"""Of a city, in the units of its plan."""


@lru_cache
def outline(plot: str, kind: str = "", bar: str = "") -> Path:
    """Of a quarter of this kind on a plot, or of the bare plot; D takes in a `bar`."""
    number = PLOT_OF_NAME[plot]
    if kind not in SPECIAL:
        return _seen(PLOTS[number].outline)
    corners = special_outline(SPECIAL.index(kind), number)
    if SPECIAL.index(kind) == TWO_PLOTS and bar:
        corners = _joined(corners, PLOTS[PLOT_OF_NAME[bar]].outline)
    return _seen(corners)


def bounds(path: Iterable[Point]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    across, down = zip(*path, strict=True)
    return min(across), min(down), max(across), max(down)


def middle(path: Iterable[Point]) -> Point:
    """Of its bounding box."""
    left, top, right, bottom = bounds(path)
    return (left + right) / 2, (top + bottom) / 2


def inset(path: Sequence[Point], depth: float) -> Path:
    """The same with each edge so far inside; outside where it is negative."""
    edges = []
    for (x, y), (to_x, to_y) in zip(path, (*path[1:], path[0]), strict=True):
        length = math.hypot(to_x - x, to_y - y)
        along = (to_x - x) / length, (to_y - y) / length
        edges.append(((x - along[1] * depth, y + along[0] * depth), along))
    corners = []
    for ((x, y), (dx, dy)), ((to_x, to_y), (ex, ey)) in zip(
        (edges[-1], *edges[:-1]), edges, strict=True
    ):
        way = ((to_x - x) * ey - (to_y - y) * ex) / (dx * ey - dy * ex)
        corners.append((x + dx * way, y + dy * way))
    return tuple(corners)


def _seen(corners: Outline) -> Path:
    path = tuple((x - _MIDDLE, _MIDDLE - y) for x, y in corners)
    area = sum(x * down - across * y for (x, y), (across, down) in pairwise((*path, path[0])))
    return path if area > 0 else path[::-1]


def _joined(corners: Outline, bar: Outline) -> Outline:
    """A trapezoid and a bar beside it, which have one corner in common."""
    (shared,) = set(_rounded(corners)) & set(_rounded(bar))
    own, other = _rounded(corners).index(shared), _rounded(bar).index(shared)
    own += other == 1
    return (*corners[:own], *bar[other + 1 :], *bar[:other], *corners[own:])


def _rounded(corners: Outline) -> Outline:
    return tuple((round(x, 2), round(y, 2)) for x, y in corners)
