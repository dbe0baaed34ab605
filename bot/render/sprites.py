"""Shared drawing: shapes painted once at four times their size, and a canvas to stamp them on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import wraps
from itertools import count, pairwise
from threading import RLock
from typing import NamedTuple, TypeVarTuple, cast

from isal import isal_zlib
from PIL import Image, ImageDraw

from bot.render.cache import cached, size_of
from bot.render.fonts import Face, cap_height, text_mask, write
from bot.render.theme import Colour

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Spot = tuple[int, int]
"""x, y in pixels from the top left corner."""
Area = tuple[int, int, int, int]
"""Left, top, right, bottom."""

_SCALE = 4
_GROUND = 2
_CELL = 128, 64
"""Width and height of a cell of a backdrop: of a tile of the picture on which most of them lie."""
_LEVEL = 1
_LARGE = 1 << 15
"""Pixels from which on a sprite is deflated."""
_numbers = count()
_painting = RLock()
"""What is painted takes up to 40 MB for a moment: one thing at a time."""

Ts = TypeVarTuple("Ts")


def sized(points: Iterable[Point], size: float) -> list[Point]:
    """An outline in a unit square, enlarged."""
    return [(x * size, y * size) for x, y in points]


class Align(StrEnum):
    """Which point of a text the given x is."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Sprite:
    """A painted shape: an "RGB" image and its "L" mask, of one size. Never drawn on again.

    `number` is its own, and never another's. A large one is deflated, as it is mostly empty or of
    one colour.
    """

    __slots__ = ("_parts", "height", "number", "width")

    def __init__(self, image: Image.Image, mask: Image.Image) -> None:
        self.width, self.height = image.size
        self.number = next(_numbers)
        self._parts: tuple[Image.Image | bytes, Image.Image | bytes] = image, mask
        if self.width * self.height >= _LARGE:
            self._parts = _deflated(image), _deflated(mask)

    @property
    def image(self) -> Image.Image:
        """How it looks."""
        return self._whole("RGB", self._parts[0])

    @property
    def mask(self) -> Image.Image:
        """How much of it covers what is below."""
        return self._whole("L", self._parts[1])

    def _whole(self, mode: str, part: Image.Image | bytes) -> Image.Image:
        return _inflated(mode, (self.width, self.height), part) if isinstance(part, bytes) else part

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(map(size_of, self._parts))


def in_parts(sprite: Sprite) -> tuple[tuple[Sprite, int, int], ...]:
    """What there is to see of a large sprite that is mostly empty: parts with their corners."""
    image, mask = sprite.image, sprite.mask
    wide, high = _CELL
    parts = []
    for top in range(0, sprite.height, high):
        for left in range(0, sprite.width, wide):
            seen = _cut(mask, left, top)
            if seen.getbbox():
                parts.append((Sprite(_cut(image, left, top), seen), left, top))
    return tuple(parts)


