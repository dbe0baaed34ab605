"""The pieces of Guatemala Café as sprites, each painted once and kept.

The drawings and their colours are those of data/guatemala/drawings.toml. A kind of piece is known
by its outline, a coffee by its colour, its pattern and a letter of the reader's language, an owner
by the colour, shape and letter of a side.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageChops, ImageFilter

from bot.game.content import Strict, read
from bot.game.guatemala.data import COLOUR_KEYS, KINDS
from bot.render.drawing import Drawings, Stencil, Stroke, stencilled
from bot.render.fonts import Face
from bot.render.kept import kept
from bot.render.layout import Look
from bot.render.sides import SHAPES, SIDE_LOOKS, TONES, Shape
from bot.render.sprites import Pen, Sprite, shaped, sized, square
from bot.render.theme import Colour
from bot.resources import Traversable, data

DATA = data("guatemala", "drawings.toml")
_ROAD = KINDS[-1]
_RIM = 0.04
"""Width of a light rim around a piece, of the whole."""
_FINEST = 1.3
"""Pixels below which no line goes."""


class CoffeeLook(Look, frozen=True):
    """How the pieces of a colour look; `trim` is that of hats, roofs, hulls and ties."""

    trim: Colour


class PiecesFile(Strict, frozen=True):
    """The whole data file; `patterns` are those of the coffees, and `letters` say where a piece has
    its letter: x, y and size."""

    coffee: dict[str, CoffeeLook]
    patterns: dict[str, tuple[Stroke, ...]]
    tones: dict[str, Colour]
    letters: dict[str, tuple[float, float, float]]
    drawings: dict[str, tuple[Stroke, ...]]


def load(path: Traversable = DATA) -> PiecesFile:
    """The drawings of a data file. Raises msgspec.ValidationError or ValueError if it is invalid.

    A drawing may still be asked for a colour or a part that is not there; `Drawings` finds out.
    """
    file = read(path, PiecesFile)
    for what, found, due in (
        ("coffee", file.coffee, COLOUR_KEYS),
        ("patterns", file.patterns, COLOUR_KEYS),
        ("letters", file.letters, KINDS[:-1]),
    ):
        if tuple(found) != due:
            raise ValueError(f"{path}: {what} has {list(found)}, not {list(due)}")
    return file


_FILE = load()
COFFEE = _FILE.coffee
"""By the key of a colour."""
OWN = _FILE.tones
"""The other colours of the drawings, by name."""
FLAT: tuple[Colour, ...] = (
    *(each for look in COFFEE.values() for each in (look.fill, look.trim, look.writing)),
    *OWN.values(),
)
"""Every colour of the file, for the palette of the pictures."""
ICONS = Drawings(_FILE.drawings, {}, {**TONES, **OWN}.__getitem__)
_PATTERNS = Drawings(_FILE.patterns, {}, {**TONES, **OWN}.__getitem__)


@stencilled
def _body(at: Stencil, kind: str, colour: str) -> None:
    ICONS[kind](at, COFFEE[colour].fill if colour else None)


@stencilled
def _pattern(at: Stencil, colour: str) -> None:
    _PATTERNS[colour](at, COFFEE[colour].trim)


@stencilled
def _front(at: Stencil, kind: str, colour: str, letter: str) -> None:
    """What lies on the pattern: the outline, the trim and the letter."""
    look = COFFEE[colour]
    ICONS[kind](at, None)
    ICONS[f"{kind}_trim"](at, look.trim)
    if letter:
        x, y, size = _FILE.letters[kind]
        at.text(x, y, letter, look.writing, size)


def piece(kind: str, colour: str, size: int, letter: str = "") -> Sprite:
    """A piece by its kind and the key of its colour, "" for a road."""
    return _piece(kind, colour, size, letter)


@kept
def _piece(kind: str, colour: str, size: int, letter: str) -> Sprite:
    body = _body(kind, colour, size)
    if kind == _ROAD:
        return body
    pattern, front = _pattern(colour, size), _front(kind, colour, letter, size)
    image = body.image.copy()
    image.paste(pattern.image, mask=ImageChops.multiply(pattern.mask, body.mask))
    image.paste(front.image, mask=front.mask)
    return Sprite(image, ImageChops.lighter(body.mask, front.mask))


def rimmed(kind: str, colour: str, size: int, letter: str = "") -> Sprite:
    """A piece with a light rim, for dark or bright ground."""
    return _rimmed(kind, colour, size, letter)


@kept
def _rimmed(kind: str, colour: str, size: int, letter: str) -> Sprite:
    rim = max(2, round(size * _RIM))
    inner = piece(kind, colour, size - 2 * rim, letter)
    cover = Image.new("L", (size, size))
    cover.paste(inner.mask, (rim, rim))
    grown = cover.filter(ImageFilter.GaussianBlur(rim * 0.7)).point(lambda each: min(255, 9 * each))
    image = Image.new("RGB", (size, size), TONES.cream)
    image.paste(inner.image, (rim, rim), inner.mask)
    return Sprite(image, grown)


@dataclass(frozen=True)
class Coffees:
    """The pieces with the letters of a language, in the order of the colours."""

    letters: str

    def letter(self, colour: str) -> str:
        """Of a colour; none of a road's."""
        return self.letters[COLOUR_KEYS.index(colour)] if colour else ""

    def piece(self, kind: str, colour: str, size: int) -> Sprite:
        """A piece with its letter."""
        return piece(kind, colour, size, self.letter(colour))

    def rimmed(self, kind: str, colour: str, size: int) -> Sprite:
        """The same with a light rim."""
        return rimmed(kind, colour, size, self.letter(colour))


@stencilled
def icon(at: Stencil, name: str) -> None:
    """A drawing that has its own colours: ``buyer``, ``coin``, ``hidden_sack``."""
    ICONS[name](at)


@square
def owner(pen: Pen, look: int, size: int) -> None:
    """The sign of a side by its look, light: for ground in the side's own colour."""
    side = SIDE_LOOKS[look]
    pen.polygon(sized(SHAPES[side.shape], size), TONES.cream, TONES.ink, max(_FINEST, size / 16))
    # A shield is broadest near its top, so its letter stands a little higher.
    middle = size * (0.46 if side.shape is Shape.SHIELD else 0.5)
    pen.text((size / 2, middle), side.letter, TONES.ink, round(size * 0.7), Face.TEXT)


@shaped(lambda length, thick, upright: (thick, length) if upright else (length, thick))
def laid_road(pen: Pen, length: int, thick: int, upright: bool) -> None:
    """A road laid between two cells, dark with a light core; from left to right, or upright."""
    pen.rect((0, 0, pen.width, pen.height), OWN["tar"], TONES.ink, _FINEST, thick * 0.3)
    ends = (thick * 0.4, length - thick * 0.4)
    core = [(thick / 2, each) if upright else (each, thick / 2) for each in ends]
    pen.line(core, OWN["core"], thick * 0.26)
