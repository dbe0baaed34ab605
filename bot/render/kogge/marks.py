"""What has just happened, marked on the map: courses, rings, and what was added."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bot.game.contract import Event, Seat
from bot.game.kogge.actions import Built, Traded
from bot.game.kogge.auction import Supplied
from bot.game.kogge.data import CITIES
from bot.game.kogge.guild_deals import ChitBought, GoodExchanged, MarkerExchanged, RaidMarkerBought
from bot.game.kogge.guild_master import GuildMasterBrought, GuildMasterMoved
from bot.game.kogge.movement import Sailed
from bot.game.kogge.raid import CityRaided, Pushed, ShipRaided
from bot.game.kogge.routes import Rerouted
from bot.game.kogge.setup import Founded
from bot.game.kogge.state import NOWHERE
from bot.game.kogge.view import KoggeView
from bot.render.kogge import pieces, signs
from bot.render.kogge.base import plaque
from bot.render.kogge.cities import TILE, route_spot
from bot.render.kogge.fairways import STEP, way
from bot.render.kogge.layout import COLOURS, LAYOUT
from bot.render.layout import Spot
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Canvas, Point, Sprite
from bot.render.theme import Colour, mix

_SPACING = 16
_CLEAR = 18
"""Pixels that an arrow keeps from a city's board."""

_SIGN = 32
"""Pixels of the sign that says whose a ring or a course is."""


def draw_courses(canvas: Canvas, view: KoggeView, events: Sequence[Event]) -> None:
    """Dotted courses: of ships over water, of the guild master between the cities' boards.

    Only the last voyage of a ship is drawn in full, those before it are faint.
    """
    last: dict[Seat, int] = {}
    for number, event in enumerate(events):
        if isinstance(event, Sailed | Pushed):
            last[_sailor(event)] = number
    for number, event in enumerate(events):
        match event:
            case GuildMasterMoved():
                for start, end in pairwise(_walk(view, event.city, event.count)):
                    _course(canvas, _straight(_centre(start), _centre(end)), COLOURS.robe)
            case Sailed() | Pushed():
                seat = _sailor(event)
                voyage = way(LAYOUT.cities[event.city].port, LAYOUT.cities[event.to].port)
                voyage = voyage[:: _SPACING // STEP]
                fill = SIDE_LOOKS[seat].fill
                if number == last[seat]:
                    _course(canvas, voyage, fill, emblem(seat, _SIGN))
                else:
                    for x, y in voyage:
                        canvas.stamp_centred(signs.bead(mix(fill, COLOURS.sea, 0.5), 7), x, y)


def _sailor(event: Sailed | Pushed) -> Seat:
    return event.seat if isinstance(event, Sailed) else event.other


def draw_rings(canvas: Canvas, view: KoggeView, events: Sequence[Event]) -> None:
    """A ring around each city where something was done, with the sign of whoever did it; for a
    raid, with the flag.

    At the founding, in the observer's colour around the city that they have secretly chosen.
    """
    rings: dict[int, tuple[Colour, Sprite]] = {}
    if view.chosen is not None:
        rings[view.chosen] = SIDE_LOOKS[view.observer].fill, emblem(view.observer, _SIGN)
    for event in events:
        match event:
            case CityRaided() | ShipRaided():
                rings[event.city] = COLOURS.mark, pieces.raid(event.seat, _SIGN)
            case Founded() | Built() | Traded():
                rings[event.city] = COLOURS.mark, emblem(event.seat, _SIGN)
            case GoodExchanged() | MarkerExchanged() | ChitBought() | RaidMarkerBought():
                # Deals with the guild master name no city: they are made where the ship lies.
                city = view.seats[event.seat].city
                if city != NOWHERE:
                    rings[city] = COLOURS.mark, emblem(event.seat, _SIGN)
    _, _, far, low = LAYOUT.map
    for number, (fill, sign) in rings.items():
        left, top, right, bottom = plaque(number)
        canvas.stamp(signs.ring(fill), left - signs.RING, top - signs.RING)
        # On the corner, as far out as the map reaches: offices and their goods are inside.
        x, y = min(right + 8, far - _SIGN // 2), min(bottom + 8, low - _SIGN // 2)
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
            canvas.stamp(sprite, right + 8 - sprite.width, top - sprite.height // 2)


def _course(
    canvas: Canvas, points: Sequence[Point], fill: Colour, sign: Sprite | None = None
) -> None:
    """Dots along the points, and an arrow at its end.

    The `sign` lies in the middle; the guild master, which stands at the end, has none.
    """
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


def _straight(first: Spot, last: Spot) -> Sequence[Point]:
    """Points at even distances from city to city where no city's board covers them."""
    steps = int(math.dist(first, last) / _SPACING)
    points = (
        (
            first[0] + (last[0] - first[0]) * step / steps,
            first[1] + (last[1] - first[1]) * step / steps,
        )
        for step in range(1, steps)
    )
    return [point for point in points if not _covered(point)]


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
