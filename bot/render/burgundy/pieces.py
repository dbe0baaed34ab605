"""The pieces of Burgundy as sprites. Each is painted once and kept.

Whatever a colour shows, a symbol, a letter or a number shows too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image

from bot.game.burgundy.data import (
    ANIMAL,
    CASTLE,
    COLOUR_KEYS,
    COLOUR_OF,
    KNOWLEDGE,
    TILE_OF_KEY,
    TILES,
)
from bot.render.burgundy import icons
from bot.render.burgundy.icons import ICONS
from bot.render.burgundy.layout import COLOURS, GONE, LOOKS, RIM
from bot.render.drawing import Stencil
from bot.render.fonts import Face, width
from bot.render.seats import SEATS
from bot.render.sprites import Pen, Point, Sprite, paint, painted, square
from bot.render.theme import Colour, mix

_CACHED = 1024
_TOOTH = 0.93
"""Share of its space that a tile fills."""


def corners(x: float, y: float, radius: float) -> list[Point]:
    """The corners of a pointy-top hex, the upper one first, clockwise."""
    turns = (math.radians(60 * step - 90) for step in range(6))
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def half_width(radius: float) -> float:
    """From the centre of such a hex to its right side."""
    return radius * math.sqrt(3) / 2


@lru_cache(maxsize=_CACHED)
def tile(key: str, radius: int) -> Sprite:
    """A hex tile, face up, for a space of this radius."""
    kind = TILES[TILE_OF_KEY[key]]
    colour = COLOUR_OF[TILE_OF_KEY[key]]
    look = LOOKS[colour]

    def draw(at: Stencil) -> None:
        if colour == ANIMAL:
            ICONS[kind.kind](at.part(0, -17, 94))
            at.text(0, 44, str(kind.amount), COLOURS.ink, 50)
        elif colour == KNOWLEDGE:
            at.text(0, -38, key[1:], COLOURS.ink, 58)
            icons.signs(at.part(0, 20, 124), int(key[1:]))
        else:
            ICONS[key](at)

    return _hex(radius, look.fill, draw)


@lru_cache(maxsize=_CACHED)
def ghost(colour: int, radius: int, ground: Colour) -> Sprite:
    """The empty place of a tile of a colour."""
    tone, fill = (mix(LOOKS[colour].fill, ground, share) for share in GONE)

    def draw(pen: Pen) -> None:
        path = corners(half_width(radius), radius, radius * _TOOTH - 1)
        pen.polygon(path, fill, tone, 2)
        at = Stencil(pen, half_width(radius), radius, radius * 0.8)
        icons.SYMBOLS[COLOUR_KEYS[colour]](at, tone)

    return _blank(radius, draw)


@lru_cache(maxsize=16)
def slot(radius: int) -> Sprite:
    """An empty place of the storage."""

    def draw(pen: Pen) -> None:
        path = corners(half_width(radius), radius, radius * _TOOTH - 1)
        pen.polygon(path, COLOURS.paper, COLOURS.soft, 1.5)

    return _blank(radius, draw)


@lru_cache(maxsize=16)
def ring(radius: int) -> Sprite:
    """Around a tile that has just been moved; as large as the tile's sprite and 12 more."""
    x, y = half_width(radius) + 6, radius + 6.0

    def draw(pen: Pen) -> None:
        path = corners(x, y, radius + 0.5)
        pen.polygon(path, None, COLOURS.white, 9)
        pen.polygon(path, None, COLOURS.mark, 5.5)

    return paint(math.ceil(2 * x), round(2 * y), draw)


@lru_cache(maxsize=_CACHED)
def icon(name: str, size: int) -> Sprite:
    """A drawing by itself."""
    return _square(size, ICONS[name])


@lru_cache(maxsize=_CACHED)
def good(kind: int, size: int) -> Sprite:
    """A barrel of goods, 0 the first kind."""
    return _square(size, lambda at: icons.barrel(at, kind))


@lru_cache(maxsize=_CACHED)
def die(value: int, size: int, used: bool = False) -> Sprite:
    """A die; one that has been used is dull."""
    face, pip = (COLOURS.shade, COLOURS.soft) if used else (COLOURS.white, COLOURS.ink)

    def draw(at: Stencil) -> None:
        icons.die(at, value, face, pip)
        if used:
            at.line([(-36, 36), (36, -36)], COLOURS.soft, 9)

    return _square(size, draw)


@lru_cache(maxsize=_CACHED)
def bonus(text: str, size: int) -> Sprite:
    """A bonus tile with its points."""
    return _square(size, lambda at: icons.bonus(at, text))


@lru_cache(maxsize=_CACHED)
def symbol(colour: int, size: int) -> Sprite:
    """A small tile of a colour with only its symbol."""
    look = LOOKS[colour]
    radius = size // 2

    def draw(at: Stencil) -> None:
        fill = COLOURS.cream if colour == CASTLE else COLOURS.ink
        icons.SYMBOLS[COLOUR_KEYS[colour]](at.part(0, 0, 90), fill)

    return _hex(radius, look.fill, draw)


