"""Highlighted choices on a picture: legal choices glow and have tags with their names; the rest is
dimmed.

Choices differ in brightness and have text, so they can be found without seeing colours. A game only
has to map the words of its notation to places.
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
"""The parameter of a question about whole actions. Its words are canonical actions."""

Word = str
Ts = TypeVarTuple("Ts")
Outline = tuple[Point, ...]
"""The corners of a place, in order, in pixels."""

_GLOW_WIDTH = 14
"""Pixels of the glow beyond the edge of a place."""
_TAG_GAP = 9
"""Pixels between a place and a tag next to it."""
_SIZES = (34, 30, 26, 22)
"""Font sizes of tags. The largest without overlaps is used."""
_SMALL_FROM = 40
"""From this number of tags on, only the smallest size is tried."""
_MAX_WIDTH = 320
"""Pixels of a name on a tag; longer names are cut."""
_MAX_COVERED = 0.3
"""The maximum share of a tag over other places, and of its own place under the tag."""
_CELL = 96
"""Pixels of a grid cell for finding overlaps."""


@dataclass(frozen=True)
class AskedWords:
    """The legal choices: the `words` for the parameter `param` of the action that begins with
    `prefix`, and their `names` on buttons.

    Words with one name, such as a group, share a tag. The words of a bundle are the letters of its
    possible pieces.
    """

    prefix: tuple[str, ...]
    param: str
    words: tuple[Word, ...]
    names: tuple[str, ...] = ()
    tagged: bool = True
    """Whether places have tags. Pieces to combine need none."""
    views: Mapping[Word, Sequence[Any]] = field(default_factory=dict, compare=False, repr=False)
    """For joined whole actions: the views before each of them, as far as known. The view that is
    drawn determines them."""

    @property
    def kind(self) -> str:
        return self.prefix[0] if self.prefix else ""

    def parts(self, word: Word, view: Any) -> Iterator[tuple[Action, Any]]:
        """Yield the actions of a `WHOLE` word, each with the view before it, as far as known.

        `view` is the one that is drawn.
        """
        yield from zip(in_turn(parse_action(word)), self.views.get(word, (view,)), strict=False)


class Place(NamedTuple):
    """The place of a word on a picture.

    If there is room, its tag is at the point `tag`: its centre, or with `Align.LEFT` the middle of
    its left edge. A place with `needs_tag` false is recognizable by its drawing. `name` replaces
    the word's name, if a word has several places.
    """

    outline: Outline
    tag: Point | None = None
    align: Align = Align.CENTRE
    needs_tag: bool = True
    name: str = ""

    @property
    def box(self) -> Box:
        across, down = [x for x, _ in self.outline], [y for _, y in self.outline]
        return min(across), min(down), max(across), max(down)

    def moved(self, x: int, y: int) -> Place:
        """Return the place moved right by x and down by y pixels."""
        if (x, y) == (0, 0):
            return self
        tag = self.tag and (self.tag[0] + x, self.tag[1] + y)
        outline = tuple((across + x, down + y) for across, down in self.outline)
        return self._replace(outline=outline, tag=tag)


Places = Mapping[Word, Sequence[Place]]
"""The places of each word; a word may have none."""


class LayeredCanvas(Canvas):
    """A canvas that records sprites, which are drawn at the end, and the places of words.

    Uncovered pixels are black. Code that draws a piece notes its place by its kind and its word:
    ``("die", "4")``.
    """

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height
        self._corner = 0, 0
        self.placed: list[PlacedSprite] = []
        """From bottom to top."""
        self._notes: dict[tuple[str, str], list[tuple[Callable[..., Place], Any, Spot]]] = {}
        self.reserved: list[Box] = []
        """Boxes with numbers, which tags avoid if possible."""
        self.lit: list[Outline] = []
        """The outlines of legal choices. If there are any, the rest is dimmed."""
        self.lights: list[PlacedSprite] = []
        """The glow and the tags, above everything else."""

    @classmethod
    def over(cls, backdrop: Backdrop) -> LayeredCanvas:
        """Return a canvas of a backdrop's size, with the backdrop on it."""
        canvas = cls(backdrop.width, backdrop.height)
        canvas.lay(backdrop, 0, 0)
        return canvas

    def at(self, x: int, y: int) -> LayeredCanvas:
        """Return this canvas with its origin moved to x, y."""
        part = copy(self)
        part._corner = self._corner[0] + x, self._corner[1] + y
        return part

    @property
    def image(self) -> Image.Image:
        """The "RGB" picture, drawn on each access."""
        painting = Painting(Image.new("RGB", self.size))
        for placed in self.placed:
            painting.put(placed)
        return painting.image

    def put(self, placed: PlacedSprite) -> None:
        if self._corner != (0, 0):
            (x, y), (key, left, top, right, bottom, source, mask) = self._corner, placed
            placed = PlacedSprite(
                (key, x, y), left + x, top + y, right + x, bottom + y, source, mask
            )
        self.placed.append(placed)

    def stamp_centred(self, sprite: Sprite, x: float, y: float) -> None:
        # Rounding in the coordinates of the whole picture does not depend on the corner.
        across, down = self._corner
        left, top = x + across - sprite.width / 2, y + down - sprite.height / 2
        self.stamp(sprite, round(left) - across, round(top) - down)

    def reserve(self, box: Box) -> None:
        """Mark a box with a number."""
        (x, y), (left, top, right, bottom) = self._corner, box
        self.reserved.append((left + x, top + y, right + x, bottom + y))

    def note(self, kind: str, word: str, place: Callable[[*Ts], Place], *args: *Ts) -> None:
        """Note `place(*args)` as a place of a word. It is computed only when needed.

        The function and its arguments must not refer to the canvas, or its image would outlive the
        drawing.
        """
        self._notes.setdefault((kind, word), []).append((place, args, self._corner))

    def find(self, kind: str, word: str) -> list[Place]:
        """Return all noted places of a word."""
        notes = self._notes.get((kind, word), ())
        return [place(*args).moved(*corner) for place, args, corner in notes]


