"""The quarters of Flandern 1302 as sprites: blocks of houses seen from above, plots, and the town.

Sprites of plots lie around the middle of the bounding box of their outline; `unit` is how many
pixels there are to a unit of the plan. Each is painted once and kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from bot.game.flandern.data import CONTENT, EMBLEM_OF_KEY, HOME, PLAYER_GUILDS
from bot.game.flandern.plan import CENTRE, CITIES, PLOTS, PRINTED, SHAPES
from bot.game.flandern.plan import members as plots_of
from bot.render.drawing import Stencil
from bot.render.flandern.outlines import Path, between, bounds, inset, middle, outline, wall
from bot.render.flandern.pieces import FILE, ICONS, LOOKS, OWN, craft, letter
from bot.render.sides import TONES
from bot.render.sprites import Pen, Point, shaped, square, strokes
from bot.render.theme import Colour

_STREET = 0.05
"""From the edge of a plot to its houses, in units of the plan, as are the following."""
_DEPTH = 0.24
"""From the street to the court."""
_EDGE, _FINE = 0.045, 0.028
"""Widths of lines."""
_GARDENS, _WALL, _MOAT = 0.12, 0.12, 0.32
"""How broad they are around a city."""
_BED, _STONES, _STAKES = 0.12, (0.34, 0.3), (0.2, 0.2)
"""Of foundations: how broad they are, how long one is and how far apart; the same of stakes."""
_BRIDGE, _ROAD = (-4.2, -3.1), 0.34
"""Where the road of a gate goes from and to, and how broad it is."""
_TOWN = 8.6
_LEADER = "-leader"
_SHOWN = {
    "t": ("t3",),
    "p": ("p1",),
    "r": ("r1",),
    "a": ("p1", "a"),
    "b": ("r1", "b"),
    "c": ("r1", "c"),
    "d": ("p1", "d", "r1"),
}
"""By shape: the plot, the kind and the bar of D that show what quarters look like."""
_FINEST = 1.3
"""Pixels below which no line goes."""


Sign = Callable[[Stencil], None]


class _Plan:
    """A pen for what lies around a point of the plan, with its unit."""

    def __init__(self, pen: Pen, unit: float, about: Point) -> None:
        self.pen, self._unit, self._about = pen, unit, about

    def at(self, point: Point) -> Point:
        """A point in pixels."""
        x, y = self.pen.middle
        return (
            x + (point[0] - self._about[0]) * self._unit,
            y + (point[1] - self._about[1]) * self._unit,
        )

    def wide(self, width: float) -> float:
        """A width in pixels."""
        return max(_FINEST, width * self._unit)

    def area(
        self, path: Path, fill: Colour | None, edge: Colour | None = None, width: float = _EDGE
    ) -> None:
        """A closed shape."""
        self.pen.polygon(map(self.at, path), fill, edge, self.wide(width))

    def line(self, path: Path, fill: str, width: float = _EDGE) -> None:
        """An open line."""
        self.pen.line(map(self.at, path), fill, self.wide(width))

    def part(self, point: Point, size: float) -> Stencil:
        """A stencil for a drawing around a point."""
        return Stencil(self.pen, *self.at(point), size * self._unit)


def _room(path: Path, unit: int) -> tuple[int, int]:
    left, top, right, bottom = bounds(path)
    return math.ceil((right - left) * unit) + 2, math.ceil((bottom - top) * unit) + 2


def quarter_middle(plot: str, kind: str, bar: str) -> Point:
    """Where the sprite of a quarter or of a plot lies, from the middle of the city."""
    return middle(outline(plot, kind, bar))


@shaped(lambda _, plot, kind, bar, *rest: _room(outline(plot, kind, bar), rest[-1]))
def quarter(
    pen: Pen,
    key: str,
    plot: str,
    kind: str,
    bar: str,
    site: bool,
    cathedral: bool,
    leaders: int,
    unit: int,
) -> None:
    """A quarter of an emblem on a plot, with what has been put on it.

    `kind` and `bar` are those of a `QuarterView`, `leaders` those put there.
    """
    path = outline(plot, kind, bar)
    plan = _Plan(pen, unit, middle(path))
    edge = inset(path, _STREET)
    if site:
        _foundations(plan, edge, LOOKS[key].fill)
    else:
        _houses(plan, edge, key)
    plan.area(edge, None, TONES.ink)
    signs = _signs(key, kind, site, cathedral, leaders)
    for draw, (x, y, size) in zip(signs, _spots(plot, len(signs)), strict=True):
        draw(plan.part((x, y), size))


def _houses(plan: _Plan, edge: Path, key: str) -> None:
    """A court, and roofs along all streets."""
    about, fill = FILE.emblems[key], LOOKS[key].fill
    plan.area(edge, fill)
    for within, tone in zip(about.band, (about.tiles, fill), strict=True):
        plan.area(inset(edge, within * _DEPTH), tone)
    if not about.house:
        return
    for start, end in _sides(inset(edge, _DEPTH)):
        length = math.dist(start, end)
        x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        count = round(length / about.house)
        for house in range(count):
            corners = []
            for along, across in about.roof:
                foot = between(start, end, (house + along) / count)
                out = (1 - across) * _DEPTH
                corners.append((foot[0] + y * out, foot[1] - x * out))
            plan.area(tuple(corners), about.tiles)


def _foundations(plan: _Plan, edge: Path, fill: Colour) -> None:
    """Bare earth within pieces of wall."""
    plan.area(edge, OWN["earth"])
    for start, end in _sides(inset(edge, _BED / 2)):
        for stroke in strokes((start, end), _STONES):
            plan.line(tuple(stroke), TONES.ink, _BED + 2 * _FINE)
            plan.line(tuple(stroke), fill, _BED)


def _sides(path: Path) -> list[tuple[Point, Point]]:
    return list(pairwise((*path, path[0])))


def _signs(key: str, kind: str, site: bool, cathedral: bool, leaders: int) -> list[Sign]:
    """What is drawn on a quarter: what it is or does, whose it is, and who lives there."""
    emblem = EMBLEM_OF_KEY[key]
    guild = emblem < PLAYER_GUILDS
    signs: list[Sign] = []
    if not kind:
        signs.append(partial(_landmark, key))
    elif site:
        signs.append(ICONS["site"])
    elif guild:
        signs.append(partial(craft, key=key))
    signs.append(partial(letter if guild else craft, key=key))
    printed = CONTENT.emblems[emblem].centre_leaders if not kind else kind.endswith(_LEADER)
    if cathedral:
        signs.append(ICONS["cathedral"])
    elif printed or leaders:
        signs.append(partial(_pawns, figures=[TONES.cream] * printed + [TONES.gold] * leaders))
    return signs


def _landmark(key: str, at: Stencil) -> None:
    ICONS[CITIES[HOME[EMBLEM_OF_KEY[key]]]](at, TONES.cream)


def _pawns(at: Stencil, figures: Sequence[Colour]) -> None:
    """One or two leaders, or one and the number of all."""
    if len(figures) == 1:
        ICONS["leader"](at, figures[0])
        return
    if len(figures) > 2:
        at.oval(24, 10, 27, 27, TONES.cream, TONES.ink)
        at.text(24, 10, str(len(figures)), TONES.ink, 52)
        figures = figures[-1:]
    for x, figure in zip((-24, 24), figures, strict=False):
        ICONS["leader"](at.part(x, 0, 86), figure)


def _spots(plot: str, count: int) -> Iterator[tuple[float, float, float]]:
    """Where so many signs lie on a plot, and their sizes."""
    spots = FILE.spots[plot[0]][count - 1]
    if plot == "c":
        yield from spots
        return
    start, end = max(_sides(outline(plot)), key=lambda side: math.dist(*side))
    length = math.dist(start, end)
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    foot = between(start, end, 0.5)
    # The first sign is the left or the upper one.
    turn = 1 if (round(x, 3), y) > (0, 0) else -1
    for along, across, size in spots:
        along *= turn
        yield foot[0] + along * x - across * y, foot[1] + along * y + across * x, size


@shaped(lambda plot, unit: _room(outline(plot), unit))
def free_plot(pen: Pen, plot: str, unit: int) -> None:
    """A plot where one may build."""
    path = outline(plot)
    _land(_Plan(pen, unit, middle(path)), path)


def _land(plan: _Plan, path: Path) -> None:
    plan.area(inset(path, _STREET), OWN["land"])
    pegged = inset(path, 3 * _STREET)
    for side in _sides(pegged):
        for stroke in strokes(side, _STAKES):
            plan.line(tuple(stroke), OWN["stake"], _EDGE)


@shaped(lambda plot, unit: _room(outline(plot), unit))
def cover(pen: Pen, plot: str, unit: int) -> None:
    """A covered plot: paved, and barred with planks."""
    path = outline(plot)
    plan = _Plan(pen, unit, middle(path))
    plan.area(inset(path, _STREET), OWN["slab"], OWN["joint"])
    ((x, y, size),) = _spots(plot, 1)
    ICONS["cover"](plan.part((x, y), size))


@shaped(lambda unit: (round(_TOWN * unit),) * 2)
def city_plan(pen: Pen, unit: int) -> None:
    """The ground of a city with its walls, and all the plots that it has from the start."""
    plan = _Plan(pen, unit, (0, 0))
    line = inset(wall(), -_GARDENS)
    plan.area(inset(line, -_WALL - _MOAT), OWN["moat"])
    plan.area(inset(line, -_WALL), OWN["garden"], OWN["wall"], _WALL)
    for turn in range(4):
        outside, inside = _turned((0, _BRIDGE[0]), turn), _turned((0, _BRIDGE[1]), turn)
        plan.line((outside, inside), OWN["street"], _ROAD)
        for piece in FILE.town:
            ICONS[piece.drawing](plan.part(_turned(piece.at, turn), piece.size))
    for plot in (CENTRE, *plots_of(PRINTED)):
        plan.area(inset(outline(PLOTS[plot].name), -_STREET), OWN["street"])
    for plot in plots_of(PRINTED):
        _land(plan, outline(PLOTS[plot].name))


def _turned(point: Point, turns: int) -> Point:
    for _ in range(turns):
        point = -point[1], point[0]
    return point


@square
def tile(pen: Pen, key: str, kind: str, size: int) -> None:
    """A quarter of the supply in a square, with whose it is, or with its leader."""
    shape = kind.removesuffix(_LEADER)
    path = outline(*_SHOWN[shape])
    left, top, right, bottom = bounds(path)
    unit = (size - 2) / max(right - left, bottom - top)
    plan = _Plan(pen, unit, middle(path))
    plan.area(path, LOOKS[key].fill, TONES.ink, max(_EDGE, 2 / unit))
    if shape in SHAPES:
        pawn: Sign = partial(_pawns, figures=[TONES.cream])
        draw = _signs(key, shape, False, False, 0)[-1] if shape == kind else pawn
        draw(plan.part(middle(path), size * 0.6 / unit))