@lru_cache(maxsize=_CACHED)
def gain(change: int, size: int) -> Sprite:
    """What has just been gained or spent, as ``+4``."""
    text = f"{change:+}".replace("-", "−")
    long = width(text, size) + size // 2
    high = round(size * 1.15)
    fill = COLOURS.fresh if change > 0 else COLOURS.mark

    def draw(pen: Pen) -> None:
        pen.rect((0, 0, long, high), COLOURS.white, None, 0, size * 0.35)
        pen.rect((1.5, 1.5, long - 1.5, high - 1.5), fill, None, 0, size * 0.3)
        pen.text((long / 2, high / 2), text, COLOURS.white, size, Face.TEXT)

    return paint(long, high, draw)


@lru_cache(maxsize=_CACHED)
def total(points: int) -> Sprite:
    """All of a seat's points, on a long red seal."""
    long = max(56, width(str(points), 40) + 24)

    def draw(pen: Pen) -> None:
        pen.rect((0, 0, long, 44), COLOURS.cream, COLOURS.ink, 2, 10)
        pen.rect((4, 4, long - 4, 40), COLOURS.bar, None, 0, 7)
        pen.text((long / 2, 22), str(points), COLOURS.white, 38, Face.TEXT)

    return paint(long, 44, draw)


@lru_cache(maxsize=64)
def seal(text: str, size: int) -> Sprite:
    """Points that something would bring."""
    return _square(size, lambda at: icons.points(at, text))


@lru_cache(maxsize=4)
def black_depot(size: int) -> Sprite:
    """The sign of the black depot."""

    def draw(at: Stencil) -> None:
        at.rect(-48, -48, 48, 48, COLOURS.night, COLOURS.ink, 18)
        ICONS["silverling"](at.part(0, 0, 64))

    return _square(size, draw)


@square
def no_good(pen: Pen, size: int) -> None:
    """An empty place for goods."""
    pen.rect((2, 2, size - 2, size - 2), COLOURS.shade, COLOURS.soft, 1.5, 9)


@lru_cache(maxsize=4)
def sold(size: int) -> Sprite:
    """The pile of sold goods: a barrel and a coin."""

    def draw(at: Stencil) -> None:
        ICONS["barrel"](at.part(12, -10, 76))
        ICONS["silverling"](at.part(-20, 20, 58))

    return _square(size, draw)


@lru_cache(maxsize=_CACHED)
def own_bonus(colour: int, text: str) -> Sprite:
    """A bonus tile with the symbol of its colour, 46 by 58."""

    def draw(pen: Pen) -> None:
        icons.bonus(Stencil(pen, 17, 38, 38), text)

    shield = paint(46, 58, draw)
    sign = symbol(colour, 30)
    canvas = Image.merge("RGBA", (*shield.image.split(), shield.mask))
    canvas.alpha_composite(Image.merge("RGBA", (*sign.image.split(), sign.mask)), (18, 0))
    return Sprite(canvas.convert("RGB"), canvas.getchannel("A"))


@square
def halo(pen: Pen, size: int) -> None:
    """A halo around something small that has just changed."""
    pen.rect((0, 0, size, size), COLOURS.white, None, 0, size * 0.3)
    inside = size - 2
    pen.rect((2, 2, inside, inside), None, COLOURS.mark, 4, size * 0.28)


@painted(44, 44)
def phase(pen: Pen, letter: str, to_come: int) -> None:
    """A phase of the game, 44 by 44: past (below 0), present (0), to come."""
    fill, writing = COLOURS.bar, COLOURS.dusk
    if to_come == 0:
        fill, writing = COLOURS.gold, COLOURS.ink
    elif to_come > 0:
        writing = COLOURS.cream
    pen.ellipse((0, 0, 44, 44), fill, COLOURS.ink if to_come == 0 else writing, 2)
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
    look = SEATS[seat]
    pen.rect((0, 0, 76, 44), COLOURS.white, None, 0, 12)
    pen.rect((2, 2, 74, 42), None, COLOURS.mark, 4, 11)
    at = Stencil(pen, 22, 22, 32)
    ICONS["ship"](at)
    pen.text((54, 22), look.letter, COLOURS.ink, 30, Face.TEXT)


def _hex(radius: int, fill: Colour, draw: Callable[[Stencil], None]) -> Sprite:
    def whole(pen: Pen) -> None:
        x, y = half_width(radius), float(radius)
        edge = max(1.5, radius / 24)
        pen.polygon(corners(x, y, radius * _TOOTH - edge / 2), fill, COLOURS.ink, edge)
        inner = corners(x, y, radius * 0.84 - edge / 2)
        pen.polygon(inner, None, mix(fill, COLOURS.white, RIM), max(1.0, radius / 32))
        draw(Stencil(pen, x, y, radius * 1.16))

    return _blank(radius, whole)


def _blank(radius: int, draw: Callable[[Pen], None]) -> Sprite:
    return paint(math.ceil(2 * half_width(radius)), 2 * radius, draw)


def _square(size: int, draw: Callable[[Stencil], None]) -> Sprite:
    return paint(size, size, lambda pen: draw(Stencil(pen, size / 2, size / 2, size)))
