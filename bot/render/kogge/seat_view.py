"""A seat large: its ship with the ways from there, or in the auction the bids; what it holds; and
what is for sale.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Seat
from bot.game.kogge.data import CHIT_KEYS, CITIES, CITY_NAMES, CONTENT, GOOD_KEYS
from bot.game.kogge.view import KoggeView
from bot.render.asked import Place, Sheet, rectangle, square
from bot.render.fonts import fit
from bot.render.kept import kept
from bot.render.kogge import pieces, signs
from bot.render.kogge.card import draw_card, nobody_knows
from bot.render.kogge.layout import COLOURS
from bot.render.kogge.reach import draw_line, draw_marker, reach_of
from bot.render.layout import Area
from bot.render.panels import draw_count, draw_header, paint_panel, place
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS, stamp_emblems
from bot.render.sprites import Align, Backdrop, Canvas, Pen, Point, ground

_SIZE = (1080, 1010)
_CARD = (8, 8, 1072, 1002)
_HEAD = 58
_MIDDLE = 588
"""Where the sea, or the auction, ends and the holdings begin."""
_HERE = (24, 150, 374, 446)
_SHIP = (438, 296)
_THERE = (694, 1058)
"""Left and right of the boards of cities that can be reached."""
_BOARDS = {1: ((190, 410),), 2: ((84, 312), (340, 568)), 3: ((74, 238), (248, 412), (422, 586))}
"""Their tops and bottoms, by how many they are."""
_TILE = 72
_ALONG = 0.58
"""How far along its line a marker lies."""
_PAD = 26
_COLUMN = 115
_GOODS = 636
_MARKERS = 692
_MARKET = 880
_SMALL = 26
_OFFICES = 4
"""Of each seat."""


def draw_seat(scene: Scene[KoggeView], seat: Seat) -> Sheet:
    """All that concerns a seat's turn, as far as the observer may know it."""
    view = scene.view
    sheet = Sheet.over(_base(tuple(scene.looks[seat]), view.phase == "bid"))
    draw_header(sheet, scene, seat, _CARD, _HEAD, _CARD[2] - 20)
    if view.phase == "bid":
        _bids(sheet, scene)
        _supplied(sheet, view, seat)
    elif view.seats[seat].city >= 0:
        _voyage(sheet, scene, seat)
    _goods(sheet, view, seat)
    _markers(sheet, view, seat)
    _market(sheet, scene)
    return sheet


