"""The pictures of Kogge: the board, each seat's turn, and each city large."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeView
from bot.render.asked import Sheet
from bot.render.kogge.cities import draw_city, draw_map
from bot.render.kogge.panels import base_of, draw_above, draw_panels, draw_seat
from bot.render.kogge.pieces import LETTERS, PALETTE, SIGNS, draw_legend
from bot.render.kogge.places import CITY_PARTS, part_asked, parts, places_of
from bot.render.kogge.sea import BAR
from bot.render.legend import LEGEND
from bot.render.picture import GamePictures, Scene


def _board(scene: Scene[KoggeView]) -> Sheet:
    """The board; what has happened is marked on the map."""
    sheet = Sheet.over(base_of(scene))
    draw_map(sheet, scene)
    draw_above(sheet, scene)
    draw_panels(sheet, scene)
    return sheet


def _part(scene: Scene[KoggeView], part: str, words: Mapping[str, str]) -> Sheet:
    """A seat, a city or the legend."""
    if part == LEGEND:
        return draw_legend(scene.say("Legend"), words, scene.say(LETTERS))
    if part in CITY_PARTS:
        return draw_city(scene, CITY_PARTS.index(part))
    return draw_seat(scene, int(part))


PICTURES = GamePictures(
    palette=PALETTE,
    bar=BAR,
    table=_board,
    part=_part,
    parts=parts,
    part_asked=part_asked,
    places=places_of,
    game=GAME,
    order=lambda known: known.order,
    signs=SIGNS,
)
