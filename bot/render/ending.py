"""The result of a game, in the bar of its picture: who wins, and everyone's place and points."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Outcome
from bot.game.sides import Looks
from bot.render.fonts import Face, fit, fit_name, width
from bot.render.layout import Say
from bot.render.sides import TONES, crown, stamp_emblems
from bot.render.sprites import Align, Canvas

_PAD = 18
_NAME = 160
_GAP = 30
"""Pixels between two seats."""


def draw_ending(
    canvas: Canvas,
    outcome: Outcome,
    names: Sequence[str],
    say: Say,
    bar: int,
    looks: Looks,
) -> None:
    """On the bar of this height, from the right each seat by its place, and left who wins. `looks`
    are those of each seat's sides.
    """
    wide, middle = canvas.size[0], bar // 2 - 1
    canvas.rect((0, 0, wide, bar - 3), TONES.gold)
    canvas.rect((0, bar - 3, wide, bar), TONES.ink)
    places = outcome.places
    size = round(bar * 0.56)
    end = wide - _PAD
    for seat in sorted(range(len(names)), key=lambda seat: (places[seat], seat), reverse=True):
        points = str(outcome.scores[seat])
        end = end - width(points, size)
        canvas.text(end, middle, points, TONES.ink, size)
        if looks[seat]:
            end -= len(looks[seat]) * (size + 4) + 6
            stamp_emblems(canvas, looks[seat], end, middle, size)
        else:
            name = fit_name(names, seat, 30, _NAME)
            end -= width(name, 30) + 12
            canvas.text(end, middle, name, TONES.ink, 30)
        place = f"{places[seat]}."
        end -= width(place, 26) + 8
        canvas.text(end, middle, place, TONES.ink, 26)
        end -= _GAP
    canvas.stamp(crown(size), _PAD, middle - size // 2 - 2)
    start = _PAD + size + 14
    if len(outcome.winners) == 1:
        wins = say("wins")
        tail = f" {wins}"
        room = end - start - width(tail, size, Face.TITLE)
        title = fit(names[outcome.winners[0]], size, room, Face.TITLE) + tail
    else:
        title = fit(say("Shared victory"), size, end - start, Face.TITLE)
    canvas.text(start, middle, title, TONES.ink, size, Face.TITLE, Align.LEFT)
