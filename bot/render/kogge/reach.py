"""Where the ship that is to move can go: a line along each route, its marker and its price."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from bot.game.contract import Seat
from bot.game.kogge.data import CITIES
from bot.game.kogge.view import KoggeView
from bot.render.asked import Sheet, rectangle, square
from bot.render.kogge import pieces, signs
from bot.render.kogge.base import plaque
from bot.render.kogge.cities import ROUTES
from bot.render.kogge.fairways import bowed
from bot.render.kogge.layout import COLOURS, LAYOUT
from bot.render.layout import Labels, Spot
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Canvas, Point, Sprite

SECRET = "secret"
_TILE = 46
_APART = 84
"""Pixels between two markers on lines that run together."""
_PLACES = (0.55, 0.45, 0.65, 0.35, 0.75, 0.25)
"""Where on a line its marker may lie, the best first."""
_DASH = (6, 12)
"""Points of a dash, and of a dash with its gap."""


class Reach(NamedTuple):
    """A way out of a city. `to` is None where the observer does not know where it leads; a `hidden`
    one lies face down. `price` is in goods or markers, None where nobody has to pay.
    """

    route: str
    to: int | None
    hidden: bool
    price: int | None


def mover(view: KoggeView) -> Seat | None:
    """Whose ship is to move, or may still."""
    if view.pushed is not None and view.phase == "push":
        return view.pushed
    return view.active[0] if view.phase == "move" and view.active else None


def reach_of(view: KoggeView, seat: Seat) -> Iterator[Reach]:
    """The ways of a seat's ship that are not known to be barred."""
    who = view.seats[seat]
    sailing = view.fees if view.phase == "move" else None
    for name, route in zip(ROUTES, view.cities[who.city].routes, strict=True):
        if route.marker is None or _may_enter(view, seat, route.marker):
            yield Reach(
                name, route.marker, route.hidden or route.marker is None, sailing and sailing[0]
            )
    if sailing and SECRET in who.chits and _may_enter(view, seat, view.guild_city):
        yield Reach(SECRET, view.guild_city, False, sailing[1])


def draw_reach(sheet: Sheet, view: KoggeView, labels: Labels) -> None:
    """Lines over the water from the ship that is to move; where one leads nobody knows, it ends in
    the open sea.
    """
    seat = mover(view)
    if seat is None or view.seats[seat].city < 0:
        return
    port, fill = LAYOUT.cities[view.seats[seat].city].port, SIDE_LOOKS[seat].fill
    ways = [(each, bowed(port, _end(each))) for each in reach_of(view, seat)]
    for each, path in ways:
        if each.to is not None:
            sheet.note("way", each.route, rectangle, plaque(each.to))
        _draw_line(sheet, path, fill, dashed=each.hidden)
    laid: list[Point] = []
    # What lies at the end of a line has no other place.
    for each, path in sorted(ways, key=lambda way: way[0].to is not None):
        laid.append(_free(path, laid) if each.to is not None else path[-1])
        _draw_marker(sheet, each, laid[-1], labels)


def _draw_marker(sheet: Sheet, reach: Reach, at: Point, labels: Labels) -> None:
    """The marker of a way around a point, with what the step costs on a slip."""
    x, y = round(at[0] - _TILE / 2), round(at[1] - _TILE / 2)
    sheet.stamp(_marker(reach, _TILE), x, y)
    if reach.to is None:
        sheet.note("way", reach.route, square, x, y, _TILE)
    if reach.price is not None:
        text = f"−{reach.price}" if reach.price else labels["free"]
        slip = signs.price(text)
        sheet.stamp(slip, x + (_TILE - slip.width) // 2, y + _TILE - 10)


def _end(reach: Reach) -> Spot:
    if reach.to is None:
        return LAYOUT.unknown.at[ROUTES.index(reach.route)]
    return LAYOUT.cities[reach.to].port


def _marker(reach: Reach, size: int) -> Sprite:
    """As the observer knows it; of the secret route its chit."""
    if reach.route == SECRET:
        return pieces.chit(SECRET, size)
    if reach.hidden or reach.to is None:
        return pieces.marker_back(reach.to, size)
    return pieces.marker(reach.to, size)


def _draw_line(canvas: Canvas, path: Sequence[Point], fill: str, *, dashed: bool) -> None:
    """A line with a light edge along points that lie close together, and an arrow at its end."""
    on, period = _DASH
    points = [p for place, p in enumerate(path) if not dashed or place % period < on]
    for sprite in (signs.bead(COLOURS.cream, 15), signs.bead(COLOURS.ink, 12), signs.bead(fill, 9)):
        for x, y in points:
            canvas.stamp_centred(sprite, x, y)
    if len(path) > 4:
        (from_x, from_y), (x, y) = path[-4], path[-1]
        degrees = round(math.degrees(math.atan2(from_y - y, x - from_x)) / 5) * 5 % 360
        canvas.stamp_centred(signs.arrow(fill, degrees), x, y)


def _may_enter(view: KoggeView, seat: Seat, city: int) -> bool:
    return city != view.seats[seat].city and seat not in view.cities[city].raids


def _free(path: Sequence[Point], laid: Sequence[Point]) -> Point:
    """A point of the path that is far enough from those where something lies."""
    points = [path[int(part * (len(path) - 1))] for part in _PLACES]
    best = max(points, key=lambda point: min(map(partial(math.dist, point), laid), default=0))
    return next((point for point in points if _has_room(point, laid)), best)


def _has_room(point: Point, laid: Sequence[Point]) -> bool:
    x, y = point
    covers = any(
        left - _TILE / 2 < x < right + _TILE / 2 and top - _TILE / 2 < y < bottom + _TILE / 2
        for left, top, right, bottom in map(plaque, range(CITIES))
    )
    return not covers and all(math.dist(point, other) >= _APART for other in laid)
