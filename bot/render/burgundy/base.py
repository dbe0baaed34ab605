"""What never changes on the pictures: the frames, the bar, the turn track's spaces.

Drawn once for each number of players and each language.
"""

from __future__ import annotations

from bot.game.burgundy.data import CONTENT
from bot.game.sides import Looks
from bot.render.burgundy.layout import COLOURS, FEWEST, LAYOUT, PanelLayout, TableLayout
from bot.render.fonts import fit
from bot.render.kept import kept
from bot.render.layout import Area, Spot
from bot.render.panels import paint_panel
from bot.render.sprites import Backdrop, Painting, Pen, ground


def track_space(space: int) -> Area:
    """A space of the turn track, counted from 1."""
    left, top, right, bottom = LAYOUT.track
    wide = (right - left - LAYOUT.steps) // CONTENT.track_spaces
    start = left + LAYOUT.steps + (space - 1) * wide
    return start, top + 4, start + wide - 4, bottom - 4


def panel_area(at: Spot, plan: PanelLayout) -> Area:
    """A panel whose upper left corner is there."""
    return (*at, at[0] + plan.size[0], at[1] + plan.size[1])


def table_of(seats: int) -> TableLayout:
    """The layout for so many players."""
    return LAYOUT.tables[seats - FEWEST]


@kept
def base(looks: Looks, track: str) -> Backdrop:
    """The picture of a table without pieces, its track with this label."""
    table = table_of(len(looks))

    def draw(pen: Pen) -> None:
        pen.rect((0, 0, LAYOUT.width, LAYOUT.bar), COLOURS.bar)
        pen.rect((0, LAYOUT.bar - 3, LAYOUT.width, LAYOUT.bar), COLOURS.ink)
        _cards(pen, (*LAYOUT.depots.areas, table.bonuses, LAYOUT.track), table.black)
        for space in range(1, CONTENT.track_spaces + 1):
            pen.rect(track_space(space), COLOURS.shade, None, 0, 10)
        for own, at in zip(looks, table.at, strict=True):
            paint_panel(pen, panel_area(at, LAYOUT.panel), LAYOUT.panel.head, own)

    canvas = Painting(ground(LAYOUT.width, table.height, COLOURS.slope, draw))
    left, top, _, bottom = LAYOUT.track
    middle, room = (top + bottom) // 2, LAYOUT.steps - 20
    canvas.text(left + 12, middle, fit(track, 28, room), COLOURS.soft, 28)
    for space in range(1, CONTENT.track_spaces + 1):
        canvas.text(track_space(space)[0] + 7, middle, str(space), COLOURS.soft, 28)
    return Backdrop(canvas.image)


@kept
def close_up_base(looks: tuple[int, ...]) -> Backdrop:
    """The picture of one estate without pieces, its seat's sides having these looks."""
    plan = LAYOUT.close_up

    def draw(pen: Pen) -> None:
        paint_panel(pen, panel_area(plan.at, plan.panel), plan.panel.head, looks)

    return Backdrop(ground(plan.width, plan.height, COLOURS.slope, draw))


@kept
def depots_base() -> Backdrop:
    """The picture of the depots without pieces."""
    plan = LAYOUT.depots_close_up

    def draw(pen: Pen) -> None:
        _cards(pen, plan.depots.areas, plan.black)

    return Backdrop(ground(plan.width, plan.height, COLOURS.slope, draw))


@kept
def turn_base(looks: tuple[int, ...]) -> Backdrop:
    """The picture of one's own estate and the depots without pieces."""
    plan, panel = LAYOUT.turn, LAYOUT.panel

    def draw(pen: Pen) -> None:
        paint_panel(pen, panel_area(LAYOUT.close_up.at, panel), panel.head, looks)
        _cards(pen, plan.depots.areas, plan.black)

    return Backdrop(ground(plan.width, plan.height, COLOURS.slope, draw))


def _cards(pen: Pen, areas: tuple[Area, ...], black: Area) -> None:
    for area in areas:
        pen.rect(area, COLOURS.paper, COLOURS.ink, 2.5, 12)
    pen.rect(black, COLOURS.night, COLOURS.ink, 2.5, 12)
