"""The pieces of Burgundy as sprites, each painted once and kept, and the drawings on its tiles.

What they look like is in data/burgundy/drawings.toml. Whatever a colour shows, a symbol, a
letter or a number shows too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PIL import Image

from bot.game.burgundy.data import (
    ANIMAL,
    CASTLE,
    COLOUR_KEYS,
    COLOUR_OF,
    KNOWLEDGE,
    SIDES,
    TILE_KEYS,
    TILES,
)
from bot.game.content import Strict, read
from bot.render.asked import Place
from bot.render.cache import cached
from bot.render.drawing import Drawings, Icon, ScaledPen, Stroke, stencilled
from bot.render.fonts import Face, width
from bot.render.palettes import colours
from bot.render.sides import SIDE_LOOKS, Look
from bot.render.signs import SIZE, Signs
from bot.render.sprites import Pen, Point, Sprite, paint, painted, shaped, square
from bot.render.theme import Colour, Mix, Palette, mix
from bot.resources import data


class TileLook(Strict, frozen=True):
    """How tiles of a colour, their empty spaces, and what is written on these look."""

    fill: Colour
    pale: Colour
    deep: Colour

    @property
    def symbol(self) -> Mix:
        """Of the symbol on an empty space."""
        return self.pale, self.deep, 0.6

    @property
    def edge(self) -> Mix:
        """Between empty spaces of one region."""
        return self.pale, self.deep, 0.3


class LooksFile(Strict, frozen=True):
    tiles: dict[str, TileLook]
    goods: tuple[Look, ...]
    signs: dict[str, tuple[tuple[str, float], ...]]
    """Rows of signs by knowledge tile."""
    drawings: dict[str, tuple[Stroke, ...]]


FILE = read(data("burgundy", "drawings.toml"), LooksFile)
COLOURS = colours("burgundy")
LOOKS = tuple(FILE.tiles[key] for key in COLOUR_KEYS)
"""By number of the tiles' colour."""
_GONE = (0.45, 0.78)
"""How much of the ground is in the symbol and in the rest of the place of a tile that is gone."""
PALETTE = Palette(
    [
        *(shade for look in LOOKS for shade in (look.fill, look.pale, look.deep)),
        *(look.fill for look in (*FILE.goods, *SIDE_LOOKS)),
        *COLOURS.values(),
    ],
    [COLOURS.ink, COLOURS.paper],
    [
        *(each for look in LOOKS for each in (look.symbol, look.edge)),
        *(
            (look.fill, ground, share)
            for look in LOOKS
            for ground in (COLOURS.paper, COLOURS.night)
            for share in _GONE
        ),
    ],
)

# Hexes

_TOOTH = 0.93
"""Share of its space that a tile fills."""
_HEX = [
    (math.cos(turn), math.sin(turn)) for turn in (math.radians(60 * step - 90) for step in range(6))
]


def corners(x: float, y: float, radius: float) -> list[Point]:
    """The corners of a pointy-top hex, the upper one first, clockwise."""
    return [(x + radius * across, y + radius * down) for across, down in _HEX]


def hexagon(x: float, y: float, radius: float) -> Place:
    """A hex on a picture."""
    return Place(tuple(corners(x, y, radius)))


def tagged(x: float, y: float, radius: float, number: int) -> Place:
    """One of some hexes in a row, whose names stand under and over them by turns."""
    reach = radius + 21
    return hexagon(x, y, radius)._replace(tag=(x, y + (-reach if number % 2 else reach)))


def half_width(radius: float) -> int:
    """From the centre of such a hex to its right side.

    In whole pixels, so that the hexes of a row are smoothed alike and the file grows smaller.
    """
    return round(radius * math.sqrt(3) / 2)


_hexagonal = shaped(lambda *what: (2 * half_width(what[-1]), 2 * what[-1]))
"""Makes a sprite as large as such a hex, of the radius that it is called with last."""
_larger = shaped(lambda radius: (2 * half_width(radius) + 12, 2 * radius + 12))
"""The same with 6 pixels on each side."""


def _hexagon(pen: Pen, radius: int, colour: int) -> ScaledPen:
    """Paints a tile and returns the pen for what it shows."""
    x, y = half_width(radius), float(radius)
    edge = max(1.5, radius / 24)
    path = corners(x, y, radius * _TOOTH - edge / 2)
    pen.polygon(path, LOOKS[colour].fill, COLOURS.ink, edge)
    return ScaledPen(pen, x, y, radius * 1.16)


