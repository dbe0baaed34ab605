"""A chart of the points over a game, or of the chances: a line for each seat.

Every line has its colour, its dashes and its emblem with a letter, so that no colour is needed to
tell them apart. Lines of equal points run side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.game.sides import Looks, own_looks
from bot.render import png
from bot.render.fonts import Face, even_step, fit, fit_name, printable, width
from bot.render.palettes import Recolouring
from bot.render.sides import SIDE_LOOKS, TONES, emblem, stamp_emblems
from bot.render.sprites import Align, Canvas, Painting, Pen, Point, ground, square, strokes
from bot.render.theme import Palette

SIZE = (1100, 640)
_SHADE, _QUIET = "#e0d5b8", TONES.soft
_LEFT, _TOP, _RIGHT, _BOTTOM = 84, 96, 800, 544
_EMBLEM = 36
_TITLE, _TEXT, _SMALL = 44, 32, 28
_LINE = 6.0
_LABEL_GAP = 62
_LEAST_APART = 40
"""Pixels between two emblems on one line."""
_SPARSE = 150
"""The same between emblems on lines of chances, which change at every turn."""
_NUMBER = 46
"""The disc with the number of a turning point."""
_STEP = 10
"""Pixels of a turn below which steps would only make the line look rough."""
_GRID = 5
"""At most so many lines across."""
_ROUNDS = 12
"""At most so many rounds are marked."""
_DASHES: tuple[tuple[float, ...], ...] = ((), (20, 11), (5, 9), (24, 9, 5, 9))
"""Strokes and gaps of each seat's line; none for a line without gaps."""
_LOOKS = [tone for look in SIDE_LOOKS for tone in (look.fill, look.dark, look.writing)]
PALETTE = Palette(
    [TONES.paper, TONES.ink, _SHADE, _QUIET, *_LOOKS], (TONES.ink, TONES.paper, _SHADE)
)
COLOURS = Recolouring(PALETTE)


class Turning(NamedTuple):
    """The turn of a course at which a seat's line is marked, with a number."""

    turn: int
    seat: int
    number: int


class Course(NamedTuple):
    """The points of each seat after each turn, the set-up first, and the turns' rounds.

    `title` and `axis` are words of one language, `axis` that for a round.
    """

    title: str
    axis: str
    names: Sequence[str]
    points: Sequence[tuple[int, ...]]
    rounds: Sequence[int]
    looks: Looks | None = None
    """Those of each seat's sides; None where each seat is one side in its own colour."""
    percent: bool = False
    """Whether the points are chances of a hundred."""
    turnings: Sequence[Turning] = ()


def draw(course: Course) -> bytes:
    """The PNG of a course of at least one turn; the same course gives the same bytes."""
    plot = _Plot(course)
    canvas = Painting(ground(*SIZE, TONES.paper, lambda pen: _paper(pen, plot)))
    _lettering(canvas, plot)
    for seat, (x, y) in plot.marks():
        canvas.stamp_centred(emblem(plot.looks[seat][0], _EMBLEM), x, y)
    for (_turn, seat, number), (x, y) in plot.turnings:
        canvas.stamp_centred(_numbered(number, plot.looks[seat][0], _NUMBER), x, y)
    _labels(canvas, plot)
    return png.encode(PALETTE.reduce(canvas.image))


class _Plot:
    """Where on the picture a course lies."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.most = max(1, 100 * course.percent, *(max(points) for points in course.points))
        self.step = even_step(self.most, _GRID)
        self.top = math.ceil(self.most / self.step) * self.step
        self.unit = (_BOTTOM - _TOP) / self.top
        self._seats = len(course.points[0])
        found = course.looks or own_looks(self._seats)
        # A seat whose sides are unknown is drawn with the look of its number.
        self.looks = tuple(each or (seat,) for seat, each in enumerate(found))
        self._turn = (_RIGHT - _LEFT) / max(1, len(course.points) - 1)
        self.turnings = self._turnings()

    def x(self, turn: int) -> float:
        """Of a turn; 0 is the set-up."""
        return _LEFT + turn * self._turn

    def y(self, points: float) -> float:
        """Of a number of points."""
        return _BOTTOM - points * self.unit

    def at(self, seat: int, turn: int) -> float:
        """The height of a seat's line; equal ones are drawn a little apart."""
        apart = min(_LINE + 2, self.unit * 0.16)
        return self.y(self.course.points[turn][seat]) + apart * (seat - (self._seats - 1) / 2)

    def path(self, seat: int) -> list[Point]:
        """A seat's line, in steps where they can be seen: points are made in a turn."""
        path: list[Point] = [(self.x(0), self.at(seat, 0))]
        for turn in range(1, len(self.course.points)):
            if self._turn >= _STEP and not self.course.percent:
                path.append((self.x(turn), self.at(seat, turn - 1)))
            path.append((self.x(turn), self.at(seat, turn)))
        return path

    def marks(self) -> list[tuple[int, Point]]:
        """Where the seats' emblems are on their lines: after gains, where there is room."""
        points = self.course.points
        apart = _SPARSE if self.course.percent else _LEAST_APART
        numbers = [spot for _, spot in self.turnings]
        marks: list[tuple[int, Point]] = []
        for turn in range(1, len(points) - 1):
            for seat in self._in_turn(len(marks)):
                spot = self.x(turn), self.at(seat, turn)
                taken = [mark for _, mark in marks] + [(self.x(len(points) - 1), spot[1])]
                if (
                    points[turn][seat] != points[turn - 1][seat]
                    and _is_free(spot, taken, apart)
                    and _is_free(spot, numbers, _NUMBER)
                ):
                    marks.append((seat, spot))
        return marks

    def _in_turn(self, marked: int) -> Sequence[int]:
        """The seats in the order in which they get emblems: where few have room, one after the
        other."""
        first = marked if self.course.percent else 0
        return [(first + seat) % self._seats for seat in range(self._seats)]

    def _turnings(self) -> list[tuple[Turning, Point]]:
        """Where numbers stand: on their lines, or above others that are there."""
        placed: list[tuple[Turning, Point]] = []
        for each in self.course.turnings:
            x, y = self.x(each.turn), self.at(each.seat, each.turn)
            while not _is_free((x, y), [spot for _, spot in placed], _NUMBER):
                y -= 4
            placed.append((each, (x, y)))
        return placed

    def marked_rounds(self) -> Iterator[tuple[int, float, float]]:
        """The rounds that are marked, at even steps; where each began, and where it ended."""
        rounds = self.course.rounds
        began = [
            (rounds[turn], self.x(turn - 1))
            for turn in range(1, len(rounds))
            if rounds[turn] != rounds[turn - 1]
        ]
        ends = [*(x for _, x in began[1:]), float(_RIGHT)]
        step = even_step(len(began), _ROUNDS)
        for (number, x), end in zip(began, ends, strict=False):
            if number % step == 0:
                yield number, x, end


