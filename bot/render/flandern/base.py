"""What never changes on the pictures: the fields, the cells of the cities, the frames of panels.

Drawn once for each end of the scale of points, and for the sides of each seat.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.render.flandern.layout import COLOURS, LAYOUT, CellPlan
from bot.render.flandern.track import letter_track, paint_track
from bot.render.layout import Area, Spot
from bot.render.panels import paint_panel
from bot.render.sprites import Canvas, Pen, ground

HEADER = 48
"""Height of the band with emblem and name on a panel."""

_FIELD = 22
"""Pixels from one furrow of a field to the next."""


def city_area(at: Spot) -> Area:
    """A city whose upper left corner is there, on the picture of the whole table."""
    return (*at, at[0] + LAYOUT.cities.size[0], at[1] + LAYOUT.cities.size[1])


@lru_cache(maxsize=4)
def base(last: int) -> Image.Image:
    """The picture of a table without pieces and panels, its scale of points ending there. Shared:
    copy it, never draw on it.
    """

    def draw(pen: Pen) -> None:
        _fields(pen)
        pen.rect((0, 0, LAYOUT.width, LAYOUT.bar), COLOURS.bar)
        pen.rect((0, LAYOUT.bar - 3, LAYOUT.width, LAYOUT.bar), COLOURS.ink)
        for at in LAYOUT.cities.at:
            paint_city(pen, city_area(at), LAYOUT.cities.cell)
        pen.rect(LAYOUT.supply, COLOURS.paper, COLOURS.ink, 2.5, 12)
        paint_track(pen, last)

    canvas = Canvas(ground(LAYOUT.width, LAYOUT.height, COLOURS.field, draw))
    letter_track(canvas, last)
    return canvas.image


def paint_city(pen: Pen, area: Area, cell: CellPlan) -> None:
    """The cell of a city: a band for its name, its land, and a strip for those who lead."""
    left, top, right, bottom = area
    pen.rect(area, COLOURS.bar, None, 0, 12)
    pen.rect((left, top + cell.head, right, bottom), COLOURS.paper, None, 0, 12)
    pen.rect((left, top + cell.head, right, bottom - cell.foot), COLOURS.meadow)
    pen.rect((left, bottom - cell.foot - 1, right, bottom - cell.foot + 1), COLOURS.soft)
    pen.rect(area, None, COLOURS.ink, 2.5, 12)


def _fields(pen: Pen) -> None:
    """Furrows, seen between the cities."""
    for y in range(0, pen.height, _FIELD):
        pen.line([(0, y), (pen.width, y + _FIELD)], COLOURS.furrow, 6)


@lru_cache(maxsize=1)
def city_base() -> Image.Image:
    """The cell of a city large, without its plan. Shared: copy it, never draw on it."""
    plan = LAYOUT.close_up

    def draw(pen: Pen) -> None:
        paint_city(pen, plan.area, plan.cell)

    return ground(plan.area[2], plan.area[3], COLOURS.field, draw)


@lru_cache(maxsize=32)
def panel_base(looks: tuple[int, ...], size: Spot) -> Image.Image:
    """An empty panel of a seat whose sides have these looks. Shared as well."""

    def draw(pen: Pen) -> None:
        paint_panel(pen, (0, 0, *size), HEADER, looks)

    return ground(*size, COLOURS.field, draw)
