"""The panels of the players: what each owns, as far as the observer may know."""

from __future__ import annotations

from bot.game.kogge.data import GOOD_KEYS
from bot.game.kogge.view import Counts, KoggeSeatView, KoggeView
from bot.render.asked import Sheet, rectangle
from bot.render.fonts import width
from bot.render.kogge import pieces, signs
from bot.render.kogge.base import PANEL_HEADER, panel
from bot.render.kogge.layout import COLOURS, LAYOUT, LETTERS
from bot.render.panels import draw_count, draw_header, draw_place
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Align, Canvas

_PAD = 10
_TILE = 38
_COLUMN = 42
_COUNT = 38
_BACK = 46
_MOST_BACKS = 9
"""How many markers are drawn of a face-down hand; its count says the rest."""
_FIGURES = 76
"""Room for that count."""
_START_OFFICES = 4
_POINTS = 46


def draw_seats(sheet: Sheet, scene: Scene[KoggeView]) -> None:
    """The panels of all seats, in seat order."""
    for seat, owned in enumerate(scene.view.seats):
        area = panel(seat)
        _, top, right, _ = area
        middle = top + PANEL_HEADER // 2
        end = _points(sheet, seat, owned.development_points, right - 8, middle)
        end = draw_place(sheet, scene, seat, end - 8, middle)
        draw_header(sheet, scene, seat, area, PANEL_HEADER, end)
        _goods(sheet, scene.labels[LETTERS], seat, owned.goods)
        if owned.markers is None:
            _markers_face_down(sheet, seat, owned.marker_count)
        else:
            _markers(sheet, seat, owned.markers)
        _marks(sheet, seat, owned)


def _points(canvas: Canvas, seat: int, points: int, end: int, middle: int) -> int:
    """Development points, up to `end`; returns where they begin."""
    text = str(points)
    writing = SIDE_LOOKS[seat].writing
    start = end - width(text, _POINTS)
    canvas.text(start, middle, text, writing, _POINTS)
    return canvas.stamp_beside(signs.pip(True, 40), start - 3, middle, Align.RIGHT)


def _goods(sheet: Sheet, letters: str, seat: int, goods: Counts | None) -> None:
    left, top, right, _ = panel(seat)
    middle = top + PANEL_HEADER + 29
    x = left + _PAD
    if goods is None:
        x = sheet.stamp_beside(signs.lock(40), x, middle) + 14
    room = (right - _PAD - x) // len(LAYOUT.goods)
    for kind, key in enumerate(GOOD_KEYS):
        end = sheet.stamp_beside(pieces.good(letters, kind, 40), x, middle)
        if goods is not None:
            draw_count(sheet, end + 5, middle, goods[kind], _COUNT)
        sheet.note(f"good {seat}", key, rectangle, (x - 4, middle - 24, x + room - 12, middle + 24))
        x += room


def _markers_face_down(canvas: Canvas, seat: int, count: int | None) -> None:
    """A fan of backs with their count; a lock and some backs where that is secret too."""
    left, top, right, _ = panel(seat)
    top += PANEL_HEADER + 68
    if count is None:
        canvas.stamp(signs.lock(_BACK), left + _PAD, top)
        for place in range(3):
            canvas.stamp(pieces.marker_back(None, _BACK), left + 74 + place * 54, top)
        return
    x = left + _PAD
    step = (right - _PAD - _FIGURES - _BACK - x) // (_MOST_BACKS - 1)
    shown = min(count, _MOST_BACKS)
    for place in range(shown):
        canvas.stamp(pieces.marker_back(None, _BACK), x + place * step, top)
    if not count:
        canvas.stamp(signs.empty_marker(_BACK), x, top)
    end = x + max(0, shown - 1) * step + _BACK + 8
    shade = COLOURS.ink if count else COLOURS.soft
    canvas.text(end, top + _BACK // 2, f"×{count}", shade, _COUNT)


def _markers(sheet: Sheet, seat: int, markers: Counts) -> None:
    """Nine columns, a number over its count."""
    left, top, _, _ = panel(seat)
    top += PANEL_HEADER + 56
    for number, count in enumerate(markers):
        x = left + _PAD + number * _COLUMN
        if count:
            sheet.stamp(pieces.marker(number, _TILE), x, top)
            draw_count(sheet, x + _TILE // 2, top + _TILE + 19, count, 36, Align.CENTRE)
        else:
            sheet.stamp(signs.faint_marker(number, _TILE), x, top)
        area = (x - 1, top - 2, x + _TILE + 1, top + _TILE + 36)
        sheet.note(f"marker {seat}", str(number), rectangle, area)


def _marks(canvas: Canvas, seat: int, owned: KoggeSeatView) -> None:
    """Offices left, Raids in hand, chits."""
    left, _, right, bottom = panel(seat)
    middle = bottom - 28
    x = left + _PAD - 2
    canvas.stamp(pieces.office(seat, 44), x, middle - 25)
    offices = max(0, _START_OFFICES - owned.offices)
    x = draw_count(canvas, x + 47, middle, offices, _COUNT) + 16
    canvas.stamp(pieces.raid(seat, 42), x, middle - 20)
    x = draw_count(canvas, x + 40, middle, owned.raids, _COUNT) + 16
    size = 42
    room = right - _PAD + 4 - x
    count = len(owned.chits)
    step = min(size + 2, (room - size) // max(1, count - 1))
    for number, key in enumerate(owned.chits):
        canvas.stamp(pieces.chit(key, size), x + number * step, middle - size // 2)
