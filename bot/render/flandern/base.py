"""What never changes on the pictures: the fields, empty cells of cities and panels."""

from __future__ import annotations

from bot.render.flandern.layout import COLOURS, LAYOUT, CellPlan
from bot.render.kept import kept
from bot.render.layout import Spot
from bot.render.panels import paint_panel
from bot.render.sprites import Backdrop, Pen, ground

HEADER = 56
"""Height of the band with emblem and name on a panel."""

_FIELD = 22
"""Pixels from one furrow of a field to the next."""


@kept
def base(height: int, has_strip: bool) -> Backdrop:
    """The picture of a table without cities and panels; there is a strip for the supply if no city
    leaves it room."""

    def draw(pen: Pen) -> None:
        _fields(pen)
        pen.rect((0, 0, LAYOUT.width, LAYOUT.bar), COLOURS.bar)
        pen.rect((0, LAYOUT.bar - 3, LAYOUT.width, LAYOUT.bar), COLOURS.ink)
        if has_strip:
            pen.rect(LAYOUT.supply, COLOURS.paper, COLOURS.ink, 2.5, 12)

    return Backdrop(ground(LAYOUT.width, height, COLOURS.field, draw))


def _fields(pen: Pen) -> None:
    """Furrows, seen between what lies on the table."""
    for y in range(0, pen.height, _FIELD):
        pen.line([(0, y), (pen.width, y + _FIELD)], COLOURS.furrow, 6)


@kept
def cell_base(size: Spot, cell: CellPlan, has_land: bool) -> Backdrop:
    """The empty cell of a city: a band for its name, its land, and a strip for those who lead."""

    def draw(pen: Pen) -> None:
        wide, high = size
        pen.rect((0, 0, *size), COLOURS.bar, None, 0, 12)
        pen.rect((0, cell.head, *size), COLOURS.paper, None, 0, 12)
        right, foot = wide - cell.side, high - cell.foot
        if has_land:
            pen.rect((0, cell.head, right, foot), COLOURS.meadow)
            pen.rect((0, foot - 1, right, foot + 1), COLOURS.soft)
            pen.rect((right - 1, cell.head, right + 1, foot), COLOURS.soft)
        pen.rect((0, 0, *size), None, COLOURS.ink, 2.5, 12)

    return Backdrop(ground(*size, COLOURS.field, draw))


@kept
def panel_base(looks: tuple[int, ...], size: Spot) -> Backdrop:
    """An empty panel of a seat whose sides have these looks."""

    def draw(pen: Pen) -> None:
        paint_panel(pen, (0, 0, *size), HEADER, looks)

    return Backdrop(ground(*size, COLOURS.field, draw))
