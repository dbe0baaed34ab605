"""Sprites, which are painted once at four times their size, and canvases to put them on."""

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
"""x and y in pixels from the top left corner."""
Area = tuple[int, int, int, int]
"""Left, top, right, bottom."""

_SCALE = 4
_GROUND = 2
_CELL = 128, 64
"""Width and height of a cell of a backdrop, which is usually a tile of the picture."""
_LEVEL = 1
_LARGE = 1 << 15
"""From this number of pixels on, a sprite is compressed."""
_numbers = count()
_painting = RLock()
"""Painting needs up to 40 MB, so only one thread may paint at a time."""

Ts = TypeVarTuple("Ts")


def sized(points: Iterable[Point], size: float) -> list[Point]:
    """Scale an outline from a unit square."""
    return [(x * size, y * size) for x, y in points]


class Align(StrEnum):
    """The point of a text or sprite at the given x."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Sprite:
    """An immutable picture of a shape: an "RGB" image and an "L" mask of one size.

    `number` is unique. A large sprite is compressed, as it is mostly empty or of one colour.
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
        return self._inflated("RGB", self._parts[0])

    @property
    def mask(self) -> Image.Image:
        """The opacity."""
        return self._inflated("L", self._parts[1])

    def _inflated(self, mode: str, part: Image.Image | bytes) -> Image.Image:
        return _inflated(mode, (self.width, self.height), part) if isinstance(part, bytes) else part

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return sum(map(size_of, self._parts))


def in_parts(sprite: Sprite) -> tuple[tuple[Sprite, int, int], ...]:
    """Cut a large, mostly empty sprite into its non-empty parts, each with its corner."""
    image, mask = sprite.image, sprite.mask
    wide, high = _CELL
    parts = []
    for top in range(0, sprite.height, high):
        for left in range(0, sprite.width, wide):
            opacity = _cut(mask, left, top)
            if opacity.getbbox():
                parts.append((Sprite(_cut(image, left, top), opacity), left, top))
    return tuple(parts)


class Backdrop:
    """An immutable "RGB" picture as a background, or a part of one.

    It is compressed in cells, to 1/50 of its size, because most of it is rarely drawn again.
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
        """Bytes in memory."""

    @property
    def image(self) -> Image.Image:
        whole = Image.new("RGB", (self.width, self.height))
        self.lay_on(whole, 0, 0)
        return whole

    def lay_on(self, image: Image.Image, x: int, y: int) -> None:
        """Paste it on an image with its top left corner at x, y, which may be outside the image."""
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
    right, bottom = min(left + _CELL[0], image.width), min(top + _CELL[1], image.height)
    return image.crop((left, top, right, bottom))


@size_of.register
def _(value: Sprite | Backdrop) -> int:
    return value.size


class Pen:
    """Draws on an enlarged image in the coordinates of the final image."""

    def __init__(self, image: Image.Image, scale: int) -> None:
        self._draw = ImageDraw.Draw(image)
        self._scale = scale
        self.width, self.height = image.width // scale, image.height // scale
        """Pixels of the final image."""

    @property
    def middle(self) -> Point:
        """The centre of the final image."""
        return self.width / 2, self.height / 2

    def polygon(
        self,
        points: Iterable[Point],
        fill: Colour | None,
        outline: Colour | None = None,
        width: float = 2,
    ) -> None:
        """Draw a closed shape. The outline is centred on its edge and has round corners."""
        path = self._scaled(points)
        if fill is not None:
            self._draw.polygon(path, fill)
        if outline is not None:
            self._stroke([*path, path[0], path[1]], outline, width)

    def line(self, points: Iterable[Point], fill: Colour, width: float = 2) -> None:
        """Draw an open line with round corners and ends."""
        path = self._scaled(points)
        self._stroke(path, fill, width)
        radius = width * self._scale / 2
        for x, y in (path[0], path[-1]):
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def band(self, points: Iterable[Point], fill: Colour, width: float) -> None:
        """Draw a closed line that is too thick for Pillow's round corners."""
        path = self._scaled(points)
        self._draw.line([*path, path[0]], fill, round(width * self._scale))
        radius = width * self._scale / 2
        for x, y in path:
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def ellipse(
        self, box: Box, fill: Colour | None, outline: Colour | None = None, width: float = 2
    ) -> None:
        """Draw an ellipse within the box, outline included."""
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
        """Draw a rectangle, outline included, with corners of this radius."""
        self._draw.rounded_rectangle(
            self._box(box),
            radius * self._scale,
            fill,
            outline,
            round(width * self._scale) if outline else 0,
        )

    def text(self, centre: Point, text: str, fill: Colour, size: int, face: Face) -> None:
        """Draw a line of text; `centre` is the centre of its capitals."""
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
    """Return the sprite of `width` by `height` pixels that `draw` paints."""
    with _painting:
        large = Image.new("RGBA", (width * _SCALE, height * _SCALE), (0, 0, 0, 0))
        draw(Pen(large, _SCALE))
        small = large.resize((width, height), Image.Resampling.BOX)
        del large
    return Sprite(small.convert("RGB"), small.getchannel("A"))


