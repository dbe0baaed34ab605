"""The bar along the top: the round, what is asked of whom, bag and roads, the order of play."""

from __future__ import annotations

from bot.game.guatemala.view import GuatemalaView
from bot.render.fonts import Face
from bot.render.guatemala import pieces
from bot.render.guatemala.layout import COLOURS, LAYOUT
from bot.render.panels import draw_awaited, draw_order
from bot.render.picture import Scene
from bot.render.sprites import Canvas

_ORDER = 64
_STOCK = 112
"""Pixels of what is left in the bag, and of roads."""
_ICON = 48


def draw_bar(canvas: Canvas, scene: Scene[GuatemalaView]) -> None:
    """The whole bar."""
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