@_hexagonal
def tile(pen: Pen, number: int, radius: int) -> None:
    """A hex tile, face up, for a space of this radius."""
    kind, colour = TILES[number], COLOUR_OF[number]
    at = _hexagon(pen, radius, colour)
    if colour == ANIMAL:
        ICONS[kind.kind](at.part(0, -17, 94))
        at.text(0, 44, str(kind.amount), COLOURS.ink, 50)
    elif colour == KNOWLEDGE:
        at.text(0, -38, kind.key[1:], COLOURS.ink, 58)
        # A row of signs in a box 100 units wide and 60 high.
        row, signs = at.part(0, 20, 124), FILE.signs.get(kind.key)
        signs = signs or ((kind.counts, 56), (f"points {kind.amount}", 42))
        left = -sum(room for _, room in signs) / 2
        for name, room in signs:
            ICONS[name](row.part(left + room / 2, 0, room * 0.94))
            left += room
    else:
        ICONS[kind.key](at)


@_hexagonal
def ghost(pen: Pen, colour: int, ground: Colour, radius: int) -> None:
    """The empty place of a tile of a colour."""
    tone, fill = (mix(LOOKS[colour].fill, ground, share) for share in _GONE)
    x, y = half_width(radius), radius
    pen.polygon(corners(x, y, radius * _TOOTH - 1), fill, tone, 2)
    SYMBOLS[colour](ScaledPen(pen, x, y, radius * 0.8), tone)


@_hexagonal
def slot(pen: Pen, radius: int) -> None:
    """An empty place of the storage."""
    path = corners(half_width(radius), radius, radius * _TOOTH - 1)
    pen.polygon(path, COLOURS.paper, COLOURS.soft, 1.5)


@_larger
def tray(pen: Pen, radius: int) -> None:
    """Under a tile in storage; as large as its sprite and 12 more."""
    pen.polygon(corners(half_width(radius) + 6, radius + 6, radius + 5), COLOURS.dusk)


@_larger
def ring(pen: Pen, radius: int) -> None:
    """Around a tile that has just been moved; as large as the tile's sprite and 12 more."""
    path = corners(half_width(radius) + 6, radius + 6, radius + 0.5)
    pen.polygon(path, None, COLOURS.white, 9)
    pen.polygon(path, None, COLOURS.mark, 5.5)


