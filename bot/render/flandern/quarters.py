"""The quarters of Flandern 1302 as sprites: blocks of houses seen from above, plots, and the town.

Sprites of plots lie around the middle of the bounding box of their outline; `unit` is how many
pixels there are to a unit of the plan, of which lengths here are hundredths. Each is painted once
and kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from bot.game.flandern.data import CONTENT, EMBLEM_OF_KEY, HOME, PLAYER_GUILDS
from bot.game.flandern.plan import CENTRE, CITIES, PLOT_NAMES, PRINTED, SPECIAL
from bot.game.flandern.plan import members as plots_of
from bot.render.drawing import Stencil
from bot.render.flandern.outlines import Path, bounds, inset, middle, outline
from bot.render.flandern.pieces import FILE, ICONS, LOOKS, OWN, Spots, craft, letter
from bot.render.fonts import Face
from bot.render.kept import kept
from bot.render.sides import TONES
from bot.render.sprites import Pen, Point, Sprite, ground, shaped, square, strokes
from bot.render.theme import Colour

Sign = Callable[[Stencil], None]
Side = tuple[Point, Point]

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
_LEADER = "-leader"


def _line(plot: str, kind: str = "", bar: str = "") -> Path:
    return tuple((100 * x, 100 * y) for x, y in outline(plot, kind, bar))


def _sides(path: Path) -> list[Side]:
    return list(pairwise((*path, path[0])))


def _beside(side: Side, share: float, depth: float) -> Point:
    """The point so far along a side of an area, and so deep within the area."""
    (x, y), (to_x, to_y) = side
    length = math.dist(*side)
    across, down = to_x - x, to_y - y
    return x + across * share - down * depth / length, y + down * share + across * depth / length


def _within(line: Path, unit: int, fill: Colour, draw: Callable[[Stencil], None]) -> Sprite:
    """What is drawn on a ground within a line. Half as fine as other sprites, and painted in a
    quarter of the time: these are large."""
    left, top, right, bottom = (each * unit / 100 for each in bounds(line))
    size = math.ceil(right - left) + 2, math.ceil(bottom - top) + 2
    outside, inside = "#000000", "#ffffff"

    def plan(pen: Pen) -> Stencil:
        x, y = pen.middle
        return Stencil(pen, x - (left + right) / 2, y - (top + bottom) / 2, unit)

    image = ground(*size, fill, lambda pen: draw(plan(pen)))
    mask = ground(*size, outside, lambda pen: plan(pen).polygon(line, inside, None))
    return Sprite(image, mask.convert("L"))


@kept
def quarter(
    key: str,
    plot: str,
    kind: str,
    bar: str,
    site: bool,
    cathedral: bool,
    leaders: int,
    unit: int,
) -> Sprite:
    """A quarter of an emblem on a plot, with what has been put on it.

    `kind` and `bar` are those of a `QuarterView`, `leaders` those put there.
    """
    line = _line(plot, kind, bar)
    signs = _signs(key, kind, site, cathedral, leaders)
    spots = FILE.spots.get(f"church-{kind}", FILE.spots[plot[0]])[len(signs) - 1]

    def draw(at: Stencil) -> None:
        edge = inset(line, _STREET)
        if site:
            _foundations(at, edge, LOOKS[key].fill)
        else:
            _houses(at, edge, key)
        at.polygon(edge, None, TONES.ink)
        for sign, spot in zip(signs, _laid(plot, spots), strict=True):
            sign(at.part(*spot))

    return _within(line, unit, OWN["street"], draw)


def _houses(at: Stencil, edge: Path, key: str) -> None:
    """A court, and roofs along all streets."""
    about, fill = FILE.emblems[key], LOOKS[key].fill
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


def _foundations(at: Stencil, edge: Path, fill: Colour) -> None:
    """Bare earth within pieces of wall."""
    at.polygon(edge, OWN["earth"], None)
    for tone, width in ((TONES.ink, 1.5 * _BED), (fill, _BED)):
        _dashed(at, inset(edge, _BED / 2), _STONES, tone, width)


def _dashed(at: Stencil, path: Path, dashes: tuple[int, int], fill: Colour, width: float) -> None:
    for side in _sides(path):
        for stroke in strokes(side, dashes):
            at.line(stroke, fill, width)


def _signs(key: str, kind: str, site: bool, cathedral: bool, leaders: int) -> list[Sign]:
    """What is drawn on a quarter: what it is or does, whose it is, and who lives there."""
    emblem = EMBLEM_OF_KEY[key]
    guild = emblem < PLAYER_GUILDS
    signs: list[Sign] = []
    if not kind:
        landmark = ICONS[CITIES[HOME[emblem]]]
        signs.append(lambda at: landmark(at, TONES.cream))
    elif site:
        signs.append(lambda at: ICONS["site"](at, TONES.cream))
    elif guild:
        signs.append(partial(craft, key=key))
    signs.append(partial(letter if guild else craft, key=key))
    printed = CONTENT.emblems[emblem].centre_leaders if not kind else kind.endswith(_LEADER)
    if cathedral:
        signs.append(ICONS["cathedral"])
    elif printed or leaders:
        signs.append(partial(_pawns, figures=[TONES.cream] * printed + [TONES.gold] * leaders))
    return signs


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


def _laid(plot: str, spots: Spots) -> Iterator[tuple[float, float, float]]:
    """Where signs lie on a plot, and their sizes."""
    if plot == PLOT_NAMES[CENTRE]:
        yield from spots
        return
    side = max(_sides(_line(plot)), key=lambda side: math.dist(*side))
    (x, y), (to_x, to_y) = side
    # The first sign is the left or the upper one.
    turn = 1 if (round(to_x - x), to_y - y) > (0, 0) else -1
    for along, across, size in spots:
        yield *_beside(side, 0.5 + turn * along / math.dist(*side), across), size


@kept
def free_plot(plot: str, unit: int) -> Sprite:
    """A plot where one may build."""
    return _within(_line(plot), unit, OWN["street"], lambda at: _land(at, plot))


def _land(at: Stencil, plot: str) -> None:
    path = _line(plot)
    at.polygon(inset(path, _STREET), OWN["land"], None)
    _dashed(at, inset(path, _STAKED), _STAKES, OWN["stake"], 4.5)


@kept
def cover(plot: str, unit: int) -> Sprite:
    """A covered plot: paved, and barred with planks."""

    def draw(at: Stencil) -> None:
        at.polygon(inset(_line(plot), _STREET), OWN["slab"], OWN["joint"])
        for spot in _laid(plot, FILE.spots[plot[0]][0]):
            ICONS["cover"](at.part(*spot))

    return _within(_line(plot), unit, OWN["street"], draw)


@kept
def city_plan(unit: int) -> Sprite:
    """The ground of a city with its walls, and all the plots that it has from the start."""
    moat = inset(FILE.walls, -_GARDENS - _WALL - _MOAT)
    return _within(moat, unit, OWN["moat"], _town)


def _town(at: Stencil) -> None:
    gardens = inset(FILE.walls, -_GARDENS)
    at.polygon(inset(gardens, -_WALL), OWN["wall"], None)
    at.polygon(gardens, OWN["garden"], None)
    for turn in range(4):
        at.line([_turned(end, turn) for end in _BRIDGE], OWN["street"], _ROAD)
        for piece in FILE.town:
            ICONS[piece.drawing](at.part(*_turned(piece.at, turn), piece.size))
    plots = [PLOT_NAMES[plot] for plot in plots_of(PRINTED)]
    for plot in (PLOT_NAMES[CENTRE], *plots):
        at.polygon(inset(_line(plot), -_STREET), OWN["street"], None)
    for plot in plots:
        _land(at, plot)


def _turned(point: Point, turns: int) -> Point:
    for _ in range(turns):
        point = -point[1], point[0]
    return point


_PILES = {
    "t": (((0.0, 1.0), (0.5, 0.0), (1.0, 1.0)), 0.66),
    "p": (((0.0, 1.0), (0.2, 0.2), (0.8, 0.2), (1.0, 1.0)), 0.6),
    "r": (((0.0, 0.9), (0.0, 0.3), (1.0, 0.3), (1.0, 0.9)), 0.6),
}
"""By shape: a quarter on its long side, in shares of a sign, and how far down its middle is."""


@shaped(lambda _key, _shape, _count, high: (round(high * 1.1), high))
def pile(pen: Pen, key: str, shape: str, count: int, high: int) -> None:
    """How many quarters of a shape are left of an emblem, on such a quarter."""
    corners, level = _PILES[shape]
    wide = pen.width - 4
    path = tuple((2 + x * wide, 2 + y * (high - 4)) for x, y in corners)
    fill, writing, edge = LOOKS[key].fill, LOOKS[key].writing, TONES.ink
    if not count:
        fill, writing, edge = TONES.paper, TONES.soft, FILE.emblems[key].tiles
    pen.polygon(path, fill, edge, 2.5 if count else 5)
    pen.text((pen.width / 2, level * high), str(count), writing, round(high * 0.52), Face.TEXT)


@square
def block(pen: Pen, key: str, count: int, size: int) -> None:
    """So many completed quarters of an emblem."""
    look, inset_by = LOOKS[key], size * 0.08
    box = inset_by, inset_by, size - inset_by, size - inset_by
    pen.rect(box, look.fill, TONES.ink, 2)
    pen.text(pen.middle, str(count), look.writing, round(size * 0.78), Face.TEXT)


@square
def tile(pen: Pen, key: str, kind: str, size: int) -> None:
    """A quarter of the supply in a square, with whose it is, or with its leader; a special one with
    its letter and with the plots that it adds.
    """
    shape = kind.removesuffix(_LEADER)
    own, added = FILE.supply[shape]
    corners = [*outline(*own), *(corner for plot in added for corner in outline(plot))]
    left, top, right, bottom = bounds(corners)
    unit = (size - 2) / max(right - left, bottom - top)
    x, y = middle(corners)
    at = Stencil(pen, size / 2 - x * unit, size / 2 - y * unit, unit)
    for plot in added:
        at.polygon(_line(plot), OWN["land"], OWN["stake"])
    at.polygon(_line(*own), FILE.emblems[key].tiles, TONES.ink)
    at.polygon(inset(_line(*own), _RIM), LOOKS[key].fill, None)
    sign = at.part(*middle(_line(*own)), 60 * size / unit)
    if shape in SPECIAL:
        sign.text(0, 0, shape.upper(), LOOKS[key].writing, 90)
    elif shape == kind:
        _signs(key, shape, False, False, 0)[-1](sign)
    else:
        _pawns(sign, [TONES.cream])
