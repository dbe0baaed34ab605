"""What never changes on the picture: the vineyards, the frames, the bar, the turn track's spaces.

Drawn once for each number of players and each language, at twice its size for smooth edges.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.game.burgundy.data import CONTENT
from bot.render.burgundy.layout import COLOURS, FEWEST, LAYOUT, BurgundyLabels, PanelLayout
from bot.render.burgundy.pieces import half_width
from bot.render.layout import Area, Spot
from bot.render.seats import SEATS
from bot.render.sprites import Align, Canvas, Pen

HEADER = 52
"""Height of the band with emblem and name on a panel."""

_SCALE = 2
_VINES = 26
"""Pixels from one row of vines to the next."""


def track_row(space: int) -> tuple[int, int]:
    """The left edge and the middle of a space of the turn track, counted from 1."""
    left, top, _, bottom = LAYOUT.track
    top += 40
    high = (bottom - top) // CONTENT.track_spaces
    return left + 12, bottom - 4 - high * (space - 1) - high // 2


@lru_cache(maxsize=6)
def base(seats: int, labels: BurgundyLabels) -> Image.Image:
    """The picture of a table without pieces. Shared: copy it, never draw on it."""
    table = LAYOUT.tables[seats - FEWEST]
    width, height = LAYOUT.width, table.height
    large = Image.new("RGB", (width * _SCALE, height * _SCALE), COLOURS.slope)
    pen = Pen(large, _SCALE)
    _vineyard(pen, width, height)
    pen.rect((0, 0, width, LAYOUT.bar), COLOURS.bar)
    pen.rect((0, LAYOUT.bar - 3, width, LAYOUT.bar), COLOURS.ink)
    for area in (*LAYOUT.depots, LAYOUT.bonuses, LAYOUT.track):
        _card(pen, area, COLOURS.paper)
    _card(pen, LAYOUT.black, COLOURS.night)
    _track(pen)
    for seat, at in enumerate(table.at):
        _panel(pen, seat, at, table.panel)
    canvas = Canvas(large.resize((width, height), Image.Resampling.BOX))
    left, top, right, _ = LAYOUT.track
    canvas.text((left + right) // 2, top + 22, labels.track, COLOURS.soft, 24, align=Align.CENTRE)
    for space in range(1, CONTENT.track_spaces + 1):
        x, y = track_row(space)
        canvas.text(x, y, str(space), COLOURS.soft, 26)
    return canvas.image


@lru_cache(maxsize=len(SEATS))
def close_up_base(seat: int) -> Image.Image:
    """The picture of one estate without pieces. Shared: copy it, never draw on it."""
    plan = LAYOUT.close_up
    large = Image.new("RGB", (plan.width * _SCALE, plan.height * _SCALE), COLOURS.slope)
    pen = Pen(large, _SCALE)
    _vineyard(pen, plan.width, plan.height)
    _panel(pen, seat, plan.at, plan.panel)
    return large.resize((plan.width, plan.height), Image.Resampling.BOX)


@lru_cache(maxsize=1)
def depots_base() -> Image.Image:
    """The picture of the depots without pieces. Shared: copy it, never draw on it."""
    plan = LAYOUT.depots_close_up
    large = Image.new("RGB", (plan.width * _SCALE, plan.height * _SCALE), COLOURS.slope)
    pen = Pen(large, _SCALE)
    _vineyard(pen, plan.width, plan.height)
    for area in plan.depots:
        _card(pen, area, COLOURS.paper)
    _card(pen, plan.black, COLOURS.night)
    return large.resize((plan.width, plan.height), Image.Resampling.BOX)


def _panel(pen: Pen, seat: int, at: Spot, plan: PanelLayout) -> None:
    """A band in the seat's colour over paper, and the tray of the storage."""
    left, top = at
    right, bottom = left + plan.size[0], top + plan.size[1]
    area = (left, top, right, bottom)
    pen.rect(area, SEATS[seat].fill, None, 0, 12)
    pen.rect((left, top + HEADER, right, bottom), COLOURS.paper, None, 0, 12)
    pen.rect((left, top + HEADER, right, bottom - 14), COLOURS.paper)
    pen.rect((left, top + HEADER - 1, right, top + HEADER + 1), COLOURS.ink)
    pen.rect(area, None, COLOURS.ink, 2.5, 12)
    x, y = left + plan.storage[0] - 6, top + plan.storage[1]
    wide = 2 * plan.step + round(2 * half_width(plan.store)) + 12
    tray = (x, y - plan.store - 5, x + wide, y + plan.store + 5)
    pen.rect(tray, COLOURS.shade, COLOURS.soft, 1.5, 12)


def _card(pen: Pen, area: Area, fill: str) -> None:
    pen.rect(area, fill, COLOURS.ink, 2.5, 12)


def _track(pen: Pen) -> None:
    _, _, right, _ = LAYOUT.track
    for space in range(1, CONTENT.track_spaces + 1):
        left, middle = track_row(space)
        pen.rect((left + 20, middle - 25, right - 8, middle + 25), COLOURS.shade, None, 0, 10)


def _vineyard(pen: Pen, width: int, height: int) -> None:
    """Rows of vines that run up the slope, seen between the cards."""
    for x in range(-height // 3, width, _VINES):
        pen.line([(x, height), (x + height // 3, 0)], COLOURS.vine, 9)