def _paper(pen: Pen, plot: _Plot) -> None:
    for points in range(0, plot.top + 1, plot.step):
        pen.line([(_LEFT, plot.y(points)), (_RIGHT, plot.y(points))], _SHADE, 2)
    for _, x, _ in plot.marked_rounds():
        pen.line([(x, _TOP), (x, _BOTTOM + 8)], _SHADE, 2)
    pen.line([(_LEFT, _BOTTOM), (_RIGHT, _BOTTOM)], _QUIET, 3)
    for seat, (look, *_) in reversed(list(enumerate(plot.looks))):
        _line(pen, plot.path(seat), SIDE_LOOKS[look].fill, _DASHES[look % len(_DASHES)])


def _lettering(canvas: Canvas, plot: _Plot) -> None:
    title = fit(plot.course.title, _TITLE, SIZE[0] - 60, Face.TITLE)
    canvas.text(30, 44, title, TONES.ink, _TITLE, Face.TITLE)
    for points in range(0, plot.top + 1, plot.step):
        y = round(plot.y(points))
        said = f"{points}%" if plot.course.percent else str(points)
        size = _SMALL if plot.course.percent else _TEXT
        canvas.text(_LEFT - 18, y, said, TONES.ink, size, align=Align.RIGHT)
    for number, x, end in plot.marked_rounds():
        shown = round((x + end) / 2), _BOTTOM + 32
        canvas.text(*shown, str(number), TONES.ink, _TEXT, align=Align.CENTRE)
    foot = (_LEFT + _RIGHT) // 2, SIZE[1] - 24
    canvas.text(*foot, plot.course.axis, TONES.ink, _TEXT, align=Align.CENTRE)


def _labels(canvas: Canvas, plot: _Plot) -> None:
    """Emblem, points and name of each seat beside the end of its line; chances have ended."""
    final = len(plot.course.points) - 1
    ends = [(plot.at(seat, final), seat) for seat in range(len(plot.course.points[0]))]
    names = [printable(name, Face.TEXT) for name in plot.course.names]
    for middle, seat in _spread(sorted(ends)):
        x = _RIGHT + 12
        start = stamp_emblems(canvas, plot.looks[seat], x, round(middle), _EMBLEM + 8) + 10
        if not plot.course.percent:
            number = str(plot.course.points[final][seat])
            canvas.text(start, round(middle), number, TONES.ink, 42)
            start += max(width(number, 42), 24) + 14
        shown = fit_name(names, seat, _SMALL, SIZE[0] - start - 14)
        canvas.text(start, round(middle), shown, TONES.ink, _SMALL)


@square
def _numbered(pen: Pen, number: int, side: int, size: int) -> None:
    pen.ellipse((1, 1, size - 1, size - 1), SIDE_LOOKS[side].fill, TONES.ink, 2)
    pen.ellipse((6, 6, size - 6, size - 6), TONES.ink)
    pen.text((size / 2, size / 2), str(number), TONES.paper, round(size * 0.6), Face.TEXT)


def _is_free(spot: Point, taken: Sequence[Point], apart: float) -> bool:
    return all(math.dist(spot, other) >= apart for other in taken)


def _spread(ends: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """The labels from the top, moved apart so that none covers another."""
    placed: list[tuple[float, int]] = []
    for y, seat in ends:
        placed.append((max(y, placed[-1][0] + _LABEL_GAP) if placed else y, seat))
    over = max(0.0, placed[-1][0] - (_BOTTOM + 10)) if placed else 0.0
    lifted: list[tuple[float, int]] = []
    for y, seat in reversed(placed):
        most = lifted[-1][0] - _LABEL_GAP if lifted else placed[-1][0] - over
        lifted.append((min(y, most), seat))
    return lifted[::-1]


def _line(pen: Pen, path: Sequence[Point], fill: str, dashes: Sequence[float]) -> None:
    for points in strokes(path, dashes) if dashes else [path]:
        if len(points) > 1:
            pen.line(points, TONES.ink, _LINE + 2)
    for points in strokes(path, dashes) if dashes else [path]:
        if len(points) > 1:
            pen.line(points, fill, _LINE)
