"""The pictures of Burgundy: the table, each estate large, and the depots large."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.burgundy.view import BurgundyView
from bot.render.asked import Sheet
from bot.render.burgundy.base import base
from bot.render.burgundy.board import draw_bar, draw_board, draw_gallery
from bot.render.burgundy.close_up import depots_ground, draw_details, draw_legend, estate_ground
from bot.render.burgundy.depots import draw_depots
from bot.render.burgundy.layout import FEWEST, LAYOUT, palette
from bot.render.burgundy.marks import gather
from bot.render.burgundy.panel import PanelArtist
from bot.render.burgundy.places import DEPOTS, part_asked, parts, places
from bot.render.picture import GamePictures, Scene


def _table(scene: Scene[BurgundyView]) -> Sheet:
    view, marks = scene.view, gather(scene.events)
    sheet = Sheet(base(scene.looks, scene.labels["track"]).copy())
    draw_bar(sheet, scene)
    if view.asked == "board":
        draw_gallery(sheet, view)
    else:
        draw_board(sheet, view, marks)
    table = LAYOUT.tables[len(view.seats) - FEWEST]
    for seat, at in enumerate(table.at):
        PanelArtist(sheet, table.panel, at, scene, seat, marks).draw()
    return sheet


def _part(scene: Scene[BurgundyView], part: str, words: Mapping[str, str]) -> Sheet:
    """An estate, or the depots; under it a legend of the knowledge tiles of the seat and of those
    that can be taken, as far as there are words for them.
    """
    view, marks = scene.view, gather(scene.events)
    if part == DEPOTS:
        sheet, listed = depots_ground(view, words)
        draw_depots(sheet, view, marks, LAYOUT.depots_close_up)
    else:
        seat, plan = int(part), LAYOUT.close_up
        sheet, listed = estate_ground(scene, seat, words)
        PanelArtist(sheet, plan.panel, plan.at, scene, seat, marks).draw()
        draw_details(sheet, view, seat)
    draw_legend(sheet, listed, words)
    return sheet


_left, _top, _right, _bottom = LAYOUT.board
PICTURES = GamePictures(
    labels=LAYOUT.labels,
    palette=palette(),
    middle=((_left + _right) // 2, (_top + _bottom) // 2),
    table=_table,
    part=_part,
    parts=parts,
    part_asked=part_asked,
    places=places,
)
draw, draw_part = PICTURES.draw, PICTURES.draw_part
