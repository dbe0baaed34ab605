"""A finished game in one picture for sharing: players, final board, chart and turning points."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from bot.game.contract import Outcome
from bot.render import chart, png
from bot.render.fonts import Face, fit_name, printable, width, wrapped
from bot.render.palettes import STANDARD
from bot.render.sides import TONES, stamp_emblems
from bot.render.sprites import Align, Canvas, Painting

WIDTH = 1200
_PAD = 40
_BAR, _PLAYER, _ROW, _GAP = 128, 116, 102, 28
"""Pixels of the bar, from one row of players to the next, of a row, and between two sections."""
_TITLE, _PLACE, _POINTS, _TEXT = 76, 50, 68, 44
"""Sizes of text: a phone shows the picture at a third of its size."""
_LINE, _NUMBER = 56, 64
"""Pixels of a line of text, and of the number of a turning point."""
_MAX_LINES = 4


class Moments(NamedTuple):
    """A finished game. Texts are plain and in the viewers' language.

    `note` stands at the right of the title. The course has printable names, and a number for each
    turning point. `moments` are the rounds of these, each with a sentence.
    """

    title: str
    note: str
    outcome: Outcome
    course: chart.Course
    moments: Sequence[tuple[str, str]]


def draw_moments(game: Moments, board: bytes, bar: int, palette: str = STANDARD) -> bytes:
    """Return the PNG in the colours of the named palette.

    `board` is the picture of the final board in these colours. Its top, `bar` pixels high, has only
    the result and is left out.
    """
    table = _opened(board)
    table = table.crop((0, bar, *table.size))
    table.thumbnail((WIDTH, table.height))
    points = _opened(chart.draw(game.course, palette))
    at_table = _BAR + -(-len(game.course.names) // 2) * _PLAYER + _GAP
    at_chart = at_table + table.height + _GAP
    at_moments = at_chart + points.height + _GAP
    most = at_moments + len(game.moments) * ((1 + _MAX_LINES) * _LINE + _GAP)
    canvas = Painting(Image.new("RGB", (WIDTH, most), TONES.paper))
    canvas.rect((0, 0, WIDTH, _BAR), TONES.ink)
    canvas.text(_PAD, _BAR // 2, game.title, TONES.gold, _TITLE, Face.TITLE)
    canvas.text(WIDTH - _PAD, _BAR // 2, game.note, TONES.cream, _PLACE, align=Align.RIGHT)
    _draw_players(canvas, game)
    end = _draw_moments(canvas, game, at_moments)
    whole = _opened(chart.COLOURS.of(png.encode(chart.PALETTE.reduce(canvas.image)), palette))
    for part, top in ((table, at_table), (points, at_chart)):
        whole.paste(part, ((WIDTH - part.width) // 2, top))
    return png.encode(whole.crop((0, 0, WIDTH, end)).quantize(dither=Image.Dither.NONE))


def _opened(picture: bytes) -> Image.Image:
    with Image.open(io.BytesIO(picture)) as opened:
        return opened.convert("RGB")


def _draw_players(canvas: Canvas, game: Moments) -> None:
    """Draw the players by place, in two columns."""
    outcome, names, looks = game.outcome, game.course.names, game.course.looks or ()
    ranked = sorted(range(len(names)), key=lambda seat: (outcome.places[seat], seat))
    for at, seat in enumerate(ranked):
        left, top = at % 2 * WIDTH // 2, _BAR + at // 2 * _PLAYER + _GAP
        right, middle = left + WIDTH // 2, top + _ROW // 2
        fill = TONES.gold if seat in outcome.winners else chart.SHADE
        canvas.rect((left, top, right - 4, top + _ROW), fill)
        x = canvas.text(left + 24, middle, f"{outcome.places[seat]}.", TONES.ink, _PLACE) + 16
        x = stamp_emblems(canvas, looks[seat], x, middle, _PLACE + 6) + 16
        points = str(outcome.scores[seat])
        end = right - 28 - width(points, _POINTS)
        canvas.text(end, middle, points, TONES.ink, _POINTS)
        canvas.text(x, middle, fit_name(names, seat, _TEXT, end - x - 20), TONES.ink, _TEXT)


def _draw_moments(canvas: Canvas, game: Moments, top: int) -> int:
    """Draw the turning points, and return the y where they end."""
    left, looks = 2 * _PAD + _NUMBER, game.course.looks or ()
    for turning, (name, content) in zip(game.course.turnings, game.moments, strict=True):
        middle = top + _LINE // 2
        look = (*looks[turning.seat], turning.seat)[0]
        canvas.stamp_beside(chart.numbered(turning.number, look, _NUMBER), _PAD, middle)
        canvas.text(left, middle, name, TONES.soft, _TEXT, Face.TITLE)
        text = printable(content, Face.TEXT)
        for line in wrapped(text, _TEXT, WIDTH - left - _PAD, _MAX_LINES):
            middle += _LINE
            canvas.text(left, middle, line, TONES.ink, _TEXT)
        top = middle + _LINE // 2 + _GAP
    return top
