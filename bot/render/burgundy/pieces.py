"""The pieces of Burgundy as cached sprites, and the drawings on its tiles.

Colours and drawings are in data/burgundy/drawings.toml. A symbol, letter or number always repeats
the information of a colour.
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
from bot.render.drawing import Drawings, Icon, ScaledPen, Stroke, scaled_sprite
from bot.render.fonts import Face, width
from bot.render.palettes import colours
from bot.render.sides import SIDE_LOOKS, Look
from bot.render.signs import SIZE, Signs
from bot.render.sprites import Pen, Point, Sprite, paint, painted, shaped, square
from bot.render.theme import Colour, Mix, Palette, mix
from bot.resources import data


class TileLook(Strict, frozen=True):
    """The colours of tiles, of their empty spaces and of the text on these."""

    fill: Colour
    pale: Colour
    deep: Colour

    @property
    def symbol(self) -> Mix:
        """The symbol on an empty space."""
        return self.pale, self.deep, 0.6

    @property
    def edge(self) -> Mix:
        """The edge between empty spaces of one region."""
        return self.pale, self.deep, 0.3


class BurgundyDrawings(Strict, frozen=True):
    tiles: dict[str, TileLook]
    goods: tuple[Look, ...]
    signs: dict[str, tuple[tuple[str, float], ...]]
    """Rows of signs by knowledge tile."""
    drawings: dict[str, tuple[Stroke, ...]]


FILE = read(data("burgundy", "drawings.toml"), BurgundyDrawings)
COLOURS = colours("burgundy")
LOOKS = tuple(FILE.tiles[key] for key in COLOUR_KEYS)
"""By number of the colour."""
_GHOST_SHARES = (0.45, 0.78)
"""Share of the ground colour in the symbol and the rest of an emptied place."""
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
            for share in _GHOST_SHARES
        ),
    ],
)

# Hexes

_FILL = 0.93
"""Share of its space that a tile fills."""
_HEX = [
    (math.cos(turn), math.sin(turn)) for turn in (math.radians(60 * step - 90) for step in range(6))
]


def corners(x: float, y: float, radius: float) -> list[Point]:
    """Return the corners of a pointy-top hex, the upper one first, clockwise."""
    return [(x + radius * across, y + radius * down) for across, down in _HEX]


def hexagon(x: float, y: float, radius: float) -> Place:
    return Place(tuple(corners(x, y, radius)))


def tagged(x: float, y: float, radius: float, number: int) -> Place:
    """Return the place of a hex in a row, its tag below or above it in turns."""
    reach = radius + 21
    return hexagon(x, y, radius)._replace(tag=(x, y + (-reach if number % 2 else reach)))


def half_width(radius: float) -> int:
    """Return the distance from the centre of a hex to its right side.

    In whole pixels, all hexes of a row have the same antialiasing and the file is smaller.
    """
    return round(radius * math.sqrt(3) / 2)


_hexagonal = shaped(lambda *args: (2 * half_width(args[-1]), 2 * args[-1]))
"""Decorator for a sprite of a hex; the last argument is its radius."""
_larger = shaped(lambda radius: (2 * half_width(radius) + 12, 2 * radius + 12))
"""Decorator for a sprite 6 pixels larger than a hex on each side."""


def _hexagon(pen: Pen, radius: int, colour: int) -> ScaledPen:
    """Paint a tile; return the pen for the drawing on it."""
    x, y = half_width(radius), float(radius)
    edge = max(1.5, radius / 24)
    path = corners(x, y, radius * _FILL - edge / 2)
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
    """An emptied place for a tile of a colour."""
    tone, fill = (mix(LOOKS[colour].fill, ground, share) for share in _GHOST_SHARES)
    x, y = half_width(radius), radius
    pen.polygon(corners(x, y, radius * _FILL - 1), fill, tone, 2)
    SYMBOLS[colour](ScaledPen(pen, x, y, radius * 0.8), tone)


@_hexagonal
def slot(pen: Pen, radius: int) -> None:
    """An empty storage space."""
    path = corners(half_width(radius), radius, radius * _FILL - 1)
    pen.polygon(path, COLOURS.paper, COLOURS.soft, 1.5)


@_larger
def tray(pen: Pen, radius: int) -> None:
    """The border of a tile in storage, 12 pixels larger than its sprite."""
    pen.polygon(corners(half_width(radius) + 6, radius + 6, radius + 5), COLOURS.dusk)


@_larger
def ring(pen: Pen, radius: int) -> None:
    """The mark around a tile that just moved, 12 pixels larger than its sprite."""
    path = corners(half_width(radius) + 6, radius + 6, radius + 0.5)
    pen.polygon(path, None, COLOURS.white, 9)
    pen.polygon(path, None, COLOURS.mark, 5.5)


@shaped(lambda _, size: (2 * half_width(size // 2), 2 * (size // 2)))
def symbol(pen: Pen, colour: int, size: int) -> None:
    """A small tile with only the symbol of a colour."""
    at = _hexagon(pen, size // 2, colour)
    SYMBOLS[colour](at.part(0, 0, 90), COLOURS.cream if colour == CASTLE else COLOURS.ink)


# Other pieces


@scaled_sprite
def icon(at: ScaledPen, name: str) -> None:
    ICONS[name](at)


def _barrel(at: ScaledPen, kind: int) -> None:
    look = FILE.goods[kind]
    ICONS["barrel_body"](at, look.fill)
    ICONS["barrel_hoops"](at, mix(look.fill, COLOURS.ink, 0.45))
    at.text(0, 0, str(kind + 1), look.writing, 70)


good = scaled_sprite(_barrel)
"""A barrel of goods with its number, 0 the first kind."""


@scaled_sprite
def die(at: ScaledPen, value: int, used: bool) -> None:
    """A die; a used one is grey and crossed out."""
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


seal = scaled_sprite(_points)
"""Points to gain: white on a red seal."""


@shaped(lambda points, high: (max(56, width(str(points), high) + 18), high))
def total(pen: Pen, points: int, high: int) -> None:
    """The points of a seat on a wide red seal."""
    pen.rect((0, 0, pen.width, high), COLOURS.cream, COLOURS.ink, 2, 10)
    pen.rect((3, 3, pen.width - 3, high - 3), COLOURS.bar, None, 0, 8)
    pen.text(pen.middle, str(points), COLOURS.white, high - 1, Face.TEXT)


def _bonus(at: ScaledPen, points: int) -> None:
    ICONS["bonus"](at)
    at.text(0, -6, str(points), COLOURS.ink, 66)


bonus = scaled_sprite(_bonus)
"""A bonus tile with its points."""


@cached
def own_bonus(colour: int, points: int) -> Sprite:
    """Return a bonus tile with the symbol of its colour, 46 by 58."""
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
    """The mark around a small piece that just changed."""
    pen.rect((0, 0, size, size), COLOURS.white, None, 0, size * 0.3)
    pen.rect((2, 2, size - 2, size - 2), None, COLOURS.mark, 4, size * 0.28)


@painted(44, 44)
def phase(pen: Pen, letter: str, to_come: int) -> None:
    """A phase of the game, 44 by 44: past (below 0), current (0), to come."""
    writing = {-1: COLOURS.dusk, 0: COLOURS.ink, 1: COLOURS.cream}[to_come]
    pen.ellipse((0, 0, 44, 44), COLOURS.bar if to_come else COLOURS.gold, writing, 2)
    pen.text((22, 22), letter, writing, 32, Face.TITLE)


@painted(52, 56)
def round_place(pen: Pen, is_current: bool) -> None:
    """The place of a round in the bar, 52 by 56; the current one is filled."""
    if is_current:
        pen.rect((0, 0, 52, 56), COLOURS.gold, COLOURS.ink, 2, 12)
    else:
        pen.rect((1, 3, 51, 53), None, COLOURS.dusk, 2, 10)


@painted(76, 44)
def loaded(pen: Pen, seat: int) -> None:
    """A ship that just loaded goods, with its owner's letter."""
    pen.rect((0, 0, 76, 44), COLOURS.white, None, 0, 12)
    pen.rect((2, 2, 74, 42), None, COLOURS.mark, 4, 11)
    ICONS["ship"](ScaledPen(pen, 22, 22, 32))
    pen.text((54, 22), SIDE_LOOKS[seat].letter, COLOURS.ink, 30, Face.TEXT)


def _colour(name: str) -> Colour:
    """Return a colour by its name; for a colour of tiles, that of its symbols."""
    look = FILE.tiles.get(name)
    return COLOURS[name] if look is None else look.deep


def _numbered(draw: Callable[[ScaledPen, int], None], number: int) -> Icon:
    """Return a drawing with fixed colours."""
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
"""Symbols by colour, to tell the colours apart without seeing them."""

EMOJI: Signs = {
    **{f"burgundy_any_{key}": partial(symbol, n, SIZE) for n, key in enumerate(COLOUR_KEYS)},
    **{f"burgundy_{key}": partial(tile, n, SIZE // 2) for n, key in enumerate(TILE_KEYS)},
    **{f"burgundy_good_{kind + 1}": partial(good, kind, SIZE) for kind in range(SIDES)},
    **{f"burgundy_die_{n}": partial(die, n, False, SIZE) for n in range(1, SIDES + 1)},
    **{f"burgundy_{name}": partial(icon, name, SIZE) for name in ("worker", "silverling")},
}
"""The emoji for texts: colours of tiles, tiles, goods and dice by number, workers and
silverlings."""
