"""What pieces do, in words, in lines under a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from bot.render.asked import Sheet
from bot.render.fonts import wrapped
from bot.render.sides import TONES
from bot.render.sprites import Sprite

_HIGH = 96
"""Pixels of an entry; a piece may have 84 of them."""
_COLUMNS = 2
_LINES = 3
_LINE = 30
_TEXT = 28
_EDGE = 14


class LegendEntry(NamedTuple):
    """A piece, the sign of where it is, and what it does."""

    piece: Sprite
    sign: Sprite
    words: str


def over_legend(picture: Image.Image, entries: Sequence[LegendEntry]) -> Sheet:
    """A copy of the picture, and under it as many lines as the entries need."""
    rows = -(-len(entries) // _COLUMNS)
    high = picture.height + (rows * _HIGH + _EDGE if rows else 0)
    sheet = Sheet(Image.new("RGB", (picture.width, high), TONES.paper))
    sheet.image.paste(picture, (0, 0))
    room = (picture.width - 20) // _COLUMNS
    for number, entry in enumerate(entries):
        row, column = divmod(number, _COLUMNS)
        x, level = _EDGE + column * room, picture.height + 8 + row * _HIGH + _HIGH // 2
        sheet.stamp_centred(entry.sign, x + 20, level)
        start = sheet.stamp_beside(entry.piece, x + 46, level) + 10
        lines = wrapped(entry.words, _TEXT, x + room - 8 - start, _LINES)
        for at, line in enumerate(lines):
            shift = round((at - (len(lines) - 1) / 2) * _LINE)
            sheet.text(start, level + shift, line, TONES.ink, _TEXT)
    return sheet
