"""What has just happened, marked on the map: courses, rings, and what was added."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from bot.game.contract import Event
from bot.game.kogge.auction import Supplied
from bot.game.kogge.building import Built
from bot.game.kogge.data import CITIES
from bot.game.kogge.guild_deals import ChitBought, GoodExchanged, MarkerExchanged, RaidMarkerBought
from bot.game.kogge.guild_master import GuildMasterBrought, GuildMasterMoved
from bot.game.kogge.movement import Sailed
from bot.game.kogge.raid import CityRaided, Pushed, ShipRaided
from bot.game.kogge.routes import Rerouted
from bot.game.kogge.setup import Founded
from bot.game.kogge.state import NOWHERE
from bot.game.kogge.trade import Traded
from bot.game.kogge.view import KoggeView
from bot.render.kogge import pieces, signs
from bot.render.kogge.base import HEADER, plaque
from bot.render.kogge.cities import TILE, route_spot
from bot.render.kogge.layout import COLOURS, LAYOUT
from bot.render.layout import Spot
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Canvas, Point, Sprite
from bot.render.theme import Colour

_SPACING = 17
_CLEAR = 7
"""Pixels kept free around a city's board."""

_SIGN = 32
"""Pixels of the sign that says whose a ring or a course is."""


def draw_courses(canvas: Canvas, view: KoggeView, events: Sequence[Event]) -> None:
    """Dotted courses of ships and of the guild master; drawn before the cities' pieces."""
    for event in events:
        match event:
            case GuildMasterMoved():
                for start, end in pairwise(_walk(view, event.city, event.count)):
                    _course(canvas, _route(_centre(start), _centre(end)), COLOURS.robe)
            case Sailed() | Pushed():
                seat = event.seat if isinstance(event, Sailed) else event.other
                voyage = _route(LAYOUT.cities[event.city].port, LAYOUT.cities[event.to].port)
                _course(canvas, voyage, SIDE_LOOKS[seat].fill, emblem(seat, _SIGN))


def draw_rings(canvas: Canvas, view: KoggeView, events: Sequence[Event]) -> None:
    """A ring around each city where something was done, in the colour and with the sign of whoever
    did it; for a raid, with the flag.

    At the founding, around the city that the observer has secretly chosen.
    """
    rings: dict[int, tuple[Colour, Sprite]] = {}
    if view.chosen is not None:
        rings[view.chosen] = SIDE_LOOKS[view.observer].fill, emblem(view.observer, _SIGN)
    for event in events:
        match event:
            case CityRaided() | ShipRaided():
                rings[event.city] = COLOURS.alarm, pieces.raid(event.seat, _SIGN)
            case Founded() | Built() | Traded():
                rings[event.city] = SIDE_LOOKS[event.seat].fill, emblem(event.seat, _SIGN)
            case GoodExchanged() | MarkerExchanged() | ChitBought() | RaidMarkerBought():
                # Deals with the guild master name no city: they are made where the ship lies.
                city = view.seats[event.seat].city
                if city != NOWHERE:
                    rings[city] = SIDE_LOOKS[event.seat].fill, emblem(event.seat, _SIGN)
    _, _, far, low = LAYOUT.map
    for number, (fill, sign) in rings.items():
        left, top, right, bottom = plaque(number)
        canvas.stamp(signs.ring(fill), left - signs.RING, top - signs.RING)
        # On the corner, as far out as the map reaches: offices and their goods are inside.
        x, y = min(right + 2, far - _SIGN // 2), min(bottom + 2, low - _SIGN // 2)
        canvas.stamp_centred(sign, x, y)


def draw_changes(canvas: Canvas, events: Sequence[Event]) -> None:
    """Goods brought to a city as a number, and a frame around a route that was changed."""
    brought = [0] * CITIES
    for event in events:
        match event:
            case Supplied() | GuildMasterBrought():
                brought[event.city] += event.count
            case Rerouted():
                x, y = route_spot(event.city, 0 if event.route == "left" else 1)
                canvas.stamp_centred(signs.frame(), x + TILE / 2, y + TILE / 2)
    for number, count in enumerate(brought):
        if count:
            _, top, right, _ = plaque(number)
            sprite = signs.plus(count)
            canvas.stamp(sprite, right + 8 - sprite.width, top + (HEADER - sprite.height) // 2)


def _course(
    canvas: Canvas, route: Sequence[Point], fill: Colour, sign: Sprite | None = None
) -> None:
    """Dots along the route where no city's board covers it, and an arrow at its end.

    The `sign` lies in the middle; the guild master, which stands at the end, has none.
    """
    points = [point for point in route if not _covered(point)]
    if len(points) < 2:
        return
    dot = signs.dot(fill)
    for x, y in points[:-1]:
        canvas.stamp_centred(dot, x, y)
    (from_x, from_y), (x, y) = points[-2:]
    degrees = round(math.degrees(math.atan2(from_y - y, x - from_x)) / 5) * 5 % 360
    canvas.stamp_centred(signs.arrow(fill, degrees), x, y)
    if sign is not None:
        canvas.stamp_centred(sign, *points[len(points) // 2])


def _centre(number: int) -> Spot:
    return LAYOUT.cities[number].at


@lru_cache(maxsize=2 * CITIES * CITIES)
def _route(first: Spot, last: Spot) -> tuple[Point, ...]:
    """Points at even distances along a curve that leaves both ends towards the open sea."""
    bend = min(0.6, max(0.42, math.dist(first, last) / 700))
    leaving, coming = _towards(first, bend), _towards(last, bend)
    path = [_bezier(first, leaving, coming, last, step / 200) for step in range(201)]
    points, walked = [], 0.0
    for before, after in pairwise(path):
        walked += math.dist(before, after)
        if walked >= _SPACING:
            points.append(after)
            walked = 0.0
    return tuple(points)


def _towards(port: Point, bend: float) -> Point:
    x, y = LAYOUT.middle
    return port[0] + bend * (x - port[0]), port[1] + bend * (y - port[1])


def _bezier(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    points = (a, b, c, d)
    return (
        sum(weight * point[0] for weight, point in zip(weights, points, strict=True)),
        sum(weight * point[1] for weight, point in zip(weights, points, strict=True)),
    )


def _covered(point: Point) -> bool:
    x, y = point
    return any(
        left - _CLEAR < x < right + _CLEAR and top - _CLEAR < y < bottom + _CLEAR
        for left, top, right, bottom in map(plaque, range(CITIES))
    )


def _walk(view: KoggeView, city: int, steps: int) -> list[int]:
    """The cities where the guild master has been, the last one `city`; it passed raided ones."""
    return list(_backwards(view, city, steps))[::-1]


def _backwards(view: KoggeView, city: int, steps: int) -> Iterator[int]:
    yield city
    for _ in range(steps):
        city = (city - 1) % CITIES
        for _ in range(CITIES):
            if not view.cities[city].raids:
                break
            city = (city - 1) % CITIES
        yield city
