"""The pictures of Burgundy: the table, each estate large, and the depots large."""

from __future__ import annotations

from bot.game.burgundy.view import BurgundyView
from bot.render.asked import WHOLE, AskedWords, Place, Places, Sheet
from bot.render.burgundy.base import base, table_of
from bot.render.burgundy.board import draw_bar, draw_board, draw_gallery
from bot.render.burgundy.close_up import draw_close_up, part_asked, parts, where
from bot.render.burgundy.layout import LAYOUT, PALETTE
from bot.render.burgundy.marks import gather
from bot.render.burgundy.panel import PanelArtist
from bot.render.picture import GamePictures, Scene


def _table(scene: Scene[BurgundyView]) -> Sheet:
    view, marks = scene.view, gather(scene.events)
    sheet = Sheet.over(base(scene.looks, scene.labels["track"]))
    draw_bar(sheet, scene)
    if view.asked == "board":
        draw_gallery(sheet, view)
    else:
        draw_board(sheet, scene, marks)
    for seat, at in enumerate(table_of(len(view.seats)).at):
        PanelArtist(sheet, LAYOUT.panel, at, scene, seat, marks).draw()
    return sheet


def _places(_view: BurgundyView, asked: AskedWords, sheet: Sheet) -> Places:
    """Where on a picture the words lie: tiles and goods in the depot chosen before, or stored."""
    what = asked.param
    if what == WHOLE:
        return {word: _place_of(sheet, *where(word)) for word in asked.words}
    if what == "discard" or (what == "tile" and asked.kind == "place"):
        what = "stored"
    elif what == "tile":
        what = asked.prefix[-1]
    elif what == "goods":
        what = f"goods {asked.prefix[-1]}"
    return {word: sheet.find(what, word) for word in asked.words}


def _place_of(sheet: Sheet, what: str, word: str) -> list[Place]:
    """Where a whole action takes effect; tiles, goods and dice are known without their names."""
    named = what in ("board", "space")
    return [place._replace(needs_tag=named) for place in sheet.find(what, word)]


PICTURES = GamePictures(
    labels=LAYOUT.labels,
    palette=PALETTE,
    bar=LAYOUT.bar,
    table=_table,
    part=draw_close_up,
    parts=parts,
    part_asked=part_asked,
    places=_places,
)
draw, draw_part = PICTURES.draw, PICTURES.draw_part
