"""One estate large, with what covering each space would bring, or the depots; under it a legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bot.game.burgundy.data import BLACK, COLOUR_KEYS, COLOUR_OF, DEPOT_WORDS, KNOWLEDGE, TILE_KEYS
from bot.game.burgundy.view import BurgundyView
from bot.render.asked import AskedWords, Sheet
from bot.render.burgundy import pieces
from bot.render.burgundy.base import close_up_base, depots_base
from bot.render.burgundy.depots import draw_depots
from bot.render.burgundy.estate import middle
from bot.render.burgundy.layout import LAYOUT
from bot.render.burgundy.marks import gather
from bot.render.burgundy.panel import PanelArtist
from bot.render.legend import LegendEntry, over_legend
from bot.render.panels import draw_count
from bot.render.picture import Scene
from bot.render.sides import emblem
from bot.render.sprites import Align, Canvas, Sprite

BOARD = ""
"""The whole table, as the part of it in which a question lies."""
DEPOTS = "depots"
"""The part that is all depots; the others are the seats' estates, by their numbers."""

_PLAN = LAYOUT.close_up
_RADIUS = 42

Entry = tuple[str, Sprite]
"""A knowledge tile of the legend, and the sign of where it is."""


def parts(view: BurgundyView) -> tuple[str, ...]:
    """What has a close-up: the estates, and the depots once there are tiles in them."""
    estates = tuple(map(str, range(len(view.seats))))
    return (*estates, DEPOTS) if view.phase else estates


def part_asked(view: BurgundyView, asked: AskedWords) -> str | None:
    """The part that the question is about; None for one about no place or piece."""
    if asked.param in ("board", "die"):
        return BOARD
    if asked.param in ("depot", "goods") or (asked.param == "tile" and asked.kind != "place"):
        return DEPOTS
    if asked.param in ("space", "good", "tile", "discard") and view.observer >= 0:
        return str(view.observer)
    return None


def draw_close_up(scene: Scene[BurgundyView], part: str, words: Mapping[str, str]) -> Sheet:
    """An estate, or the depots; under it a legend of the knowledge tiles of the seat and of those
    that can be taken, as far as there are words for them.
    """
    view, marks = scene.view, gather(scene.events)
    if part == DEPOTS:
        sheet = over_legend(depots_base(), _listed(_in_depots(view), words))
        draw_depots(sheet, view, marks, LAYOUT.depots_close_up)
    else:
        seat = int(part)
        entries = (*_owned(view, seat), *_in_depots(view))
        sheet = over_legend(close_up_base(scene.looks[seat]), _listed(entries, words))
        PanelArtist(sheet, _PLAN.panel, _PLAN.at, scene, seat, marks).draw()
        _details(sheet, view, seat)
    return sheet


def _details(canvas: Canvas, view: BurgundyView, seat: int) -> None:
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


def _listed(entries: Iterable[Entry], words: Mapping[str, str]) -> list[LegendEntry]:
    return [
        LegendEntry(pieces.tile(key, _RADIUS), sign, words[key])
        for key, sign in entries
        if key in words
    ]


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
