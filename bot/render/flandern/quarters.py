"""The quarters of Flandern 1302 as sprites: blocks of houses seen from above, plots, and the town.

Outlines are in units of the plan from the middle of a city, y down. Sprites of plots are centred on
the bounding box of their outline. `unit` is the number of pixels in a unit; lengths here are in
hundredths of it. Each sprite is painted once and cached.
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
    DRAWING_TONES,
    EMBLEM_DRAWINGS,
    FILE,
    ICONS,
    LOOKS,
    SignSpot,
    craft,
    letter,
)
from bot.render.fonts import Face
from bot.render.sides import TONES
from bot.render.sprites import Pen, Point, Sprite, ground, shaped, square, strokes
from bot.render.theme import Colour

Path = tuple[Point, ...]
"""Corners of a closed line, clockwise on the picture."""
Sign = Callable[[ScaledPen], None]
Side = tuple[Point, Point]

_MIDDLE = 2.0
"""The middle of a city, in units of its plan."""
_STREET, _DEPTH = 5, 24
"""The depth of the street and of the houses around the court."""
_BED, _STONES = 12, (34, 30)
"""The width of foundations, and the length of their pieces and gaps."""
_STAKED, _STAKES = 15, (20, 20)
"""The distance of a free plot's stakes from its edge, and their dashes."""
_GARDENS, _WALL, _MOAT = 12, 12, 32
"""Their widths around a city."""
_BRIDGE, _ROAD = ((0, -420), (0, -310)), 34
"""The ends of a gate's road, and its width."""
_RIM = 18
"""The rim of quarters in the supply."""
_MARK = 8
"""Pixels that a mark extends beyond a quarter."""


# Outlines


@lru_cache
def outline(plot: int, kind: int = NONE, bar: int = NONE) -> Path:
    """Return the outline of a quarter of a kind on a plot, or of the empty plot. D includes a
    `bar`."""
    corners = PLOTS[plot].outline
    if kind >= FIRST_SPECIAL:
        corners = special_outline(kind - FIRST_SPECIAL, plot)
    if bar != NONE:
        corners = _joined(corners, PLOTS[bar].outline)
    path = tuple((x - _MIDDLE, _MIDDLE - y) for x, y in corners)
    area = sum(x * down - across * y for (x, y), (across, down) in pairwise((*path, path[0])))
    return path if area > 0 else path[::-1]


def _joined(corners: Outline, bar: Outline) -> Outline:
    """Join a trapezoid and an adjacent bar, which share one corner."""
    own, other = ([(round(x, 2), round(y, 2)) for x, y in each] for each in (corners, bar))
    (shared,) = {*own} & {*other}
    at, of_bar = own.index(shared), other.index(shared)
    at += of_bar == 1
    return (*corners[:at], *bar[of_bar + 1 :], *bar[:of_bar], *corners[at:])


