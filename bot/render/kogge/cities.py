"""The cities: their boards, the ships there, the latest events, and a close-up of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from bot.game.contract import Event, Seat
from bot.game.hidden import UNSEEN
from bot.game.kogge.common import ships_in
from bot.game.kogge.data import CITIES, CITY_GOOD, CITY_NAMES, GOOD_LETTERS
from bot.game.kogge.rounds import GuildMasterBrought, Supplied
from bot.game.kogge.routes import ROUTES, SLOT, Rerouted
from bot.game.kogge.state import NOWHERE, Founding, KoggeState, KoggeView, Office
from bot.render.asked import LayeredCanvas, rectangle, square
from bot.render.cache import cached
from bot.render.fonts import Face, fit_name, width
from bot.render.kogge import pieces
from bot.render.kogge.courses import SIGN, draw_courses, draw_reach, draw_routes
from bot.render.kogge.pieces import BOARD, CITY_LOOKS, COLOURS, LETTERS, draw
from bot.render.kogge.sea import HARBOURS, HEADER, MAP, board
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Backdrop, Canvas, Sprite, ground
from bot.render.theme import Colour

_TILE = 44
_SHIP = 56
_PAD = 9
_GAP = 3
"""Pixels between two pieces."""
_ROUTES_AT, _OFFICES_AT = ((9, 99), (57, 99)), ((109, 99), (172, 99))
"""Positions on a city's board."""
_SIZES = ((36, 38), (32, 36), (26, 30))
"""Pixels of a good and of its count; the first that fits is used."""
_DONE: Mapping[str, Callable[[Seat, int], Sprite]] = {
    "city_raided": pieces.raid,
    "ship_raided": pieces.raid,
    "founded": emblem,
    "built": emblem,
    "traded": emblem,
    "good_exchanged": emblem,
    "marker_exchanged": emblem,
    "chit_bought": emblem,
    "raid_marker_bought": emblem,
}
"""By kind of event in a city: the sign of the seat that acted."""


def draw_map(canvas: LayeredCanvas, scene: Scene[KoggeView]) -> None:
    """Draw everything on the map, with the latest events marked."""
    known, events = scene.view.known, scene.events
    draw_routes(canvas, known)
    draw_courses(canvas, known, events)
    _rings(canvas, scene.view, events)
    draw_reach(canvas, known, scene.say)
    for number in range(CITIES):
        _board(canvas.at(*board(number)[:2]), scene, number)
    _changes(canvas, events)


def _board(canvas: LayeredCanvas, scene: Scene[KoggeView], number: int) -> None:
    """Draw a city's board from its corner, with the figures on its edge and the ships."""
    city = scene.view.known.cities[number]
    canvas.note("city", str(number), rectangle, (0, 0, *BOARD))
    _goods(canvas, city.goods, scene.say(LETTERS), number)
    for name, route, (x, y) in zip(ROUTES, city.routes, _ROUTES_AT, strict=True):
        canvas.stamp(pieces.route(route, _TILE), x, y)
        canvas.note(f"route {number}", name, square, x, y, _TILE)
    for office, (x, y) in zip(city.offices, _OFFICES_AT, strict=False):
        _office(canvas, office, x, y)
        canvas.note(f"office {number}", str(office.seat), square, x, y, _TILE)
    if len(city.offices) < len(_OFFICES_AT):
        canvas.note(f"site {number}", "", square, *_OFFICES_AT[len(city.offices)], _TILE)
    _pieces(canvas, scene.view.known, number)


