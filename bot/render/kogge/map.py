"""The map with all that lies on it; what has happened is marked."""

from __future__ import annotations

from bot.game.kogge.view import KoggeView
from bot.render.asked import Sheet
from bot.render.kogge.cities import draw_cities
from bot.render.kogge.layout import LETTERS
from bot.render.kogge.marks import draw_changes, draw_courses, draw_rings
from bot.render.kogge.reach import draw_reach
from bot.render.kogge.routes import draw_routes
from bot.render.picture import Scene


def draw_map(sheet: Sheet, scene: Scene[KoggeView]) -> None:
    """Everything on the map, where it lies on the board's picture."""
    view, events = scene.view, scene.events
    draw_routes(sheet, view)
    draw_courses(sheet, view, events)
    draw_rings(sheet, view, events)
    draw_reach(sheet, view, scene.labels)
    draw_cities(sheet, view, scene.labels[LETTERS])
    draw_changes(sheet, events)