def rectangle(area: Area, tag: Point | None = None) -> Place:
    """Return a rectangular place."""
    left, top, right, bottom = area
    return Place(((left, top), (right, top), (right, bottom), (left, bottom)), tag)


def untagged(area: Area) -> Place:
    """Return a rectangular place that needs no tag."""
    return rectangle(area)._replace(needs_tag=False)


def centred(area: Area) -> Place:
    """Return a rectangular place with its tag on its centre, for an empty area."""
    left, top, right, bottom = area
    return rectangle(area, ((left + right) / 2, (top + bottom) / 2))


def square(x: float, y: float, size: float) -> Place:
    """Return a square place with its top left corner at x, y."""
    return rectangle((round(x), round(y), round(x + size), round(y + size)))


def draw_asked(canvas: LayeredCanvas, places: Places, asked: AskedWords) -> None:
    """Highlight the places of the legal choices and tag them with their names. A place shared by
    several names gets no tag."""
    pairs = zip(asked.words, asked.names or asked.words, strict=True)
    named = {word: printable(name, Face.TEXT) for word, name in pairs}
    # Words with one name may share a place.
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
        glow.stamp(_glow(path), round(left) - _GLOW_WIDTH, round(top) - _GLOW_WIDTH)
    if not asked.tagged:
        return
    groups: dict[str, list[Place]] = defaultdict(list)
    for name, place in lit:
        if name and place.needs_tag and sharing[place] == 1:
            groups[name].append(place)
    tags = [(name, _most_central(group)) for name, group in groups.items()]
    boxes = [place.box for _, place in lit]
    for tag, left, top in _arrange(canvas.size, tags, boxes, canvas.reserved):
        glow.stamp(tag, left, top)


def lit(image: Image.Image, canvas: LayeredCanvas, palette: DimmedPalette) -> Image.Image:
    """Return the "P" image of a canvas with the legal choices lit and the rest dimmed."""
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


def _most_central(places: Sequence[Place]) -> Place:
    middles = [_middle(place.box) for place in places]
    x = sum(each[0] for each in middles) / len(middles)
    y = sum(each[1] for each in middles) / len(middles)
    distances = [(each[0] - x) ** 2 + (each[1] - y) ** 2 for each in middles]
    return places[distances.index(min(distances))]


def _arrange(
    room: tuple[int, int],
    tags: Sequence[tuple[str, Place]],
    lit: Sequence[Box],
    reserved: Sequence[Box],
) -> list[tuple[Sprite, int, int]]:
    """Return tags of one size with their top left corners, without overlaps if possible."""
    placed: list[tuple[Sprite, int, int]] = []
    for size in _SIZES if len(tags) < _SMALL_FROM else _SIZES[-1:]:
        others, frames, numbers = _Grid(), _Grid(lit), _Grid(reserved)
        placed, covered = [], 0.0
        for name, place in tags:
            tag = _tag(fit(name, size, _MAX_WIDTH), size)
            box, over = _best_box(room, tag, place, others, frames, numbers)
            others.add(box)
            covered += over
            placed.append((tag, round(box[0]), round(box[1])))
        if not covered:
            break
    return placed


