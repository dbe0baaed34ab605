"""The banner over the open sea at the end: who wins, and everyone's points."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Outcome
from bot.render.fonts import Face, fit
from bot.render.kogge import pieces, signs
from bot.render.kogge.layout import COLOURS, LAYOUT, Labels
from bot.render.sprites import Align, Canvas

_WIDTH = 420
_LINE = 54
_TITLE = 62


def draw_ending(canvas: Canvas, outcome: Outcome, names: Sequence[str], labels: Labels) -> None:
    """One line a seat, the highest points first; winners are marked with a crown."""
    seats = sorted(
        range(len(outcome.scores)),
        key=lambda seat: (seat not in outcome.winners, -outcome.scores[seat], seat),
    )
    height = _TITLE + _LINE * len(seats) + 16
    x, y = LAYOUT.middle
    left, top = x - _WIDTH // 2, y - height // 2
    canvas.stamp(signs.banner(_WIDTH, height, _TITLE), left, top)
    if len(outcome.winners) == 1:
        name = fit(names[outcome.winners[0]], 40, 250, Face.TITLE)
        title = f"{name} {labels.wins}"
    else:
        title = labels.shared
    middle = top + _TITLE // 2
    title = fit(title, 40, _WIDTH - 24, Face.TITLE)
    canvas.text(x, middle, title, COLOURS.ink, 40, Face.TITLE, Align.CENTRE)
    for line, seat in enumerate(seats):
        middle = top + _TITLE + 8 + _LINE * line + _LINE // 2
        canvas.stamp(pieces.emblem(seat, 44), left + 16, middle - 22)
        name = fit(names[seat], 36, _WIDTH - 200)
        canvas.text(left + 72, middle, name, COLOURS.ink, 36)
        canvas.text(
            left + _WIDTH - 20,
            middle,
            str(outcome.scores[seat]),
            COLOURS.ink,
            44,
            align=Align.RIGHT,
        )
        if seat in outcome.winners:
            canvas.stamp(signs.crown(40), left + _WIDTH - 122, middle - 22)
