"""The pictures of Guatemala Café: the table, and parts of both boards large."""

from __future__ import annotations

from bot.game.guatemala.view import GuatemalaView
from bot.render.asked import Sheet
from bot.render.fonts import Face
from bot.render.guatemala import pieces
from bot.render.guatemala.base import base, ground_of
from bot.render.guatemala.close_up import draw_close_up, part_asked, parts, places_of
from bot.render.guatemala.layout import COLOURS, FEWEST, LAYOUT, PALETTE
from bot.render.guatemala.marks import gather
from bot.render.guatemala.panel import SeatPanel
from bot.render.guatemala.plantation import draw_plantation
from bot.render.guatemala.production import draw_production
from bot.render.guatemala.track import draw_track
from bot.render.panels import draw_awaited, draw_order
from bot.render.picture import GamePictures, Scene
from bot.render.sprites import Canvas

_ORDER = 64
_STOCK = 112
"""Pixels of what is left in the bag, and of roads."""
_ICON = 48


def _table(scene: Scene[GuatemalaView]) -> Sheet:
    view, marks = scene.view, gather(scene.events)
    sheet = Sheet.over(base(scene.looks, view.last_space))
    _draw_bar(sheet, scene)
    coffees = pieces.Coffees(scene.labels["coffees"])
    draw_track(sheet, view, coffees, marks)
    draw_plantation(sheet, view, coffees, ground_of(len(view.seats)), marks)
    draw_production(sheet, view, coffees, marks, LAYOUT.production)
    table = LAYOUT.tables[len(view.seats) - FEWEST]
    for seat, at in enumerate(table.at):
        SeatPanel(sheet, table.panel, at, scene, seat, marks).draw()
    return sheet


def _draw_bar(canvas: Canvas, scene: Scene[GuatemalaView]) -> None:
    """The bar along the top: the round, what is asked of whom, bag and roads, the order of play."""
    view, middle = scene.view, LAYOUT.bar // 2 - 1
    end = LAYOUT.width - 8 - _ORDER * len(view.order)
    draw_order(canvas, scene, (end, middle), _ORDER, COLOURS.dusk)
    left = ((pieces.icon("bag", _ICON), view.bag), (pieces.piece("road", "", _ICON), view.stock))
    end -= 34 + _STOCK * len(left)
    for place, (sign, count) in enumerate(left):
        x = canvas.stamp_beside(sign, end + place * _STOCK, middle)
        shade = COLOURS.cream if count else COLOURS.dusk
        canvas.text(x + 6, middle, str(count), shade, 40)
    x = 18
    if view.round:
        label = f"{scene.labels['round']} {view.round}"
        x = canvas.text(x, middle, label, COLOURS.cream, 38, Face.TITLE) + 26
    asked = view.asked
    if view.asked == "act" and (view.blocked or view.emptied):
        asked = "more" if view.emptied else "blocked"
    x = canvas.text(x, middle, scene.labels[asked], COLOURS.gold, 38, Face.TITLE) + 18
    draw_awaited(canvas, scene, (x, middle), end - 20)


PICTURES = GamePictures(
    labels=LAYOUT.labels,
    palette=PALETTE,
    bar=LAYOUT.bar,
    table=_table,
    part=draw_close_up,
    parts=parts,
    part_asked=part_asked,
    places=places_of,
)
draw, draw_part = PICTURES.draw, PICTURES.draw_part
