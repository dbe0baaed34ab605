"""One estate large, with what covering each space would bring; the depots; both for a turn; and the
legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bot.game.burgundy.data import (
    BLACK,
    COLOUR_KEYS,
    COLOUR_OF,
    DEPOT_WORDS,
    KNOWLEDGE,
    SPACE_NAMES,
    SPACE_OF_NAME,
    TILE_KEYS,
)
from bot.game.burgundy.view import BurgundyView
from bot.game.contract import in_turn, parse_action
from bot.render.asked import WHOLE, AskedWords, Sheet
from bot.render.burgundy import pieces
from bot.render.burgundy.base import close_up_base, depots_base, turn_base
from bot.render.burgundy.depots import draw_depots
from bot.render.burgundy.estate import middle
from bot.render.burgundy.layout import COLOURS, LAYOUT
from bot.render.burgundy.legend import draw_legend
from bot.render.burgundy.marks import gather
from bot.render.burgundy.panel import PanelArtist
from bot.render.burgundy.pieces import half_width
from bot.render.legend import LEGEND, LegendEntry, over_legend
from bot.render.panels import draw_count
from bot.render.picture import Scene
from bot.render.sides import emblem
from bot.render.sprites import Align, Canvas, Sprite

BOARD = ""
"""The whole table, as the part of it in which a question lies."""
DEPOTS = "depots"
"""The part that is all depots; the seats' estates are called by their numbers."""
TURN = "turn"
"""The observer's own estate and the depots."""

_PLAN = LAYOUT.close_up
_RADIUS = 42

Entry = tuple[str, Sprite]
"""A knowledge tile of the legend, and the sign of where it is."""


def parts(view: BurgundyView) -> tuple[str, ...]:
    """What has a close-up: the estates, the depots once there are tiles in them, the legend."""
    estates = tuple(map(str, range(len(view.seats))))
    if not view.phase:
        return (*estates, LEGEND)
    turn = (TURN,) if view.observer >= 0 else ()
    return (*estates, DEPOTS, *turn, LEGEND)


def part_asked(view: BurgundyView, asked: AskedWords) -> str | None:
    """The part that the question is about; None for one about no place or piece."""
    if asked.param == "board":
        return BOARD
    if view.observer < 0:
        return None
    if asked.param == WHOLE:
        return _part_of({word.partition(" ")[0] for word in asked.words}, str(view.observer))
    if asked.param in ("depot", "goods") or (asked.param == "tile" and asked.kind != "place"):
        return TURN
    if asked.param == "die":
        return str(view.observer) if asked.kind in ("place", "sell", "workers") else TURN
    if asked.param in ("space", "good", "tile", "discard"):
        return str(view.observer)
    return None


_IN_DEPOTS = {"take", "buy", "load"}
_IN_ESTATE = {"castle", "place", "sell", "workers"}


def _part_of(kinds: set[str], estate: str) -> str | None:
    """Where actions of these kinds take effect."""
    if "board" in kinds:
        return BOARD
    if kinds & _IN_DEPOTS:
        return TURN
    return estate if kinds & _IN_ESTATE else None


def where(word: str) -> tuple[str, str]:
    """What a whole action is about, as the sheet has noted it; two empty words for nothing."""
    match in_turn(parse_action(word))[0]:
        case ["board", board]:
            return "board", board
        case ["castle", space] | ["place", _, _, space]:
            return "space", space
        case ["take", _, depot, tile, _] | ["buy", depot, tile, _]:
            return depot, tile
        case ["sell", _, good]:
            return "good", good
        case ["workers", die]:
            return "die", die
        case ["load", depot, _]:
            return "depot", depot
    return "", ""


def draw_close_up(scene: Scene[BurgundyView], part: str, words: Mapping[str, str]) -> Sheet:
    """An estate or the depots, and under it a legend of the knowledge tiles of the seat or of those
    that can be taken, as far as there are words for them; one's estate beside the depots; or what
    signs mean.
    """
    view, marks = scene.view, gather(scene.events)
    if part == LEGEND:
        return draw_legend(scene.labels[LEGEND], words)
    if part == DEPOTS:
        large = LAYOUT.depots_close_up
        sheet = over_legend(depots_base(), _listed(_in_depots(view), words))
        draw_depots(sheet, scene, marks, large.depots, large.black)
        return sheet
    if part == TURN:
        seat, beside = view.observer, LAYOUT.turn
        sheet = Sheet.over(turn_base(scene.looks[seat]))
        draw_depots(sheet, scene, marks, beside.depots, beside.black)
        PanelArtist(sheet, LAYOUT.panel, _PLAN.at, scene, seat, marks).draw()
        return sheet
    seat = int(part)
    # On one's own turn only what can be placed, so that it all fits on a phone.
    listed = _stored if seat == view.turn == view.observer else _owned
    entries = _listed(listed(view, seat), words)
    sheet = over_legend(close_up_base(scene.looks[seat]), entries)
    PanelArtist(sheet, _PLAN.panel, _PLAN.at, scene, seat, marks).draw()
    _details(sheet, view, seat)
    return sheet


def _details(canvas: Canvas, view: BurgundyView, seat: int) -> None:
    """What only the large picture has room for."""
    owned = view.seats[seat]
    left, top = _PLAN.at
    radius = _PLAN.panel.radius
    for space, name in enumerate(SPACE_NAMES):
        if name.endswith("1"):
            x, y = middle(_PLAN.panel, space)
            x, y = left + round(x - half_width(radius)) - 20, top + round(y)
            canvas.text(x, y, name[0], COLOURS.soft, 36, align=Align.CENTRE)
    for space, points in _brought(view, seat).items() if view.phase else ():
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


def _brought(view: BurgundyView, seat: int) -> dict[int, int]:
    """The points that a tile would bring at once, by space: the most that the seat can place there
    now, else those for completing what lies there."""
    owned = view.seats[seat]
    brought = {space: points for space, points in enumerate(owned.worth) if points}
    if seat == (view.observer if view.turn is None else view.turn):
        for place in (place for use in view.uses for place in use.places if place.points):
            space = SPACE_OF_NAME[place.space]
            brought[space] = max(place.points, brought.get(space, 0))
    return {space: points for space, points in brought.items() if owned.estate[space] is None}


def _listed(entries: Iterable[Entry], words: Mapping[str, str]) -> list[LegendEntry]:
    return [
        LegendEntry(pieces.tile(key, _RADIUS), sign, words[key])
        for key, sign in entries
        if key in words
    ]


def _owned(view: BurgundyView, seat: int) -> Iterator[Entry]:
    """The seat's knowledge tiles, and those it has stored."""
    for key in view.seats[seat].estate:
        if key is not None and _is_knowledge(key):
            yield key, emblem(seat, 38)
    yield from _stored(view, seat)


def _stored(view: BurgundyView, seat: int) -> Iterator[Entry]:
    """Those that the seat can place."""
    for key in filter(_is_knowledge, view.seats[seat].storage):
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
