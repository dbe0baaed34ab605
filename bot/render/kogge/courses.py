"""Lines on the map: where routes lead, where a ship can go, and where pieces have moved."""

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
from bot.render.kogge.sea import HARBOURS, STEP, board, on_a_board, path_over, wide_path
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Canvas, Pen, Point, Spot, Sprite, in_parts, paint
from bot.render.theme import Colour, mix

SECRET = "secret"
SIGN = 32
"""Pixels of the sign of the seat on a ring or a course."""
_SHIFT = 6
"""Pixels that an arrow is shifted to the right, so that it does not cover the opposite one."""
_PORT_GAP = 16
"""Pixels between an arrow and the ports, if there is room."""
_HEAD = 13
_MARGIN = 16
_TILE = 46
_APART = 84
"""Pixels between two markers on lines that run close together."""
_PLACES = (0.55, 0.45, 0.65, 0.35, 0.75, 0.25)
"""Possible places of the marker on a line, the best first."""
_SPACING = 16
"""Pixels between two dots of a course."""
_BOARD_GAP = 18
"""Pixels between a course and a city's board."""


def draw_routes(canvas: LayeredCanvas, known: KoggeState) -> None:
    """Draw a thin arrow along each route that the observer knows, in the colour of its destination;
    dashed if its marker is face down."""
    for number, city in enumerate(known.cities):
        for side, route in enumerate(city.routes):
            if route.marker not in (UNSEEN, number):
                for part, x, y in _arrow(number, route.marker, side, route.hidden):
                    canvas.stamp(part, x, y)


@cached
def _arrow(start: int, end: int, side: int, hidden: bool) -> tuple[tuple[Sprite, int, int], ...]:
    """Return an arrow between two cities in parts, each with its corner on the map."""
    by = _SHIFT * (1 + side) - _SHIFT / 2
    path = [
        (x - by * (to_y - y) / length, y + by * (to_x - x) / length)
        for (x, y), (to_x, to_y) in pairwise(path_over(f"{start}{end}"))
        for length in [math.hypot(to_x - x, to_y - y) or 1]
    ]
    gap = _PORT_GAP // STEP if len(path) > 4 * _PORT_GAP // STEP else 1
    path = path[gap:-gap]
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
    """A route out of a city, with its marker unless it is the secret one; `to` may be `UNSEEN`."""

    route: str
    to: int
    marker: Route | None = None


def reach_of(known: KoggeState, seat: Seat) -> list[Reach]:
    """Return the routes of a seat's ship that are not known to be barred."""
    ship = known.players[seat]
    routes = zip(ROUTES, known.cities[ship.city].routes, strict=True)
    reaches = [Reach(name, route.marker, route) for name, route in routes]
    if isinstance(known.frames[-1], Movement) and ship.chits[SECRET_ROUTE]:
        reaches.append(Reach(SECRET, known.guild_city))
    return [
        reach
        for reach in reaches
        if reach.to == UNSEEN
        or (reach.to != ship.city and seat not in known.cities[reach.to].raids)
    ]


def draw_reach(canvas: LayeredCanvas, known: KoggeState, say: Say) -> None:
    """Draw lines from the ship to move, with the marker and the price of each route.

    The line of an unknown route ends in the open sea.
    """
    frame = known.frames[-1]
    if not isinstance(frame, Push | Movement):
        return
    seat = frame.pushed if isinstance(frame, Push) else known.order[known.at]
    start, fill = known.players[seat].city, SIDE_LOOKS[seat].fill
    lines = list[tuple[Reach, tuple[Point, ...]]]()
    for each in reach_of(known, seat):
        end = "xy"[SLOT[each.route]] if each.to == UNSEEN else each.to
        path = wide_path(f"{start}{end}")
        is_dashed = each.marker is not None and each.marker.hidden
        points = [point for index, point in enumerate(path) if not is_dashed or index % 12 < 6]
        for tone, size in ((COLOURS.cream, 15), (COLOURS.ink, 12), (fill, 9)):
            bead = pieces.bead(tone, size)
            for x, y in points:
                canvas.stamp_centred(bead, x, y)
        _arrow_head(canvas, path[-4], path[-1], fill)
        lines.append((each, path))
    taken = list[Point]()
    # Markers at the end of a line come first, because they have no other place.
    for each, path in sorted(lines, key=lambda line: line[0].to != UNSEEN):
        taken.append(path[-1] if each.to == UNSEEN else _free_point(path, taken))
        x, y = round(taken[-1][0] - _TILE / 2), round(taken[-1][1] - _TILE / 2)
        tile = pieces.route(each.marker, _TILE) if each.marker else pieces.chit(SECRET, _TILE)
        canvas.stamp(tile, x, y)
        area = (x, y, x + _TILE, y + _TILE) if each.to == UNSEEN else board(each.to)
        canvas.note("way", each.route, rectangle, area)
        if isinstance(frame, Movement):
            fee = step_fee(known, seat, each.route)
            slip = pieces.price(f"−{fee}" if fee else say("free"))
            canvas.stamp(slip, x + (_TILE - slip.width) // 2, y + _TILE - 10)


def _free_point(path: Sequence[Point], taken: Sequence[Point]) -> Point:
    """Return a point of the path that is far enough from those taken."""
    points = [path[int(part * (len(path) - 1))] for part in _PLACES]
    for point in points:
        apart = all(math.dist(point, other) >= _APART for other in taken)
        if apart and not on_a_board(point, _TILE / 2):
            return point
    return max(points, key=lambda point: min(map(partial(math.dist, point), taken), default=0))


def draw_courses(canvas: Canvas, known: KoggeState, events: Sequence[Event]) -> None:
    """Draw dotted courses: of ships on the water, of the guild master between cities.

    Only the last step of a ship is drawn in full; earlier ones are faint.
    """
    last = {_sailor(event): event for event in events if isinstance(event, Sailed | Pushed)}
    for event in events:
        if isinstance(event, GuildMasterMoved):
            for start, end in pairwise(_walk(known, event.city, event.count)):
                _course(canvas, _straight(HARBOURS[start].at, HARBOURS[end].at), COLOURS.robe)
        elif isinstance(event, Sailed | Pushed):
            seat, voyage = _sailor(event), path_over(f"{event.city}{event.to}")[:: _SPACING // STEP]
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
    """Draw dots along the points, an arrow at the end, and the `sign` in the middle."""
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
    """Return points at even distances between two cities, except those on a city's board."""
    steps = int(math.dist(first, last) / _SPACING)
    points = [
        (
            first[0] + (last[0] - first[0]) * step / steps,
            first[1] + (last[1] - first[1]) * step / steps,
        )
        for step in range(1, steps)
    ]
    return [point for point in points if not on_a_board(point, _BOARD_GAP)]


def _walk(known: KoggeState, city: int, steps: int) -> list[int]:
    """Return the stops of the guild master, `city` last; it does not stop in raided cities."""
    around = ((city - back) % CITIES for back in range(1, steps * CITIES + 1))
    before = (each for each in around if not known.cities[each].raids)
    return [city, *islice(before, steps)][::-1]
