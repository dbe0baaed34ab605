"""A chart of points or chances over a game, with a line for each seat, or of players' ratings.

Lines differ in colour, dashes and emblems with letters, so colour is never the only distinction.
Lines with equal points run next to each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.game.sides import Looks, clockwise, own_looks
from bot.render import png
from bot.render.fonts import Face, even_step, fit, fit_name, printable, width
from bot.render.palettes import STANDARD, Recolouring
from bot.render.sides import SIDE_LOOKS, TONES, emblem, stamp_emblems
from bot.render.sprites import Align, Canvas, Painting, Pen, Point, ground, square, strokes
from bot.render.theme import Palette

SIZE = (1100, 640)
SHADE, _QUIET = "#e0d5b8", TONES.soft
_LEFT, _TOP, _RIGHT, _BOTTOM = 84, 96, 800, 544
_SHORT = 660
"""The right edge for ratings: titles are longer than names."""
_EMBLEM = 36
_TITLE, _TEXT, _SMALL = 44, 32, 28
_LINE = 6.0
_LABEL_GAP = 62
_MIN_GAP = 40
"""Minimum pixels between two emblems on a line."""
_WIDE_GAP = 150
"""The minimum on lines of chances and ratings, which change at every turn."""
_NUMBER = 46
"""Pixels of the disc with the number of a turning point."""
_MIN_STEP = 10
"""Minimum pixels of a turn for a line with steps; smaller steps look rough."""
_MAX_GRID_LINES = 5
_MAX_ROUNDS = 12
"""Maximum rounds with a mark."""
_DASHES: tuple[tuple[float, ...], ...] = ((), (20, 11), (5, 9), (24, 9, 5, 9))
"""Lengths of strokes and gaps by seat; empty for a solid line."""
_LOOKS = [tone for look in SIDE_LOOKS for tone in (look.fill, look.dark, look.writing)]
PALETTE = Palette(
    [TONES.paper, TONES.ink, SHADE, _QUIET, *_LOOKS, TONES.gold, TONES.cream],
    (TONES.ink, TONES.paper, SHADE),
)
COLOURS = Recolouring(PALETTE)
MAX_LINES = len(SIDE_LOOKS)


class Turning(NamedTuple):
    """A turning point: the turn at which a seat's line gets a numbered mark."""

    turn: int
    seat: int
    number: int


class Course(NamedTuple):
    """The points of each seat after each turn, starting with the set-up, and the turns' rounds.

    `title` and `axis` are in the viewers' language; `axis` is the word for a round.
    """

    title: str
    axis: str
    names: Sequence[str]
    lines: Sequence[Sequence[int]]
    """By seat; lines may have different lengths."""
    rounds: Sequence[int]
    looks: Looks | None = None
    """The looks of each seat's sides; None if each seat is one side in its own colour."""
    percent: bool = False
    """Whether the points are chances in per cent."""
    ratings: bool = False
    """Whether the points are ratings: lines are for games, and the axis need not begin at 0."""
    turnings: Sequence[Turning] = ()


def draw(course: Course, palette: str = STANDARD) -> bytes:
    """Return the PNG of a course of at least one turn, in the colours of the named palette.

    It is deterministic.
    """
    plot = _Plot(course)
    canvas = Painting(ground(*SIZE, TONES.paper, lambda pen: _paper(pen, plot)))
    _lettering(canvas, plot)
    for seat, (x, y) in plot.marks():
        canvas.stamp_centred(emblem(plot.looks[seat][0], _EMBLEM), x, y)
    for (_turn, seat, number), (x, y) in plot.turnings:
        canvas.stamp_centred(numbered(number, plot.looks[seat][0], _NUMBER), x, y)
    _labels(canvas, plot)
    return COLOURS.of(png.encode(PALETTE.reduce(canvas.image)), palette)


