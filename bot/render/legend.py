"""Legends that explain pieces and signs: under a picture, or as a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.render.asked import LayeredCanvas
from bot.render.fonts import Face, wrapped
from bot.render.sides import TONES
from bot.render.sprites import Backdrop, Sprite

LEGEND = "legend"
"""The name of the part with the legend, in every game."""
_HIGH = 96
"""Pixels of an entry; a piece can use 84 of them."""
_COLUMNS = 2
_LINES = 3
_LINE = 30
_TEXT = 28
_EDGE = 14
_CANVAS = 780
"""Width of a legend picture in pixels."""
_HEAD = 64
_SIGNS = 224
"""Width for the signs of a line in pixels."""
_LARGE, _LEADING, _MAX_LINES = 30, 37, 5
"""Font size, line height and maximum lines of an entry in a legend picture."""


class LegendEntry(NamedTuple):
    """A piece, the sign of its place, and an explanation."""

    piece: Sprite
    sign: Sprite
    words: str


def over_legend(picture: Backdrop, entries: Sequence[LegendEntry]) -> LayeredCanvas:
    """Return the picture with the entries under it."""
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
    """One or more signs and their meaning."""

    signs: Sequence[Sprite]
    words: str


Legend = Mapping[str, Callable[[], Sequence[Sprite]]]
"""Functions that return the signs of each line, in order, by the key of its words."""


def draw_legend(title: str, signs: Legend, words: Mapping[str, str]) -> LayeredCanvas:
    """Draw all signs with their meanings."""
    lines = [LegendLine(make(), words.get(key, "")) for key, make in signs.items()]
    return legend_sheet(title, lines)


def legend_sheet(title: str, lines: Sequence[LegendLine]) -> LayeredCanvas:
    """Draw a legend as a picture, with a font size for phones."""
    texts = [wrapped(line.words, _LARGE, _CANVAS - _SIGNS - _EDGE, _MAX_LINES) for line in lines]
    highs = [
        _EDGE + max(len(text) * _LEADING, *(sign.height for sign in line.signs))
        for line, text in zip(lines, texts, strict=True)
    ]
    canvas = LayeredCanvas(_CANVAS, _HEAD + sum(highs) + _EDGE)
    canvas.rect((0, 0, *canvas.size), TONES.paper)
    canvas.rect((0, 0, _CANVAS, _HEAD), TONES.ink)
    canvas.text(_EDGE + 4, _HEAD // 2, title, TONES.cream, 38, Face.TITLE)
    top = _HEAD
    for line, text, high in zip(lines, texts, highs, strict=True):
        middle = top + (high + _EDGE) // 2
        x = (_SIGNS - sum(sign.width for sign in line.signs)) // 2
        for sign in line.signs:
            x = canvas.stamp_beside(sign, x, middle)
        for at, each in enumerate(text):
            level = middle + round((at - (len(text) - 1) / 2) * _LEADING)
            canvas.text(_SIGNS, level, each, TONES.ink, _LARGE)
        top += high
    return canvas
