"""Drawings of any size, read from data: strokes in units of a hundredth of it, and the pen for
them.

A drawing lies in a square of 100 units around its centre. Code may make those that a list of
strokes cannot express.
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
"""Width of an outline in units."""

_FINEST = 1.3
"""Pixels below which no line goes, unless it is said otherwise."""


Ts = TypeVarTuple("Ts")


class ScaledPen:
    """A pen whose origin is the middle of a drawing, and whose unit is a hundredth of its size.

    No line goes below `finest` pixels.
    """

    def __init__(self, pen: Pen, x: float, y: float, size: float, finest: float = _FINEST) -> None:
        self._pen = pen
        self._x, self._y = x, y
        self.unit, self._finest = size / 100, finest

    def part(self, x: float, y: float, size: float) -> ScaledPen:
        """A pen for a smaller drawing around x, y."""
        return ScaledPen(self._pen, *self._at((x, y)), size * self.unit, self._finest)

    def polygon(
        self,
        points: Iterable[Point],
        fill: Colour | None,
        outline: Colour | None,
        width: float = _LINE,
    ) -> None:
        """A closed shape."""
        self._pen.polygon(map(self._at, points), fill, outline, self._wide(width))

    def line(self, points: Iterable[Point], fill: Colour, width: float = _LINE) -> None:
        """An open line."""
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
        """An ellipse by its half axes."""
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
        """A rectangle by its edges."""
        corner, far = self._at((left, top)), self._at((right, bottom))
        self._pen.rect((*corner, *far), fill, outline, self._wide(width), radius * self.unit)

    def text(self, x: float, y: float, text: str, fill: Colour, size: float) -> None:
        """One line of text around its middle."""
        self._pen.text(self._at((x, y)), text, fill, round(size * self.unit), Face.TEXT)

    def _at(self, point: Point) -> Point:
        return self._x + point[0] * self.unit, self._y + point[1] * self.unit

    def _wide(self, units: float) -> float:
        return max(self._finest, units * self.unit)


def stencilled(draw: Callable[[ScaledPen, *Ts], None]) -> Callable[[*Ts, int], Sprite]:
    """Makes a square sprite out of a drawing, as `bot.render.sprites.square` does.

    It is called with what the drawing needs, and last with its size.
    """

    @wraps(draw)
    def whole(pen: Pen, *what: Any) -> None:
        draw(ScaledPen(pen, *pen.middle, pen.width), *what[:-1])

    anyhow: Any = whole
    return square(anyhow)


class Stroke(Strict, frozen=True):
    """One shape of a drawing; colours by their names, '' for none, ``fill`` for the one asked for.

    It is a `polygon`, a `line`, a `disc` (middle and radius), an `oval` (middle and half axes), a
    `rect` (edges), a `text` or a `part`, which is another drawing, of this size around `at`. Lines
    and outlines have this `width`, or so many `pixels` at any size.
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
    """Something to draw; without a colour of its own it is drawn in `fill`."""

    def __call__(self, at: ScaledPen, fill: Colour | None = None, /) -> None: ...


class Drawings:
    """Drawings by name: those of a file, and those `made` by code.

    `colour` finds a colour by its name. Raises KeyError for a part that is none of them.
    """

    def __init__(
        self,
        drawings: Mapping[str, tuple[Stroke, ...]],
        made: Mapping[str, Icon],
        colour: Callable[[str], Colour],
    ) -> None:
        self._colour = colour
        self._icons = dict(made)
        for name, strokes in drawings.items():
            self._icons[name] = partial(self._draw, strokes)
        for strokes in drawings.values():
            for stroke in strokes:
                if stroke.part and stroke.part not in self._icons:
                    raise KeyError(f"there is no drawing {stroke.part!r}")

    def __getitem__(self, name: str) -> Icon:
        return self._icons[name]

    def _draw(
        self, strokes: tuple[Stroke, ...], at: ScaledPen, given: Colour | None = None, /
    ) -> None:
        for stroke in strokes:
            fill, outline = (
                given if name == "fill" else self._colour(name) if name else None
                for name in (stroke.fill, stroke.outline)
            )
            width = stroke.pixels / at.unit or stroke.width
            if stroke.polygon:
                at.polygon(stroke.polygon, fill, outline, width)
            elif stroke.line and fill is not None:
                at.line(stroke.line, fill, width)
            elif stroke.disc:
                x, y, radius = stroke.disc
                at.oval(x, y, radius, radius, fill, outline, width)
            elif stroke.oval:
                at.oval(*stroke.oval, fill, outline, width)
            elif stroke.rect:
                at.rect(*stroke.rect, fill, outline, stroke.radius, width)
            elif stroke.text and fill is not None:
                at.text(*stroke.at, stroke.text, fill, stroke.size)
            elif stroke.part:
                self._icons[stroke.part](at.part(*stroke.at, stroke.size), fill)
