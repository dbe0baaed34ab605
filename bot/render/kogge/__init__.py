"""The pictures of Kogge: the board, and each city large."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.kogge.view import KoggeView
from bot.render.asked import Sheet
from bot.render.kogge.base import base
from bot.render.kogge.close_up import draw_city
from bot.render.kogge.layout import CAPTIONS, LAYOUT, LETTERS, PALETTE
from bot.render.kogge.legend import draw_legend
from bot.render.kogge.map import draw_map
from bot.render.kogge.places import CITY_PARTS, part_asked, parts, places_of
from bot.render.kogge.ribbon import draw_ribbon
from bot.render.kogge.seat_view import draw_seat
from bot.render.kogge.seats import draw_seats
from bot.render.legend import LEGEND
from bot.render.picture import GamePictures, Scene


def _board(scene: Scene[KoggeView]) -> Sheet:
    """The board; what has happened is marked on the map."""
    sheet = Sheet.over(
        base(scene.looks, tuple(scene.labels[each] for each in CAPTIONS), scene.labels[LETTERS])
    )
    draw_map(sheet, scene)
    draw_ribbon(sheet, scene)
    draw_seats(sheet, scene)
    return sheet


def _part(scene: Scene[KoggeView], part: str, words: Mapping[str, str]) -> Sheet:
    """A seat, a city or the legend."""
    if part == LEGEND:
        return draw_legend(scene.labels[LEGEND], words, scene.labels[LETTERS])
    if part in CITY_PARTS:
        return draw_city(scene, CITY_PARTS.index(part))
    return draw_seat(scene, int(part))


PICTURES = GamePictures(
    labels=LAYOUT.labels,
    palette=PALETTE,
    bar=LAYOUT.bar,
    table=_board,
    part=_part,
    parts=parts,
    part_asked=part_asked,
    places=places_of,
)
draw, draw_part = PICTURES.draw, PICTURES.draw_part
