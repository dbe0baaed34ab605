"""The quarters of Flandern 1302 as sprites: blocks of houses seen from above, plots, and the town.

Outlines are in units of the plan from the middle of a city, y down. Sprites of plots lie around the
middle of the bounding box of their outline; `unit` is how many pixels there are to a unit, of which
lengths here are hundredths. Each is painted once and kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from bot.game.flandern.city import NONE, Quarter
from bot.game.flandern.data import (
    CENTRE,
    CITIES,
    FIRST_SPECIAL,
    HOME,
    PLAYER_GUILDS,
    PLOT_OF_NAME,
    PLOTS,
    PRINTED,
    TILES,
    WITH_LEADER,
    Outline,
    members,
    special_outline,
)
from bot.render.cache import cached
from bot.render.drawing import ScaledPen
from bot.render.flandern.pieces import (
    COLOURS,
    EMBLEM_DRAWINGS,
    FILE,
    ICONS,
    LOOKS,
    OWN,
    SignSpot,
    craft,
    letter,
)
from bot.render.fonts import Face
from bot.render.sides import TONES
from bot.render.sprites import Pen, Point, Sprite, ground, shaped, square, strokes
from bot.render.theme import Colour

Path = tuple[Point, ...]
"""Corners of a closed line, clockwise as it is seen."""
Sign = Callable[[ScaledPen], None]
Side = tuple[Point, Point]

_MIDDLE = 2.0
"""Of a city, in the units of its plan."""
_STREET, _DEPTH = 5, 24
"""From the edge of a plot to its houses, and on to the court."""
_BED, _STONES = 12, (34, 30)
"""Of foundations: how broad they are, how long a piece is and how far from the next."""
_STAKED, _STAKES = 15, (20, 20)
"""How far inside the edge of a free plot its line of stakes goes, and its dashes."""
_GARDENS, _WALL, _MOAT = 12, 12, 32
"""How broad they are around a city."""
_BRIDGE, _ROAD = ((0, -420), (0, -310)), 34
"""Where the road of a gate goes, and how broad it is."""
_RIM = 18
"""Of quarters in the supply."""
_MARK = 8
"""Pixels that a mark reaches out beyond a quarter."""


# Outlines


@lru_cache
def outline(plot: int, kind: int = NONE, bar: int = NONE) -> Path:
    """Of a quarter of this kind on a plot, or of the bare plot; D takes in a `bar`."""
    corners = PLOTS[plot].outline
    if kind >= FIRST_SPECIAL:
        corners = special_outline(kind - FIRST_SPECIAL, plot)
    if bar != NONE:
        corners = _joined(corners, PLOTS[bar].outline)
    path = tuple((x - _MIDDLE, _MIDDLE - y) for x, y in corners)
    area = sum(x * down - across * y for (x, y), (across, down) in pairwise((*path, path[0])))
    return path if area > 0 else path[::-1]


def _joined(corners: Outline, bar: Outline) -> Outline:
    """A trapezoid and a bar beside it, which have one corner in common."""
    own, other = ([(round(x, 2), round(y, 2)) for x, y in each] for each in (corners, bar))
    (shared,) = {*own} & {*other}
    at, of_bar = own.index(shared), other.index(shared)
    at += of_bar == 1
    return (*corners[:at], *bar[of_bar + 1 :], *bar[:of_bar], *corners[at:])


def bounds(path: Iterable[Point]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    across, down = zip(*path, strict=True)
    return min(across), min(down), max(across), max(down)


def middle(path: Iterable[Point]) -> Point:
    """Of its bounding box."""
    left, top, right, bottom = bounds(path)
    return (left + right) / 2, (top + bottom) / 2


def inset(path: Sequence[Point], depth: float) -> Path:
    """The same with each edge so far inside; outside where it is negative."""
    edges = []
    for (x, y), (to_x, to_y) in _sides(path):
        length = math.hypot(to_x - x, to_y - y)
        along = (to_x - x) / length, (to_y - y) / length
        edges.append(((x - along[1] * depth, y + along[0] * depth), along))
    corners = []
    for ((x, y), (dx, dy)), ((to_x, to_y), (ex, ey)) in pairwise((edges[-1], *edges)):
        way = ((to_x - x) * ey - (to_y - y) * ex) / (dx * ey - dy * ex)
        corners.append((x + dx * way, y + dy * way))
    return tuple(corners)


def _sides(path: Sequence[Point]) -> list[Side]:
    return list(pairwise((*path, path[0])))


def _line(plot: int, kind: int = NONE, bar: int = NONE) -> Path:
    """An outline in hundredths of a unit."""
    return tuple((100 * x, 100 * y) for x, y in outline(plot, kind, bar))


def _beside(side: Side, share: float, depth: float) -> Point:
    """The point so far along a side of an area, and so deep within the area."""
    (x, y), (to_x, to_y) = side
    length = math.dist(*side)
    across, down = to_x - x, to_y - y
    return x + across * share - down * depth / length, y + down * share + across * depth / length


# On the land of a city


def _within(line: Path, unit: int, fill: Colour, draw: Callable[[ScaledPen], None]) -> Sprite:
    """What is drawn on a ground within a line. Half as fine as other sprites, and painted in a
    quarter of the time: these are large."""
    left, top, right, bottom = (each * unit / 100 for each in bounds(line))
    size = math.ceil(right - left) + 2, math.ceil(bottom - top) + 2

    def plan(pen: Pen) -> ScaledPen:
        x, y = pen.middle
        return ScaledPen(pen, x - (left + right) / 2, y - (top + bottom) / 2, unit)

    image = ground(*size, fill, lambda pen: draw(plan(pen)))
    mask = ground(*size, "#000000", lambda pen: plan(pen).polygon(line, "#ffffff", None))
    return Sprite(image, mask.convert("L"))


@cached
def quarter(each: Quarter, unit: int) -> Sprite:
    """A quarter on its plot, with what has been put on it."""
    line = _line(each.plot, each.kind, each.bar)
    signs = _signs(each)
    shape = PLOTS[each.plot].name[0]
    kind = "" if each.kind == NONE else TILES[each.kind]
    spots = FILE.spots.get(f"church-{kind}", FILE.spots[shape])[len(signs) - 1]

    def draw(at: ScaledPen) -> None:
        edge = inset(line, _STREET)
        if each.site:
            _foundations(at, edge, LOOKS[each.emblem].fill)
        else:
            _houses(at, edge, each.emblem)
        at.polygon(edge, None, TONES.ink)
        for sign, spot in zip(signs, _laid(each.plot, spots), strict=True):
            sign(at.part(*spot))

    return _within(line, unit, OWN["street"], draw)


def _houses(at: ScaledPen, edge: Path, emblem: int) -> None:
    """A court, and roofs along all streets."""
    about, fill = EMBLEM_DRAWINGS[emblem], LOOKS[emblem].fill
    at.polygon(edge, fill, None)
    for within, tone in zip(about.band, (about.tiles, fill), strict=True):
        at.polygon(inset(edge, within * _DEPTH), tone, None)
    for side in _sides(inset(edge, _DEPTH)) if about.house else ():
        count = round(math.dist(*side) / about.house)
        for house in range(count):
            corners = [
                _beside(side, (house + along) / count, (across - 1) * _DEPTH)
                for along, across in about.roof
            ]
            at.polygon(corners, about.tiles, None)


def _foundations(at: ScaledPen, edge: Path, fill: Colour) -> None:
    """Bare earth within pieces of wall."""
    at.polygon(edge, OWN["earth"], None)
    for tone, width in ((TONES.ink, 1.5 * _BED), (fill, _BED)):
        _dashed(at, inset(edge, _BED / 2), _STONES, tone, width)


def _dashed(at: ScaledPen, path: Path, dashes: tuple[int, int], fill: Colour, width: float) -> None:
    for side in _sides(path):
        for stroke in strokes(side, dashes):
            at.line(stroke, fill, width)


def _signs(each: Quarter) -> list[Sign]:
    """What is drawn on a quarter: what it is or does, whose it is, and who lives there."""
    emblem, guild = each.emblem, each.emblem < PLAYER_GUILDS
    signs: list[Sign] = []
    if each.kind == NONE:
        landmark = ICONS[CITIES[HOME[emblem]]]
        signs.append(lambda at: landmark(at, TONES.cream))
    elif each.site:
        signs.append(lambda at: ICONS["site"](at, TONES.cream))
    elif guild:
        signs.append(partial(craft, emblem=emblem))
    signs.append(partial(letter, guild=emblem) if guild else partial(craft, emblem=emblem))
    if each.cathedral:
        signs.append(ICONS["cathedral"])
    elif each.printed_leaders or each.placed_leaders:
        figures = [TONES.cream] * each.printed_leaders + [TONES.gold] * each.placed_leaders
        signs.append(partial(_pawns, figures=figures))
    return signs


def _pawns(at: ScaledPen, figures: Sequence[Colour]) -> None:
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


def _laid(plot: int, spots: Sequence[SignSpot]) -> Iterator[SignSpot]:
    """Where signs lie on a plot, and their sizes."""
    if plot == CENTRE:
        yield from spots
        return
    side = max(_sides(_line(plot)), key=lambda side: math.dist(*side))
    (x, y), (to_x, to_y) = side
    # The first sign is the left or the upper one.
    turn = 1 if (round(to_x - x), to_y - y) > (0, 0) else -1
    for along, across, size in spots:
        yield *_beside(side, 0.5 + turn * along / math.dist(*side), across), size


@cached
def free_plot(plot: int, unit: int) -> Sprite:
    """A plot where one may build."""
    return _within(_line(plot), unit, OWN["street"], lambda at: _land(at, plot))


def _land(at: ScaledPen, plot: int) -> None:
    path = _line(plot)
    at.polygon(inset(path, _STREET), OWN["land"], None)
    _dashed(at, inset(path, _STAKED), _STAKES, OWN["stake"], 4.5)


@cached
def cover(plot: int, unit: int) -> Sprite:
    """A covered plot: paved, and barred with planks."""

    def draw(at: ScaledPen) -> None:
        at.polygon(inset(_line(plot), _STREET), OWN["slab"], OWN["joint"])
        for spot in _laid(plot, FILE.spots[PLOTS[plot].shape][0]):
            ICONS["cover"](at.part(*spot))

    return _within(_line(plot), unit, OWN["street"], draw)


@cached
def city_plan(unit: int) -> Sprite:
    """The ground of a city with its walls, and all the plots that it has from the start."""

    def draw(at: ScaledPen) -> None:
        gardens = inset(FILE.walls, -_GARDENS)
        at.polygon(inset(gardens, -_WALL), OWN["wall"], None)
        at.polygon(gardens, OWN["garden"], None)
        for turn in range(4):
            at.line([_turned(end, turn) for end in _BRIDGE], OWN["street"], _ROAD)
            for piece in FILE.town:
                ICONS[piece.drawing](at.part(*_turned(piece.at, turn), piece.size))
        for plot in (CENTRE, *members(PRINTED)):
            at.polygon(inset(_line(plot), -_STREET), OWN["street"], None)
        for plot in members(PRINTED):
            _land(at, plot)

    moat = inset(FILE.walls, -_GARDENS - _WALL - _MOAT)
    return _within(moat, unit, OWN["moat"], draw)


def _turned(point: Point, turns: int) -> Point:
    for _ in range(turns):
        point = -point[1], point[0]
    return point


def _around(plot: int, kind: int, bar: int, unit: int) -> tuple[int, int]:
    """How large a mark around a quarter is."""
    left, top, right, bottom = bounds(outline(plot, kind, bar))
    edge = 2 * _MARK
    return math.ceil((right - left) * unit) + edge, math.ceil((bottom - top) * unit) + edge


@shaped(_around)
def ring(pen: Pen, plot: int, kind: int, bar: int, unit: int) -> None:
    """Around a quarter, or a plot, that has just changed."""
    path = outline(plot, kind, bar)
    (x, y), (across, down) = middle(path), pen.middle
    path = tuple((across + (to_x - x) * unit, down + (to_y - y) * unit) for to_x, to_y in path)
    pen.band(path, COLOURS.white, 10)
    pen.band(path, COLOURS.mark, 6)


# In the supply, and counted

_PILES = (
    (((0.0, 1.0), (0.5, 0.0), (1.0, 1.0)), 0.66),
    (((0.0, 1.0), (0.2, 0.2), (0.8, 0.2), (1.0, 1.0)), 0.6),
    (((0.0, 0.9), (0.0, 0.3), (1.0, 0.3), (1.0, 0.9)), 0.6),
)
"""By shape: a quarter on its long side, in shares of a sign, and how far down its middle is."""


@shaped(lambda _emblem, _shape, _count, high: (round(high * 1.1), high))
def pile(pen: Pen, emblem: int, shape: int, count: int, high: int) -> None:
    """How many quarters of a shape are left of an emblem, on such a quarter."""
    corners, level = _PILES[shape]
    wide = pen.width - 4
    path = tuple((2 + x * wide, 2 + y * (high - 4)) for x, y in corners)
    fill, writing, edge = LOOKS[emblem].fill, LOOKS[emblem].writing, TONES.ink
    if not count:
        fill, writing, edge = TONES.paper, TONES.soft, EMBLEM_DRAWINGS[emblem].tiles
    pen.polygon(path, fill, edge, 2.5 if count else 5)
    pen.text((pen.width / 2, level * high), str(count), writing, round(high * 0.52), Face.TEXT)


@square
def block(pen: Pen, guild: int, count: int, size: int) -> None:
    """So many completed quarters of a guild."""
    look, edge = LOOKS[guild], size * 0.08
    pen.rect((edge, edge, size - edge, size - edge), look.fill, TONES.ink, 2)
    pen.text(pen.middle, str(count), look.writing, round(size * 0.78), Face.TEXT)


@square
def tile(pen: Pen, emblem: int, kind: int, size: int) -> None:
    """A quarter of the supply in a square, with whose it is, or with its leader; a special one with
    its letter and with the plots that it adds.
    """
    (plot, *rest), names = FILE.supply[TILES[kind].removesuffix("-leader")]
    added = [PLOT_OF_NAME[name] for name in names]
    own = PLOT_OF_NAME[plot], kind, PLOT_OF_NAME[rest[1]] if len(rest) > 1 else NONE
    corners = [*outline(*own), *(corner for plot in added for corner in outline(plot))]
    left, top, right, bottom = bounds(corners)
    unit = (size - 2) / max(right - left, bottom - top)
    x, y = middle(corners)
    at = ScaledPen(pen, size / 2 - x * unit, size / 2 - y * unit, unit)
    for each in added:
        at.polygon(_line(each), OWN["land"], OWN["stake"])
    at.polygon(_line(*own), EMBLEM_DRAWINGS[emblem].tiles, TONES.ink)
    at.polygon(inset(_line(*own), _RIM), LOOKS[emblem].fill, None)
    sign = at.part(*middle(_line(*own)), 60 * size / unit)
    if kind >= FIRST_SPECIAL:
        sign.text(0, 0, TILES[kind].upper(), LOOKS[emblem].writing, 90)
    elif kind >= WITH_LEADER:
        _pawns(sign, [TONES.cream])
    else:
        (letter if emblem < PLAYER_GUILDS else craft)(sign, emblem)
