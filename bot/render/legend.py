"""What pieces do and signs mean, in words: in lines under a picture, or by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.render.asked import LayeredCanvas
from bot.render.fonts import Face, wrapped
from bot.render.sides import TONES
from bot.render.sprites import Backdrop, Sprite

LEGEND = "legend"
"""The part of a table that says what signs mean, by this word in every game."""
_HIGH = 96
"""Pixels of an entry; a piece may have 84 of them."""
_COLUMNS = 2
_LINES = 3
_LINE = 30
_TEXT = 28
_EDGE = 14
_CANVAS = 780
"""Pixels that a legend by itself is wide."""
_HEAD = 64
_SIGNS = 224
"""For the signs of a line."""
_LARGE, _LEAD, _MOST = 30, 37, 5
"""Size of its writing, from line to line, and how many lines there may be of one sign."""


class LegendEntry(NamedTuple):
    """A piece, the sign of where it is, and what it does."""

    piece: Sprite
    sign: Sprite
    words: str


def over_legend(picture: Backdrop, entries: Sequence[LegendEntry]) -> LayeredCanvas:
    """The picture, and under it as many lines as the entries need."""
    rows = -(-len(entries) // _COLUMNS)
    high = picture.height + (rows * _HIGH + _EDGE if rows else 0)
    canvas = LayeredCanvas(picture.width, high)
    canvas.lay(picture, 0, 0)
    canvas.rect((0, picture.height, picture.width, high), TONES.paper)
    room = (picture.width - 20) // _COLUMNS
    for number, entry in enumerate(entries):
        row, column = divmod(number, _COLUMNS)
        x, level = _EDGE + column * room, picture.height + 8 + row * _HIGH + _HIGH // 2
        canvas.stamp_centred(entry.sign, x + 20, level)
        start = canvas.stamp_beside(entry.piece, x + 46, level) + 10
        lines = wrapped(entry.words, _TEXT, x + room - 8 - start, _LINES)
        for at, line in enumerate(lines):
            shift = round((at - (len(lines) - 1) / 2) * _LINE)
            canvas.text(start, level + shift, line, TONES.ink, _TEXT)
    return canvas


class LegendLine(NamedTuple):
    """Signs beside each other, and what they mean."""

    signs: Sequence[Sprite]
    words: str


Legend = Mapping[str, Callable[[], Sequence[Sprite]]]
"""What makes the signs of each line, by the key of its words, in the order of the lines."""


def draw_legend(title: str, signs: Legend, words: Mapping[str, str]) -> LayeredCanvas:
    """All signs, with what each means."""
    lines = [LegendLine(made(), words.get(key, "")) for key, made in signs.items()]
    return legend_sheet(title, lines)


def legend_sheet(title: str, lines: Sequence[LegendLine]) -> LayeredCanvas:
    """A picture by itself that says what signs mean, a line each under a title; its writing is
    large enough to be read on a phone."""
    told = [wrapped(line.words, _LARGE, _CANVAS - _SIGNS - _EDGE, _MOST) for line in lines]
    highs = [
        _EDGE + max(len(said) * _LEAD, *(sign.height for sign in line.signs))
        for line, said in zip(lines, told, strict=True)
    ]
    canvas = LayeredCanvas(_CANVAS, _HEAD + sum(highs) + _EDGE)
    canvas.rect((0, 0, *canvas.size), TONES.paper)
    canvas.rect((0, 0, _CANVAS, _HEAD), TONES.ink)
    canvas.text(_EDGE + 4, _HEAD // 2, title, TONES.cream, 38, Face.TITLE)
    top = _HEAD
    for line, said, high in zip(lines, told, highs, strict=True):
        middle = top + (high + _EDGE) // 2
        x = (_SIGNS - sum(sign.width for sign in line.signs)) // 2
        for sign in line.signs:
            x = canvas.stamp_beside(sign, x, middle)
        for at, each in enumerate(said):
            level = middle + round((at - (len(said) - 1) / 2) * _LEAD)
            canvas.text(_SIGNS, level, each, TONES.ink, _LARGE)
        top += high
    return canvas
