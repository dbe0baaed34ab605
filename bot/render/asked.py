"""A question on a picture: every place that may be chosen glows, with its name on a tag, and the
rest is dimmed.

What glows is lighter than all around it, and every tag is writing, so that no colour is needed to
find them. A game only says where the words of its notation are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple, TypeVarTuple

from PIL import Image, ImageDraw

from bot.game.contract import Action, in_turn, parse_action
from bot.render.cache import cached
from bot.render.fonts import Face, fit, printable, width
from bot.render.sides import TONES
from bot.render.sprites import (
    Align,
    Area,
    Backdrop,
    Box,
    Canvas,
    Painting,
    Pen,
    PlacedSprite,
    Point,
    Spot,
    Sprite,
    paint,
    paste,
)
from bot.render.theme import GLOW, DimmedPalette

WHOLE = "action"
"""The parameter of a question about whole actions, whose words are canonical actions."""

Word = str
Ts = TypeVarTuple("Ts")
Outline = tuple[Point, ...]
"""The corners of a place, in order."""

_REACH = 14
"""Pixels that the glow reaches out beyond the edge of a place."""
_BESIDE = 9
"""Pixels between that edge and a tag beside it."""
_SIZES = (34, 30, 26, 22)
"""Font sizes of tags: the largest at which they do not overlap is used."""
_SMALL_FROM = 40
"""Tags from which on only the smallest is tried."""
_WIDEST = 320
"""Pixels; longer names are cut."""
_HIDES = 0.3
"""Share of a tag that may cover other places, and of its own place that it may cover."""
_CELL = 96
"""Pixels of a cell of the grid by which near tags are found."""


@dataclass(frozen=True)
class AskedWords:
    """What a person may say next: the `words` for the parameter `param` of the action that begins
    with `prefix`, and what each is called on its button.

    Words of one name, as those of a group, share a tag. Of a bundle they are the letters of the
    pieces that it can hold.
    """

    prefix: tuple[str, ...]
    param: str
    words: tuple[Word, ...]
    names: tuple[str, ...] = ()
    tagged: bool = True
    """Whether names are written beside their places; pieces to combine are known by themselves."""
    views: Mapping[Word, Sequence[Any]] = field(default_factory=dict, compare=False, repr=False)
    """Of whole actions that are `joined`: the views before each of them, as far as they are known.
    They follow from the view that is drawn."""

    @property
    def kind(self) -> str:
        """The kind of the action."""
        return self.prefix[0] if self.prefix else ""

    def parts(self, word: Word, view: Any) -> Iterator[tuple[Action, Any]]:
        """The actions of a `WHOLE` word, each with the view before it; without those before which
        it is not known. `view` is the one that is drawn."""
        yield from zip(in_turn(parse_action(word)), self.views.get(word, (view,)), strict=False)


class Place(NamedTuple):
    """Where a word lies on a picture. If there is room its tag is put on the point `tag`, which is
    the middle of its left side or of all of it, as `align` says. What is known by its drawing needs
    none. One of several places of a word may have a `name` of its own.
    """

    outline: Outline
    tag: Point | None = None
    align: Align = Align.CENTRE
    needs_tag: bool = True
    name: str = ""

    @property
    def box(self) -> Box:
        """Left, top, right, bottom."""
        across, down = [x for x, _ in self.outline], [y for _, y in self.outline]
        return min(across), min(down), max(across), max(down)

    def moved(self, x: int, y: int) -> Place:
        """The place so many pixels further right and down."""
        if (x, y) == (0, 0):
            return self
        tag = self.tag and (self.tag[0] + x, self.tag[1] + y)
        outline = tuple((across + x, down + y) for across, down in self.outline)
        return self._replace(outline=outline, tag=tag)


Places = Mapping[Word, Sequence[Place]]
"""Every place of each word; a word that lies nowhere has none."""


class LayeredCanvas(Canvas):
    """A canvas that remembers what is laid on it, to be drawn when all is known, and where things
    lie, for the questions about them. Where nothing is laid it is black.

    Whoever draws a thing notes it by what it is and by its word: ``("die", "4")``.
    """

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height
        self._corner = 0, 0
        self.placed: list[PlacedSprite] = []
        """From the lowest to the topmost."""
        self._notes: dict[tuple[str, str], list[tuple[Callable[..., Place], Any, Spot]]] = {}
        self.reserved: list[Box] = []
        """Boxes with numbers, which tags leave free where they can."""
        self.lit: list[Outline] = []
        """What may be chosen; where there is any, all else is dimmed."""
        self.lights: list[PlacedSprite] = []
        """The glow and the tags, which lie on all that."""

    @classmethod
    def over(cls, backdrop: Backdrop) -> LayeredCanvas:
        """As large as a backdrop that lies on it."""
        canvas = cls(backdrop.width, backdrop.height)
        canvas.lay(backdrop, 0, 0)
        return canvas

    def at(self, x: int, y: int) -> LayeredCanvas:
        """The same sheet for whoever draws from this corner of it on."""
        part = copy(self)
        part._corner = self._corner[0] + x, self._corner[1] + y
        return part

    @property
    def image(self) -> Image.Image:
        """The "RGB" picture, drawn anew."""
        painting = Painting(Image.new("RGB", self.size))
        for placed in self.placed:
            painting.put(placed)
        return painting.image

    def put(self, placed: PlacedSprite) -> None:
        """Lay it down."""
        if self._corner != (0, 0):
            (x, y), (key, left, top, right, bottom, source, mask) = self._corner, placed
            placed = PlacedSprite(
                (key, x, y), left + x, top + y, right + x, bottom + y, source, mask
            )
        self.placed.append(placed)

    def stamp_centred(self, sprite: Sprite, x: float, y: float) -> None:
        """Rounded on the whole sheet, so that a drawing is the same from any corner."""
        across, down = self._corner
        left, top = x + across - sprite.width / 2, y + down - sprite.height / 2
        self.stamp(sprite, round(left) - across, round(top) - down)

    def reserve(self, box: Box) -> None:
        """There is a number in this box."""
        (x, y), (left, top, right, bottom) = self._corner, box
        self.reserved.append((left + x, top + y, right + x, bottom + y))

    def note(self, what: str, word: str, place: Callable[[*Ts], Place], *args: *Ts) -> None:
        """Such a thing lies at `place(*args)`, computed if it is asked for; or there as well.

        Neither may lead back to the sheet, or its image would outlive the drawing.
        """
        self._notes.setdefault((what, word), []).append((place, args, self._corner))

    def find(self, what: str, word: str) -> list[Place]:
        """Everywhere it lies."""
        notes = self._notes.get((what, word), ())
        return [place(*args).moved(*corner) for place, args, corner in notes]


def rectangle(area: Area, tag: Point | None = None) -> Place:
    """An upright place."""
    left, top, right, bottom = area
    return Place(((left, top), (right, top), (right, bottom), (left, bottom)), tag)


def untagged(area: Area) -> Place:
    """One that is known by its drawing."""
    return rectangle(area)._replace(needs_tag=False)


def middled(area: Area) -> Place:
    """One with nothing on it that its tag could hide."""
    left, top, right, bottom = area
    return rectangle(area, ((left + right) / 2, (top + bottom) / 2))


def square(x: float, y: float, size: float) -> Place:
    """One whose top left corner is at x, y."""
    return rectangle((round(x), round(y), round(x + size), round(y + size)))


def draw_asked(canvas: LayeredCanvas, places: Places, asked: AskedWords) -> None:
    """Highlight the places of the words that may be chosen, and write their names, but not those of
    things that could all come to lie on one place.
    """
    called = zip(asked.words, asked.names or asked.words, strict=True)
    named = {word: printable(name, Face.TEXT) for word, name in called}
    # Words of one name may share a place.
    lit = list(
        dict.fromkeys(
            (place.name or named[word], place._replace(name=""))
            for word in named
            for place in places.get(word, ())
        )
    )
    sharing = Counter(place for _, place in lit)
    glow = copy(canvas)
    glow.placed = canvas.lights
    for place in sharing:
        canvas.lit.append(place.outline)
        left, top, _, _ = place.box
        path = tuple((round(x - left, 1), round(y - top, 1)) for x, y in place.outline)
        glow.stamp(_glow(path), round(left) - _REACH, round(top) - _REACH)
    if not asked.tagged:
        return
    groups: dict[str, list[Place]] = defaultdict(list)
    for name, place in lit:
        if name and place.needs_tag and sharing[place] == 1:
            groups[name].append(place)
    tags = [(name, _inmost(found)) for name, found in groups.items()]
    boxes = [place.box for _, place in lit]
    for tag, left, top in _laid(canvas.size, tags, boxes, canvas.reserved):
        glow.stamp(tag, left, top)


def lit(image: Image.Image, canvas: LayeredCanvas, palette: DimmedPalette) -> Image.Image:
    """The "P" image of a sheet with what may be chosen lit, and all else dimmed."""
    mask = Image.new("1", image.size)
    pen = ImageDraw.Draw(mask)
    for outline in canvas.lit:
        pen.polygon(outline, 1)
    shown = palette.dim(image, mask)
    left = max(min(each.left for each in canvas.lights), 0)
    top = max(min(each.top for each in canvas.lights), 0)
    right = min(max(each.right for each in canvas.lights), image.width)
    bottom = min(max(each.bottom for each in canvas.lights), image.height)
    part = shown.crop((left, top, right, bottom)).convert("RGB")
    for placed in canvas.lights:
        paste(part, placed, left, top)
    shown.paste(palette.reduce(part), (left, top))
    return shown


def _inmost(places: Sequence[Place]) -> Place:
    """The place nearest to the centre of them all."""
    middles = [_middle(place.box) for place in places]
    x = sum(each[0] for each in middles) / len(middles)
    y = sum(each[1] for each in middles) / len(middles)
    apart = [(each[0] - x) ** 2 + (each[1] - y) ** 2 for each in middles]
    return places[apart.index(min(apart))]


def _laid(
    room: tuple[int, int],
    tags: Sequence[tuple[str, Place]],
    lit: Sequence[Box],
    reserved: Sequence[Box],
) -> list[tuple[Sprite, int, int]]:
    """The tags at one size, each with its top left corner, without overlaps if possible."""
    placed: list[tuple[Sprite, int, int]] = []
    for size in _SIZES if len(tags) < _SMALL_FROM else _SIZES[-1:]:
        others, frames, numbers = _Grid(), _Grid(lit), _Grid(reserved)
        placed, covered = [], 0.0
        for name, place in tags:
            tag = _tag(fit(name, size, _WIDEST), size)
            box, over = _best(room, tag, place, others, frames, numbers)
            others.add(box)
            covered += over
            placed.append((tag, round(box[0]), round(box[1])))
        if not covered:
            break
    return placed


def _best(
    room: tuple[int, int],
    tag: Sprite,
    place: Place,
    others: _Grid,
    frames: _Grid,
    numbers: _Grid,
) -> tuple[Box, float]:
    """The box for a tag that hides least, and how much of other tags and of numbers it covers."""
    found: list[tuple[float, Box, float]] = []
    own = place.box
    if min(own[2] - own[0], own[3] - own[1]) < tag.height / 2:
        # A road or a wall: its tag lies on the middle of it.
        place = Place(place.outline, _middle(own))
    allowed = _HIDES * tag.width * tag.height
    for number, (x, y) in enumerate(_around(place, tag.width, tag.height)):
        left = min(max(x - tag.width / 2, 2), room[0] - tag.width - 2)
        top = min(max(y - tag.height / 2, 2), room[1] - tag.height - 2)
        box = (left, top, left + tag.width, top + tag.height)
        over = others.covered(box) + numbers.covered(box)
        under = _common(box, own)
        hidden = frames.covered(box) - under
        wanted = number == 0 and place.tag is not None
        if not over and (wanted or (hidden <= allowed and under <= _HIDES * _size(own))):
            return box, 0.0
        found.append((4 * over + hidden + under, box, over))
    _, box, over = min(found, key=itemgetter(0))
    return box, over


def _around(place: Place, wide: int, high: int) -> Iterator[Point]:
    """Middles for a tag, the best first: where the game wants it, on the edge, beside it."""
    left, top, right, bottom = place.box
    x, y = _middle(place.box)
    if place.tag is not None:
        x_of, y_of = place.tag
        yield x_of + (wide / 2 if place.align is Align.LEFT else 0), y_of
    yield from ((x, bottom), (x, top))
    yield from ((x, bottom + high / 2 + _BESIDE), (x, top - high / 2 - _BESIDE))
    for level in (y, bottom, top):
        yield right + wide / 2 + _BESIDE, level
        yield left - wide / 2 - _BESIDE, level
    yield x, y
    for level in (bottom + 1.5 * high, top - 1.5 * high):
        yield from ((x, level), (x - wide / 2, level), (x + wide / 2, level))


class _Grid:
    """Boxes, found by where they are."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        self._fields: dict[tuple[int, int], list[Box]] = defaultdict(list)
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> None:
        """One more."""
        for cell in self._under(box):
            self._fields[cell].append(box)

    def covered(self, box: Box) -> float:
        """How many pixels of a box others cover; what two cover counts twice."""
        near = {each for cell in self._under(box) for each in self._fields.get(cell, ())}
        return sum(_common(box, each) for each in near)

    def _under(self, box: Box) -> Iterator[tuple[int, int]]:
        left, top, right, bottom = (int(side) // _CELL for side in box)
        for across in range(left, right + 1):
            for down in range(top, bottom + 1):
                yield across, down


def _common(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def _size(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


@cached
def _glow(path: Outline) -> Sprite:
    """The light around a place whose box begins at 0, 0: fading outwards, bright on the edge."""
    moved = [(x + _REACH, y + _REACH) for x, y in path]
    wide = round(max(x for x, _ in moved)) + _REACH
    high = round(max(y for _, y in moved)) + _REACH
    core, bright, warm, deep = GLOW

    def draw(pen: Pen) -> None:
        pen.band(moved, f"{deep}50", 2 * _REACH - 1)
        pen.band(moved, f"{warm}a0", 2 * _REACH - 9)
        pen.polygon(moved, "#00000000")
        pen.band(moved, bright, 10)
        pen.band(moved, core, 4)

    return paint(wide, high, draw)


@cached
def _tag(name: str, size: int) -> Sprite:
    """A dark tag with a name."""
    long, high = width(name, size) + size // 2 + 6, round(size * 1.12) + 4

    def draw(pen: Pen) -> None:
        pen.rect((0, 0, long, high), TONES.ink, TONES.gold, 2.5, size / 4)

    plate = paint(long, high, draw)
    canvas = Painting(plate.image.copy())
    canvas.text(long // 2, high // 2, name, TONES.cream, size, align=Align.CENTRE)
    return Sprite(canvas.image, plate.mask)
