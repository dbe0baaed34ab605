"""The pieces of Flandern 1302 as sprites: emblems, wood, cards, and marks.

The drawings are in data/flandern/drawings.toml. An emblem is recognisable by its colour, its
drawing and the roofs of its houses, and a guild also by the letter of its side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PIL import ImageChops

from bot.game.content import Strict, read
from bot.game.flandern.city import NONE
from bot.game.flandern.data import (
    CARDS,
    CITIES,
    EMBLEM_KEYS,
    EMBLEM_OF_CITY,
    EMBLEMS,
    PLAYER_GUILDS,
    SHAPES,
    SPECIAL,
)
from bot.render.cache import cached
from bot.render.drawing import Drawings, ScaledPen, Stroke, scaled_sprite
from bot.render.fonts import Face, Say, label, width
from bot.render.palettes import colours
from bot.render.sides import SHAPES as OUTLINES
from bot.render.sides import SIDE_LOOKS, TONES, Look, Shape
from bot.render.sides import emblem as side_sign
from bot.render.signs import SIZE, Signs
from bot.render.sprites import Painting, Pen, Point, Sprite, shaped, sized, square
from bot.render.theme import Colour, Palette
from bot.resources import Traversable, data

DATA = data("flandern", "drawings.toml")

GOLDEN = "golden"
"""The owner of golden cards; for cards face down, their deck. The owner of other cards is an
emblem, or NONE, drawn in silver, while guilds are chosen and for the two-player deck."""
Owner = int | str
CITY_LABELS = (
    *(label("Brugge"), label("Gent"), label("Ieper")),
    *(label("Leuven"), label("Utrecht"), label("Luik")),
)


class EmblemDrawing(Strict, frozen=True):
    """An emblem's drawing, and its roofs along the streets.

    `band` is the extent of the roofs, from the street (0) to the court (1). `house` is the length
    of a house in hundredths of a unit, 0 for no single houses. `roof` has the corners of its roof:
    the share along the street, and the share from the street to the court.
    """

    craft: str
    tiles: Colour
    band: tuple[float, float]
    house: float
    roof: tuple[Point, ...]


SignSpot = tuple[float, float, float]
"""The position and size of a quarter's sign."""


class TownPart(Strict, frozen=True):
    """A drawing in the town around a city, repeated by quarter turns. Positions are in hundredths
    of a unit from the middle."""

    drawing: str
    at: Point
    size: float


class FlandernDrawings(Strict, frozen=True):
    """The file drawings.toml.

    `spots` are by shape and number of signs. `supply` has by shape the plot, kind and bar of a
    quarter, and the plots that it adds.
    """

    walls: tuple[Point, ...]
    town: tuple[TownPart, ...]
    spots: dict[
        str, tuple[tuple[SignSpot], tuple[SignSpot, SignSpot], tuple[SignSpot, SignSpot, SignSpot]]
    ]
    supply: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
    own: dict[str, Look]
    emblems: dict[str, EmblemDrawing]
    tones: dict[str, Colour]
    drawings: dict[str, tuple[Stroke, ...]]


def load(path: Traversable = DATA) -> FlandernDrawings:
    """Read the drawings. Raise msgspec.ValidationError or ValueError if the file is invalid.

    A drawing may still name a colour or part that doesn't exist; `Drawings` checks that.
    """
    file = read(path, FlandernDrawings)
    for name, found, expected in (
        ("spots", file.spots, ("c", *SHAPES, "church-a", "church-c")),
        ("supply", file.supply, (*SHAPES, *SPECIAL)),
        ("own", file.own, EMBLEM_KEYS[PLAYER_GUILDS:]),
        ("emblems", file.emblems, EMBLEM_KEYS),
    ):
        if tuple(found) != expected:
            raise ValueError(f"{path}: {name} has {list(found)}, not {list(expected)}")
    crafts = {each.craft for each in file.emblems.values()}
    town = {part.drawing for part in file.town}
    if missing := {*crafts, *town, *CARDS, "cover", "plate"} - file.drawings.keys():
        raise ValueError(f"{path}: drawings has no {', '.join(sorted(missing))}")
    return file


