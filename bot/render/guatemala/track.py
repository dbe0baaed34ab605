"""The score track along the edge of the plantation board: sacks come down it, markers go up."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from bot.game.guatemala.view import GuatemalaView
from bot.render.guatemala import pieces, signs
from bot.render.guatemala.layout import COLOURS, PlantationPlan
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.layout import Area
from bot.render.sides import emblem
from bot.render.sprites import Align, Canvas, Pen, Point

_TEN = 10
_OUT, _IN = 6, 23
"""Pixels from the middle of a space to its number, towards the picture's edge, and to what stands
on it, towards the board, so that nothing hides a number."""
_SACK = 30
_ALONE, _TOGETHER = 32, 24
"""The size of a marker alone on a space, and of each of several."""
_ROWS = (
    ((0, 0),),
    ((-1, 0), (1, 0)),
    ((-1, 0), (1, 0), (0, 2)),
    ((-1, 0), (1, 0), (-1, 2), (1, 2)),
)
"""By how many markers stand on a space, where each does, in halves of their size along the track
and towards the board."""


def paint_track(pen: Pen, plan: PlantationPlan, last: int) -> None:
    """The spaces; every tenth is darker."""
    pen.rect(plan.area, COLOURS.track, None, 0, 14)
    for number, (left, top, right, bottom) in enumerate(track_spaces(plan, last)):
        fill = COLOURS.track if number % _TEN else COLOURS.tens
        pen.rect((left + 2, top + 2, right - 2, bottom - 2), fill, COLOURS.furrow, 1.5, 7)


def letter_track(canvas: Canvas, plan: PlantationPlan, last: int) -> None:
    """The numbers of the spaces."""
    for number, (left, top, right, bottom) in enumerate(track_spaces(plan, last)):
        size, fill = (23, COLOURS.soft) if number % _TEN else (27, COLOURS.ink)
        x, y = _off_middle(plan, (left, top, right, bottom), -_OUT)
        canvas.text(round(x), round(y), str(number), fill, size, align=Align.CENTRE)


def draw_track(
    canvas: Canvas, view: GuatemalaView, plan: PlantationPlan, marks: GuatemalaMarks
) -> None:
    """The sacks, and everybody's marker; one past the end stands on the last space."""
    spaces = track_spaces(plan, view.last_space)
    for laid, colour in enumerate(view.track):
        number = view.last_space - laid
        at = _off_middle(plan, spaces[number], _IN)
        canvas.stamp_centred(pieces.rimmed("sack", colour, _SACK), *at)
        if number in marks.laid:
            _frame(canvas, at, _SACK)
    standing: dict[int, list[int]] = defaultdict(list)
    for seat, owned in enumerate(view.seats):
        standing[min(owned.score, view.last_space)].append(seat)
    for number, seats in standing.items():
        size = _ALONE if len(seats) == 1 else _TOGETHER
        for seat, (along, inward) in zip(seats, _ROWS[len(seats) - 1], strict=True):
            at = _off_middle(plan, spaces[number], _IN + inward * size / 2, along * size / 2)
            canvas.stamp_centred(emblem(seat, size), *at)
            if marks.points[seat]:
                _frame(canvas, at, size)


def _frame(canvas: Canvas, at: Point, size: int) -> None:
    """Around what has changed, so narrow that it hides no number either."""
    canvas.stamp_centred(signs.frame(size - 8, size - 8), *at)


def _off_middle(plan: PlantationPlan, space: Area, inward: float, along: float = 0) -> Point:
    """A point so many pixels from the middle of a space towards the board, and along the track; at
    a corner, from where the board lies aslant, along its upper or lower side."""
    left, top, right, bottom = space
    down = (top == plan.area[1]) - (bottom == plan.area[3])
    across = (left == plan.area[0]) - (right == plan.area[2])
    x, y = (left + right) / 2 + across * inward, (top + bottom) / 2 + down * inward
    return (x + along, y) if down else (x, y + along)


@lru_cache(maxsize=8)
def track_spaces(plan: PlantationPlan, last: int) -> tuple[Area, ...]:
    """The spaces 0 to `last` of the score track along the edge of a board: from its upper left
    corner clockwise.
    """
    left, top, right, bottom = plan.area
    sides = (last + 5) // 2
    across = round(sides * (right - left) / (right - left + bottom - top))
    xs = _cuts(left, right, plan.track, across)
    ys = _cuts(top, bottom, plan.track, sides - across)
    columns, rows = range(across), range(sides - across)
    ring = [
        *((column, 0) for column in columns),
        *((columns[-1], row) for row in rows[1:]),
        *((column, rows[-1]) for column in columns[-2::-1]),
        *((0, row) for row in rows[-2:0:-1]),
    ]
    return tuple((xs[x], ys[y], xs[x + 1], ys[y + 1]) for x, y in ring)


def _cuts(start: int, end: int, edge: int, count: int) -> list[int]:
    """Where spaces begin and end along a side, those at the corners as wide as the edge."""
    step = (end - start - 2 * edge) / (count - 2)
    return [start, *(round(start + edge + step * at) for at in range(count - 1)), end]
