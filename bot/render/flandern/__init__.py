"""The pictures of Flandern 1302: the table, each city large, and the cards of each seat."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.flandern.state import sides
from bot.game.flandern.view import FlandernView
from bot.render.asked import Sheet
from bot.render.flandern import signs
from bot.render.flandern.base import base
from bot.render.flandern.city import draw_city
from bot.render.flandern.close_up import ALL_CITIES, draw_close_up, part_asked, parts, places_of
from bot.render.flandern.layout import COLOURS, FEWEST, LAYOUT, PALETTE
from bot.render.flandern.marks import FlandernMarks, gather
from bot.render.flandern.panel import draw_panel
from bot.render.flandern.supply import draw_supply
from bot.render.fonts import Face
from bot.render.panels import draw_awaited, draw_order
from bot.render.picture import GamePictures, Scene
from bot.render.sprites import Canvas

_WITHOUT_A_CITY = 3
"""Players who leave a city out."""
_ORDER = 66
_WIDER = 124
"""Pixels from one seat to the next in the order of play: where each has one guild, and where some
have two or only a name."""


def _table(scene: Scene[FlandernView]) -> Sheet:
    view, marks = scene.view, gather(scene.events)
    table = LAYOUT.tables[len(view.seats) - FEWEST]
    sheet = Sheet.over(base(table.height, len(view.seats) != _WITHOUT_A_CITY))
    _draw_cities(sheet, scene, marks)
    for seat, at in enumerate(table.at):
        draw_panel(sheet, table.panel, at, scene, seat, marks)
    return sheet


def _draw_cities(sheet: Sheet, scene: Scene[FlandernView], marks: FlandernMarks) -> None:
    """The bar, the cities, and what lies beside the board."""
    view, has_strip = scene.view, len(scene.view.seats) != _WITHOUT_A_CITY
    _draw_bar(sheet, scene)
    if has_strip:
        draw_supply(sheet, scene, marks, LAYOUT.supply)
    wide, high = LAYOUT.city.size
    for city, at in zip(view.cities, LAYOUT.cities, strict=True):
        draw_city(sheet, scene, city, at, LAYOUT.city, marks)
        if not city.in_play:
            area = at[0], at[1] + LAYOUT.city.cell.head, at[0] + wide, at[1] + high
            draw_supply(sheet, scene, marks, area)


def _part(scene: Scene[FlandernView], part: str, words: Mapping[str, str]) -> Sheet:
    """All cities without the players, or something large."""
    if part != ALL_CITIES:
        return draw_close_up(scene, part, words)
    has_strip = len(scene.view.seats) != _WITHOUT_A_CITY
    height = LAYOUT.supply[3 if has_strip else 1] + 6 * has_strip
    sheet = Sheet.over(base(height, has_strip))
    _draw_cities(sheet, scene, gather(scene.events))
    return sheet


def _draw_bar(canvas: Canvas, scene: Scene[FlandernView]) -> None:
    """The bar along the top: the round, what is asked of whom, the order of play and who of it is
    done."""
    view, middle = scene.view, LAYOUT.bar // 2 - 1
    step = _ORDER if {*map(len, scene.looks)} == {1} else _WIDER
    end = LAYOUT.width - 8 - step * len(view.order)
    draw_order(canvas, scene, (end, middle), step, COLOURS.dusk)
    for place, seat in enumerate(view.order[: view.acted]):
        if seat not in view.active:
            canvas.stamp_centred(signs.tick(24), end + place * step + 40, middle - 18)
    x = 18
    if view.round:
        label = f"{scene.labels['round']} {view.round}"
        x = canvas.text(x, middle, label, COLOURS.cream, 38, Face.TITLE) + 26
    asked = scene.labels[view.asked]
    if view.action is not None and view.action.city:
        asked = f"{asked}: {scene.labels[view.action.city]}"
    x = canvas.text(x, middle, asked, COLOURS.gold, 38, Face.TITLE) + 18
    draw_awaited(canvas, scene, (x, middle), end - 20)


PICTURES = GamePictures(
    labels=LAYOUT.labels,
    palette=PALETTE,
    bar=LAYOUT.bar,
    table=_table,
    part=_part,
    parts=parts,
    part_asked=part_asked,
    places=places_of,
    sides=sides,
)
draw, draw_part = PICTURES.draw, PICTURES.draw_part
