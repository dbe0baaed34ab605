"""What never changes on the pictures: the vineyards, the frames, the bar, the turn track's spaces.

Drawn once for each number of players and each language.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.game.burgundy.data import CONTENT
from bot.game.sides import Looks
from bot.render.burgundy.layout import COLOURS, FEWEST, LAYOUT, PanelLayout
from bot.render.burgundy.pieces import half_width
from bot.render.layout import Area, Spot
from bot.render.panels import paint_panel
from bot.render.sprites import Align, Canvas, Pen, ground

HEADER = 52
"""Height of the band with emblem and name on a panel."""

_VINES = 26
"""Pixels from one row of vines to the next."""


def track_row(space: int) -> tuple[int, int]:
    """The left edge and the middle of a space of the turn track, counted from 1."""
    left, top, _, bottom = LAYOUT.track
    top += 40
    high = (bottom - top) // CONTENT.track_spaces
    return left + 12, bottom - 4 - high * (space - 1) - high // 2


def panel_area(at: Spot, plan: PanelLayout) -> Area:
    """A panel whose upper left corner is there."""
    return (*at, at[0] + plan.size[0], at[1] + plan.size[1])


@lru_cache(maxsize=6)
def base(looks: Looks, track: str) -> Image.Image:
    """The picture of a table without pieces, its track with this label. Shared: copy it, never draw
    on it.
    """
    table = LAYOUT.tables[len(looks) - FEWEST]

    def draw(pen: Pen) -> None:
        _vineyard(pen)
        pen.rect((0, 0, LAYOUT.width, LAYOUT.bar), COLOURS.bar)
        pen.rect((0, LAYOUT.bar - 3, LAYOUT.width, LAYOUT.bar), COLOURS.ink)
        _cards(pen, (*LAYOUT.depots, LAYOUT.bonuses, LAYOUT.track), LAYOUT.black)
        _, _, right, _ = LAYOUT.track
        for space in range(1, CONTENT.track_spaces + 1):
            left, middle = track_row(space)
            pen.rect((left + 20, middle - 25, right - 8, middle + 25), COLOURS.shade, None, 0, 10)
        for own, at in zip(looks, table.at, strict=True):
            _panel(pen, own, at, table.panel)

    canvas = Canvas(ground(LAYOUT.width, table.height, COLOURS.slope, draw))
    left, top, right, _ = LAYOUT.track
    canvas.text((left + right) // 2, top + 22, track, COLOURS.soft, 24, align=Align.CENTRE)
    for space in range(1, CONTENT.track_spaces + 1):
        canvas.text(*track_row(space), str(space), COLOURS.soft, 26)
    return canvas.image


@lru_cache(maxsize=6)
def close_up_base(looks: tuple[int, ...]) -> Image.Image:
    """The picture of one estate without pieces, its seat's sides having these looks. Shared: copy
    it, never draw on it.
    """
    plan = LAYOUT.close_up

    def draw(pen: Pen) -> None:
        _vineyard(pen)
        _panel(pen, looks, plan.at, plan.panel)

    return ground(plan.width, plan.height, COLOURS.slope, draw)


@lru_cache(maxsize=1)
def depots_base() -> Image.Image:
    """The picture of the depots without pieces. Shared: copy it, never draw on it."""
    plan = LAYOUT.depots_close_up

    def draw(pen: Pen) -> None:
        _vineyard(pen)
        _cards(pen, plan.depots, plan.black)

    return ground(plan.width, plan.height, COLOURS.slope, draw)


def _panel(pen: Pen, looks: tuple[int, ...], at: Spot, plan: PanelLayout) -> None:
    """The panel of a seat, and the tray of its storage."""
    paint_panel(pen, panel_area(at, plan), HEADER, looks)
    x, y = at[0] + plan.storage[0] - 6, at[1] + plan.storage[1]
    wide = 2 * plan.step + round(2 * half_width(plan.store)) + 12
    tray = (x, y - plan.store - 5, x + wide, y + plan.store + 5)
    pen.rect(tray, COLOURS.shade, COLOURS.soft, 1.5, 12)


def _cards(pen: Pen, areas: tuple[Area, ...], black: Area) -> None:
    for area in areas:
        pen.rect(area, COLOURS.paper, COLOURS.ink, 2.5, 12)
    pen.rect(black, COLOURS.night, COLOURS.ink, 2.5, 12)


def _vineyard(pen: Pen) -> None:
    """Rows of vines that run up the slope, seen between the cards."""
    for x in range(-pen.height // 3, pen.width, _VINES):
        pen.line([(x, pen.height), (x + pen.height // 3, 0)], COLOURS.vine, 9)
