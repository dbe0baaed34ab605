"""Lines over the water of the map: where routes lead, where a ship can go, and where pieces have
just gone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import islice, pairwise
from typing import NamedTuple

from bot.game.contract import Event, Seat
from bot.game.hidden import UNSEEN
from bot.game.kogge.data import CITIES
from bot.game.kogge.raid import Pushed
from bot.game.kogge.rounds import GuildMasterMoved
from bot.game.kogge.routes import ROUTES, SECRET_ROUTE, SLOT, Sailed, step_fee
from bot.game.kogge.state import KoggeState, Movement, Push, Route
from bot.render.asked import LayeredCanvas, rectangle
from bot.render.cache import cached
from bot.render.fonts import Say
from bot.render.kogge import pieces
from bot.render.kogge.pieces import CITY_LOOKS, COLOURS
from bot.render.kogge.sea import HARBOURS, STEP, board, broad_way, on_a_board, way
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Canvas, Pen, Point, Spot, Sprite, in_parts, paint
from bot.render.theme import Colour, mix

SECRET = "secret"
SIGN = 32
"""Pixels of the sign that says whose a ring or a course is."""
_BESIDE = 6
"""Pixels that an arrow keeps to the right of its way, so that none lies on the one back."""
_OFF = 16
"""Pixels that it keeps from the ports, where it can."""
_HEAD = 13
_MARGIN = 16
_TILE = 46
_APART = 84
"""Pixels between two markers on lines that run together."""
_PLACES = (0.55, 0.45, 0.65, 0.35, 0.75, 0.25)
"""Where on a line its marker may lie, the best first."""
_SPACING = 16
"""Pixels between two dots of a course."""
_CLEAR = 18
"""Pixels that it keeps from a city's board."""


def draw_routes(canvas: LayeredCanvas, known: KoggeState) -> None:
    """A thin arrow along each route that the observer knows, in the colour of the city it leads to;
    dashed where its marker lies face down."""
    for number, city in enumerate(known.cities):
        for side, route in enumerate(city.routes):
            if route.marker not in (UNSEEN, number):
                for part, x, y in _arrow(number, route.marker, side, route.hidden):
                    canvas.stamp(part, x, y)


@cached
def _arrow(start: int, end: int, side: int, hidden: bool) -> tuple[tuple[Sprite, int, int], ...]:
    """The arrow between two cities in parts, each with its corner on the map."""
    by = _BESIDE * (1 + side) - _BESIDE / 2
    path = [
        (x - by * (to_y - y) / length, y + by * (to_x - x) / length)
        for (x, y), (to_x, to_y) in pairwise(way(f"{start}{end}"))
        for length in [math.hypot(to_x - x, to_y - y) or 1]
    ]
    off = _OFF // STEP if len(path) > 4 * _OFF // STEP else 1
    path = path[off:-off]
    left = round(min(x for x, _ in path)) - _MARGIN
    top = round(min(y for _, y in path)) - _MARGIN
    path = [(x - left, y - top) for x, y in path]
    wide = round(max(x for x, _ in path)) + _MARGIN
    high = round(max(y for _, y in path)) + _MARGIN
    *line, (x, y) = path
    from_x, from_y = path[-min(4, len(path))]
    turn = math.atan2(y - from_y, x - from_x)
    head = [
        (x + reach * math.cos(turn + at), y + reach * math.sin(turn + at))
        for reach, at in ((_HEAD * 0.5, 0), (_HEAD, 2.5), (_HEAD * 0.45, math.pi), (_HEAD, -2.5))
    ]
    dashes = [line[at : at + 5] for at in range(0, len(line) - 1, 8)] if hidden else [line]
    fill = CITY_LOOKS[end].fill

    def draw(pen: Pen) -> None:
        for tone, width in ((COLOURS.ink, 5.5), (fill, 3)):
            for dash in dashes:
                pen.line(dash, tone, width)
        pen.polygon(head, fill, COLOURS.ink, 1.5)

    return tuple((part, left + x, top + y) for part, x, y in in_parts(paint(wide, high, draw)))


class Reach(NamedTuple):
    """A way out of a city: by a printed route with its marker, or the secret one; `to` may be
    `UNSEEN`."""

    route: str
    to: int
    marker: Route | None = None


def reach_of(known: KoggeState, seat: Seat) -> list[Reach]:
    """The ways of a seat's ship that are not known to be barred."""
    ship = known.players[seat]
    routes = zip(ROUTES, known.cities[ship.city].routes, strict=True)
    ways = [Reach(name, route.marker, route) for name, route in routes]
    if isinstance(known.frames[-1], Movement) and ship.chits[SECRET_ROUTE]:
        ways.append(Reach(SECRET, known.guild_city))
    return [
        way
        for way in ways
        if way.to == UNSEEN or (way.to != ship.city and seat not in known.cities[way.to].raids)
    ]


