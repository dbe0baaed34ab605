"""The pieces of Guatemala Café and other signs as sprites, and the marks for recent events.

The drawings are in data/guatemala/drawings.toml. The outline shows the kind of a piece; a colour,
a pattern and a letter of the reader's language show its coffee; the colour, shape and letter of a
side show its owner. A piece is a number, as in the state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain

from PIL import Image, ImageChops, ImageFilter

from bot.game.content import Strict, check_content, read
from bot.game.contract import Event, Seat
from bot.game.guatemala.buying import BuyerMoved, BuyerPlaced, PieceBought, RoadsFilled
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOUR_OF_KEY,
    CONTENT,
    KINDS,
    ROAD,
    SPACE_OF_NAME,
    WORKER,
    colour_of,
    kind_of,
)
from bot.game.guatemala.sacks import (
    Blocked,
    Harvested,
    Refilled,
    SackLaid,
    SackTaken,
    ShipLeft,
)
from bot.render.cache import cached
from bot.render.drawing import Drawings, ScaledPen, Stroke, scaled_sprite
from bot.render.fonts import Face, width
from bot.render.palettes import colours
from bot.render.sides import SIDE_LOOKS, TONES, Look
from bot.render.signs import SIZE, Signs
from bot.render.sprites import Pen, Point, Sprite, shaped, sized, square, strokes
from bot.render.theme import Colour, Palette
from bot.resources import Traversable, data

DATA = data("guatemala", "drawings.toml")
_RIM = 0.04
"""Width of the light rim around a piece, as a share of its size."""
FINEST = 1.3
"""Minimum width of lines in pixels."""
_PATH, _DASHES = 12, (10, 8)
"""Width of a path, and lengths of its dashes and gaps, in pixels."""


class CoffeeLook(Look, frozen=True):
    """The colours of a coffee's pieces; `trim` is for hats, roofs, hulls and ties."""

    trim: Colour


class ZoneLook(Strict, frozen=True):
    """The colours of a zone, and the shapes of plants or hills on each cell, in hundredths of a
    cell's height around its middle."""

    land: Colour
    growth: Colour
    shapes: tuple[tuple[Point, ...], ...]


class PiecesFile(Strict, frozen=True):
    """The file drawings.toml; `patterns` are by coffee, `letters` have x, y and size of the letter
    by kind of piece."""

    coffee: dict[str, CoffeeLook]
    patterns: dict[str, tuple[Stroke, ...]]
    zones: dict[str, ZoneLook]
    tones: dict[str, Colour]
    letters: dict[str, tuple[float, float, float]]
    drawings: dict[str, tuple[Stroke, ...]]


def load(path: Traversable = DATA) -> PiecesFile:
    """Read a file of drawings. Raise msgspec.ValidationError or ValueError if it is invalid.

    `Drawings` checks later that the colours and parts used in drawings exist.
    """
    file = read(path, PiecesFile)
    keys: dict[str, tuple[Mapping[str, object], tuple[str, ...]]] = {
        "coffee": (file.coffee, COLOUR_KEYS),
        "patterns": (file.patterns, COLOUR_KEYS),
        "zones": (file.zones, tuple(zone.key for zone in CONTENT.zones)),
        "letters": (file.letters, KINDS[:-1]),
    }
    check_content(
        path,
        {
            f"{name} has {list(found)}, not {list(expected)}": tuple(found) != expected
            for name, (found, expected) in keys.items()
        },
    )
    return file


_FILE = load()
COLOURS = colours("guatemala")
COFFEE = tuple(_FILE.coffee.values())
"""By number of the colour."""
ZONE_LOOKS = tuple(_FILE.zones.values())
DRAWING_TONES = _FILE.tones
"""The other colours of the drawings, by name."""
ICONS = Drawings(_FILE.drawings, {}, {**TONES, **DRAWING_TONES}.__getitem__)
_PATTERNS = Drawings(_FILE.patterns, {}, {**TONES, **DRAWING_TONES}.__getitem__)
_LETTERS = tuple(_FILE.letters.values())
FLAT: tuple[Colour, ...] = (
    *(each for look in COFFEE for each in (look.fill, look.trim, look.writing)),
    *DRAWING_TONES.values(),
    *COLOURS.values(),
    *(tone for zone in ZONE_LOOKS for tone in (zone.land, zone.growth)),
    *(tone for look in SIDE_LOOKS for tone in (look.fill, look.dark)),
)
PALETTE = Palette(FLAT, [COLOURS.ink, COLOURS.paper])


