"""A pen for drawings of any size: they are written in units of a hundredth of it."""

from __future__ import annotations

from collections.abc import Iterable

from bot.render.burgundy.layout import COLOURS
from bot.render.fonts import Face
from bot.render.sprites import Pen, Point
from bot.render.theme import Colour

_LINE = 4.5
"""Width of an outline in units."""

_FINEST = 1.3
"""Pixels below which no line goes."""


class Stencil:
    """A pen whose origin is the middle of a drawing, and whose unit is a hundredth of its size."""

    def __init__(self, pen: Pen, x: float, y: float, size: float) -> None:
        self._pen = pen
        self._x, self._y = x, y
        self._unit = size / 100

    def part(self, x: float, y: float, size: float) -> Stencil:
        """A stencil for a smaller drawing around x, y."""
        return Stencil(
            self._pen, self._x + x * self._unit, self._y + y * self._unit, size * self._unit
        )

    def polygon(
        self, points: Iterable[Point], fill: Colour | None, outline: Colour | None = COLOURS.ink
    ) -> None:
        """A closed shape."""
        self._pen.polygon(map(self._at, points), fill, outline, self._wide(_LINE))

    def line(self, points: Iterable[Point], fill: Colour, width: float = _LINE) -> None:
        """An open line."""
        self._pen.line(map(self._at, points), fill, self._wide(width))

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Colour | None,
        outline: Colour | None = COLOURS.ink,
    ) -> None:
        """A circle."""
        self.oval(x, y, radius, radius, fill, outline)

    def oval(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        fill: Colour | None,
        outline: Colour | None = COLOURS.ink,
    ) -> None:
        """An ellipse by its half axes."""
        left, top = self._at((x - wide, y - high))
        right, bottom = self._at((x + wide, y + high))
        self._pen.ellipse((left, top, right, bottom), fill, outline, self._wide(_LINE))

    def rect(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: Colour | None,
        outline: Colour | None = COLOURS.ink,
        radius: float = 0,
    ) -> None:
        """A rectangle by its edges."""
        corner, far = self._at((left, top)), self._at((right, bottom))
        self._pen.rect((*corner, *far), fill, outline, self._wide(_LINE), radius * self._unit)

    def text(self, x: float, y: float, text: str, fill: Colour, size: float) -> None:
        """One line of text around its middle."""
        self._pen.text(self._at((x, y)), text, fill, round(size * self._unit), Face.TEXT)

    def _at(self, point: Point) -> Point:
        return self._x + point[0] * self._unit, self._y + point[1] * self._unit

    def _wide(self, units: float) -> float:
        return max(_FINEST, units * self._unit)
