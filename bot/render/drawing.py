"""Scalable drawings, read from data as lists of strokes, and a pen for them.

A drawing fills a square of 100 units around its centre. Drawings that need more than strokes are
made by code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from typing import Any, Protocol, TypeVarTuple

from bot.game.content import Strict
from bot.render.fonts import Face
from bot.render.sprites import Pen, Point, Sprite, square
from bot.render.theme import Colour

_LINE = 4.5
"""Default width of lines in units."""

_MIN_WIDTH = 1.3
"""Default minimum width of lines in pixels."""


Ts = TypeVarTuple("Ts")


class ScaledPen:
    """A pen with its origin at the centre of a drawing and 1/100 of the drawing's size as its unit.

    `min_width` is the minimum width of lines in pixels.
    """

    def __init__(
        self, pen: Pen, x: float, y: float, size: float, min_width: float = _MIN_WIDTH
    ) -> None:
        self._pen = pen
        self._x, self._y = x, y
        self.unit, self._min_width = size / 100, min_width

    def part(self, x: float, y: float, size: float) -> ScaledPen:
        """Return a pen for a smaller drawing around x, y."""
        return ScaledPen(self._pen, *self._at((x, y)), size * self.unit, self._min_width)

    def polygon(
        self,
        points: Iterable[Point],
        fill: Colour | None,
        outline: Colour | None,
        width: float = _LINE,
    ) -> None:
        """Draw a closed shape."""
        self._pen.polygon(map(self._at, points), fill, outline, self._wide(width))

    def line(self, points: Iterable[Point], fill: Colour, width: float = _LINE) -> None:
        """Draw an open line."""
        self._pen.line(map(self._at, points), fill, self._wide(width))

    def oval(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        fill: Colour | None,
        outline: Colour | None,
        width: float = _LINE,
    ) -> None:
        """Draw an ellipse around x, y; `wide` and `high` are its half axes."""
        left, top = self._at((x - wide, y - high))
        right, bottom = self._at((x + wide, y + high))
        self._pen.ellipse((left, top, right, bottom), fill, outline, self._wide(width))

    def rect(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: Colour | None,
        outline: Colour | None,
        radius: float = 0,
        width: float = _LINE,
    ) -> None:
        corner, far = self._at((left, top)), self._at((right, bottom))
        self._pen.rect((*corner, *far), fill, outline, self._wide(width), radius * self.unit)

    def text(self, x: float, y: float, text: str, fill: Colour, size: float) -> None:
        """Draw a line of text centred on x, y."""
        self._pen.text(self._at((x, y)), text, fill, round(size * self.unit), Face.TEXT)

    def _at(self, point: Point) -> Point:
        return self._x + point[0] * self.unit, self._y + point[1] * self.unit

    def _wide(self, units: float) -> float:
        return max(self._min_width, units * self.unit)


def scaled_sprite(draw: Callable[[ScaledPen, *Ts], None]) -> Callable[[*Ts, int], Sprite]:
    """Make a drawing a function that returns a square sprite, like `bot.render.sprites.square`.

    Its arguments are those of the drawing and the size.
    """

    @wraps(draw)
    def with_pen(pen: Pen, *args: Any) -> None:
        draw(ScaledPen(pen, *pen.middle, pen.width), *args[:-1])

    untyped: Any = with_pen
    return square(untyped)


class Stroke(Strict, frozen=True):
    """One shape of a drawing.

    It is a `polygon`, a `line`, a `disc` (centre and radius), an `oval` (centre and half axes), a
    `rect` (edges), a `text`, or a `part`: another drawing of this `size` around `at`. Colours are
    names, '' for none, ``fill`` for the caller's. Lines and outlines have this `width` in units, or
    in `pixels` if that is set.
    """

    polygon: tuple[Point, ...] = ()
    line: tuple[Point, ...] = ()
    disc: tuple[float, float, float] | None = None
    oval: tuple[float, float, float, float] | None = None
    rect: tuple[float, float, float, float] | None = None
    text: str = ""
    part: str = ""
    at: Point = (0, 0)
    size: float = 100
    fill: str = ""
    outline: str = "ink"
    width: float = _LINE
    pixels: float = 0
    radius: float = 0


class Icon(Protocol):
    """A function that draws something; `fill` is for drawings in the caller's colour."""

    def __call__(self, at: ScaledPen, fill: Colour | None = None, /) -> None: ...


class Drawings:
    """Drawings by name: those from a file, and `icons` made by code.

    `colour` returns a colour by its name. Raises KeyError for an unknown part.
    """

    def __init__(
        self,
        drawings: Mapping[str, tuple[Stroke, ...]],
        icons: Mapping[str, Icon],
        colour: Callable[[str], Colour],
    ) -> None:
        self._colour = colour
        self._icons = dict(icons)
        for name, strokes in drawings.items():
            self._icons[name] = partial(self._draw, strokes)
        for strokes in drawings.values():
            for stroke in strokes:
                if stroke.part and stroke.part not in self._icons:
                    raise KeyError(f"there is no drawing {stroke.part!r}")

    def __getitem__(self, name: str) -> Icon:
        return self._icons[name]

    def _draw(
        self, strokes: tuple[Stroke, ...], pen: ScaledPen, own_fill: Colour | None = None, /
    ) -> None:
        for stroke in strokes:
            fill, outline = (
                own_fill if name == "fill" else self._colour(name) if name else None
                for name in (stroke.fill, stroke.outline)
            )
            width = stroke.pixels / pen.unit or stroke.width
            if stroke.polygon:
                pen.polygon(stroke.polygon, fill, outline, width)
            elif stroke.line and fill is not None:
                pen.line(stroke.line, fill, width)
            elif stroke.disc:
                x, y, radius = stroke.disc
                pen.oval(x, y, radius, radius, fill, outline, width)
            elif stroke.oval:
                pen.oval(*stroke.oval, fill, outline, width)
            elif stroke.rect:
                pen.rect(*stroke.rect, fill, outline, stroke.radius, width)
            elif stroke.text and fill is not None:
                pen.text(*stroke.at, stroke.text, fill, stroke.size)
            elif stroke.part:
                self._icons[stroke.part](pen.part(*stroke.at, stroke.size), fill)
