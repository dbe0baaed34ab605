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
from bot.render.sprites import Align, Canvas, Pen

_TEN = 10
_CORNERS = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (1, -1), (0, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
)
"""By how many markers stand on a space, where each does."""


def paint_track(pen: Pen, plan: PlantationPlan, last: int) -> None:
    """The spaces; every tenth is darker."""
    pen.rect(plan.area, COLOURS.track, None, 0, 14)
    for number, (left, top, right, bottom) in enumerate(track_spaces(plan, last)):
        fill = COLOURS.track if number % _TEN else COLOURS.tens
        pen.rect((left + 2, top + 2, right - 2, bottom - 2), fill, COLOURS.furrow, 1.5, 7)


def letter_track(canvas: Canvas, plan: PlantationPlan, last: int) -> None:
    """The numbers of the spaces."""
    for number, (left, top, right, bottom) in enumerate(track_spaces(plan, last)):
        size, fill = (24, COLOURS.soft) if number % _TEN else (30, COLOURS.ink)
        x, y = (left + right) // 2, (top + bottom) // 2
        canvas.text(x, y, str(number), fill, size, align=Align.CENTRE)


def draw_track(
    canvas: Canvas, view: GuatemalaView, plan: PlantationPlan, marks: GuatemalaMarks
) -> None:
    """The sacks, and everybody's marker; one past the end stands on the last space."""
    spaces = track_spaces(plan, view.last_space)
    for laid, colour in enumerate(view.track):
        number = view.last_space - laid
        x, y, size = _middle(spaces[number])
        canvas.stamp_centred(pieces.piece("sack", colour, size - 8), x, y)
        if number in marks.laid:
            canvas.stamp_centred(signs.frame(size - 6, size - 6), x, y)
    standing: dict[int, list[int]] = defaultdict(list)
    for seat, owned in enumerate(view.seats):
        standing[min(owned.score, view.last_space)].append(seat)
    for number, seats in standing.items():
        x, y, size = _middle(spaces[number])
        large = size - 8 if len(seats) == 1 else size * 6 // 11
        for seat, (across, down) in zip(seats, _CORNERS[len(seats) - 1], strict=True):
            at = (x + across * size * 0.23, y + down * size * 0.23)
            canvas.stamp_centred(emblem(seat, large), *at)
            if marks.points[seat]:
                canvas.stamp_centred(signs.frame(large - 2, large - 2), *at)


def _middle(area: Area) -> tuple[float, float, int]:
    """The middle of a space, and the smaller of its sides."""
    left, top, right, bottom = area
    return (left + right) / 2, (top + bottom) / 2, min(right - left, bottom - top)


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
