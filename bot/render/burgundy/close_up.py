"""One estate large, with what covering each space would bring, and a legend under it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from PIL import Image

from bot.game.burgundy.data import BLACK, COLOUR_KEYS, COLOUR_OF, DEPOT_WORDS, KNOWLEDGE, TILE_KEYS
from bot.game.burgundy.view import BurgundyView
from bot.render.asked import Sheet
from bot.render.burgundy import pieces
from bot.render.burgundy.base import close_up_base, depots_base
from bot.render.burgundy.estate import middle
from bot.render.burgundy.layout import COLOURS, LAYOUT
from bot.render.fonts import wrapped
from bot.render.panels import draw_count
from bot.render.picture import Scene
from bot.render.sides import emblem
from bot.render.sprites import Align, Canvas, Sprite

_PLAN = LAYOUT.close_up
_RADIUS = 42
_TEXT = 28
_LINE = 30
_LINES = 3
_COLUMNS = 2

Entry = tuple[str, Sprite]
"""A knowledge tile of the legend, and the sign of where it is."""


def estate_ground(
    scene: Scene[BurgundyView], seat: int, words: Mapping[str, str]
) -> tuple[Sheet, list[Entry]]:
    """A fresh picture without pieces, as high as the legend needs, and what the legend lists."""
    entries = (*_owned(scene.view, seat), *_in_depots(scene.view))
    return _over_legend(close_up_base(scene.looks[seat]), entries, words)


def depots_ground(view: BurgundyView, words: Mapping[str, str]) -> tuple[Sheet, list[Entry]]:
    """The same of the depots."""
    return _over_legend(depots_base(), _in_depots(view), words)


def _over_legend(
    base: Image.Image, entries: Iterable[Entry], words: Mapping[str, str]
) -> tuple[Sheet, list[Entry]]:
    listed = [entry for entry in entries if entry[0] in words]
    lines = -(-len(listed) // _COLUMNS)
    height = base.height + (lines * _PLAN.legend + 14 if lines else 0)
    image = Image.new("RGB", (base.width, height), COLOURS.paper)
    image.paste(base, (0, 0))
    return Sheet(image), listed


def draw_details(canvas: Canvas, view: BurgundyView, seat: int) -> None:
    """What only the large picture has room for."""
    owned = view.seats[seat]
    left, top = _PLAN.at
    radius = _PLAN.panel.radius
    for space, points in enumerate(owned.worth):
        if points and owned.estate[space] is None:
            x, y = middle(_PLAN.panel, space)
            sign = pieces.seal(str(points), _PLAN.worth)
            canvas.stamp_centred(sign, left + x + radius * 0.54, top + y - radius * 0.03)
    x, level = left + _PLAN.kinds[0], top + _PLAN.kinds[1]
    held = [(kind, count) for kind, count in enumerate(owned.sold or ()) if count]
    for number, (kind, count) in enumerate(held):
        place = x + 50 * number
        canvas.stamp(pieces.good(kind, 38), place, level - 42)
        draw_count(canvas, place + 19, level + 16, count, 28, Align.CENTRE)
    x, level = left + _PLAN.empty[0], top + _PLAN.empty[1]
    for number, (colour, count) in enumerate(owned.empty):
        centre = x + 24 + 50 * number
        canvas.stamp_centred(pieces.symbol(COLOUR_KEYS.index(colour), 48), centre, level)
        draw_count(canvas, centre, level + 42, count, 32, Align.CENTRE)


def draw_legend(canvas: Canvas, listed: list[Entry], words: Mapping[str, str]) -> None:
    """Each tile with the sign of where it is, and the words for what it does."""
    top = canvas.image.height - -(-len(listed) // _COLUMNS) * _PLAN.legend - 6
    room = (_PLAN.width - 20) // _COLUMNS
    for number, (key, sign) in enumerate(listed):
        line, column = divmod(number, _COLUMNS)
        x = 14 + column * room
        level = top + line * _PLAN.legend + _PLAN.legend // 2
        canvas.stamp_centred(sign, x + 20, level)
        canvas.stamp(pieces.tile(key, _RADIUS), x + 46, level - _RADIUS)
        start = x + 46 + round(2 * pieces.half_width(_RADIUS)) + 10
        lines = wrapped(words[key], _TEXT, x + room - 8 - start, _LINES)
        for at, text in enumerate(lines):
            shift = round((at - (len(lines) - 1) / 2) * _LINE)
            canvas.text(start, level + shift, text, COLOURS.ink, _TEXT)


def _owned(view: BurgundyView, seat: int) -> Iterator[Entry]:
    """The seat's knowledge tiles, and those it has stored."""
    owned = view.seats[seat]
    for key in owned.estate:
        if key is not None and _is_knowledge(key):
            yield key, emblem(seat, 38)
    for key in filter(_is_knowledge, owned.storage):
        yield key, pieces.slot(20)


def _in_depots(view: BurgundyView) -> Iterator[Entry]:
    """Those that can be taken."""
    for depot in view.depots:
        place = DEPOT_WORDS.index(depot.depot)
        sign = pieces.icon("black_depot", 38)
        if place != BLACK:
            sign = pieces.die(place + 1, False, 38)
        for key in filter(_is_knowledge, depot.tiles):
            yield key, sign


def _is_knowledge(key: str) -> bool:
    return COLOUR_OF[TILE_KEYS.index(key)] == KNOWLEDGE
