"""The panels of the players: what each owns, as far as the observer may know."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.kogge.data import CITIES, CONTENT
from bot.game.kogge.view import Counts, KoggeSeatView, KoggeView
from bot.render.fonts import fit
from bot.render.kogge import pieces, signs
from bot.render.kogge.base import PANEL_HEADER, panel
from bot.render.kogge.layout import COLOURS, LAYOUT, KoggeLabels
from bot.render.layout import Area
from bot.render.seats import SEATS, letter, place, spotlight, tag
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


def draw_seats(canvas: Canvas, view: KoggeView, names: Sequence[str], labels: KoggeLabels) -> None:
    """The panels of all seats, in seat order."""
    for seat, owned in enumerate(view.seats):
        _header(canvas, view, seat, names[seat], labels)
        _goods(canvas, seat, owned.goods)
        if owned.markers is None:
            _markers_face_down(canvas, seat, owned.marker_count)
        else:
            _markers(canvas, seat, owned.markers)
        _marks(canvas, seat, owned)


def good_area(seat: int, kind: int) -> Area:
    """A kind of goods in a panel, with its count."""
    left, top, right, _ = panel(seat)
    room = (right - left - 2 * _PAD) // len(LAYOUT.goods)
    x, middle = left + _PAD + kind * room, top + PANEL_HEADER + 29
    return x - 4, middle - 24, x + room - 12, middle + 24


def marker_area(seat: int, number: int) -> Area:
    """A number of markers in a panel whose markers lie open, with its count."""
    left, top, _, _ = panel(seat)
    x, top = left + _PAD + number * _COLUMN, top + PANEL_HEADER + 56
    return x - 1, top - 2, x + _TILE + 1, top + _TILE + 36


def _header(canvas: Canvas, view: KoggeView, seat: int, name: str, labels: KoggeLabels) -> None:
    left, top, right, bottom = panel(seat)
    look = SEATS[seat]
    middle = top + PANEL_HEADER // 2
    x = right - _PAD
    if seat in view.order:
        at = place(view.order.index(seat) + 1)
        x -= at.width
        canvas.stamp(at, x, middle - at.height // 2)
    if seat == view.observer:
        you = tag(labels.you)
        x -= you.width + 8
        canvas.stamp(you, x, middle - you.height // 2)
    start = left + _PAD
    canvas.stamp(letter(seat), start, top + 5)
    start += 46
    text = fit(name, 34, x - start - 8)
    canvas.text(start, middle, text, look.writing, 34)
    if seat in view.active:
        spotlight(canvas, (left, top, right, bottom))


def _goods(canvas: Canvas, seat: int, goods: Counts | None) -> None:
    left, top, right, _ = panel(seat)
    middle = top + PANEL_HEADER + 29
    room = (right - left - 2 * _PAD) // len(LAYOUT.goods)
    for kind in range(len(LAYOUT.goods)):
        x = left + _PAD + kind * room
        icon = pieces.good(kind, 40)
        canvas.stamp(icon, x, middle - 20)
        if goods is None:
            canvas.text(x + 45, middle, "?", COLOURS.soft, _COUNT)
        else:
            shade = COLOURS.ink if goods[kind] else COLOURS.soft
            canvas.text(x + 45, middle, str(goods[kind]), shade, _COUNT)


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


def _markers(canvas: Canvas, seat: int, markers: Counts) -> None:
    """Nine columns, a number over its count."""
    left, top, _, _ = panel(seat)
    top += PANEL_HEADER + 56
    for number in range(CITIES):
        x = left + _PAD + number * _COLUMN
        count = markers[number]
        if count:
            canvas.stamp(pieces.marker(number, _TILE), x, top)
            middle = top + _TILE + 19
            canvas.text(x + _TILE // 2, middle, str(count), COLOURS.ink, 36, align=Align.CENTRE)
        else:
            canvas.stamp(signs.faint_marker(number, _TILE), x, top)


def _marks(canvas: Canvas, seat: int, owned: KoggeSeatView) -> None:
    """Development points, offices left, Raids in hand, chits."""
    left, _, right, bottom = panel(seat)
    middle = bottom - 28
    x = left + _PAD - 2
    for point in range(CONTENT.development_points_to_win):
        canvas.stamp(signs.pip(point < owned.development_points, 27), x, middle - 14)
        x += 26
    x += 6
    canvas.stamp(pieces.office(seat, 38), x, middle - 21)
    offices = max(0, _START_OFFICES - owned.offices)
    shade = COLOURS.ink if offices else COLOURS.soft
    x = canvas.text(x + 39, middle, str(offices), shade, 36) + 8
    canvas.stamp(pieces.raid(seat, 38), x, middle - 18)
    shade = COLOURS.ink if owned.raids else COLOURS.soft
    x = canvas.text(x + 34, middle, str(owned.raids), shade, 36) + 8
    size = 36
    room = right - _PAD + 4 - x
    count = len(owned.chits)
    step = min(size + 2, (room - size) // max(1, count - 1))
    for number, key in enumerate(owned.chits):
        canvas.stamp(pieces.chit(key, size), x + number * step, middle - size // 2)