@shaped(lambda _, size: (2 * half_width(size // 2), 2 * (size // 2)))
def symbol(pen: Pen, colour: int, size: int) -> None:
    """A small tile of a colour with only its symbol."""
    at = _hexagon(pen, size // 2, colour)
    SYMBOLS[colour](at.part(0, 0, 90), COLOURS.cream if colour == CASTLE else COLOURS.ink)


# Everything else


@stencilled
def icon(at: ScaledPen, name: str) -> None:
    """A drawing by itself."""
    ICONS[name](at)


def _barrel(at: ScaledPen, kind: int) -> None:
    look = FILE.goods[kind]
    ICONS["barrel_body"](at, look.fill)
    ICONS["barrel_hoops"](at, mix(look.fill, COLOURS.ink, 0.45))
    at.text(0, 0, str(kind + 1), look.writing, 70)


good = stencilled(_barrel)
"""A barrel of goods with its number, 0 the first kind."""


@stencilled
def die(at: ScaledPen, value: int, used: bool) -> None:
    """A die; one that has been used is dull."""
    pip = COLOURS.soft if used else COLOURS.ink
    ICONS["die"](at, COLOURS.shade if used else COLOURS.white)
    ICONS[f"pips {value}"](at, pip)
    if used:
        at.line([(-36, 36), (36, -36)], pip, 9)


_SEAL = [
    (radius * math.cos(math.pi * step / 12), radius * math.sin(math.pi * step / 12))
    for step, radius in enumerate((48, 41) * 12)
]


def _points(at: ScaledPen, points: int | str) -> None:
    at.polygon(_SEAL, COLOURS.bar, COLOURS.cream)
    text = str(points)
    at.text(0, 0, text, COLOURS.white, (62, 54, 44)[len(text) - 1])


seal = stencilled(_points)
"""Points that something would bring: white on a red seal."""


@shaped(lambda points, high: (max(56, width(str(points), high) + 18), high))
def total(pen: Pen, points: int, high: int) -> None:
    """All of a seat's points, on a long red seal."""
    pen.rect((0, 0, pen.width, high), COLOURS.cream, COLOURS.ink, 2, 10)
    pen.rect((3, 3, pen.width - 3, high - 3), COLOURS.bar, None, 0, 8)
    pen.text(pen.middle, str(points), COLOURS.white, high - 1, Face.TEXT)


def _bonus(at: ScaledPen, points: int) -> None:
    ICONS["bonus"](at)
    at.text(0, -6, str(points), COLOURS.ink, 66)


bonus = stencilled(_bonus)
"""A bonus tile with its points."""


@cached
def own_bonus(colour: int, points: int) -> Sprite:
    """A bonus tile with the symbol of its colour, 46 by 58."""
    shield = paint(46, 58, lambda pen: _bonus(ScaledPen(pen, 17, 38, 38), points))
    sign = symbol(colour, 30)
    canvas = Image.merge("RGBA", (*shield.image.split(), shield.mask))
    canvas.alpha_composite(Image.merge("RGBA", (*sign.image.split(), sign.mask)), (18, 0))
    return Sprite(canvas.convert("RGB"), canvas.getchannel("A"))


@square
def no_good(pen: Pen, size: int) -> None:
    """An empty place for goods."""
    pen.rect((2, 2, size - 2, size - 2), COLOURS.shade, COLOURS.soft, 1.5, 9)


@square
def halo(pen: Pen, size: int) -> None:
    """A halo around something small that has just changed."""
    pen.rect((0, 0, size, size), COLOURS.white, None, 0, size * 0.3)
    pen.rect((2, 2, size - 2, size - 2), None, COLOURS.mark, 4, size * 0.28)


@painted(44, 44)
def phase(pen: Pen, letter: str, to_come: int) -> None:
    """A phase of the game, 44 by 44: past (below 0), present (0), to come."""
    writing = {-1: COLOURS.dusk, 0: COLOURS.ink, 1: COLOURS.cream}[to_come]
    pen.ellipse((0, 0, 44, 44), COLOURS.bar if to_come else COLOURS.gold, writing, 2)
    pen.text((22, 22), letter, writing, 32, Face.TITLE)


@painted(52, 56)
def round_place(pen: Pen, now: bool) -> None:
    """The place of a round in the bar, 52 by 56; the present one is framed."""
    if now:
        pen.rect((0, 0, 52, 56), COLOURS.gold, COLOURS.ink, 2, 12)
    else:
        pen.rect((1, 3, 51, 53), None, COLOURS.dusk, 2, 10)


@painted(76, 44)
def loaded(pen: Pen, seat: int) -> None:
    """A ship that has just loaded goods here, with its owner's letter."""
    pen.rect((0, 0, 76, 44), COLOURS.white, None, 0, 12)
    pen.rect((2, 2, 74, 42), None, COLOURS.mark, 4, 11)
    ICONS["ship"](ScaledPen(pen, 22, 22, 32))
    pen.text((54, 22), SIDE_LOOKS[seat].letter, COLOURS.ink, 30, Face.TEXT)


def _colour(name: str) -> Colour:
    """A colour by its name; that of the symbol on an empty space for a colour of tiles."""
    look = FILE.tiles.get(name)
    return COLOURS[name] if look is None else look.deep


def _numbered(draw: Callable[[ScaledPen, int], None], number: int) -> Icon:
    """A drawing that has colours of its own."""
    return lambda at, fill=None, /: draw(at, number)


ICONS = Drawings(
    FILE.drawings,
    {
        **{f"barrel {kind + 1}": _numbered(_barrel, kind) for kind in range(SIDES)},
        **{f"points {points}": _numbered(_points, points) for points in range(1, 5)},
    },
    _colour,
)
SYMBOLS = tuple(ICONS[f"symbol_{key}"] for key in COLOUR_KEYS)
"""What tells the colours apart besides the colour."""

EMOJI: Signs = {
    **{f"burgundy_any_{key}": partial(symbol, n, SIZE) for n, key in enumerate(COLOUR_KEYS)},
    **{f"burgundy_{key}": partial(tile, n, SIZE // 2) for n, key in enumerate(TILE_KEYS)},
    **{f"burgundy_good_{kind + 1}": partial(good, kind, SIZE) for kind in range(SIDES)},
    **{f"burgundy_die_{n}": partial(die, n, False, SIZE) for n in range(1, SIDES + 1)},
    **{f"burgundy_{name}": partial(icon, name, SIZE) for name in ("worker", "silverling")},
}
"""The signs for words: the colours of tiles, each tile, goods and dice by number, and what one pays
with."""
