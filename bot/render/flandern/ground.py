"""Where the plots of a city lie on a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bot.game.flandern.plan import PLOT_NAMES, PRINTED, members, plot_of
from bot.game.flandern.view import FlandernCityView, QuarterView
from bot.render.asked import Place
from bot.render.flandern.outlines import bounds, middle, outline
from bot.render.layout import Area
from bot.render.sprites import Point

_RAISED = 0.2
"""Units from the middle of a plot up to its name."""
_INWARD = 0.32
"""Of the way from a corner to the middle of a plot."""
_PRINTED = tuple(PLOT_NAMES[plot] for plot in members(PRINTED))


class CityGround(NamedTuple):
    """A city on a picture: its middle, and the pixels of a unit of its plan."""

    x: int
    y: int
    unit: int

    def at(self, point: Point) -> Point:
        """A point given in units from the middle of the city, y down."""
        return self.x + point[0] * self.unit, self.y + point[1] * self.unit

    def middle(self, plot: str, kind: str = "", bar: str = "") -> Point:
        """The middle of the box around a plot, or around a quarter of a kind on it."""
        return self.at(middle(outline(plot, kind, bar)))

    def label(self, plot: str) -> Point:
        """Where the name of a free plot stands, a little above the middle of its corners."""
        across, down = zip(*outline(plot), strict=True)
        return self.at((sum(across) / len(across), sum(down) / len(down) - _RAISED))

    def corner(self, plot: str) -> Point:
        """Where the name of a plot stands that is built on, towards its outermost corner."""
        corners = outline(plot)
        across, down = (sum(each) / len(corners) for each in zip(*corners, strict=True))
        x, y = max(corners, key=lambda corner: math.hypot(*corner))
        return self.at((x + (across - x) * _INWARD, y + (down - y) * _INWARD))

    def plot(self, plot: str) -> Place:
        """A free plot as the place of a question."""
        return Place(tuple(map(self.at, outline(plot))), self.label(plot))

    def quarter(self, plot: str, kind: str, bar: str) -> Place:
        """A quarter as the place of a question."""
        return Place(tuple(map(self.at, outline(plot, kind, bar))))


def outlined(quarter: QuarterView) -> tuple[str, str, str]:
    """What gives a quarter its outline: its plot, its kind, and the plot of the bar that D covers,
    "" for all others."""
    return plot_of(quarter.place), quarter.kind, plot_of(quarter.bar)


def plots_of(city: FlandernCityView) -> Iterator[str]:
    """The names of all plots that a city has now."""
    for quarter in city.quarters:
        yield plot_of(quarter.place)
        if quarter.bar:
            yield plot_of(quarter.bar)
    for place in (*city.free, *city.covered):
        yield plot_of(place)


def ground_in(area: Area, city: FlandernCityView, widest: int) -> CityGround:
    """A city in an area, with all that quarters of the church have added to it."""
    return fitted(area, tuple(plots_of(city)), widest)


@lru_cache(maxsize=512)
def fitted(area: Area, plots: tuple[str, ...], widest: int) -> CityGround:
    """A city with at least these plots as large as there is room for it, with at most `widest`
    pixels to a unit of its plan."""
    corners = [corner for plot in (*_PRINTED, *plots) for corner in outline(plot)]
    low_x, low_y, high_x, high_y = bounds(corners)
    left, top, right, bottom = area
    room = (right - left) / (high_x - low_x), (bottom - top) / (high_y - low_y)
    unit = min(widest, *map(int, room))
    x = (left + right - (low_x + high_x) * unit) / 2
    y = (top + bottom - (low_y + high_y) * unit) / 2
    return CityGround(round(x), round(y), unit)
