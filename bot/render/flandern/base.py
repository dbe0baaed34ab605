"""What never changes on the pictures: the fields, empty cells of cities and panels.

Drawn once for each end of the scale of points, and for the sides of each seat.
"""

from __future__ import annotations

from bot.render.flandern.layout import COLOURS, LAYOUT, CellPlan
from bot.render.flandern.track import letter_track, paint_track
from bot.render.kept import kept
from bot.render.layout import Spot
from bot.render.panels import paint_panel
from bot.render.sprites import Backdrop, Painting, Pen, ground

HEADER = 48
"""Height of the band with emblem and name on a panel."""

_FIELD = 22
"""Pixels from one furrow of a field to the next."""


@kept
def base(last: int) -> Backdrop:
    """The picture of a table without cities and panels, its scale of points ending there."""

    def draw(pen: Pen) -> None:
        _fields(pen)
        pen.rect((0, 0, LAYOUT.width, LAYOUT.bar), COLOURS.bar)
        pen.rect((0, LAYOUT.bar - 3, LAYOUT.width, LAYOUT.bar), COLOURS.ink)
        pen.rect(LAYOUT.supply, COLOURS.paper, COLOURS.ink, 2.5, 12)
        paint_track(pen, last)

    canvas = Painting(ground(LAYOUT.width, LAYOUT.height, COLOURS.field, draw))
    letter_track(canvas, last)
    return Backdrop(canvas.image)


def _fields(pen: Pen) -> None:
    """Furrows, seen between what lies on the table."""
    for y in range(0, pen.height, _FIELD):
        pen.line([(0, y), (pen.width, y + _FIELD)], COLOURS.furrow, 6)


@kept
def cell_base(size: Spot, cell: CellPlan) -> Backdrop:
    """The empty cell of a city: a band for its name, its land, and a strip for those who lead."""

    def draw(pen: Pen) -> None:
        wide, high = size
        pen.rect((0, 0, *size), COLOURS.bar, None, 0, 12)
        pen.rect((0, cell.head, *size), COLOURS.paper, None, 0, 12)
        pen.rect((0, cell.head, wide, high - cell.foot), COLOURS.meadow)
        pen.rect((0, high - cell.foot - 1, wide, high - cell.foot + 1), COLOURS.soft)
        pen.rect((0, 0, *size), None, COLOURS.ink, 2.5, 12)

    return Backdrop(ground(*size, COLOURS.field, draw))


@kept
def panel_base(looks: tuple[int, ...], size: Spot) -> Backdrop:
    """An empty panel of a seat whose sides have these looks."""

    def draw(pen: Pen) -> None:
        paint_panel(pen, (0, 0, *size), HEADER, looks)

    return Backdrop(ground(*size, COLOURS.field, draw))