FILE = load()
COLOURS = colours("flandern")
DRAWING_TONES = FILE.tones
"""The colours of drawings, by name."""
LOOKS: Sequence[Look] = (*SIDE_LOOKS, *FILE.own.values())
"""By emblem; the guilds of players look like their sides."""
EMBLEM_DRAWINGS = tuple(FILE.emblems.values())
ICONS = Drawings(FILE.drawings, {}, {**TONES, **DRAWING_TONES}.__getitem__)

FLAT: tuple[Colour, ...] = (
    *(tone for look in LOOKS for tone in (look.fill, look.writing)),
    *(drawing.tiles for drawing in EMBLEM_DRAWINGS),
    *DRAWING_TONES.values(),
    *COLOURS.values(),
    *(tone for look in SIDE_LOOKS for tone in (look.fill, look.dark)),
)
PALETTE = Palette(
    # Only few blends, because each makes the file larger: there are many edges.
    FLAT,
    (),
    [
        *((tone, COLOURS.ink, 0.5) for tone in FLAT),
        *((COLOURS.ink, COLOURS.paper, share) for share in (0.25, 0.75)),
    ],
)


# Emblems and wood


@scaled_sprite
def icon(at: ScaledPen, name: str) -> None:
    """Draw a piece by the name of its drawing, such as ``site``, ``leader``, ``influence``."""
    ICONS[name](at, TONES.gold)


def sign(emblem: int, size: int) -> Sprite:
    """Return the square sign of an emblem: that of its side, or its own in an octagon."""
    return side_sign(emblem, size) if emblem < PLAYER_GUILDS else _octagon_sign(emblem, size)


@scaled_sprite
def _octagon_sign(at: ScaledPen, emblem: int) -> None:
    ICONS["plate"](at, LOOKS[emblem].fill)
    craft(at.part(0, 0, 74), emblem)


def craft(at: ScaledPen, emblem: int) -> None:
    """Draw an emblem's craft."""
    ICONS[EMBLEM_DRAWINGS[emblem].craft](at, LOOKS[emblem].writing)


def letter(at: ScaledPen, guild: int) -> None:
    """Draw the sign of a guild in cream, for a ground in its own colour."""
    side = SIDE_LOOKS[guild]
    outline = [(100 * x - 50, 100 * y - 50) for x, y in OUTLINES[side.shape]]
    at.polygon(outline, TONES.cream, TONES.ink)
    # A shield is widest near its top, so its letter is a little higher.
    at.text(0, -4 if side.shape is Shape.SHIELD else 0, side.letter, TONES.ink, 74)


@cached
def barred(emblem: int, size: int) -> Sprite:
    """Return the sign of an emblem that may not build on a plot, struck through."""
    own, strike = sign(emblem, size), icon("strike", size)
    canvas = Painting(own.image.copy())
    canvas.stamp(strike, 0, 0)
    return Sprite(canvas.image, ImageChops.lighter(own.mask, strike.mask))


@shaped(lambda count, size: (round(size * (0.7 if count == 1 else 1.2)), size))
def leaders(pen: Pen, count: int, size: int) -> None:
    """Draw a leader, with the number if there are several."""
    ICONS["leader"](ScaledPen(pen, size * 0.35, size / 2, size * 0.96), COLOURS.gold)
    if count > 1:
        at = size * 0.92, size / 2
        pen.text(at, str(count), COLOURS.ink, round(size * 0.8), Face.TEXT)


SIGNS: Signs = {
    **{
        f"flandern_{EMBLEM_KEYS[emblem]}": partial(sign, emblem, SIZE)
        for emblem in range(PLAYER_GUILDS, EMBLEMS)
    },
    **{
        f"flandern_{name}": partial(icon, name, SIZE)
        for name in ("site", "cathedral", "leader", "take", "influence", *CITIES)
    },
}
"""The emblems without a player (player guilds look like their sides), pieces, cards, cities."""


# Cards


def face(say: Say, card: int, owner: Owner, wide: int) -> Sprite:
    """Return the face of a card; a city card shows the start of the city's name."""
    return card_face(card, say(CITY_LABELS[card])[:2] if card < len(CITIES) else "", owner, wide)


