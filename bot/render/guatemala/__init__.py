"""The pictures of Guatemala Café: the table, and parts of both boards large."""

from __future__ import annotations

from bot.game.guatemala.view import GuatemalaView
from bot.render.asked import Sheet
from bot.render.guatemala.bar import draw_bar
from bot.render.guatemala.base import base, ground_of
from bot.render.guatemala.close_up import draw_close_up, part_asked, parts, places_of
from bot.render.guatemala.layout import FEWEST, LAYOUT, palette
from bot.render.guatemala.marks import gather
from bot.render.guatemala.panel import SeatPanel
from bot.render.guatemala.plantation import draw_plantation
from bot.render.guatemala.production import draw_production
from bot.render.guatemala.track import draw_track
from bot.render.picture import GamePictures, Scene


def _table(scene: Scene[GuatemalaView]) -> Sheet:
    view, marks = scene.view, gather(scene.events)
    sheet = Sheet(base(scene.looks, view.last_space).copy())
    draw_bar(sheet, scene)
    ground = ground_of(len(view.seats))
    draw_track(sheet, view, ground.plan, marks)
    draw_plantation(sheet, view, ground, marks)
    draw_production(sheet, view, marks, LAYOUT.production)
    table = LAYOUT.tables[len(view.seats) - FEWEST]
    for seat, at in enumerate(table.at):
        SeatPanel(sheet, table.panel, at, scene, seat, marks).draw()
    return sheet


PICTURES = GamePictures(
    labels=LAYOUT.labels,
    palette=palette(),
    middle=LAYOUT.ending,
    table=_table,
    part=draw_close_up,
    parts=parts,
    part_asked=part_asked,
    places=places_of,
)
draw, draw_part = PICTURES.draw, PICTURES.draw_part