def bounds(path: Iterable[Point]) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom."""
    across, down = zip(*path, strict=True)
    return min(across), min(down), max(across), max(down)


def middle(path: Iterable[Point]) -> Point:
    """Return the middle of the bounding box."""
    left, top, right, bottom = bounds(path)
    return (left + right) / 2, (top + bottom) / 2


def inset(path: Sequence[Point], depth: float) -> Path:
    """Return the path with each edge moved this far inside, or outside if negative."""
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
    """Return an outline in hundredths of a unit."""
    return tuple((100 * x, 100 * y) for x, y in outline(plot, kind, bar))


def _point_along(side: Side, share: float, depth: float) -> Point:
    """Return the point at this share of a side, this deep inside the area."""
    (x, y), (to_x, to_y) = side
    length = math.dist(*side)
    across, down = to_x - x, to_y - y
    return x + across * share - down * depth / length, y + down * share + across * depth / length


# Quarters on plots


def _within(line: Path, unit: int, fill: Colour, draw: Callable[[ScaledPen], None]) -> Sprite:
    """Return a drawing within a line, on a ground. It has half the resolution of other sprites,
    which takes a quarter of the time, because it is large."""
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
    """Return a quarter on its plot with its pieces."""
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
        for sign, spot in zip(signs, _sign_spots(each.plot, spots), strict=True):
            sign(at.part(*spot))

    return _within(line, unit, DRAWING_TONES["street"], draw)


def _houses(at: ScaledPen, edge: Path, emblem: int) -> None:
    """Draw a court, and roofs along all streets."""
    drawing, fill = EMBLEM_DRAWINGS[emblem], LOOKS[emblem].fill
    at.polygon(edge, fill, None)
    for depth, tone in zip(drawing.band, (drawing.tiles, fill), strict=True):
        at.polygon(inset(edge, depth * _DEPTH), tone, None)
    for side in _sides(inset(edge, _DEPTH)) if drawing.house else ():
        count = round(math.dist(*side) / drawing.house)
        for house in range(count):
            corners = [
                _point_along(side, (house + along) / count, (across - 1) * _DEPTH)
                for along, across in drawing.roof
            ]
            at.polygon(corners, drawing.tiles, None)


def _foundations(at: ScaledPen, edge: Path, fill: Colour) -> None:
    """Draw bare earth within pieces of wall."""
    at.polygon(edge, DRAWING_TONES["earth"], None)
    for tone, width in ((TONES.ink, 1.5 * _BED), (fill, _BED)):
        _dashed(at, inset(edge, _BED / 2), _STONES, tone, width)


def _dashed(at: ScaledPen, path: Path, dashes: tuple[int, int], fill: Colour, width: float) -> None:
    for side in _sides(path):
        for stroke in strokes(side, dashes):
            at.line(stroke, fill, width)


def _signs(each: Quarter) -> list[Sign]:
    """Return the signs on a quarter: its kind or effect, its owner, and its leaders."""
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
    """Draw one or two leaders, or one with the number of all."""
    if len(figures) == 1:
        ICONS["leader"](at, figures[0])
        return
    if len(figures) > 2:
        at.oval(24, 10, 27, 27, TONES.cream, TONES.ink)
        at.text(24, 10, str(len(figures)), TONES.ink, 52)
        figures = figures[-1:]
    for x, figure in zip((-24, 24), figures, strict=False):
        ICONS["leader"](at.part(x, 0, 86), figure)


def _sign_spots(plot: int, spots: Sequence[SignSpot]) -> Iterator[SignSpot]:
    """Yield the positions and sizes of signs on a plot."""
    if plot == CENTRE:
        yield from spots
        return
    side = max(_sides(_line(plot)), key=lambda side: math.dist(*side))
    (x, y), (to_x, to_y) = side
    # The first sign is the left or upper one.
    turn = 1 if (round(to_x - x), to_y - y) > (0, 0) else -1
    for along, across, size in spots:
        yield *_point_along(side, 0.5 + turn * along / math.dist(*side), across), size


@cached
def free_plot(plot: int, unit: int) -> Sprite:
    """Return a free plot."""
    return _within(_line(plot), unit, DRAWING_TONES["street"], lambda at: _land(at, plot))


def _land(at: ScaledPen, plot: int) -> None:
    path = _line(plot)
    at.polygon(inset(path, _STREET), DRAWING_TONES["land"], None)
    _dashed(at, inset(path, _STAKED), _STAKES, DRAWING_TONES["stake"], 4.5)


@cached
def cover(plot: int, unit: int) -> Sprite:
    """Return a covered plot: paved, and barred with planks."""

    def draw(at: ScaledPen) -> None:
        at.polygon(inset(_line(plot), _STREET), DRAWING_TONES["slab"], DRAWING_TONES["joint"])
        for spot in _sign_spots(plot, FILE.spots[PLOTS[plot].shape][0]):
            ICONS["cover"](at.part(*spot))

    return _within(_line(plot), unit, DRAWING_TONES["street"], draw)


@cached
def city_plan(unit: int) -> Sprite:
    """Return the ground of a city with its walls, and the plots that it has from the start."""

    def draw(at: ScaledPen) -> None:
        gardens = inset(FILE.walls, -_GARDENS)
        at.polygon(inset(gardens, -_WALL), DRAWING_TONES["wall"], None)
        at.polygon(gardens, DRAWING_TONES["garden"], None)
        for turn in range(4):
            at.line([_turned(end, turn) for end in _BRIDGE], DRAWING_TONES["street"], _ROAD)
            for piece in FILE.town:
                ICONS[piece.drawing](at.part(*_turned(piece.at, turn), piece.size))
        for plot in (CENTRE, *members(PRINTED)):
            at.polygon(inset(_line(plot), -_STREET), DRAWING_TONES["street"], None)
        for plot in members(PRINTED):
            _land(at, plot)

    moat = inset(FILE.walls, -_GARDENS - _WALL - _MOAT)
    return _within(moat, unit, DRAWING_TONES["moat"], draw)


def _turned(point: Point, turns: int) -> Point:
    for _ in range(turns):
        point = -point[1], point[0]
    return point


def _around(plot: int, kind: int, bar: int, unit: int) -> tuple[int, int]:
    """Return the size of a mark around a quarter."""
    left, top, right, bottom = bounds(outline(plot, kind, bar))
    edge = 2 * _MARK
    return math.ceil((right - left) * unit) + edge, math.ceil((bottom - top) * unit) + edge


@shaped(_around)
def change_mark(pen: Pen, plot: int, kind: int, bar: int, unit: int) -> None:
    """Draw a mark around a quarter or plot that has just changed."""
    path = outline(plot, kind, bar)
    (x, y), (across, down) = middle(path), pen.middle
    path = tuple((across + (to_x - x) * unit, down + (to_y - y) * unit) for to_x, to_y in path)
    pen.band(path, COLOURS.white, 10)
    pen.band(path, COLOURS.mark, 6)


# Quarters in the supply, and counts

_PILES = (
    (((0.0, 1.0), (0.5, 0.0), (1.0, 1.0)), 0.66),
    (((0.0, 1.0), (0.2, 0.2), (0.8, 0.2), (1.0, 1.0)), 0.6),
    (((0.0, 0.9), (0.0, 0.3), (1.0, 0.3), (1.0, 0.9)), 0.6),
)
"""By shape: a quarter on its long side, in shares of a sign, and the height of its middle."""


@shaped(lambda _emblem, _shape, _count, high: (round(high * 1.1), high))
def pile(pen: Pen, emblem: int, shape: int, count: int, high: int) -> None:
    """Draw how many quarters of a shape an emblem has left, on such a quarter."""
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
    """Draw the number of completed quarters of a guild."""
    look, edge = LOOKS[guild], size * 0.08
    pen.rect((edge, edge, size - edge, size - edge), look.fill, TONES.ink, 2)
    pen.text(pen.middle, str(count), look.writing, round(size * 0.78), Face.TEXT)


@square
def tile(pen: Pen, emblem: int, kind: int, size: int) -> None:
    """Draw a quarter of the supply in a square with its owner or its leader; a special one with its
    letter and the plots that it adds."""
    (plot, *rest), names = FILE.supply[TILES[kind].removesuffix("-leader")]
    added = [PLOT_OF_NAME[name] for name in names]
    own = PLOT_OF_NAME[plot], kind, PLOT_OF_NAME[rest[1]] if len(rest) > 1 else NONE
    corners = [*outline(*own), *(corner for plot in added for corner in outline(plot))]
    left, top, right, bottom = bounds(corners)
    unit = (size - 2) / max(right - left, bottom - top)
    x, y = middle(corners)
    at = ScaledPen(pen, size / 2 - x * unit, size / 2 - y * unit, unit)
    for each in added:
        at.polygon(_line(each), DRAWING_TONES["land"], DRAWING_TONES["stake"])
    at.polygon(_line(*own), EMBLEM_DRAWINGS[emblem].tiles, TONES.ink)
    at.polygon(inset(_line(*own), _RIM), LOOKS[emblem].fill, None)
    sign = at.part(*middle(_line(*own)), 60 * size / unit)
    if kind >= FIRST_SPECIAL:
        sign.text(0, 0, TILES[kind].upper(), LOOKS[emblem].writing, 90)
    elif kind >= WITH_LEADER:
        _pawns(sign, [TONES.cream])
    else:
        (letter if emblem < PLAYER_GUILDS else craft)(sign, emblem)