def _blank(pen: Pen, owner: Owner, foot: float) -> tuple[float, Colour, Colour]:
    """Draw a card with a field down to its `foot`; return a hundredth of its width, and the colours
    of its rim and its text."""
    rim, writing, field = DRAWING_TONES["bronze"], TONES.gold, TONES.gold
    if owner == NONE:
        rim, writing, field = DRAWING_TONES["steel"], TONES.ink, DRAWING_TONES["silver"]
    elif isinstance(owner, int):
        rim, writing, field = LOOKS[owner].fill, LOOKS[owner].writing, TONES.cream
    unit = pen.width / 100
    pen.rect((0, 0, pen.width, pen.height), rim, TONES.ink, max(1.5, 3 * unit), 10 * unit)
    pen.rect((11 * unit, 11 * unit, 89 * unit, foot * unit), field, None, 0, 6 * unit)
    return unit, rim, writing


@shaped(lambda *what: (what[-1], round(what[-1] * 1.4)))
def card_face(pen: Pen, card: int, letters: str, owner: Owner, wide: int) -> None:
    """Draw a card in a rim of its owner's colour; `letters` are written under a city."""
    foot = 88 if letters else 129
    unit, rim, writing = _blank(pen, owner, foot)
    home = EMBLEM_OF_CITY.get(card)
    fill = rim if home is None else LOOKS[home].fill
    size = (74 if letters else 76) * unit
    ICONS[CARDS[card]](ScaledPen(pen, 50 * unit, (11 + foot) / 2 * unit, size), fill)
    if letters:
        pen.text((50 * unit, 112 * unit), letters, writing, round(50 * unit), Face.TEXT)


@shaped(lambda *what: (what[-1], round(what[-1] * 1.4)))
def back(pen: Pen, owner: Owner, wide: int) -> None:
    """Draw a card face down; the owner may be a golden deck."""
    unit, rim, writing = _blank(pen, owner, 129)
    lattice = [(11, 70), (50, 11), (89, 70), (50, 129)]
    pen.polygon([(x * unit, y * unit) for x, y in lattice], rim, TONES.ink, 3 * unit)
    at = ScaledPen(pen, 50 * unit, 70 * unit, 58 * unit)
    if isinstance(owner, str):
        at.text(0, 0, owner.upper(), writing, 110)
    elif owner != NONE:
        letter(at, owner)


@shaped(lambda wide, high: (wide, high))
def gap(pen: Pen, wide: int, high: int) -> None:
    """Draw the empty place of a card."""
    pen.rect((1, 1, wide - 1, high - 1), COLOURS.shade, COLOURS.dusk, 1.5, wide / 9)


# Marks


@shaped(lambda points, size, _: (max(size + 8, width(str(points), size) + size // 2), size + 6))
def plate(pen: Pen, points: int, size: int, first: bool) -> None:
    """Draw points on a plate, golden for the leading guild."""
    wide, high = pen.width, pen.height
    fill, writing = (COLOURS.gold, COLOURS.ink) if first else (COLOURS.bar, COLOURS.white)
    pen.rect((0, 0, wide, high), COLOURS.cream, COLOURS.ink, 2, size / 4)
    pen.rect((3.5, 3.5, wide - 3.5, high - 3.5), fill, None, 0, size / 6)
    pen.text(pen.middle, str(points), writing, size, Face.TEXT)


@square
def seal(pen: Pen, value: int, size: int) -> None:
    """Draw a city's value on a golden seal."""
    pen.ellipse((0, 0, size, size), COLOURS.gold, COLOURS.ink, 2)
    inset = size * 0.09
    pen.ellipse((inset, inset, size - inset, size - inset), None, COLOURS.wood, 1.5)
    pen.text(pen.middle, str(value), COLOURS.ink, round(size * 0.62), Face.TEXT)


@shaped(lambda text: (width(text, 26) + 10, 30))
def code(pen: Pen, text: str) -> None:
    """Draw the name of a plot on its quarter."""
    pen.rect((0, 0, pen.width, pen.height), COLOURS.ink, COLOURS.cream, 1.5, 6)
    pen.text(pen.middle, text, COLOURS.cream, 26, Face.TEXT)


@square
def tick(pen: Pen, size: int) -> None:
    """Draw a check mark."""
    pen.ellipse((0, 0, size, size), COLOURS.fresh, COLOURS.white, 2)
    path = sized(((0.26, 0.52), (0.44, 0.7), (0.75, 0.32)), size)
    pen.line(path, COLOURS.white, size / 8)