# Pieces


@cached
def piece(number: int, size: int, letters: str) -> Sprite:
    """Return a piece; `letters` are those of the coffees in the reader's language, or ""."""
    body = _body(number, size)
    if number == ROAD:
        return body
    letter = letters[colour_of(number) :][:1]
    pattern, front = _pattern(colour_of(number), size), _front(number, letter, size)
    image = body.image.copy()
    image.paste(pattern.image, mask=ImageChops.multiply(pattern.mask, body.mask))
    image.paste(front.image, mask=front.mask)
    return Sprite(image, ImageChops.lighter(body.mask, front.mask))


@scaled_sprite
def _body(at: ScaledPen, number: int) -> None:
    ICONS[KINDS[kind_of(number)]](at, None if number == ROAD else COFFEE[colour_of(number)].fill)


@scaled_sprite
def _pattern(at: ScaledPen, colour: int) -> None:
    _PATTERNS[COLOUR_KEYS[colour]](at, COFFEE[colour].trim)


@scaled_sprite
def _front(at: ScaledPen, number: int, letter: str) -> None:
    """The layer above the pattern: the outline, the trim and the letter."""
    look, kind = COFFEE[colour_of(number)], kind_of(number)
    ICONS[KINDS[kind]](at, None)
    ICONS[f"{KINDS[kind]}_trim"](at, look.trim)
    if letter:
        x, y, size = _LETTERS[kind]
        at.text(x, y, letter, look.writing, size)


@cached
def rimmed(number: int, size: int, letters: str) -> Sprite:
    """Return a piece with a light rim, for any ground."""
    rim = max(2, round(size * _RIM))
    inner = piece(number, size - 2 * rim, letters)
    cover = Image.new("L", (size, size))
    cover.paste(inner.mask, (rim, rim))
    grown = cover.filter(ImageFilter.GaussianBlur(rim * 0.7)).point(lambda each: min(255, 9 * each))
    image = Image.new("RGB", (size, size), TONES.cream)
    image.paste(inner.image, (rim, rim), inner.mask)
    return Sprite(image, grown)


@scaled_sprite
def icon(at: ScaledPen, name: str) -> None:
    """A drawing with fixed colours: ``buyer``, ``coin``, ``hidden_sack``."""
    ICONS[name](at)


@scaled_sprite
def any_worker(at: ScaledPen) -> None:
    """A worker without a colour."""
    ICONS[KINDS[WORKER]](at, COLOURS.furrow)
    ICONS[f"{KINDS[WORKER]}_trim"](at, COLOURS.soft)


@shaped(lambda length, thick, upright: (thick, length) if upright else (length, thick))
def built_road(pen: Pen, length: int, thick: int, upright: bool) -> None:
    """A road built between two cells, dark with a light core; horizontal or upright."""
    pen.rect((0, 0, pen.width, pen.height), DRAWING_TONES["tar"], TONES.ink, FINEST, thick * 0.3)
    ends = (thick * 0.4, length - thick * 0.4)
    core = [(thick / 2, each) if upright else (each, thick / 2) for each in ends]
    pen.line(core, DRAWING_TONES["core"], thick * 0.26)


SIGNS: Signs = {
    **{
        f"guatemala_{KINDS[kind_of(number)]}_{COLOUR_KEYS[colour_of(number)]}": partial(
            piece, number, SIZE, ""
        )
        for number in range(ROAD)
    },
    "guatemala_road": partial(piece, ROAD, SIZE, ""),
    **{f"guatemala_{name}": partial(icon, name, SIZE) for name in ("buyer", "coin", "hidden_sack")},
}
"""The emoji for texts: pieces by kind and colour, the road, and icons without a colour."""


