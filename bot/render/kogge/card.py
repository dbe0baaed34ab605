"""A city's board at any size, for pictures of a part of the map."""

from __future__ import annotations

from bot.game.kogge.data import CITY_GOOD, CITY_NAMES, CONTENT
from bot.game.kogge.view import KoggeView
from bot.render.asked import Sheet, rectangle, square
from bot.render.fonts import Face
from bot.render.kogge import pieces
from bot.render.kogge.cities import ROUTES, draw_goods
from bot.render.kogge.layout import COLOURS, LAYOUT
from bot.render.layout import Area
from bot.render.panels import paint_board
from bot.render.sprites import Align, Pen, Sprite, shaped

_SIZES = ((52, 50), (46, 46), (40, 40), (34, 36), (26, 30))
_HEAD = 58
_PAD = 14
_TILE = 58


@shaped(lambda _good, width, height: (width, height))
def board(pen: Pen, good: int, width: int, height: int) -> None:
    """The empty board of a city that produces a good."""
    paint_board(pen, (1, 1, width - 1, height - 1), _HEAD, LAYOUT.goods[good].fill)


@shaped(lambda width, height: (width, height))
def nobody_knows(pen: Pen, width: int, height: int) -> None:
    """In place of a city's board, where nobody knows which city it would be."""
    pen.rect((1, 1, width - 1, height - 1), COLOURS.shoal, COLOURS.back, 4, 14)
    pen.text(pen.middle, "?", COLOURS.back, min(width, height) // 2, Face.TEXT)


def draw_card(sheet: Sheet, view: KoggeView, number: int, area: Area, ships: bool = True) -> None:
    """A city's board with what is in it, and its ships, unless they are drawn elsewhere."""
    left, top, right, bottom = area
    city, good = view.cities[number], CITY_GOOD[number]
    look, middle = LAYOUT.goods[good], top + _HEAD // 2
    sheet.stamp(board(good, right - left, bottom - top), left, top)
    sheet.text(left + 28, middle, str(number), look.writing, 54, align=Align.CENTRE)
    sheet.stamp_centred(pieces.good(good, 38), left + 68, middle)
    end = sheet.text(left + 94, middle, CITY_NAMES[number], look.writing, 40, Face.TITLE) + 6
    sheet.note("city", str(number), rectangle, area)
    foot = bottom - 12 - _TILE
    row, room = (top + _HEAD + foot) // 2, foot - top - _HEAD - 4
    # On the band as far as they fit beside the name, the others below it.
    x = right - 6
    for figure in _figures(view, number):
        if middle < row and x - figure.width < end:
            x, middle = right - 6, row
        x -= figure.width + 3
        sheet.stamp(figure, x, middle - figure.height // 2)
    far = right - _PAD if middle < row else x - 6
    sizes = [each for each in _SIZES if each[0] <= room] or _SIZES[-1:]
    draw_goods(sheet, view, number, (left + _PAD, row), far, sizes)
    x = left + _PAD
    for side, route in enumerate(city.routes):
        sheet.stamp(pieces.route(route, _TILE), x, foot)
        sheet.note(f"route {number}", ROUTES[side], square, x, foot, _TILE)
        x += _TILE + 6
    x += 6
    for office in city.offices:
        sheet.stamp(pieces.office(office.seat, _TILE), x, foot)
        start, x = x, x + _TILE + 2
        for kind, count in enumerate(office.goods):
            if count:
                sheet.stamp(pieces.good(kind, 30), x, foot)
                sheet.text(x + 15, foot + 44, str(count), COLOURS.ink, 34, align=Align.CENTRE)
                x += 34
        sheet.note(f"office {number}", str(office.seat), rectangle, (start, foot, x, foot + _TILE))
        x += 4
    if len(city.offices) < CONTENT.offices_per_city:
        sheet.note(f"site {number}", "", square, x, foot, _TILE)
    if ships:
        x = right - 8
        for seat in reversed([n for n, each in enumerate(view.seats) if each.city == number]):
            x -= 54
            sheet.stamp(pieces.ship(seat, 52), x, bottom - 62)


def _figures(view: KoggeView, number: int) -> list[Sprite]:
    """What stands in a city besides offices and ships, from the right to the left."""
    figures = [pieces.guild_master()] if view.guild_city == number else []
    figures += [pieces.end_marker()] if view.end_city == number else []
    return [*figures, *(pieces.raid(seat, 46) for seat in reversed(view.cities[number].raids))]