def ground(width: int, height: int, fill: Colour, draw: Callable[[Pen], None]) -> Image.Image:
    """Return an "RGB" picture: a background of one colour, and on it what `draw` paints."""
    with _painting:
        large = Image.new("RGB", (width * _GROUND, height * _GROUND), fill)
        draw(Pen(large, _GROUND))
        return large.resize((width, height), Image.Resampling.BOX)


def shaped(
    size: Callable[..., tuple[int, int]],
) -> Callable[[Callable[[Pen, *Ts], None]], Callable[[*Ts], Sprite]]:
    """Make a drawing a function that returns a cached sprite. Thread-safe.

    `size` returns width and height for the function's arguments; the pen has them too.
    """

    def decorate(draw: Callable[[Pen, *Ts], None]) -> Callable[[*Ts], Sprite]:
        @cached
        @wraps(draw)
        def sprite(*args: *Ts) -> Sprite:
            return paint(*size(*args), lambda pen: draw(pen, *args))

        return sprite

    return decorate


def painted(
    width: int, height: int
) -> Callable[[Callable[[Pen, *Ts], None]], Callable[[*Ts], Sprite]]:
    """Decorate like `shaped`, with a fixed size."""
    return shaped(lambda *_: (width, height))


def square(draw: Callable[[Pen, *Ts, int], None]) -> Callable[[*Ts, int], Sprite]:
    """Decorate like `shaped`; the last argument is width and height."""
    untyped: Callable[..., None] = draw
    return cast("Callable[[*Ts, int], Sprite]", shaped(lambda *args: (args[-1],) * 2)(untyped))


def turned(sprite: Sprite, degrees: float) -> Sprite:
    """Return the sprite rotated counter-clockwise about its centre, with its size unchanged."""
    smooth = Image.Resampling.BICUBIC
    whole = Image.merge("RGBA", (*sprite.image.split(), sprite.mask)).rotate(degrees, smooth)
    return Sprite(whole.convert("RGB"), whole.getchannel("A"))


def strokes(path: Sequence[Point], dashes: Sequence[float]) -> Iterator[list[Point]]:
    """Cut a path into strokes; `dashes` has alternating lengths of strokes and gaps."""
    place, remaining = 0, dashes[0]
    stroke = [path[0]]
    for (x, y), (to_x, to_y) in pairwise(path):
        length = math.hypot(to_x - x, to_y - y)
        done = 0.0
        while length - done > remaining:
            done += remaining
            cut = (x + (to_x - x) * done / length, y + (to_y - y) * done / length)
            if place % 2 == 0:
                yield [*stroke, cut]
            place, stroke = (place + 1) % len(dashes), [cut]
            remaining = dashes[place]
        remaining -= length - done
        stroke.append((to_x, to_y))
    if place % 2 == 0:
        yield stroke


class PlacedSprite(NamedTuple):
    """An image or a colour on a picture, with its edges and its mask.

    Within a process, `key` determines look and position.
    """

    key: tuple[object, ...]
    left: int
    top: int
    right: int
    bottom: int
    source: Sprite | Backdrop | Image.Image | Colour
    mask: Sprite | Image.Image | None


class Canvas(ABC):
    """A picture to put sprites on, one above the other."""

    size: tuple[int, int]
    """Width and height in pixels."""

    @abstractmethod
    def put(self, placed: PlacedSprite) -> None:
        """Put an image or a colour on the picture."""

    def stamp(self, sprite: Sprite, x: int, y: int) -> None:
        """Put a sprite with its top left corner at x, y."""
        right, bottom = x + sprite.width, y + sprite.height
        key = (sprite.number, x, y)
        self.put(PlacedSprite(key, x, y, right, bottom, sprite, sprite))

    def stamp_centred(self, sprite: Sprite, x: float, y: float) -> None:
        """Put a sprite centred on x, y."""
        self.stamp(sprite, round(x - sprite.width / 2), round(y - sprite.height / 2))

    def stamp_beside(self, sprite: Sprite, x: int, middle: int, align: Align = Align.LEFT) -> int:
        """Put a sprite centred on the height `middle`, right of x, or left of it with
        `Align.RIGHT`. Return the x of its other side.
        """
        start = x - sprite.width if align is Align.RIGHT else x
        self.stamp(sprite, start, middle - sprite.height // 2)
        return start if align is Align.RIGHT else x + sprite.width

    def lay(self, backdrop: Backdrop, x: int, y: int) -> None:
        """Put a backdrop with its top left corner at x, y."""
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
        """Put a line of text with its capitals centred on `middle`. Return the x where it ends."""
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
        """Put a filled rectangle."""
        self.put(PlacedSprite((fill, *box), *box, fill, None))


class Painting(Canvas):
    """A canvas that draws on an "RGB" image immediately."""

    def __init__(self, image: Image.Image) -> None:
        self.image, self.size = image, image.size

    def put(self, placed: PlacedSprite) -> None:
        paste(self.image, placed, 0, 0)


def paste(image: Image.Image, placed: PlacedSprite, left: int, top: int) -> None:
    """Draw on `image`, which is the part of a picture that begins at left, top."""
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
