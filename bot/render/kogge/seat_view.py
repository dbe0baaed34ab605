"""A seat's turn: the map, below it what the seat holds, beside it what is for sale and bid."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Seat
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, GOOD_KEYS
from bot.game.kogge.view import KoggeView
from bot.render.asked import Place, Sheet, rectangle
from bot.render.fonts import fit
from bot.render.kept import kept
from bot.render.kogge import pieces, signs
from bot.render.kogge.base import base
from bot.render.kogge.layout import CAPTIONS, COLOURS, LAYOUT, LETTERS
from bot.render.kogge.map import draw_map
from bot.render.kogge.ribbon import draw_bid, draw_variants
from bot.render.layout import Area
from bot.render.panels import draw_count
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS, stamp_emblems
from bot.render.sprites import Align, Backdrop, Pen, ground

_MAP = LAYOUT.map
_SIDE = 106
"""Width of the strip beside the map."""
_FOOT = 112
"""Height of the strip below it."""
_WIDE = _MAP[2] + _SIDE
_TILE = 56
_STEP = 63
"""Pixels between two numbers, or two goods."""
_MARKERS = 82
_GOODS = _MARKERS + CITIES * _STEP + 16
_MARKS = _GOODS + len(GOOD_KEYS) * _STEP + 12
_TOP = _MAP[3] + 10
_COUNT = _TOP + _TILE + 22
_SMALL = 22
_FOR_SALE = 44
_OFFICES = 4
"""Of each seat."""


def draw_seat(scene: Scene[KoggeView], seat: Seat) -> Sheet:
    """All that concerns a seat's turn, as far as the observer may know it."""
    view = scene.view
    whole = Sheet(_WIDE, _MAP[3] - _MAP[1] + _FOOT)
    sheet = whole.at(0, -_MAP[1])
    sheet.lay(
        base(scene.looks, tuple(scene.labels[each] for each in CAPTIONS), scene.labels[LETTERS]),
        0,
        0,
    )
    sheet.lay(_side(), _MAP[2], _MAP[1])
    sheet.lay(_foot(tuple(scene.looks[seat])), 0, _MAP[3])
    draw_map(sheet, scene)
    draw_variants(sheet, scene)
    stamp_emblems(sheet, scene.looks[seat], 12, _MAP[3] + _FOOT // 2, 58)
    _markers(sheet, view, seat)
    _goods(sheet, view, scene.labels[LETTERS], seat)
    _marks(sheet, view, seat)
    y = _for_sale(sheet, scene)
    if view.phase == "bid":
        _bids(sheet, scene, y)
    else:
        _reserve(sheet, scene, y)
    return whole


def _markers(sheet: Sheet, view: KoggeView, seat: Seat) -> None:
    """Nine numbers over their counts, or the backs of those that the observer may not know."""
    owned = view.seats[seat]
    if owned.markers is None:
        count = owned.marker_count
        for number in range(3 if count is None else min(count, CITIES - 1)):
            x = _MARKERS + number * _STEP
            sheet.stamp(pieces.marker_back(None, _TILE), x, _TOP + 18)
        text = "?" if count is None else f"×{count}"
        end = _GOODS - 20
        sheet.text(end, _TOP + 18 + _TILE // 2, text, COLOURS.ink, 44, align=Align.RIGHT)
        return
    for number, count in enumerate(owned.markers):
        x = _MARKERS + number * _STEP
        tile = pieces.marker(number, _TILE) if count else signs.faint_marker(number, _TILE)
        sheet.stamp(tile, x, _TOP)
        draw_count(sheet, x + _TILE // 2, _COUNT, count, 40, Align.CENTRE)
        area = (x - 1, _TOP - 2, x + _TILE + 1, _COUNT + 20)
        sheet.note(f"marker {seat}", str(number), rectangle, area)


def _goods(sheet: Sheet, view: KoggeView, letters: str, seat: Seat) -> None:
    owned = view.seats[seat]
    for kind, key in enumerate(GOOD_KEYS):
        x = _GOODS + kind * _STEP
        sheet.stamp(pieces.good(letters, kind, _TILE), x, _TOP)
        if owned.goods is None:
            sheet.text(x + _TILE // 2, _COUNT, "?", COLOURS.soft, 40, align=Align.CENTRE)
        else:
            draw_count(sheet, x + _TILE // 2, _COUNT, owned.goods[kind], 40, Align.CENTRE)
        area = (x - 1, _TOP - 2, x + _TILE + 1, _COUNT + 20)
        sheet.note(f"good {seat}", key, rectangle, area)


def _marks(sheet: Sheet, view: KoggeView, seat: Seat) -> None:
    """Development points and offices left, below them Raids in hand and chits."""
    owned, middle, low = view.seats[seat], _TOP + 24, _TOP + 74
    x = sheet.stamp_beside(signs.pip(owned.development_points > 0, 50), _MARKS, middle) + 4
    x = draw_count(sheet, x, middle, owned.development_points, 52) + 16
    x = sheet.stamp_beside(pieces.office(seat, 44), x, middle - 3) + 2
    draw_count(sheet, x, middle, max(0, _OFFICES - owned.offices), 40)
    x = sheet.stamp_beside(pieces.raid(seat, 40), _MARKS + 4, low) + 2
    x = draw_count(sheet, x, low, owned.raids, 38) + 8
    step = min(40, (_WIDE - 44 - x) // max(1, len(owned.chits) - 1))
    for number, key in enumerate(owned.chits):
        sheet.stamp(pieces.chit(key, 38), x + number * step, low - 19)


def _for_sale(sheet: Sheet, scene: Scene[KoggeView]) -> int:
    """The pairs and the chits that are for sale, from the top; returns where they end."""
    view, left, y = scene.view, _MAP[2] + 9, _MAP[1] + 16
    _caption(sheet, scene, "pairs", y)
    y += 18
    for number in range(CONTENT.display_pairs):
        pair = view.display[number] if number < len(view.display) else ""
        for side in range(2):
            tile = pieces.marker(int(pair[side]), _FOR_SALE) if pair else None
            x = left + side * (_FOR_SALE + 1)
            sheet.stamp(tile or signs.empty_marker(_FOR_SALE), x, y)
        area = (left - 3, y - 3, left + 2 * _FOR_SALE + 4, y + _FOR_SALE + 3)
        sheet.note("pair", str(number + 1), rectangle, area)
        y += _FOR_SALE + 9
    y += 18
    _caption(sheet, scene, "chits", y)
    y += 22
    for kind, key in enumerate(CHIT_KEYS):
        across, down = left + kind % 2 * 48, y + kind // 2 * 52
        if not view.chits_left[kind]:
            sheet.stamp(signs.no_chit(38), across, down)
        for layer in reversed(range(view.chits_left[kind])):
            sheet.stamp(pieces.chit(key, 38), across + 5 * layer, down - 3 * layer)
        sheet.note("chit", key, _tagged_left, (across - 3, down - 6, across + 46, down + 41))
    return y + 132


def _tagged_left(area: Area) -> Place:
    left, top, _, bottom = area
    return Place(rectangle(area).outline, (left - 60, (top + bottom) / 2))


def _reserve(sheet: Sheet, scene: Scene[KoggeView], y: int) -> None:
    """The markers in the bag and the goods of the reserve, one below the other."""
    view, left = scene.view, _MAP[2] + 12
    _caption(sheet, scene, "bag", y)
    y += 38
    end = sheet.stamp_beside(signs.bag(40), left, y) + 4
    sheet.text(end, y, "?" if view.bag is None else str(view.bag), COLOURS.ink, 36)
    y += 58
    _caption(sheet, scene, "reserve", y)
    for kind, count in enumerate(view.reserve):
        y += 46
        end = sheet.stamp_beside(pieces.good(scene.labels[LETTERS], kind, 38), left, y - 8) + 6
        draw_count(sheet, end, y - 8, count, 36)


def _bids(sheet: Sheet, scene: Scene[KoggeView], y: int) -> None:
    """The bids so far, in the turn order of the last round."""
    view, left = scene.view, _MAP[2] + 8
    _caption(sheet, scene, "bid", y)
    y += 40
    for seat in view.order:
        x = stamp_emblems(sheet, scene.looks[seat], left, y, 40) + 4
        if bid := view.seats[seat].bid:
            draw_bid(sheet, bid, x, _WIDE - 2, y - 20, COLOURS.ink)
        else:
            sheet.text(x + 6, y, "…", COLOURS.soft, 36)
        y += 52


def _caption(sheet: Sheet, scene: Scene[KoggeView], label: str, y: int) -> None:
    text = fit(scene.labels[label], _SMALL, _SIDE - 14)
    sheet.text(_MAP[2] + 9, y, text, COLOURS.soft, _SMALL)


@kept
def _side() -> Backdrop:
    def draw(pen: Pen) -> None:
        pen.rect((0, 0, 3, pen.height), COLOURS.ink)

    return Backdrop(ground(_SIDE, _MAP[3] - _MAP[1], COLOURS.paper, draw))


@kept
def _foot(looks: Sequence[int]) -> Backdrop:
    """In the colour of the seat's side at its left."""

    def draw(pen: Pen) -> None:
        if looks:
            pen.rect((0, 0, _MARKERS - 14, _FOOT), SIDE_LOOKS[looks[0]].fill)
        pen.rect((0, 0, _WIDE, 3), COLOURS.ink)
        for x in (_MARKERS - 14, _GOODS - 12, _MARKS - 10):
            pen.rect((x, 3, x + 2, _FOOT), COLOURS.soft)

    return Backdrop(ground(_WIDE, _FOOT, COLOURS.paper, draw))