def draw_reach(canvas: LayeredCanvas, known: KoggeState, say: Say) -> None:
    """Lines over the water from the ship that is to move, with the marker of each route and what
    the step costs; where one leads nobody knows, it ends in the open sea.
    """
    frame = known.frames[-1]
    if not isinstance(frame, Push | Movement):
        return
    seat = frame.pushed if isinstance(frame, Push) else known.order[known.at]
    here, fill = known.players[seat].city, SIDE_LOOKS[seat].fill
    ways = list[tuple[Reach, tuple[Point, ...]]]()
    for each in reach_of(known, seat):
        end = "xy"[SLOT[each.route]] if each.to == UNSEEN else each.to
        path = broad_way(f"{here}{end}")
        is_dashed = each.marker is not None and each.marker.hidden
        points = [point for at, point in enumerate(path) if not is_dashed or at % 12 < 6]
        for tone, size in ((COLOURS.cream, 15), (COLOURS.ink, 12), (fill, 9)):
            bead = pieces.bead(tone, size)
            for x, y in points:
                canvas.stamp_centred(bead, x, y)
        _arrow_head(canvas, path[-4], path[-1], fill)
        ways.append((each, path))
    laid = list[Point]()
    # What lies at the end of a line has no other place.
    for each, path in sorted(ways, key=lambda way: way[0].to != UNSEEN):
        laid.append(path[-1] if each.to == UNSEEN else _free(path, laid))
        x, y = round(laid[-1][0] - _TILE / 2), round(laid[-1][1] - _TILE / 2)
        lies = pieces.route(each.marker, _TILE) if each.marker else pieces.chit(SECRET, _TILE)
        canvas.stamp(lies, x, y)
        area = (x, y, x + _TILE, y + _TILE) if each.to == UNSEEN else board(each.to)
        canvas.note("way", each.route, rectangle, area)
        if isinstance(frame, Movement):
            fee = step_fee(known, seat, each.route)
            slip = pieces.price(f"−{fee}" if fee else say("free"))
            canvas.stamp(slip, x + (_TILE - slip.width) // 2, y + _TILE - 10)


def _free(path: Sequence[Point], laid: Sequence[Point]) -> Point:
    """A point of the path that is far enough from those where something lies."""
    points = [path[int(part * (len(path) - 1))] for part in _PLACES]
    for point in points:
        apart = all(math.dist(point, other) >= _APART for other in laid)
        if apart and not on_a_board(point, _TILE / 2):
            return point
    return max(points, key=lambda point: min(map(partial(math.dist, point), laid), default=0))


def draw_courses(canvas: Canvas, known: KoggeState, events: Sequence[Event]) -> None:
    """Dotted courses: of ships over water, of the guild master between the cities' boards.

    Only the last voyage of a ship is drawn in full, those before it are faint.
    """
    last = {_sailor(event): event for event in events if isinstance(event, Sailed | Pushed)}
    for event in events:
        if isinstance(event, GuildMasterMoved):
            for start, end in pairwise(_walk(known, event.city, event.count)):
                _course(canvas, _straight(HARBOURS[start].at, HARBOURS[end].at), COLOURS.robe)
        elif isinstance(event, Sailed | Pushed):
            seat, voyage = _sailor(event), way(f"{event.city}{event.to}")[:: _SPACING // STEP]
            fill = SIDE_LOOKS[seat].fill
            if event is last[seat]:
                _course(canvas, voyage, fill, emblem(seat, SIGN))
            else:
                bead = pieces.bead(mix(fill, COLOURS.sea, 0.5), 7)
                for x, y in voyage:
                    canvas.stamp_centred(bead, x, y)


def _sailor(event: Sailed | Pushed) -> Seat:
    return event.seat if isinstance(event, Sailed) else event.other


def _course(
    canvas: Canvas, points: Sequence[Point], fill: Colour, sign: Sprite | None = None
) -> None:
    """Dots along the points, and an arrow at its end.

    The `sign` lies in the middle; the guild master, which stands at the end, has none.
    """
    if len(points) < 2:
        return
    for x, y in points[:-1]:
        canvas.stamp_centred(pieces.dot(fill), x, y)
    _arrow_head(canvas, points[-2], points[-1], fill)
    if sign is not None:
        canvas.stamp_centred(sign, *points[len(points) // 2])


def _arrow_head(canvas: Canvas, before: Point, at: Point, fill: Colour) -> None:
    turn = math.degrees(math.atan2(before[1] - at[1], at[0] - before[0]))
    canvas.stamp_centred(pieces.arrow(fill, round(turn / 5) * 5 % 360), *at)


def _straight(first: Spot, last: Spot) -> Sequence[Point]:
    """Points at even distances from city to city where no city's board covers them."""
    steps = int(math.dist(first, last) / _SPACING)
    points = [
        (
            first[0] + (last[0] - first[0]) * step / steps,
            first[1] + (last[1] - first[1]) * step / steps,
        )
        for step in range(1, steps)
    ]
    return [point for point in points if not on_a_board(point, _CLEAR)]


def _walk(known: KoggeState, city: int, steps: int) -> list[int]:
    """The cities where the guild master has been, the last one `city`; it passed raided ones."""
    around = ((city - back) % CITIES for back in range(1, steps * CITIES + 1))
    before = (each for each in around if not known.cities[each].raids)
    return [city, *islice(before, steps)][::-1]
