"""One city large: its goods, where its routes lead, offices, ships and figures."""

from __future__ import annotations

from bot.game.kogge.data import CITY_GOOD, CITY_NAMES
from bot.game.kogge.view import Counts, KoggeView, RouteView
from bot.render.asked import Sheet, square
from bot.render.fonts import Face, fit_name
from bot.render.kept import kept
from bot.render.kogge import pieces
from bot.render.kogge.cities import ROUTES, SHIP
from bot.render.kogge.layout import COLOURS, LAYOUT, LETTERS
from bot.render.picture import Scene
from bot.render.sides import emblem
from bot.render.sprites import Backdrop, Canvas, Pen, Sprite, ground

_SIZE = (1080, 600)
_CARD = (8, 8, 1072, 592)
_HEADER = 92
_PAD = 34
_ROUTE = 112
_ROUTES = 232
"""Where the routes begin, from above."""
_APART = 520
_OFFICES = 392
_QUAY = 506


def draw_city(scene: Scene[KoggeView], number: int) -> Sheet:
    """All that lies in a city, on its board."""
    view, names, letters = scene.view, scene.names, scene.labels[LETTERS]
    city, look = view.cities[number], LAYOUT.goods[CITY_GOOD[number]]
    canvas = Sheet.over(_base(CITY_GOOD[number]))
    canvas.text(_PAD + 6, 54, str(number), look.writing, 80)
    canvas.stamp(pieces.good(letters, CITY_GOOD[number], 64), _PAD + 62, 22)
    canvas.text(_PAD + 146, 54, CITY_NAMES[number], look.writing, 58, Face.TITLE)
    x = _SIZE[0] - _PAD
    figures = [pieces.raid(seat, 66) for seat in city.raids]
    figures += [pieces.end_marker()] if view.end_city == number else []
    figures += [pieces.guild_master()] if view.guild_city == number else []
    for figure in reversed(figures):
        x -= figure.width + 12
        canvas.stamp_centred(figure, x + figure.width / 2, 54)
    _goods(canvas, letters, city.goods, _PAD, 162, 66)
    for side, route in enumerate(city.routes):
        _route(canvas, view, letters, side, route)
        x = _PAD + side * _APART
        canvas.note(f"route {number}", ROUTES[side], square, x, _ROUTES, _ROUTE)
    x = _PAD
    for office in city.offices:
        canvas.stamp(pieces.office(office.seat, 84), x, _OFFICES)
        name = fit_name(names, office.seat, 32, 190)
        canvas.text(x + 100, _OFFICES + 20, name, COLOURS.ink, 32)
        _goods(canvas, letters, office.goods, x + 100, _OFFICES + 62, 38)
        x += _APART
    x = _PAD
    for seat in (seat for seat, each in enumerate(view.seats) if each.city == number):
        canvas.stamp(pieces.ship(seat, SHIP), x, _QUAY)
        x = canvas.text(x + 66, _QUAY + 32, fit_name(names, seat, 32, 160), COLOURS.ink, 32) + 24
    return canvas


def _route(canvas: Canvas, view: KoggeView, letters: str, side: int, route: RouteView) -> None:
    """The marker, and beside it what is known of the city to which it leads."""
    x, y, marker = _PAD + side * _APART, _ROUTES, route.marker
    canvas.stamp(pieces.route(route, _ROUTE), x, y)
    if marker is None:
        return
    canvas.text(x + _ROUTE + 24, y + 28, CITY_NAMES[marker], COLOURS.ink, 44, Face.TITLE)
    there = _goods(canvas, letters, view.cities[marker].goods, x + _ROUTE + 24, y + 84, 42)
    signs: list[Sprite] = [emblem(each.seat, 38) for each in view.cities[marker].offices]
    for place, sign in enumerate(signs):
        canvas.stamp(sign, there + 10 + place * 44, y + 65)


def _goods(canvas: Canvas, letters: str, goods: Counts, x: int, middle: int, size: int) -> int:
    """Kinds and counts in a row; returns where it ends."""
    for kind, count in enumerate(goods):
        if count:
            canvas.stamp(pieces.good(letters, kind, size), x, middle - size // 2)
            x = canvas.text(x + size + 6, middle, str(count), COLOURS.ink, size) + size // 2
    return x


@kept
def _base(good: int) -> Backdrop:
    left, top, right, bottom = _CARD

    def draw(pen: Pen) -> None:
        pen.rect(_CARD, LAYOUT.goods[good].fill, None, 0, 18)
        pen.rect((left, top + _HEADER, right, _QUAY - 6), COLOURS.paper)
        pen.rect((left, _QUAY - 6, right, bottom - 20), COLOURS.shallow)
        pen.rect((left, bottom - 40, right, bottom), COLOURS.shallow, None, 0, 18)
        pen.rect((left, _QUAY - 8, right, _QUAY - 4), COLOURS.ink)
        pen.rect((left, top + _HEADER - 1, right, top + _HEADER + 2), COLOURS.ink)
        pen.rect(_CARD, None, COLOURS.ink, 4, 18)

    return Backdrop(ground(*_SIZE, COLOURS.sea, draw))
