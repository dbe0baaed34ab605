"""The score track beside the players' panels, in rows of ten: markers climb, sacks come down."""

from __future__ import annotations

from collections import defaultdict

from bot.game.guatemala.view import GuatemalaView
from bot.render.guatemala import signs
from bot.render.guatemala.layout import COLOURS, LAYOUT
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.guatemala.pieces import Coffees
from bot.render.layout import Area
from bot.render.sides import emblem
from bot.render.sprites import Canvas, Pen, Sprite

_TEN = 10
_NUMBER = 27
"""Pixels of a space for its number; what stands on it is to its right."""
_LARGEST = 32


def paint_track(pen: Pen, last: int) -> None:
    """The spaces; every tenth is darker."""
    pen.rect(LAYOUT.track, COLOURS.track, COLOURS.ink, 2.5, 12)
    for number in range(last + 1):
        left, top, right, bottom = track_space(number, last)
        fill = COLOURS.track if number % _TEN else COLOURS.tens
        pen.rect((left + 1, top + 1, right - 1, bottom - 1), fill, COLOURS.furrow, 1.5, 6)


def letter_track(canvas: Canvas, last: int) -> None:
    """The numbers of the spaces."""
    for number in range(last + 1):
        left, top, _, bottom = track_space(number, last)
        fill = COLOURS.soft if number % _TEN else COLOURS.ink
        canvas.text(left + 5, (top + bottom) // 2, str(number), fill, 23)


def draw_track(
    canvas: Canvas, view: GuatemalaView, coffees: Coffees, marks: GuatemalaMarks
) -> None:
    """The sacks, and everyone's marker; one past the end stands on the last space."""
    left, top, right, bottom = track_space(0, view.last_space)
    room, high = right - left - 4, min(bottom - top - 2, _LARGEST)
    standing: dict[int, list[Sprite]] = defaultdict(list)
    for laid, colour in enumerate(view.track):
        sack = coffees.rimmed("sack", colour, min(high, room - _NUMBER))
        standing[view.last_space - laid].append(sack)
    scores = [min(owned.score, view.last_space) for owned in view.seats]
    for seat, number in enumerate(scores):
        size = high if scores.count(number) < 3 else high * 2 // 3
        standing[number].append(emblem(seat, min(size, room - _NUMBER)))
    changed = {*marks.laid, *(scores[seat] for seat, points in marks.points.items() if points)}
    for number, found in standing.items():
        left, top, right, bottom = track_space(number, view.last_space)
        # Alone it hides no number; several need all of the space, and overlap.
        first, end = left + 2 + _NUMBER * (len(found) == 1), right - 2
        for place, sprite in enumerate(found):
            share = place / (len(found) - 1) if place else (len(found) == 1) / 2
            middle = first + sprite.width / 2 + share * (end - first - sprite.width)
            canvas.stamp_centred(sprite, middle, (top + bottom) / 2)
        if number in changed:
            canvas.stamp(signs.changed(right - left, bottom - top), left, top)


def track_space(number: int, last: int) -> Area:
    """A space of the track that ends at `last`: rows of ten from below, each from left to right."""
    left, top, right, bottom = LAYOUT.track
    left, top, right, bottom = left + 4, top + 4, right - 4, bottom - 4
    row, column = divmod(number, _TEN)
    wide, high = (right - left) / _TEN, (bottom - top) / (last // _TEN + 1)
    return (
        round(left + column * wide),
        round(bottom - (row + 1) * high),
        round(left + (column + 1) * wide),
        round(bottom - row * high),
    )