def _voyage(sheet: Sheet, scene: Scene[KoggeView], seat: Seat) -> None:
    """The city where the ship lies, and a line to each that it can reach from there."""
    view = scene.view
    here = view.seats[seat].city
    ways = list(reach_of(view, seat))
    for way, (top, bottom) in zip(ways, _BOARDS.get(len(ways), ()), strict=True):
        end = (_THERE[0] - 26, (top + bottom) // 2)
        path = _straight((_SHIP[0] + 44, _SHIP[1]), end)
        draw_line(sheet, path, SIDE_LOOKS[seat].fill, dashed=way.hidden)
        draw_marker(sheet, way, path[int(_ALONG * len(path))], _TILE, scene.labels)
        area = (_THERE[0], top, _THERE[1], bottom)
        if way.to is None:
            sheet.stamp(nobody_knows(area[2] - area[0], bottom - top), area[0], top)
        else:
            draw_card(sheet, view, way.to, area)
        sheet.note("way", way.route, rectangle, area)
    draw_card(sheet, view, here, _HERE, ships=False)
    sheet.stamp_centred(pieces.ship(seat, 112), *_SHIP)
    sheet.note("ship", str(seat), square, _SHIP[0] - 56, _SHIP[1] - 56, 112)
    x = _HERE[0] + 8
    for other, each in enumerate(view.seats):
        if each.city == here and other != seat:
            sheet.stamp(pieces.ship(other, 84), x, _HERE[3] + 44)
            sheet.note("ship", str(other), square, x, _HERE[3] + 44, 84)
            x += 96


def _straight(start: Point, end: Point) -> list[Point]:
    steps = 80
    return [
        (
            start[0] + (end[0] - start[0]) * step / steps,
            start[1] + (end[1] - start[1]) * step / steps,
        )
        for step in range(steps + 1)
    ]


def _bids(canvas: Canvas, scene: Scene[KoggeView]) -> None:
    """The bids so far, in the order of play of the last round."""
    view, y = scene.view, _HEAD + 56
    for number, seat in enumerate(view.order, 1):
        canvas.stamp_centred(place(number), _PAD + 22, y)
        x = stamp_emblems(canvas, scene.looks[seat], _PAD + 54, y, 50) + 12
        canvas.text(x, y, fit(scene.names[seat], 38, 250), COLOURS.ink, 38)
        bid, x = view.seats[seat].bid, 420
        step = min(62, (_SIZE[0] - _PAD - 58 - x) // max(1, len(bid) - 1))
        for letter in bid:
            canvas.stamp(pieces.marker(int(letter), 56), x, y - 28)
            x += step
        if not bid:
            canvas.text(x + 8, y, "…", COLOURS.soft, 44)
        y += 68


def _supplied(sheet: Sheet, view: KoggeView, seat: Seat) -> None:
    """What lies in the city of each number, over the markers of that number; a ring around those
    that the seat's ship can reach.
    """
    reached = {way.to for way in reach_of(view, seat)}
    for number in range(CITIES):
        x, y = _PAD + number * _COLUMN, _HEAD + 322
        if number in reached:
            sheet.stamp(signs.column(COLOURS.gold), x - 10, y - 20)
        sheet.text(x, y, CITY_NAMES[number], COLOURS.ink, 24)
        besides = [pieces.office(each.seat, 34) for each in view.cities[number].offices]
        ships = (other for other, each in enumerate(view.seats) if each.city == number)
        besides += [pieces.ship(other, 36) for other in ships]
        apart = min(38, 190 // max(1, len(besides)))
        for place_, sprite in enumerate(besides):
            sheet.stamp(sprite, x + 66, y + 18 + place_ * apart)
        for kind, count in enumerate(view.cities[number].goods):
            if count:
                sheet.stamp(pieces.good(kind, 34), x, y + 18)
                sheet.text(x + 37, y + 35, str(count), COLOURS.ink, 34)
                y += 40


def _goods(sheet: Sheet, view: KoggeView, seat: Seat) -> None:
    """Its goods, then development points, offices left, Raids in hand and chits."""
    owned, x = view.seats[seat], _PAD
    for kind, key in enumerate(GOOD_KEYS):
        end = sheet.stamp_beside(pieces.good(kind, 62), x, _GOODS) + 6
        if owned.goods is None:
            end = sheet.text(end, _GOODS, "?", COLOURS.soft, 56)
        else:
            end = draw_count(sheet, end, _GOODS, owned.goods[kind], 56)
        area = (x - 5, _GOODS - 38, end + 6, _GOODS + 38)
        sheet.note(f"good {seat}", key, rectangle, area)
        x += 130
    x += 6
    for point in range(CONTENT.development_points_to_win):
        sheet.stamp(signs.pip(point < owned.development_points, 36), x, _GOODS - 18)
        x += 34
    x = sheet.stamp_beside(pieces.office(seat, 48), x + 8, _GOODS - 2) + 2
    x = draw_count(sheet, x, _GOODS, max(0, _OFFICES - owned.offices), 44) + 10
    x = sheet.stamp_beside(pieces.raid(seat, 46), x, _GOODS) + 2
    x = draw_count(sheet, x, _GOODS, owned.raids, 44) + 10
    room = _SIZE[0] - _PAD - 44 - x
    step = min(48, room // max(1, len(owned.chits) - 1))
    for number, key in enumerate(owned.chits):
        sheet.stamp(pieces.chit(key, 44), x + number * step, _GOODS - 22)


def _markers(sheet: Sheet, view: KoggeView, seat: Seat) -> None:
    owned = view.seats[seat]
    if owned.markers is None:
        count = owned.marker_count
        for number in range(3 if count is None else min(count, CITIES)):
            x = _PAD + number * (_TILE + 12)
            sheet.stamp(pieces.marker_back(None, _TILE), x, _MARKERS)
        text = "?" if count is None else f"×{count}"
        sheet.text(_SIZE[0] - 120, _MARKERS + _TILE // 2, text, COLOURS.ink, 56)
        return
    for number, count in enumerate(owned.markers):
        x = _PAD + number * _COLUMN
        if count:
            sheet.stamp(pieces.marker(number, _TILE), x, _MARKERS)
        else:
            sheet.stamp(signs.faint_marker(number, _TILE), x, _MARKERS)
        middle = x + _TILE // 2
        draw_count(sheet, middle, _MARKERS + _TILE + 34, count, 50, Align.CENTRE)
        area = (x - 4, _MARKERS - 4, x + _TILE + 4, _MARKERS + _TILE + 76)
        sheet.note(f"marker {seat}", str(number), rectangle, area)


def _market(sheet: Sheet, scene: Scene[KoggeView]) -> None:
    """The pairs and the chits that are for sale."""
    view, labels = scene.view, scene.labels
    y, size = _MARKET + 34, 60
    sheet.text(_PAD, _MARKET + 12, labels["pairs"], COLOURS.soft, _SMALL)
    for number in range(CONTENT.display_pairs):
        pair = view.display[number] if number < len(view.display) else ""
        x = _PAD + number * 146
        for side in range(2):
            sprite = pieces.marker(int(pair[side]), size) if pair else signs.empty_marker(size)
            sheet.stamp(sprite, x + side * (size + 2), y)
        area = (x - 5, y - 5, x + 2 * size + 7, y + size + 5)
        sheet.note("pair", str(number + 1), rectangle, area)
    sheet.text(640, _MARKET + 12, labels["chits"], COLOURS.soft, _SMALL)
    for kind, key in enumerate(CHIT_KEYS):
        x, left = 640 + kind * 104, view.chits_left[kind]
        if not left:
            sheet.stamp(signs.no_chit(size), x, y)
        for layer in reversed(range(left)):
            sheet.stamp(pieces.chit(key, size), x + 8 * layer, y - 4 * layer)
        sheet.note("chit", key, _tagged_above, (x - 5, y - 12, x + size + 14, y + size + 5))


def _tagged_above(area: Area) -> Place:
    left, _, right, _ = area
    return Place(rectangle(area).outline, ((left + right) / 2, _MARKET + 10))


@kept
def _base(looks: Sequence[int], is_auction: bool) -> Backdrop:
    left, _, right, _ = _CARD

    def draw(pen: Pen) -> None:
        paint_panel(pen, _CARD, _HEAD, looks)
        top = _CARD[1] + _HEAD + 1
        if is_auction:
            pen.rect((left + 12, _HEAD + 296, right - 12, _HEAD + 298), COLOURS.soft)
        else:
            pen.rect((left + 2, top, right - 2, _MIDDLE), COLOURS.sea)
        pen.rect((left, _MIDDLE, right, _MIDDLE + 3), COLOURS.ink)
        pen.rect((left + 12, _MARKET - 14, right - 12, _MARKET - 12), COLOURS.soft)

    return Backdrop(ground(*_SIZE, COLOURS.sea, draw))