def _goods(canvas: LayeredCanvas, goods: Sequence[int], letters: str, number: int) -> None:
    """Draw a city's goods with their counts in one row, smaller if there are many."""
    x, middle = _PAD, HEADER + 27
    held = [(kind, str(count)) for kind, count in enumerate(goods) if count]
    for icon, size in _SIZES:
        spare = BOARD[0] - 2 * _PAD - sum(icon + 2 + width(count, size) for _, count in held)
        gap = min(icon // 2, spare // max(1, len(held) - 1))
        if gap > 2:
            break
    for kind, count in held:
        canvas.stamp(pieces.good(letters, kind, icon), x, middle - icon // 2)
        end = canvas.text(x + icon + 2, middle, count, COLOURS.ink, size)
        area = (x - 2, middle - icon // 2 - 5, end + 5, middle + icon // 2 + 5)
        canvas.note(f"piece in {number}", GOOD_LETTERS[kind], rectangle, area)
        x = end + gap


def _office(canvas: Canvas, office: Office, x: int, top: int) -> None:
    """Draw an office, and next to it a small sign of its good above the count.

    Several kinds of goods, which only deals with offices can bring, share the place of one.
    """
    held = [(kind, str(count)) for kind, count in enumerate(office.goods) if count]
    if len(held) > 1:
        canvas.stamp(pieces.office(office.seat, 30), x, top + _TILE - 30)
        high = _TILE // len(held)
        for line, (kind, count) in enumerate(held):
            middle = top + high * line + high // 2
            canvas.stamp(pieces.good("", kind, 14), x + 29, middle - 7)
            canvas.text(x + 44, middle, count, COLOURS.ink, 20)
        return
    canvas.stamp(pieces.office(office.seat, _TILE), x, top)
    for kind, count in held:
        size, over = (34, 3) if len(count) == 1 else (28, 6)
        x += _TILE - over
        sign = pieces.good("", kind, 18)
        canvas.stamp(sign, x + (width(count, size) - 18) // 2, top - 2)
        canvas.text(x, top + _TILE - 13, count, COLOURS.ink, size)


def _figures_in(known: KoggeState, number: int, size: int) -> list[Sprite]:
    """Return the Raids, in this size, the end marker and the guild master in a city."""
    places = {"end_marker": known.end_city, "guild_master": known.guild_city}
    return [
        *(pieces.raid(seat, size) for seat in known.cities[number].raids),
        *(pieces.figure(name) for name, city in places.items() if city == number),
    ]


def _pieces(canvas: LayeredCanvas, known: KoggeState, number: int) -> None:
    """Draw the figures and flags on the upper edge of a board, and the ships above or below it."""
    figures, seats = _figures_in(known, number, 42), ships_in(known, number)
    ships = [pieces.ship(seat, _SHIP) for seat in seats]
    figures_width, ships_width = (
        sum(each.width + _GAP for each in row) for row in (figures, ships)
    )
    bottom = BOARD[1] + 57
    if not HARBOURS[number].below:
        crowded = figures and figures_width + ships_width > BOARD[0] - 2 * _PAD
        bottom = 1 - (57 if crowded else 0)
    # Ships are on the port's side, figures on the other, so that both may fit in one row.
    ship_x, figure_x = _PAD, BOARD[0] - _PAD - figures_width
    if HARBOURS[number].port[0] > HARBOURS[number].at[0]:
        ship_x, figure_x = BOARD[0] - _PAD - ships_width, _PAD
    for seat, ship in zip(seats, ships, strict=True):
        canvas.stamp(ship, ship_x, bottom - ship.height)
        canvas.note("ship", str(seat), square, ship_x, bottom - ship.height, ship.width)
        ship_x += ship.width + _GAP
    for figure in figures:
        canvas.stamp(figure, figure_x, 2 - figure.height)
        figure_x += figure.width + _GAP


def _rings(canvas: LayeredCanvas, view: KoggeView, events: Sequence[Event]) -> None:
    """Draw a ring around each city where a seat has acted, with its sign, or its flag for a raid.

    During the founding, the ring is in the observer's colour, around their secret choice.
    """
    known, me = view.known, view.observer
    rings: dict[int, tuple[Colour, Sprite]] = {}
    frame = known.frames[-1]
    if isinstance(frame, Founding) and me >= 0 and frame.chosen[me] != NOWHERE:
        rings[frame.chosen[me]] = SIDE_LOOKS[me].fill, emblem(me, SIGN)
    for event in events:
        if event.kind in _DONE and event.by is not None:
            # The event of a deal with the guild master has no city: it is that of the ship.
            city = getattr(event, "city", known.players[event.by].city)
            rings[city] = COLOURS.mark, _DONE[event.kind](event.by, SIGN)
    for number, (fill, sign) in rings.items():
        left, top, right, bottom = board(number)
        canvas.stamp(pieces.ring(fill), left - pieces.RING, top - pieces.RING)
        # Inside the ring the sign would cover offices and goods.
        x, y = min(right + 8, MAP[2] - SIGN // 2), min(bottom + 8, MAP[3] - SIGN // 2)
        canvas.stamp_centred(sign, x, y)


def _changes(canvas: LayeredCanvas, events: Sequence[Event]) -> None:
    """Draw the count of goods brought to a city, and a frame around a changed route."""
    brought = Counter[int]()
    for event in events:
        if isinstance(event, Supplied | GuildMasterBrought):
            brought[event.city] += event.count
        elif isinstance(event, Rerouted):
            x, y = _ROUTES_AT[SLOT[event.route]]
            part = canvas.at(*board(event.city)[:2])
            part.stamp_centred(pieces.figure("frame"), x + _TILE / 2, y + _TILE / 2)
    for number, count in sorted(brought.items()):
        if count:
            sign, (_, top, right, _) = pieces.plus(count), board(number)
            canvas.stamp(sign, right + 8 - sign.width, top - sign.height // 2)


_LARGE = (1080, 600)
_EDGE = 34
_ROUTE = 112
_ROUTES = 232
"""The top of the routes."""
_APART = 520
_OFFICES = 392
_QUAY = 506


def draw_city(scene: Scene[KoggeView], number: int) -> LayeredCanvas:
    """Draw the close-up of a city."""
    known, names, letters = scene.view.known, scene.names, scene.say(LETTERS)
    city, look = known.cities[number], CITY_LOOKS[number]
    canvas = LayeredCanvas.over(_card(look.fill))
    canvas.text(_EDGE + 6, 54, str(number), look.writing, 80)
    canvas.stamp(pieces.good(letters, CITY_GOOD[number], 64), _EDGE + 62, 22)
    canvas.text(_EDGE + 146, 54, CITY_NAMES[number], look.writing, 58, Face.TITLE)
    x = _LARGE[0] - _EDGE
    for figure in reversed(_figures_in(known, number, 66)):
        x -= figure.width + 12
        canvas.stamp_centred(figure, x + figure.width / 2, 54)
    _goods_row(canvas, letters, city.goods, _EDGE, 162, 66)
    for side, route in enumerate(city.routes):
        # Next to the marker, what is known of its city.
        x = _EDGE + side * _APART
        canvas.stamp(pieces.route(route, _ROUTE), x, _ROUTES)
        canvas.note(f"route {number}", ROUTES[side], square, x, _ROUTES, _ROUTE)
        if route.marker != UNSEEN:
            x += _ROUTE + 24
            to, name = known.cities[route.marker], CITY_NAMES[route.marker]
            canvas.text(x, _ROUTES + 28, name, COLOURS.ink, 44, Face.TITLE)
            x = _goods_row(canvas, letters, to.goods, x, _ROUTES + 84, 42) + 10
            for place, office in enumerate(to.offices):
                canvas.stamp(emblem(office.seat, 38), x + place * 44, _ROUTES + 65)
    for place, office in enumerate(city.offices):
        x = _EDGE + place * _APART
        canvas.stamp(pieces.office(office.seat, 84), x, _OFFICES)
        canvas.text(x + 100, _OFFICES + 20, fit_name(names, office.seat, 32, 190), COLOURS.ink, 32)
        _goods_row(canvas, letters, office.goods, x + 100, _OFFICES + 62, 38)
    x = _EDGE
    for seat in ships_in(known, number):
        canvas.stamp(pieces.ship(seat, _SHIP), x, _QUAY)
        x = canvas.text(x + 66, _QUAY + 32, fit_name(names, seat, 32, 160), COLOURS.ink, 32) + 24
    return canvas


def _goods_row(
    canvas: Canvas, letters: str, goods: Sequence[int], x: int, middle: int, size: int
) -> int:
    """Draw goods and counts in a row, and return where it ends."""
    for kind, count in enumerate(goods):
        if count:
            canvas.stamp(pieces.good(letters, kind, size), x, middle - size // 2)
            x = canvas.text(x + size + 6, middle, str(count), COLOURS.ink, size) + size // 2
    return x


@cached
def _card(fill: Colour) -> Backdrop:
    return Backdrop(ground(*_LARGE, COLOURS.sea, partial(draw, name="card", unit=1, good=fill)))
