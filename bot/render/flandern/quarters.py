"""The quarters of Flandern 1302 as sprites: blocks of houses seen from above, plots, and the town.

Sprites of plots lie around the middle of the bounding box of their outline; `unit` is how many
pixels there are to a unit of the plan, of which lengths here are hundredths. Each is painted once
and kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from bot.game.flandern.data import CONTENT, EMBLEM_OF_KEY, HOME, PLAYER_GUILDS
from bot.game.flandern.plan import CENTRE, CITIES, PLOT_NAMES, PRINTED, SPECIAL
from bot.game.flandern.plan import members as plots_of
from bot.render.drawing import Stencil
from bot.render.flandern.outlines import Path, between, bounds, inset, middle, outline
from bot.render.flandern.pieces import FILE, ICONS, LOOKS, OWN, Spots, craft, letter
from bot.render.sides import TONES
from bot.render.sprites import Pen, Point, Sprite, ground, shaped, square, strokes
from bot.render.theme import Colour

Sign = Callable[[Stencil], None]

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
_TOWN = 8.6
"""Width of a city with all around it, in units."""
_KEPT = 128
"""Quarters kept: one and a half times those of a full board, as large ones have some 300 KB."""
_LEADER = "-leader"
_SHOWN = {
    "t": (("t3",), ()),
    "p": (("p1",), ()),
    "r": (("r1",), ()),
    "a": (("p1", "a"), ("r5",)),
    "b": (("r1", "b"), ("t5",)),
    "c": (("r1", "c"), ("t9", "t13")),
    "d": (("p1", "d", "r1"), ()),
}
"""By shape: the plot, the kind and the bar of D that show what quarters look like, and the plots
that come with them."""


def quarter_middle(plot: str, kind: str = "", bar: str = "") -> Point:
    """Where the sprite of a quarter or of a plot lies, in units from the middle of the city."""
    return middle(outline(plot, kind, bar))


def _room(plot: str, kind: str, bar: str, unit: int) -> tuple[int, int]:
    left, top, right, bottom = bounds(outline(plot, kind, bar))
    return math.ceil((right - left) * unit) + 2, math.ceil((bottom - top) * unit) + 2


def _stencil(pen: Pen, unit: float, around: Point = (0, 0)) -> Stencil:
    """A stencil for the plan with this point, in units, in the middle of the picture."""
    x, y = pen.middle
    return Stencil(pen, x - around[0] * unit, y - around[1] * unit, unit)


def _line(plot: str, kind: str = "", bar: str = "") -> Path:
    return tuple((100 * x, 100 * y) for x, y in outline(plot, kind, bar))


def _sides(path: Path) -> list[tuple[Point, Point]]:
    return list(pairwise((*path, path[0])))


def _within(
    line: Path,
    size: tuple[int, int],
    fill: Colour,
    stencil: Callable[[Pen], Stencil],
    draw: Callable[[Stencil], None],
) -> Sprite:
    """What is drawn on a ground within a line. Half as fine as other sprites, and painted in a
    quarter of the time: these are large."""
    outside, inside = "#000000", "#ffffff"
    image = ground(*size, fill, lambda pen: draw(stencil(pen)))
    mask = ground(*size, outside, lambda pen: stencil(pen).polygon(line, inside, None))
    return Sprite(image, mask.convert("L"))


@lru_cache(maxsize=_KEPT)
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

    around = quarter_middle(plot, kind, bar)
    size = _room(plot, kind, bar, unit)
    return _within(line, size, OWN["street"], lambda pen: _stencil(pen, unit, around), draw)


def _houses(at: Stencil, edge: Path, key: str) -> None:
    """A court, and roofs along all streets."""
    about, fill = FILE.emblems[key], LOOKS[key].fill
    at.polygon(edge, fill, None)
    for within, tone in zip(about.band, (about.tiles, fill), strict=True):
        at.polygon(inset(edge, within * _DEPTH), tone, None)
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
            at.polygon(corners, about.tiles, None)


def _foundations(at: Stencil, edge: Path, fill: Colour) -> None:
    """Bare earth within pieces of wall."""
    at.polygon(edge, OWN["earth"], None)
    for start, end in _sides(inset(edge, _BED / 2)):
        for stroke in strokes((start, end), _STONES):
            at.line(stroke, TONES.ink, 1.5 * _BED)
            at.line(stroke, fill, _BED)


def _signs(key: str, kind: str, site: bool, cathedral: bool, leaders: int) -> list[Sign]:
    """What is drawn on a quarter: what it is or does, whose it is, and who lives there."""
    emblem = EMBLEM_OF_KEY[key]
    guild = emblem < PLAYER_GUILDS
    signs: list[Sign] = []
    if not kind:
        landmark = ICONS[CITIES[HOME[emblem]]]
        signs.append(lambda at: landmark(at, TONES.cream))
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
    start, end = max(_sides(_line(plot)), key=lambda side: math.dist(*side))
    length = math.dist(start, end)
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    foot = between(start, end, 0.5)
    # The first sign is the left or the upper one.
    turn = 1 if (round(x, 3), y) > (0, 0) else -1
    for along, across, size in spots:
        along *= turn
        yield foot[0] + along * x - across * y, foot[1] + along * y + across * x, size


_PAWN: Sign = partial(_pawns, figures=[TONES.cream])


@shaped(lambda plot, unit: _room(plot, "", "", unit))
def free_plot(pen: Pen, plot: str, unit: int) -> None:
    """A plot where one may build."""
    _land(_stencil(pen, unit, quarter_middle(plot)), plot)


def _land(at: Stencil, plot: str) -> None:
    path = _line(plot)
    at.polygon(inset(path, _STREET), OWN["land"], None)
    for side in _sides(inset(path, _STAKED)):
        for stroke in strokes(side, _STAKES):
            at.line(stroke, OWN["stake"])


@shaped(lambda plot, unit: _room(plot, "", "", unit))
def cover(pen: Pen, plot: str, unit: int) -> None:
    """A covered plot: paved, and barred with planks."""
    at = _stencil(pen, unit, quarter_middle(plot))
    at.polygon(inset(_line(plot), _STREET), OWN["slab"], OWN["joint"])
    for spot in _laid(plot, FILE.spots[plot[0]][0]):
        ICONS["cover"](at.part(*spot))


@lru_cache(maxsize=8)
def city_plan(unit: int) -> Sprite:
    """The ground of a city with its walls, and all the plots that it has from the start."""
    size = round(_TOWN * unit)
    moat = inset(FILE.walls, -_GARDENS - _WALL - _MOAT)
    return _within(moat, (size, size), OWN["moat"], lambda pen: _stencil(pen, unit), _town)


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


@square
def tile(pen: Pen, key: str, kind: str, size: int) -> None:
    """A quarter of the supply in a square, with whose it is, or with its leader; a special one with
    its letter and with the plots that it adds.
    """
    shape = kind.removesuffix(_LEADER)
    shown, added = _SHOWN[shape]
    corners = [
        corner for each in (shown, *((plot,) for plot in added)) for corner in outline(*each)
    ]
    left, top, right, bottom = bounds(corners)
    unit = (size - 2) / max(right - left, bottom - top)
    at = _stencil(pen, unit, middle(corners))
    for plot in added:
        at.polygon(_line(plot), OWN["land"], OWN["stake"])
    at.polygon(_line(*shown), FILE.emblems[key].tiles, TONES.ink)
    at.polygon(inset(_line(*shown), _RIM), LOOKS[key].fill, None)
    x, y = quarter_middle(*shown)
    sign = at.part(100 * x, 100 * y, 60 * size / unit)
    if shape in SPECIAL:
        sign.text(0, 0, shape.upper(), LOOKS[key].writing, 90)
    else:
        draw = _signs(key, shape, False, False, 0)[-1] if shape == kind else _PAWN
        draw(sign)
