"""The tablet at the end of a game: who wins, and everyone's points."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Outcome
from bot.game.sides import Looks
from bot.render.fonts import Face, fit, width
from bot.render.kept import kept
from bot.render.layout import Labels, Spot
from bot.render.sides import TONES, crown, stamp_emblems
from bot.render.sprites import Align, Canvas, Pen, Sprite, paint

_WIDTH = 420
_LINE = 54
_TITLE = 62


def draw_ending(
    canvas: Canvas,
    outcome: Outcome,
    names: Sequence[str],
    labels: Labels,
    middle: Spot,
    looks: Looks,
) -> None:
    """One line a seat around `middle`, the highest points first; winners wear a crown. `looks` are
    those of each seat's sides.
    """
    seats = sorted(
        range(len(outcome.scores)),
        key=lambda seat: (seat not in outcome.winners, -outcome.scores[seat], seat),
    )
    height = _TITLE + _LINE * len(seats) + 16
    x, y = middle
    left, top = x - _WIDTH // 2, y - height // 2
    canvas.stamp(_tablet(height), left, top)
    if len(outcome.winners) == 1:
        name = fit(names[outcome.winners[0]], 40, 250, Face.TITLE)
        title = f"{name} {labels['wins']}"
    else:
        title = labels["shared"]
    title = fit(title, 40, _WIDTH - 24, Face.TITLE)
    canvas.text(x, top + _TITLE // 2, title, TONES.ink, 40, Face.TITLE, Align.CENTRE)
    for line, seat in enumerate(seats):
        level = top + _TITLE + 8 + _LINE * line + _LINE // 2
        start = max(stamp_emblems(canvas, looks[seat], left + 16, level, 44), left + 60) + 12
        name = fit(names[seat], 36, left + _WIDTH - 128 - start)
        canvas.text(start, level, name, TONES.ink, 36)
        points = str(outcome.scores[seat])
        canvas.text(left + _WIDTH - 20, level, points, TONES.ink, 44, align=Align.RIGHT)
        if seat in outcome.winners:
            crowned = left + _WIDTH - max(122, width(points, 44) + 70)
            canvas.stamp(crown(40), crowned, level - 22)


@kept
def _tablet(high: int) -> Sprite:
    def draw(pen: Pen) -> None:
        pen.rect((0, 0, _WIDTH, high), TONES.gold, TONES.ink, 4, 18)
        pen.rect((4, _TITLE, _WIDTH - 4, high - 4), TONES.paper, None, 0, 14)
        pen.rect((4, _TITLE, _WIDTH - 4, _TITLE + 20), TONES.paper)
        pen.rect((0, _TITLE - 1, _WIDTH, _TITLE + 2), TONES.ink)

    return paint(_WIDTH, high, draw)
