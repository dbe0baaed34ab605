"""A chart of ratings over the games played: a line for each title.

Each line has a colour, a dash, a shape for its points and a letter; the letters stand at the ends
of the lines, and with the titles above the chart. No colour is needed to tell them apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PIL import Image

from bot.render import png
from bot.render.fonts import Face, even_step, fit, printable, width
from bot.render.palettes import Recolouring
from bot.render.sides import TONES
from bot.render.sprites import Align, Backdrop, Canvas, Painting, Pen, Point, strokes
from bot.render.theme import Colour, Palette

WIDTH, HEIGHT = 1000, 600
_LEFT, _TOP, _RIGHT, _BOTTOM = 96, 132, 926, 518
_EDGE = 26
_PAPER, _INK, _QUIET, _GRID = TONES.paper, TONES.ink, TONES.soft, "#e0d5b8"
_SCALE = 2
_TEXT, _LEAST, _TITLE = 27, 21, 40
_LINE = 5
_MARK = 10
_TICKS = 5
_NUMBERS = 10
_MARKED = 40
"""A line with more points than this has only the last one marked."""
_LETTER_GAP = 32


class Series(NamedTuple):
    """The ratings of one title, after each game."""

    title: str
    values: Sequence[int]


class _Look(NamedTuple):
    letter: str
    colour: Colour
    shape: Callable[[float, float], list[Point]]
    dashes: tuple[float, ...] = ()


def draw(title: str, series: Sequence[Series], axis: str) -> bytes:
    """The PNG of a chart of at most `MOST` series, each of at least one value.

    `title` and `axis` are words of one language, `axis` that for games.
    """
    steps = max(len(each.values) for each in series)
    values = [value for each in series for value in each.values]
    ticks = _ticks(min(values), max(values))

    def spot(step: int, value: float) -> Point:
        across = step / (steps - 1) if steps > 1 else 0.5
        up = (value - ticks[0]) / (ticks[-1] - ticks[0])
        return _LEFT + across * (_RIGHT - _LEFT), _BOTTOM - up * (_BOTTOM - _TOP)

    large = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _PAPER)
    pen = Pen(large, _SCALE)
    for tick in ticks:
        y = spot(0, tick)[1]
        pen.line([(_LEFT, y), (_RIGHT, y)], _GRID, 2)
    pen.line([(_LEFT, _BOTTOM), (_RIGHT, _BOTTOM)], _INK, 2)
    paths = [[spot(*at) for at in enumerate(each.values)] for each in series]
    for look, path in zip(_LOOKS, paths, strict=False):
        _line(pen, look, path, path if len(path) <= _MARKED else path[-1:])
    canvas = Painting(large.resize((WIDTH, HEIGHT), Image.Resampling.BOX))
    heading = fit(printable(title, Face.TITLE), _TITLE, WIDTH - 2 * _EDGE, Face.TITLE)
    canvas.text(_EDGE, 38, heading, _INK, _TITLE, Face.TITLE)
    for tick in ticks:
        y = round(spot(0, tick)[1])
        canvas.text(_LEFT - 12, y, str(tick), _QUIET, _TEXT, align=Align.RIGHT)
    apart = even_step(steps, _NUMBERS)
    for game in range(apart, steps + 1, apart):
        x = round(spot(game - 1, 0)[0])
        canvas.text(x, _BOTTOM + 26, str(game), _QUIET, _TEXT, align=Align.CENTRE)
    canvas.text(_RIGHT, HEIGHT - 22, axis, _QUIET, _TEXT, align=Align.RIGHT)
    _legend(canvas, series)
    _letters(canvas, [path[-1] for path in paths])
    return png.encode(PALETTE.reduce(canvas.image))


def _line(pen: Pen, look: _Look, path: Sequence[Point], marked: Sequence[Point]) -> None:
    for stroke in strokes(path, look.dashes) if look.dashes else [path]:
        if len(stroke) > 1:
            pen.line(stroke, look.colour, _LINE)
    for x, y in marked:
        pen.polygon(look.shape(x, y), look.colour, _PAPER, 2)


def _legend(canvas: Canvas, series: Sequence[Series]) -> None:
    """The titles with their signs, smaller where the row is too short, then with equal shares."""
    titles = [
        f"{look.letter} · {printable(each.title, Face.TEXT)}"
        for look, each in zip(_LOOKS, series, strict=False)
    ]
    row = WIDTH - 2 * _EDGE
    sizes = range(_TEXT, _LEAST - 1, -1)
    row -= 76 * len(titles)
    size = next((each for each in sizes if sum(width(title, each) for title in titles) <= row), 0)
    room = row if size else row // len(titles)
    size = size or _LEAST
    x = _EDGE
    for look, title in zip(_LOOKS, titles, strict=False):
        sample = Image.new("RGB", (44 * _SCALE, 32 * _SCALE), _PAPER)
        _line(Pen(sample, _SCALE), look, [(3, 16), (41, 16)], [(22, 16)])
        canvas.lay(Backdrop(sample.resize((44, 32), Image.Resampling.BOX)), x, 74)
        x = canvas.text(x + 52, 90, fit(title, size, room), look.colour, size) + 24


def _letters(canvas: Canvas, ends: Sequence[Point]) -> None:
    """Each line's letter right of its end, moved apart where lines end together."""
    order = sorted(range(len(ends)), key=lambda at: ends[at][1])
    least = float(_TOP)
    for place, at in enumerate(order):
        below = (len(order) - 1 - place) * _LETTER_GAP
        y = max(least, min(ends[at][1], _BOTTOM - below))
        least = y + _LETTER_GAP
        look = _LOOKS[at]
        canvas.text(round(ends[at][0]) + 22, round(y), look.letter, look.colour, 32)


def _ticks(low: int, high: int) -> list[int]:
    """Round numbers from the lowest value or below to the highest or above."""
    rough = max(10.0, (high - low) / (_TICKS - 1))
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough)
    first = low // step
    last = max(-(-high // step), first + 1)
    return [step * tick for tick in range(first, last + 1)]


def _corners(count: int, turn: float = 0) -> Callable[[float, float], list[Point]]:
    """A shape with so many corners around a point, turned by a share of the angle between two."""
    angles = [math.tau * (corner + turn) / count - math.pi / 2 for corner in range(count)]

    def shape(x: float, y: float) -> list[Point]:
        return [(x + _MARK * math.cos(angle), y + _MARK * math.sin(angle)) for angle in angles]

    return shape


# Dark enough on the paper for lines and letters alike.
_LOOKS = (
    _Look("A", "#0a5c8f", _corners(24)),
    _Look("B", "#a8420a", _corners(4, 0.5), (16, 11)),
    _Look("C", "#006b4f", _corners(3), (4, 11)),
    _Look("D", "#8a2f6b", _corners(4), (18, 10, 4, 10)),
)
MOST = len(_LOOKS)
"""Lines in one chart."""

PALETTE = Palette([_PAPER, _INK, _QUIET, _GRID, *(look.colour for look in _LOOKS)], [_PAPER, _GRID])
COLOURS = Recolouring(PALETTE)
