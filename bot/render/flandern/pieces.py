"""How the emblems and pieces of Flandern 1302 look, and their signs as sprites.

The drawings and their colours are those of data/flandern/drawings.toml. An emblem is known by its
colour, by what is drawn for it, by the roofs of its houses, and a guild by the letter of its side.
"""

from __future__ import annotations

from bot.game.content import Strict, read
from bot.game.flandern.data import CARDS, EMBLEM_KEYS, EMBLEM_OF_KEY, PLAYER_GUILDS
from bot.game.flandern.plan import SHAPES, SPECIAL
from bot.render.drawing import Drawings, Stencil, Stroke, stencilled
from bot.render.layout import Look
from bot.render.sides import SHAPES as OUTLINES
from bot.render.sides import SIDE_LOOKS, TONES, Shape, emblem
from bot.render.sprites import Point, Sprite
from bot.render.theme import Colour
from bot.resources import Traversable, data

DATA = data("flandern", "drawings.toml")


_SPOTTED = ("c", *SHAPES, "church-a", "church-c")
"""The centre, the shapes, and the church's quarters with more room."""
_OTHERS = ("cover", "plate")
"""Drawings that code asks for, beside those of emblems, cards and towns."""


class EmblemDrawing(Strict, frozen=True):
    """What stands for an emblem: a drawing, and roofs along the streets.

    There is a `band` of them, from the street (0) to the court (1), and a row of a shape, each so
    long as a `house` in hundredths of a unit; its corners go along the street and from there to the
    court. Where a house has no length, there is no row.
    """

    craft: str
    tiles: Colour
    band: tuple[float, float]
    house: float
    roof: tuple[Point, ...]


Spots = tuple[tuple[float, float, float], ...]
"""Where the signs of a quarter lie, and their sizes."""


class TownPart(Strict, frozen=True):
    """Something that each quarter of a town has: in hundredths of a unit, from its middle."""

    drawing: str
    at: Point
    size: float


class DrawingsFile(Strict, frozen=True):
    """The whole data file.

    `spots` are by shape and by how many signs there are. `supply` has by shape what `outline` takes
    for a quarter of it, and the plots that this adds.
    """

    walls: tuple[Point, ...]
    town: tuple[TownPart, ...]
    spots: dict[str, tuple[Spots, ...]]
    supply: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
    own: dict[str, Look]
    emblems: dict[str, EmblemDrawing]
    tones: dict[str, Colour]
    drawings: dict[str, tuple[Stroke, ...]]


def load(path: Traversable = DATA) -> DrawingsFile:
    """The drawings of a data file. Raises msgspec.ValidationError or ValueError if it is invalid.

    A drawing may still be asked for a colour or a part that is not there; `Drawings` finds out.
    """
    file = read(path, DrawingsFile)
    for what, found, due in (
        ("spots", file.spots, _SPOTTED),
        ("supply", file.supply, (*SHAPES, *SPECIAL)),
        ("own", file.own, EMBLEM_KEYS[PLAYER_GUILDS:]),
        ("emblems", file.emblems, EMBLEM_KEYS),
    ):
        if tuple(found) != due:
            raise ValueError(f"{path}: {what} has {list(found)}, not {list(due)}")
    crafts = {emblem.craft for emblem in file.emblems.values()}
    town = {part.drawing for part in file.town}
    if missing := {*crafts, *town, *CARDS, *_OTHERS} - file.drawings.keys():
        raise ValueError(f"{path}: drawings has no {', '.join(sorted(missing))}")
    for key, spots in file.spots.items():
        if [len(each) for each in spots] != [1, 2, 3]:
            raise ValueError(f"{path}: spots has not one, two and three of {key}")
    return file


FILE = load()
OWN = FILE.tones
"""The colours of the drawings, by name."""
_SIDES = zip(EMBLEM_KEYS, SIDE_LOOKS, strict=False)
LOOKS: dict[str, Look] = dict(_SIDES) | FILE.own
"""By emblem; the guilds of players look as the sides do."""
FLAT: tuple[Colour, ...] = (
    *(tone for look in LOOKS.values() for tone in (look.fill, look.writing)),
    *(drawing.tiles for drawing in FILE.emblems.values()),
    *OWN.values(),
)
"""Every colour of the file, for the palette of the pictures."""
ICONS = Drawings(FILE.drawings, {}, {**TONES, **OWN}.__getitem__)


@stencilled
def icon(at: Stencil, name: str) -> None:
    """A piece or a thing by its drawing, such as ``site``, ``leader``, ``influence``."""
    ICONS[name](at, TONES.gold)


def sign(key: str, size: int) -> Sprite:
    """The sign of an emblem, square: that of its side, or its own in an octagon."""
    guild = EMBLEM_OF_KEY[key]
    return emblem(guild, size) if guild < PLAYER_GUILDS else _own_sign(key, size)


@stencilled
def _own_sign(at: Stencil, key: str) -> None:
    ICONS["plate"](at, LOOKS[key].fill)
    craft(at.part(0, 0, 74), key)


def craft(at: Stencil, key: str) -> None:
    """What is drawn for an emblem."""
    ICONS[FILE.emblems[key].craft](at, LOOKS[key].writing)


def letter(at: Stencil, key: str) -> None:
    """The sign of a guild in cream, for ground in its own colour."""
    side = SIDE_LOOKS[EMBLEM_OF_KEY[key]]
    outline = [(100 * x - 50, 100 * y - 50) for x, y in OUTLINES[side.shape]]
    at.polygon(outline, TONES.cream, TONES.ink)
    # A shield is broadest near its top, so its letter stands a little higher.
    at.text(0, -4 if side.shape is Shape.SHIELD else 0, side.letter, TONES.ink, 74)
