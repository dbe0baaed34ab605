"""Measurements as a chart: how long things take over how much there is.

Both axes are logarithmic: what stays level does not grow, what rises like the grid's diagonal grows
with what is counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from bot.render import png
from bot.render.fonts import Face
from bot.render.sprites import Align, Canvas, Painting, Pen, Point, strokes
from bot.render.theme import Colour, Palette

SIZE = (980, 640)
"""Of one chart, in pixels."""
_LEFT, _TOP, _RIGHT, _BOTTOM = 110, 100, 760, 550
_PAPER, _INK, _QUIET, _GRID = "#fbf5e6", "#2b2a33", "#6b6455", "#e0d5b8"
COLOURS = ("#8a2f6b", "#a8420a", "#006b4f", "#0a5c8f")
"""That curves are told apart by."""
_SCALE = 2
_TITLE, _TEXT = 36, 26
_LINE, _MARK = 5, 8
_DASHES = (14.0, 11.0)
_LABEL_GAP = 36
SECOND = 1000
"""In ms."""


class Curve(NamedTuple):
    """A line through what was measured: how many there were, and the ms that it took.

    Of several curves in one colour the first that is not dashed has the label.
    """

    label: str
    colour: Colour
    points: Sequence[tuple[int, float]]
    dashed: bool = False


class CurveChart(NamedTuple):
    """A chart of curves over the same counts, at least two; a `note` explains it at the foot."""

    title: str
    curves: Sequence[Curve]
    note: str = ""

    @property
    def counts(self) -> Sequence[int]:
        """Where the curves have points, from the lowest."""
        return sorted({count for curve in self.curves for count, _ in curve.points})

    @property
    def decades(self) -> range:
        """The powers of ten, in ms, from below the lowest point to above the highest."""
        found = [math.log10(ms) for curve in self.curves for _, ms in curve.points]
        return range(math.floor(min(found)), math.ceil(max(found)) + 1)

    def x(self, count: int) -> float:
        """Where a count is, in pixels."""
        first, last = math.log10(self.counts[0]), math.log10(self.counts[-1])
        return _LEFT + (math.log10(count) - first) / (last - first) * (_RIGHT - _LEFT)

    def y(self, ms: float) -> float:
        """Where a time is, in pixels."""
        share = (math.log10(ms) - self.decades[0]) / (len(self.decades) - 1)
        return _BOTTOM - share * (_BOTTOM - _TOP)

    def path(self, curve: Curve) -> list[Point]:
        """Where a curve goes, in pixels."""
        return [(self.x(count), self.y(ms)) for count, ms in sorted(curve.points)]


def draw(plots: Sequence[CurveChart]) -> bytes:
    """The PNG of charts, one below the other."""
    whole = Image.new("RGB", (SIZE[0], SIZE[1] * len(plots)))
    for place, plot in enumerate(plots):
        whole.paste(_drawn(plot), (0, place * SIZE[1]))
    colours = dict.fromkeys(curve.colour for plot in plots for curve in plot.curves)
    palette = Palette([_PAPER, _INK, _QUIET, _GRID, *colours], [_PAPER, _GRID])
    return png.encode(palette.reduce(whole))


def _drawn(plot: CurveChart) -> Image.Image:
    large = Image.new("RGB", (SIZE[0] * _SCALE, SIZE[1] * _SCALE), _PAPER)
    pen = Pen(large, _SCALE)
    _grid(pen, plot)
    for curve in plot.curves:
        path = plot.path(curve)
        for stroke in strokes(path, _DASHES) if curve.dashed else [path]:
            if len(stroke) > 1:
                pen.line(stroke, curve.colour, _LINE)
        for x, y in path:
            corners = [(x - _MARK, y), (x, y - _MARK), (x + _MARK, y), (x, y + _MARK)]
            pen.polygon(corners, curve.colour, _PAPER, 2)
    canvas = Painting(large.resize(SIZE, Image.Resampling.BOX))
    _lettering(canvas, plot)
    return canvas.image


def _grid(pen: Pen, plot: CurveChart) -> None:
    for decade in plot.decades:
        y = plot.y(10.0**decade)
        pen.line([(_LEFT, y), (_RIGHT, y)], _GRID, 2)
    for count in plot.counts:
        pen.line([(plot.x(count), _TOP), (plot.x(count), _BOTTOM)], _GRID, 2)
    pen.line([(_LEFT, _BOTTOM), (_RIGHT, _BOTTOM)], _INK, 2)


def _lettering(canvas: Canvas, plot: CurveChart) -> None:
    canvas.text(30, 40, plot.title, _INK, _TITLE, Face.TITLE)
    for decade in plot.decades:
        y = round(plot.y(10.0**decade))
        canvas.text(_LEFT - 14, y, _time(decade), _QUIET, _TEXT, align=Align.RIGHT)
    for count in plot.counts:
        x = round(plot.x(count))
        canvas.text(x, _BOTTOM + 28, f"{count:,}", _QUIET, _TEXT, align=Align.CENTRE)
    canvas.text(_RIGHT, SIZE[1] - 24, plot.note, _QUIET, _TEXT, align=Align.RIGHT)
    named = {each.label: each for each in plot.curves}
    named |= {each.label: each for each in plot.curves if not each.dashed}
    ends = sorted((plot.path(each)[-1][1], label) for label, each in named.items())
    free = float(_TOP)
    for end, label in ends:
        middle = max(end, free)
        canvas.text(_RIGHT + 24, round(middle), label, named[label].colour, _TEXT)
        free = middle + _LABEL_GAP


def _time(decade: int) -> str:
    return f"{10.0**decade:g} ms" if decade < 3 else f"{10 ** (decade - 3):g} s"