# Other signs


@shaped(lambda points, size: (max(size + 12, width(str(points), size) + size // 2), size + 6))
def total(pen: Pen, points: int, size: int) -> None:
    """Points on a dark plate."""
    wide, high = pen.width, pen.height
    pen.rect((0, 0, wide, high), COLOURS.cream, COLOURS.ink, 2, size / 4)
    pen.rect((4, 4, wide - 4, high - 4), COLOURS.bar, None, 0, size / 6)
    pen.text(pen.middle, str(points), COLOURS.white, size, Face.TEXT)


@square
def price(pen: Pen, amount: int, size: int) -> None:
    """A price in centavos, as a coin."""
    pen.ellipse((0, 0, size, size), COLOURS.gold, COLOURS.ink, max(1.5, size / 18))
    pen.text(pen.middle, str(amount), COLOURS.ink, round(size * 0.76), Face.TEXT)


@shaped(lambda length, upright, _: (_PATH, length) if upright else (length, _PATH))
def path(pen: Pen, length: int, upright: bool, is_open: bool) -> None:
    """A printed place for a road between two cells; a closed one is grey."""
    x, y = pen.middle
    ends = [(x, 4.0), (x, length - 4.0)] if upright else [(4.0, y), (length - 4.0, y)]
    pen.line(ends, COLOURS.beach, _PATH - 1)
    for stroke in strokes(ends, _DASHES):
        pen.line(stroke, COLOURS.path if is_open else COLOURS.closed, 5)


@square
def pennant(pen: Pen, number: int, size: int) -> None:
    """The number of a port."""
    shape = ((0.06, 0.04), (0.94, 0.04), (0.94, 0.66), (0.5, 0.98), (0.06, 0.66))
    pen.polygon(sized(shape, size), COLOURS.bar, COLOURS.cream, 2)
    pen.text((size / 2, size * 0.42), str(number), COLOURS.cream, round(size * 0.66), Face.TEXT)


# Recent events


class GuatemalaMarks:
    """What recent events changed.

    `emptied` has spaces of the production board by the seat that emptied them, `put` the spaces
    that got a sack or a road, `moved` the positions that the buyer moved to, `built` the cells,
    roads and ports with new pieces, `left` the ports and colours of ships that left, `sack_spaces`
    the spaces of the score track that got a sack, and `harvested` pairs of seat and colour.
    `points`, `money` and `sacks` are changes by seat.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        events = [*events]
        taken = [each for each in events if isinstance(each, PieceBought | SackTaken)]
        self.emptied = {SPACE_OF_NAME[each.space]: each.seat for each in taken}
        put = [
            each.spaces if isinstance(each, RoadsFilled) else (each.space,)
            for each in events
            if isinstance(each, RoadsFilled | SackLaid)
        ]
        self.put = [SPACE_OF_NAME[name] for name in chain(*put)]
        self.moved = [e.position for e in events if isinstance(e, BuyerPlaced | BuyerMoved)]
        self.built = {each.place for each in events if isinstance(each, PieceBought)}
        ships = [each for each in events if isinstance(each, ShipLeft)]
        self.left = [(each.port, COLOUR_OF_KEY[each.colour]) for each in ships]
        self.sack_spaces = {each.at for each in events if isinstance(each, SackTaken)}
        crops = [each for each in events if isinstance(each, Harvested)]
        self.harvested = {(each.seat, COLOUR_OF_KEY[each.colour]) for each in crops}
        self.points, self.money, self.sacks = (Counter[Seat]() for _ in range(3))
        for seat, event in ((each.by, each) for each in events if each.by is not None):
            facts = Counter({fact: n for fact, n in event.facts.items() if isinstance(n, int)})
            self.points[seat] += facts["points"]
            self.money[seat] += facts["money"] - facts["paid"] - facts["price"]
            self.sacks[seat] -= isinstance(event, Blocked | Refilled)