def _best_box(
    room: tuple[int, int],
    tag: Sprite,
    place: Place,
    others: _Grid,
    frames: _Grid,
    numbers: _Grid,
) -> tuple[Box, float]:
    """Return the box for a tag that hides least, and the pixels it covers of tags and numbers."""
    candidates: list[tuple[float, Box, float]] = []
    own = place.box
    if min(own[2] - own[0], own[3] - own[1]) < tag.height / 2:
        # The tag of a thin place, such as a road, goes on its centre.
        place = Place(place.outline, _middle(own))
    allowed = _MAX_COVERED * tag.width * tag.height
    for number, (x, y) in enumerate(_positions(place, tag.width, tag.height)):
        left = min(max(x - tag.width / 2, 2), room[0] - tag.width - 2)
        top = min(max(y - tag.height / 2, 2), room[1] - tag.height - 2)
        box = (left, top, left + tag.width, top + tag.height)
        over = others.covered(box) + numbers.covered(box)
        under = _common(box, own)
        hidden = frames.covered(box) - under
        is_preferred = number == 0 and place.tag is not None
        if not over and (
            is_preferred or (hidden <= allowed and under <= _MAX_COVERED * _size(own))
        ):
            return box, 0.0
        candidates.append((4 * over + hidden + under, box, over))
    _, box, over = min(candidates, key=itemgetter(0))
    return box, over


def _positions(place: Place, wide: int, high: int) -> Iterator[Point]:
    """Yield centres for a tag, best first: the game's choice, on the edge, next to the place."""
    left, top, right, bottom = place.box
    x, y = _middle(place.box)
    if place.tag is not None:
        x_of, y_of = place.tag
        yield x_of + (wide / 2 if place.align is Align.LEFT else 0), y_of
    yield from ((x, bottom), (x, top))
    yield from ((x, bottom + high / 2 + _TAG_GAP), (x, top - high / 2 - _TAG_GAP))
    for level in (y, bottom, top):
        yield right + wide / 2 + _TAG_GAP, level
        yield left - wide / 2 - _TAG_GAP, level
    yield x, y
    for level in (bottom + 1.5 * high, top - 1.5 * high):
        yield from ((x, level), (x - wide / 2, level), (x + wide / 2, level))


class _Grid:
    """A spatial index of boxes."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        self._cells: dict[tuple[int, int], list[Box]] = defaultdict(list)
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> None:
        for cell in self._under(box):
            self._cells[cell].append(box)

    def covered(self, box: Box) -> float:
        """Return how many pixels of a box are covered. Pixels under two boxes count twice."""
        near = {each for cell in self._under(box) for each in self._cells.get(cell, ())}
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
    """Paint the glow around a place with its top left corner at 0, 0. It fades outwards."""
    moved = [(x + _GLOW_WIDTH, y + _GLOW_WIDTH) for x, y in path]
    wide = round(max(x for x, _ in moved)) + _GLOW_WIDTH
    high = round(max(y for _, y in moved)) + _GLOW_WIDTH
    core, bright, warm, deep = GLOW

    def draw(pen: Pen) -> None:
        pen.band(moved, f"{deep}50", 2 * _GLOW_WIDTH - 1)
        pen.band(moved, f"{warm}a0", 2 * _GLOW_WIDTH - 9)
        pen.polygon(moved, "#00000000")
        pen.band(moved, bright, 10)
        pen.band(moved, core, 4)

    return paint(wide, high, draw)


@cached
def _tag(name: str, size: int) -> Sprite:
    long, high = width(name, size) + size // 2 + 6, round(size * 1.12) + 4

    def draw(pen: Pen) -> None:
        pen.rect((0, 0, long, high), TONES.ink, TONES.gold, 2.5, size / 4)

    plate = paint(long, high, draw)
    canvas = Painting(plate.image.copy())
    canvas.text(long // 2, high // 2, name, TONES.cream, size, align=Align.CENTRE)
    return Sprite(canvas.image, plate.mask)
