"""The cities' pieces: goods, routes, offices, ships, Raids, the guild master, the end marker."""

from __future__ import annotations

from bot.game.kogge.data import CITIES, CONTENT, GOOD_LETTERS
from bot.game.kogge.view import KoggeView, OfficeView
from bot.render.asked import Sheet, rectangle, square
from bot.render.fonts import width
from bot.render.kogge import pieces
from bot.render.kogge.base import HEADER, plaque
from bot.render.kogge.layout import COLOURS, LAYOUT, Quay
from bot.render.sprites import Canvas, Sprite

TILE = 44
SHIP = 56
ROUTES = ("left", "right")
_PAD = 9
_SIZES = ((36, 38), (32, 36), (26, 30))
"""Pixels of a good and of its count, the first that fits."""

_GAP = 3


def draw_cities(sheet: Sheet, view: KoggeView, letters: str) -> None:
    """Everything that lies in the nine cities."""
    for number in range(CITIES):
        sheet.note("city", str(number), rectangle, plaque(number))
        _goods(sheet, view, letters, number)
        _routes(sheet, view, number)
        _offices(sheet, view, number)
        _pieces(sheet, view, number)


def route_spot(number: int, side: int) -> tuple[int, int]:
    """The top left corner of a city's left (0) or right (1) route marker."""
    left, _, _, bottom = plaque(number)
    return left + _PAD + side * (TILE + 4), bottom - _PAD - TILE


def _goods(sheet: Sheet, view: KoggeView, letters: str, number: int) -> None:
    """A city's goods and their counts in one row, smaller where there are many."""
    left, top, right, _ = plaque(number)
    x, middle, right = left + _PAD, top + HEADER + 27, right - _PAD
    held = [(kind, str(count)) for kind, count in enumerate(view.cities[number].goods) if count]
    for icon, size in _SIZES:
        spare = right - x - sum(icon + 2 + width(count, size) for _, count in held)
        gap = min(icon // 2, spare // max(1, len(held) - 1))
        if gap > 2:
            break
    for kind, count in held:
        sheet.stamp(pieces.good(letters, kind, icon), x, middle - icon // 2)
        end = sheet.text(x + icon + 2, middle, count, COLOURS.ink, size)
        area = (x - 2, middle - icon // 2 - 5, end + 5, middle + icon // 2 + 5)
        sheet.note(f"good in {number}", GOOD_LETTERS[kind], rectangle, area)
        x = end + gap


def _routes(sheet: Sheet, view: KoggeView, number: int) -> None:
    for side, route in enumerate(view.cities[number].routes):
        x, y = route_spot(number, side)
        sheet.stamp(pieces.route(route, TILE), x, y)
        sheet.note(f"route {number}", ROUTES[side], square, x, y, TILE)


def _offices(sheet: Sheet, view: KoggeView, number: int) -> None:
    left, _, right, bottom = plaque(number)
    start, y = left + _PAD + 2 * (TILE + 4) + 4, bottom - _PAD - TILE
    for place, office in enumerate(view.cities[number].offices):
        x = start + place * ((right - start - _PAD // 2) // 2)
        _office(sheet, office, x, y)
        sheet.note(f"office {number}", str(office.seat), square, x, y, TILE)
    if (built := len(view.cities[number].offices)) < CONTENT.offices_per_city:
        x = start + built * ((right - start - _PAD // 2) // 2)
        sheet.note(f"site {number}", "", square, x, y, TILE)


def _office(canvas: Canvas, office: OfficeView, x: int, top: int) -> None:
    """The house; beside it a small sign of the good in it over the count.

    Only trading with offices brings more than one kind into an office; they share its place.
    """
    held = [(kind, str(count)) for kind, count in enumerate(office.goods) if count]
    if len(held) > 1:
        canvas.stamp(pieces.office(office.seat, 30), x, top + TILE - 30)
        high = TILE // len(held)
        for line, (kind, count) in enumerate(held):
            middle = top + high * line + high // 2
            canvas.stamp(pieces.good("", kind, 14), x + 29, middle - 7)
            canvas.text(x + 44, middle, count, COLOURS.ink, 20)
        return
    canvas.stamp(pieces.office(office.seat, TILE), x, top)
    for kind, count in held:
        size = 34 if len(count) == 1 else 28
        wide = width(count, size)
        x += TILE - (3 if len(count) == 1 else 6)
        canvas.stamp(pieces.good("", kind, 18), x + (wide - 18) // 2, top - 2)
        canvas.text(x, top + TILE - 13, count, COLOURS.ink, size)


def _pieces(sheet: Sheet, view: KoggeView, number: int) -> None:
    quay = _Quay(view, number)
    ships = [pieces.ship(seat, SHIP) for seat in quay.moored]
    left = _lay(sheet, ships, quay.ships_left, quay.foot)
    for seat, ship, x in zip(quay.moored, ships, left, strict=True):
        sheet.note("ship", str(seat), square, x, quay.foot - ship.height, ship.width)
    _lay(sheet, quay.standing, quay.standing_left, plaque(number)[1] + 2)


class _Quay:
    """Figures and flags stand on a board's upper edge; ships lie at the quay."""

    def __init__(self, view: KoggeView, number: int) -> None:
        left, top, right, bottom = plaque(number)
        city = view.cities[number]
        self.standing: list[Sprite] = [pieces.raid(seat, 42) for seat in city.raids]
        if view.end_city == number:
            self.standing.append(pieces.end_marker())
        if view.guild_city == number:
            self.standing.append(pieces.guild_master())
        self.moored = [seat for seat, each in enumerate(view.seats) if each.city == number]
        ships = [pieces.ship(seat, SHIP) for seat in self.moored]
        below = LAYOUT.cities[number].quay is Quay.BELOW
        crowded = _row(self.standing) + _row(ships) > right - left - 2 * _PAD
        self.foot = bottom + 57 if below else top + 1 - (57 if crowded and self.standing else 0)
        # Ships lie towards the port, figures on the other side, so that both may fit in one row.
        self.ships_left, self.standing_left = left + _PAD, right - _PAD - _row(self.standing)
        if LAYOUT.cities[number].port[0] > (left + right) // 2:
            self.ships_left, self.standing_left = right - _PAD - _row(ships), left + _PAD


def _lay(canvas: Canvas, sprites: list[Sprite], x: int, foot: int) -> list[int]:
    """Side by side from x; returns where each begins."""
    starts = []
    for sprite in sprites:
        canvas.stamp(sprite, x, foot - sprite.height)
        starts.append(x)
        x += sprite.width + _GAP
    return starts


def _row(sprites: list[Sprite]) -> int:
    return sum(sprite.width + _GAP for sprite in sprites)
