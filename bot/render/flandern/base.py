"""What never changes on the pictures: the fields, the cells of the cities, the frames of panels.

Drawn once for the sides of each table and each end of the scale of points.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.game.sides import Looks
from bot.render.flandern.layout import COLOURS, FEWEST, LAYOUT, CellPlan
from bot.render.flandern.panel import HEADER, panel_area
from bot.render.flandern.track import letter_track, paint_track
from bot.render.layout import Area, Spot
from bot.render.panels import paint_panel
from bot.render.sprites import Canvas, Pen, ground

_FIELD = 22
"""Pixels from one furrow of a field to the next."""


def city_area(at: Spot) -> Area:
    """A city whose upper left corner is there, on the picture of the whole table."""
    return (*at, at[0] + LAYOUT.cities.size[0], at[1] + LAYOUT.cities.size[1])


@lru_cache(maxsize=16)
def base(looks: Looks, last: int) -> Image.Image:
    """The picture of a table without pieces, its scale of points ending there. Shared: copy it,
    never draw on it.
    """
    table = LAYOUT.tables[len(looks) - FEWEST]

    def draw(pen: Pen) -> None:
        _fields(pen)
        pen.rect((0, 0, LAYOUT.width, LAYOUT.bar), COLOURS.bar)
        pen.rect((0, LAYOUT.bar - 3, LAYOUT.width, LAYOUT.bar), COLOURS.ink)
        for at in LAYOUT.cities.at:
            paint_city(pen, city_area(at), LAYOUT.cities.cell)
        pen.rect(LAYOUT.supply, COLOURS.paper, COLOURS.ink, 2.5, 12)
        paint_track(pen, last)
        for own, at in zip(looks, table.at, strict=True):
            paint_panel(pen, panel_area(at, table.panel), HEADER, own)

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


@lru_cache(maxsize=16)
def cards_base(looks: tuple[int, ...], high: int) -> Image.Image:
    """An empty panel for the cards of a seat whose sides have these looks. Shared as well."""
    wide = LAYOUT.cards.width

    def draw(pen: Pen) -> None:
        _fields(pen)
        paint_panel(pen, (6, 6, wide - 6, high - 6), HEADER, looks)

    return ground(wide, high, COLOURS.field, draw)