class _Plot:
    """The layout of a course on the picture."""

    def __init__(self, course: Course) -> None:
        self.course, seats = course, len(course.lines)
        minimum = min(map(min, course.lines)) if course.ratings else 0
        maximum = max(minimum + 1, 100 * course.percent, *map(max, course.lines))
        step = even_step(maximum - minimum, _MAX_GRID_LINES)
        self.grid = range(minimum // step * step, -(-maximum // step) * step + 1, step)
        """The points of the grid lines."""
        self._unit = (_BOTTOM - _TOP) / (self.grid[-1] - self.grid[0])
        self.right = _SHORT if course.ratings else _RIGHT
        self._apart = min(_LINE + 2, self._unit * 0.16), (seats - 1) / 2
        looks = course.looks or own_looks(seats)
        # A seat whose sides are unknown is drawn with the look of its number.
        self.looks = tuple(each or (seat,) for seat, each in enumerate(looks))
        self._turn = (self.right - _LEFT) / max(1, len(course.rounds) - 1)
        self.turnings = self._turnings()

    def x(self, turn: int) -> float:
        """Return the x of a turn; turn 0 is the set-up."""
        return _LEFT + turn * self._turn

    def y(self, points: float) -> float:
        """Return the y of a number of points."""
        return _BOTTOM - (points - self.grid[0]) * self._unit

    def at(self, seat: int, turn: int) -> float:
        """Return the y of a seat's line; equal lines are drawn a little apart."""
        apart, middle = self._apart
        return self.y(self.course.lines[seat][turn]) + apart * (seat - middle)

    @property
    def in_steps(self) -> bool:
        """Whether points change only in some turns."""
        return not (self.course.percent or self.course.ratings)

    def path(self, seat: int) -> list[Point]:
        """Return a seat's line, with steps if they are wide enough."""
        path: list[Point] = [(self.x(0), self.at(seat, 0))]
        for turn in range(1, len(self.course.lines[seat])):
            if self._turn >= _MIN_STEP and self.in_steps:
                path.append((self.x(turn), self.at(seat, turn - 1)))
            path.append((self.x(turn), self.at(seat, turn)))
        return path

    def marks(self) -> list[tuple[int, Point]]:
        """Return the seats' emblems on their lines: after changes, where there is room."""
        last = len(self.course.rounds) - 1
        gap = _MIN_GAP if self.in_steps else _WIDE_GAP
        numbers = [spot for _, spot in self.turnings]
        marks: list[tuple[int, Point]] = []
        for turn in range(1, last):
            for seat in self._in_turn(len(marks)):
                points = self.course.lines[seat][turn - 1 : turn + 1]
                if len(points) < 2 or points[0] == points[1]:
                    continue
                spot = self.x(turn), self.at(seat, turn)
                taken = [mark for _, mark in marks] + [(self.x(last), spot[1])]
                if _is_free(spot, taken, gap) and _is_free(spot, numbers, _NUMBER):
                    marks.append((seat, spot))
        return marks

    def _in_turn(self, marked: int) -> Sequence[int]:
        """Return the order in which seats get emblems. If room is scarce, the first varies."""
        first = 0 if self.in_steps else marked
        return clockwise(first, len(self.looks))

    def _turnings(self) -> list[tuple[Turning, Point]]:
        """Return the positions of turning points: on their lines, or above other numbers."""
        placed: list[tuple[Turning, Point]] = []
        for each in self.course.turnings:
            x, y = self.x(each.turn), self.at(each.seat, each.turn)
            while not _is_free((x, y), [spot for _, spot in placed], _NUMBER):
                y -= 4
            placed.append((each, (x, y)))
        return placed

    def marked_rounds(self) -> Iterator[tuple[int, float, float]]:
        """Yield marked rounds at even steps, with the x of their begin and end. Those of a rated
        game are equal."""
        is_point = self.course.ratings
        began = [
            (number, self.x(turn + is_point))
            for turn, (before, number) in enumerate(pairwise(self.course.rounds))
            if number != before
        ]
        ends = [*(x for _, x in began[1:]), float(self.right)]
        step = even_step(len(began), _MAX_ROUNDS)
        for (number, x), end in zip(began, ends, strict=False):
            if number % step == 0:
                yield number, x, x if is_point else end


def _paper(pen: Pen, plot: _Plot) -> None:
    for points in plot.grid:
        pen.line([(_LEFT, plot.y(points)), (plot.right, plot.y(points))], SHADE, 2)
    for _, x, _ in plot.marked_rounds():
        pen.line([(x, _TOP), (x, _BOTTOM + 8)], SHADE, 2)
    pen.line([(_LEFT, _BOTTOM), (plot.right, _BOTTOM)], _QUIET, 3)
    for seat, (look, *_) in reversed(list(enumerate(plot.looks))):
        path, dashes = plot.path(seat), _DASHES[look % len(_DASHES)]
        parts = [*strokes(path, dashes)] if dashes else [path]
        for colour, thick in ((TONES.ink, _LINE + 2), (SIDE_LOOKS[look].fill, _LINE)):
            for part in parts:
                if len(part) > 1:
                    pen.line(part, colour, thick)


def _lettering(canvas: Canvas, plot: _Plot) -> None:
    title = fit(printable(plot.course.title, Face.TITLE), _TITLE, SIZE[0] - 60, Face.TITLE)
    canvas.text(30, 44, title, TONES.ink, _TITLE, Face.TITLE)
    for points in plot.grid:
        y = round(plot.y(points))
        text = f"{points}%" if plot.course.percent else str(points)
        size = _TEXT if plot.in_steps else _SMALL
        canvas.text(_LEFT - 18, y, text, TONES.ink, size, align=Align.RIGHT)
    for number, x, end in plot.marked_rounds():
        shown = round((x + end) / 2), _BOTTOM + 32
        canvas.text(*shown, str(number), TONES.ink, _TEXT, align=Align.CENTRE)
    foot = (_LEFT + plot.right) // 2, SIZE[1] - 24
    canvas.text(*foot, plot.course.axis, TONES.ink, _TEXT, align=Align.CENTRE)


def _labels(canvas: Canvas, plot: _Plot) -> None:
    """Draw emblem, points and name of each seat at the end of its line, without overlaps. Chances
    have no final points."""
    lines = plot.course.lines
    ends = sorted((plot.at(seat, len(line) - 1), seat) for seat, line in enumerate(lines))
    names = [printable(name, Face.TEXT) for name in plot.course.names]
    minimum = -math.inf
    for place, (end, seat) in enumerate(ends, 1):
        middle = max(minimum, min(end, _BOTTOM + 10 - _LABEL_GAP * (len(ends) - place)))
        minimum = middle + _LABEL_GAP
        level = round(middle)
        start = stamp_emblems(canvas, plot.looks[seat], plot.right + 12, level, _EMBLEM + 8) + 10
        if not plot.course.percent:
            number = str(lines[seat][-1])
            canvas.text(start, level, number, TONES.ink, 42)
            start += max(width(number, 42), 24) + 14
        shown = fit_name(names, seat, _SMALL, SIZE[0] - start - 14)
        canvas.text(start, level, shown, TONES.ink, _SMALL)


@square
def numbered(pen: Pen, number: int, side: int, size: int) -> None:
    """Draw the number of a turning point."""
    pen.ellipse((1, 1, size - 1, size - 1), SIDE_LOOKS[side].fill, TONES.ink, 2)
    pen.ellipse((6, 6, size - 6, size - 6), TONES.ink)
    pen.text((size / 2, size / 2), str(number), TONES.paper, round(size * 0.6), Face.TEXT)


def _is_free(spot: Point, taken: Sequence[Point], gap: float) -> bool:
    return all(math.dist(spot, other) >= gap for other in taken)
