"""The growth as a chart: how long things take over how many tables are open, on both databases.

Both axes are logarithmic: what stays level does not grow, what rises like the grid's diagonal grows
with the tables. SQLite is dashed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PIL import Image

from bot.render import png
from bot.render.fonts import Face
from bot.render.sprites import Align, Canvas, Pen, Point, strokes
from bot.render.theme import Colour, Palette
from bot.tools.measures.scale.growth import Growth

SIZE = (980, 640)
_LEFT, _TOP, _RIGHT, _BOTTOM = 110, 100, 760, 550
_PAPER, _INK, _QUIET, _GRID = "#fbf5e6", "#2b2a33", "#6b6455", "#e0d5b8"
_SCALE = 2
_TITLE, _TEXT = 36, 26
_LINE, _MARK = 5, 8
_DASHES = (14.0, 11.0)
_DASHED = "sqlite"
_LABEL_GAP = 36
SECOND = 1000


class _Course(NamedTuple):
    label: str
    colour: Colour
    ms: Callable[[Growth], float]


_COURSES = (
    _Course("outbox known", "#8a2f6b", lambda each: SECOND * each.outbox_s),
    _Course("takes presses", "#a8420a", lambda each: SECOND * each.presses_s),
    _Course("a table read", "#006b4f", lambda each: each.load_ms),
    _Course("a tick", "#0a5c8f", lambda each: each.tick_ms),
)


def draw(growth: Sequence[Growth]) -> bytes:
    """The PNG of the growth of at least one database, measured with at least two counts."""
    plot = _Plot(growth)
    large = Image.new("RGB", (SIZE[0] * _SCALE, SIZE[1] * _SCALE), _PAPER)
    pen = Pen(large, _SCALE)
    _grid(pen, plot)
    for course in _COURSES:
        for database in plot.databases:
            path = plot.path(course, database)
            for stroke in strokes(path, _DASHES) if database == _DASHED else [path]:
                if len(stroke) > 1:
                    pen.line(stroke, course.colour, _LINE)
            for x, y in path:
                corners = [(x - _MARK, y), (x, y - _MARK), (x + _MARK, y), (x, y + _MARK)]
                pen.polygon(corners, course.colour, _PAPER, 2)
    canvas = Canvas(large.resize(SIZE, Image.Resampling.BOX))
    _lettering(canvas, plot)
    colours = [_PAPER, _INK, _QUIET, _GRID, *(each.colour for each in _COURSES)]
    return png.encode(Palette(colours, [_PAPER, _GRID]).reduce(canvas.image))


class _Plot:
    def __init__(self, growth: Sequence[Growth]) -> None:
        self._growth = sorted(growth, key=lambda each: each.tables)
        self.databases = sorted({each.database for each in growth})
        self.counts = sorted({each.tables for each in growth})
        found = [course.ms(each) for course in _COURSES for each in growth]
        self.decades = range(
            math.floor(math.log10(min(found))), math.ceil(math.log10(max(found))) + 1
        )

    def x(self, count: int) -> float:
        first, last = math.log10(self.counts[0]), math.log10(self.counts[-1])
        return _LEFT + (math.log10(count) - first) / (last - first) * (_RIGHT - _LEFT)

    def y(self, ms: float) -> float:
        share = (math.log10(ms) - self.decades[0]) / (len(self.decades) - 1)
        return _BOTTOM - share * (_BOTTOM - _TOP)

    def path(self, course: _Course, database: str) -> list[Point]:
        return [
            (self.x(each.tables), self.y(course.ms(each)))
            for each in self._growth
            if each.database == database
        ]


def _grid(pen: Pen, plot: _Plot) -> None:
    for decade in plot.decades:
        y = plot.y(10.0**decade)
        pen.line([(_LEFT, y), (_RIGHT, y)], _GRID, 2)
    for count in plot.counts:
        pen.line([(plot.x(count), _TOP), (plot.x(count), _BOTTOM)], _GRID, 2)
    pen.line([(_LEFT, _BOTTOM), (_RIGHT, _BOTTOM)], _INK, 2)


def _lettering(canvas: Canvas, plot: _Plot) -> None:
    canvas.text(30, 40, "How long it takes, by open tables", _INK, _TITLE, Face.TITLE)
    for decade in plot.decades:
        y = round(plot.y(10.0**decade))
        canvas.text(_LEFT - 14, y, _time(decade), _QUIET, _TEXT, align=Align.RIGHT)
    for count in plot.counts:
        x = round(plot.x(count))
        canvas.text(x, _BOTTOM + 28, f"{count:,}", _QUIET, _TEXT, align=Align.CENTRE)
    said = "solid: PostgreSQL, dashed: SQLite"
    canvas.text(_RIGHT, SIZE[1] - 24, said, _QUIET, _TEXT, align=Align.RIGHT)
    ends = sorted((plot.path(each, plot.databases[0])[-1][1], each.label) for each in _COURSES)
    colours = {each.label: each.colour for each in _COURSES}
    free = float(_TOP)
    for end, label in ends:
        middle = max(end, free)
        canvas.text(_RIGHT + 24, round(middle), label, colours[label], _TEXT)
        free = middle + _LABEL_GAP


def _time(decade: int) -> str:
    return f"{10.0**decade:g} ms" if decade < 3 else f"{10 ** (decade - 3):g} s"
