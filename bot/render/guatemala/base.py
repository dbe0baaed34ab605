"""What never changes on the pictures: the ground, both boards, the frames of the panels.

Drawn once for each number of players and each length of the score track.
"""

from __future__ import annotations

from functools import lru_cache

from bot.game.guatemala.plantation import board_for
from bot.game.sides import Looks
from bot.render.guatemala.ground import Ground
from bot.render.guatemala.layout import COLOURS, FEWEST, LAYOUT
from bot.render.guatemala.panel import panel_area
from bot.render.guatemala.plantation import letter_plantation, paint_plantation
from bot.render.guatemala.production import letter_production, paint_production
from bot.render.guatemala.track import letter_track, paint_track
from bot.render.kept import kept
from bot.render.panels import paint_panel
from bot.render.sprites import Backdrop, Painting, Pen, ground

_LEAF = 60
"""Pixels from one leaf of the jungle to the next."""


@lru_cache
def ground_of(players: int) -> Ground:
    """The plantation board of a table on its picture."""
    board = board_for(players)
    plan = next(plan for plan in LAYOUT.plantations if plan.columns == board.columns)
    return Ground(board, plan)


@kept
def base(looks: Looks, last: int) -> Backdrop:
    """The picture of a table without pieces, with this last space of its track."""
    players = len(looks)
    land, table = ground_of(players), LAYOUT.tables[players - FEWEST]

    def draw(pen: Pen) -> None:
        jungle(pen)
        pen.rect((0, 0, LAYOUT.width, LAYOUT.bar), COLOURS.bar)
        pen.rect((0, LAYOUT.bar - 3, LAYOUT.width, LAYOUT.bar), COLOURS.ink)
        paint_track(pen, last)
        paint_plantation(pen, land, land.plan.area)
        pen.rect(land.plan.area, None, COLOURS.ink, 2.5)
        paint_production(pen, LAYOUT.production)
        for own, at in zip(looks, table.at, strict=True):
            paint_panel(pen, panel_area(at, table.panel), table.panel.head, own)

    canvas = Painting(ground(LAYOUT.width, LAYOUT.height, COLOURS.jungle, draw))
    letter_track(canvas, last)
    letter_plantation(canvas, land, land.plan.area[2])
    letter_production(canvas, LAYOUT.production)
    return Backdrop(canvas.image)


def jungle(pen: Pen) -> None:
    """Leaves, seen between the boards."""
    for row, y in enumerate(range(0, pen.height + _LEAF, _LEAF // 2)):
        for x in range(-_LEAF + (row % 2) * _LEAF // 2, pen.width + _LEAF, _LEAF):
            leaf = [(x, y), (x + 24, y - 14), (x + 46, y), (x + 24, y + 14)]
            pen.polygon(leaf, COLOURS.frond)