class Backdrop:
    """A whole "RGB" picture to lay things on, or a part of one; as final as a sprite.

    It is deflated, in cells, to a fiftieth of its size: of most of it only what lies on it is ever
    drawn again.
    """

    __slots__ = ("_cells", "height", "number", "size", "width")

    def __init__(self, image: Image.Image) -> None:
        self.width, self.height = image.size
        self.number = next(_numbers)
        (wide, high), (width, height) = _CELL, image.size
        self._cells = {
            (left, top): _deflated(_cut(image, left, top))
            for top in range(0, height, high)
            for left in range(0, width, wide)
        }
        self.size = sum(map(size_of, self._cells.values()))
        """In bytes."""

    @property
    def image(self) -> Image.Image:
        """All of it."""
        whole = Image.new("RGB", (self.width, self.height))
        self.lay_on(whole, 0, 0)
        return whole

    def lay_on(self, image: Image.Image, x: int, y: int) -> None:
        """Cover a part of an image, with the top left corner at x, y, which may lie beyond it."""
        wide, high = _CELL
        right, bottom = min(self.width, image.width - x), min(self.height, image.height - y)
        for top in range(max(0, -y) // high * high, bottom, high):
            for left in range(max(0, -x) // wide * wide, right, wide):
                image.paste(self._cell(left, top), (x + left, y + top))

    def _cell(self, left: int, top: int) -> Image.Image:
        size = min(_CELL[0], self.width - left), min(_CELL[1], self.height - top)
        return _inflated("RGB", size, self._cells[left, top])


def _deflated(image: Image.Image) -> bytes:
    return isal_zlib.compress(image.tobytes(), _LEVEL)


def _inflated(mode: str, size: tuple[int, int], data: bytes) -> Image.Image:
    return Image.frombytes(mode, size, isal_zlib.decompress(data))


def _cut(image: Image.Image, left: int, top: int) -> Image.Image:
    """The cell of an image that begins there."""
    right, bottom = min(left + _CELL[0], image.width), min(top + _CELL[1], image.height)
    return image.crop((left, top, right, bottom))


@size_of.register
def _(thing: Sprite | Backdrop) -> int:
    return thing.size


class Pen:
    """Draws on an enlarged image in the coordinates of the finished one."""

    def __init__(self, image: Image.Image, scale: int) -> None:
        self._draw = ImageDraw.Draw(image)
        self._scale = scale
        self.width, self.height = image.width // scale, image.height // scale
        """Of the finished image, in pixels."""

    @property
    def middle(self) -> Point:
        """Of the finished image."""
        return self.width / 2, self.height / 2

    def polygon(
        self,
        points: Iterable[Point],
        fill: Colour | None,
        outline: Colour | None = None,
        width: float = 2,
    ) -> None:
        """A closed shape; the outline is centred on its edge, with round corners."""
        path = self._scaled(points)
        if fill is not None:
            self._draw.polygon(path, fill)
        if outline is not None:
            self._stroke([*path, path[0], path[1]], outline, width)

    def line(self, points: Iterable[Point], fill: Colour, width: float = 2) -> None:
        """An open line with round corners and ends."""
        path = self._scaled(points)
        self._stroke(path, fill, width)
        radius = width * self._scale / 2
        for x, y in (path[0], path[-1]):
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def band(self, points: Iterable[Point], fill: Colour, width: float) -> None:
        """A closed line so thick that its corners must be rounded one by one."""
        path = self._scaled(points)
        self._draw.line([*path, path[0]], fill, round(width * self._scale))
        radius = width * self._scale / 2
        for x, y in path:
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def ellipse(
        self, box: Box, fill: Colour | None, outline: Colour | None = None, width: float = 2
    ) -> None:
        """An ellipse within the box, outline included."""
        self._draw.ellipse(
            self._box(box), fill, outline, round(width * self._scale) if outline else 0
        )

    def rect(
        self,
        box: Box,
        fill: Colour | None,
        outline: Colour | None = None,
        width: float = 2,
        radius: float = 0,
    ) -> None:
        """A rectangle, outline included, with rounded corners where a radius is given."""
        self._draw.rounded_rectangle(
            self._box(box),
            radius * self._scale,
            fill,
            outline,
            round(width * self._scale) if outline else 0,
        )

    def text(self, centre: Point, text: str, fill: Colour, size: int, face: Face) -> None:
        """One line of text around the centre of its capitals."""
        scaled = size * self._scale
        x, y = centre[0] * self._scale, centre[1] * self._scale
        baseline = y + cap_height(face, scaled) / 2
        write(self._draw, (x, baseline), text, fill, face, scaled)

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]

    def _box(self, box: Box) -> Box:
        left, top, right, bottom = (edge * self._scale for edge in box)
        # Pillow includes the last pixel; a box here ends before it.
        return left, top, right - 1, bottom - 1

    def _stroke(self, path: Sequence[Point], fill: Colour, width: float) -> None:
        self._draw.line(path, fill, round(width * self._scale), joint="curve")


def paint(width: int, height: int, draw: Callable[[Pen], None]) -> Sprite:
    """The sprite of `width` by `height` pixels that `draw` paints."""
    with _painting:
        large = Image.new("RGBA", (width * _SCALE, height * _SCALE), (0, 0, 0, 0))
        draw(Pen(large, _SCALE))
        small = large.resize((width, height), Image.Resampling.BOX)
        del large
    return Sprite(small.convert("RGB"), small.getchannel("A"))


def ground(width: int, height: int, fill: Colour, draw: Callable[[Pen], None]) -> Image.Image:
    """A whole "RGB" picture of one colour and what `draw` paints on it, with smooth edges."""
    with _painting:
        large = Image.new("RGB", (width * _GROUND, height * _GROUND), fill)
        draw(Pen(large, _GROUND))
        return large.resize((width, height), Image.Resampling.BOX)


def shaped(
    size: Callable[..., tuple[int, int]],
) -> Callable[[Callable[[Pen, *Ts], None]], Callable[[*Ts], Sprite]]:
    """Makes a sprite out of how it is drawn, painted once for what it is called with.

    `size` gives its width and height for that; the pen knows them too. May be called from several
    threads at once.
    """

    def made(draw: Callable[[Pen, *Ts], None]) -> Callable[[*Ts], Sprite]:
        @cached
        @wraps(draw)
        def sprite(*what: *Ts) -> Sprite:
            return paint(*size(*what), lambda pen: draw(pen, *what))

        return sprite

    return made


def painted(
    width: int, height: int
) -> Callable[[Callable[[Pen, *Ts], None]], Callable[[*Ts], Sprite]]:
    """As `shaped`, always of this size."""
    return shaped(lambda *_: (width, height))


def square(draw: Callable[[Pen, *Ts, int], None]) -> Callable[[*Ts, int], Sprite]:
    """As `shaped`, as wide and high as the last thing that it is called with."""
    anyhow: Callable[..., None] = draw
    return cast("Callable[[*Ts, int], Sprite]", shaped(lambda *what: (what[-1],) * 2)(anyhow))


def turned(sprite: Sprite, degrees: float) -> Sprite:
    """The sprite turned counter-clockwise about its centre, at the same size."""
    smooth = Image.Resampling.BICUBIC
    whole = Image.merge("RGBA", (*sprite.image.split(), sprite.mask)).rotate(degrees, smooth)
    return Sprite(whole.convert("RGB"), whole.getchannel("A"))


def strokes(path: Sequence[Point], dashes: Sequence[float]) -> Iterator[list[Point]]:
    """The path cut into strokes; `dashes` has the lengths of a stroke and a gap by turns."""
    place, left = 0, dashes[0]
    stroke = [path[0]]
    for (x, y), (to_x, to_y) in pairwise(path):
        length = math.hypot(to_x - x, to_y - y)
        done = 0.0
        while length - done > left:
            done += left
            cut = (x + (to_x - x) * done / length, y + (to_y - y) * done / length)
            if place % 2 == 0:
                yield [*stroke, cut]
            place, stroke = (place + 1) % len(dashes), [cut]
            left = dashes[place]
        left -= length - done
        stroke.append((to_x, to_y))
    if place % 2 == 0:
        yield stroke


class PlacedSprite(NamedTuple):
    """Something that lies on a picture: its edges, an image or a colour, and through which mask.

    Things with one `key` look the same and lie in the same place, in this process.
    """

    key: tuple[object, ...]
    left: int
    top: int
    right: int
    bottom: int
    source: Sprite | Backdrop | Image.Image | Colour
    mask: Sprite | Image.Image | None


class Canvas(ABC):
    """A picture in the making: things are laid on it, one over the other."""

    size: tuple[int, int]
    """Width and height in pixels."""

    @abstractmethod
    def put(self, placed: PlacedSprite) -> None:
        """Lay it down."""

    def stamp(self, sprite: Sprite, x: int, y: int) -> None:
        """Lay a sprite down with its top left corner at x, y."""
        right, bottom = x + sprite.width, y + sprite.height
        key = (sprite.number, x, y)
        self.put(PlacedSprite(key, x, y, right, bottom, sprite, sprite))

    def stamp_centred(self, sprite: Sprite, x: float, y: float) -> None:
        """Lay a sprite down around x, y."""
        self.stamp(sprite, round(x - sprite.width / 2), round(y - sprite.height / 2))

    def stamp_beside(self, sprite: Sprite, x: int, middle: int, align: Align = Align.LEFT) -> int:
        """Lay a sprite down around this height, right of x or, aligned right, left of it; returns
        the x of its other side.
        """
        start = x - sprite.width if align is Align.RIGHT else x
        self.stamp(sprite, start, middle - sprite.height // 2)
        return start if align is Align.RIGHT else x + sprite.width

    def lay(self, backdrop: Backdrop, x: int, y: int) -> None:
        """Cover a part of the picture, with the top left corner at x, y."""
        right, bottom = x + backdrop.width, y + backdrop.height
        self.put(PlacedSprite((backdrop.number, x, y), x, y, right, bottom, backdrop, None))

    def text(
        self,
        x: int,
        middle: int,
        text: str,
        fill: Colour,
        size: int,
        face: Face = Face.TEXT,
        align: Align = Align.LEFT,
    ) -> int:
        """One line of text, capitals centred on `middle`; returns the x where it ends."""
        mask, left, top, advance = text_mask(text, face, size)
        start = x
        if align is Align.CENTRE:
            start = x - advance // 2
        elif align is Align.RIGHT:
            start = x - advance
        left += start
        top += middle + cap_height(face, size) // 2
        wide, high = mask.size
        key = (text, face, size, fill, left, top)
        self.put(PlacedSprite(key, left, top, left + wide, top + high, fill, mask))
        return start + advance

    def rect(self, box: Area, fill: Colour) -> None:
        """A filled rectangle, without smooth edges."""
        self.put(PlacedSprite((fill, *box), *box, fill, None))


class Painting(Canvas):
    """A canvas whose "RGB" image shows at once what is laid on it."""

    def __init__(self, image: Image.Image) -> None:
        self.image, self.size = image, image.size

    def put(self, placed: PlacedSprite) -> None:
        """Lay it down."""
        paste(self.image, placed, 0, 0)


def paste(image: Image.Image, placed: PlacedSprite, left: int, top: int) -> None:
    """Lay something on the part of a picture that begins at left, top."""
    _, x, y, right, bottom, source, mask = placed
    box = x - left, y - top, right - left, bottom - top
    match source:
        case Sprite():
            image.paste(source.image, box, source.mask)
        case Backdrop():
            source.lay_on(image, *box[:2])
        case _:
            assert not isinstance(mask, Sprite)
            image.paste(source, box, mask)
