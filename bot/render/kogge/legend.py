"""What the signs on the pictures mean, a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PIL import Image

from bot.game.kogge.data import GOOD_KEYS
from bot.render.asked import Sheet
from bot.render.fonts import wrapped
from bot.render.kogge import pieces, signs
from bot.render.kogge.layout import COLOURS
from bot.render.panels import place
from bot.render.sprites import Sprite

_WIDE = 1080
_HIGH = 96
_PIECE = 58
_TEXT = 34
_LINE = 40
_START = 230
"""Where the words begin."""
_LINES = 2


def draw_legend(words: Mapping[str, str]) -> Sheet:
    """The signs, each with its sentence out of `words`; of others nothing is drawn."""
    lines = {sign: row for sign, row in signs_explained().items() if sign in words}
    sheet = Sheet(Image.new("RGB", (_WIDE, _HIGH * len(lines) + 24), COLOURS.paper))
    for number, (sign, row) in enumerate(lines.items()):
        middle = 12 + _HIGH * number + _HIGH // 2
        x = (_START - sum(piece.width + 4 for piece in row)) // 2
        for piece in row:
            x = sheet.stamp_beside(piece, x, middle) + 4
        said = wrapped(words[sign], _TEXT, _WIDE - _START - 20, _LINES)
        for at, line in enumerate(said):
            shift = round((at - (len(said) - 1) / 2) * _LINE)
            sheet.text(_START, middle + shift, line, COLOURS.ink, _TEXT)
        if number:
            top = middle - _HIGH // 2
            sheet.rect((20, top - 1, _WIDE - 20, top + 1), COLOURS.shade)
    return sheet


def signs_explained() -> Mapping[str, Sequence[Sprite]]:
    """The signs by what they are for, in order, each with how it looks on the pictures."""
    return {
        "star": (signs.pip(True, _PIECE), signs.pip(False, _PIECE)),
        "points": (pieces.office(1, _PIECE), pieces.chit("three", _PIECE)),
        "goods": [pieces.good(kind, 46) for kind in range(len(GOOD_KEYS))],
        "office": (pieces.office(0, _PIECE), pieces.office(1, _PIECE)),
        "raid": (pieces.raid(0, _PIECE), pieces.raid(1, _PIECE)),
        "order": (place(1), pieces.marker(6, _PIECE), pieces.marker(6, _PIECE)),
        "guild": (pieces.guild_master(), signs.guild_badge()),
        "end": (pieces.end_marker(),),
        "marker": (pieces.marker(4, _PIECE), pieces.marker(7, _PIECE)),
        "hidden": (pieces.marker_back(None, _PIECE), pieces.marker_back(4, _PIECE)),
        "ways": (pieces.ship(0, _PIECE), signs.arrow(COLOURS.gold, 0), signs.price("\u22121")),
        "three": (pieces.chit("three", _PIECE),),
        "marker_chit": (pieces.chit("marker", _PIECE),),
        "spaces": (pieces.chit("spaces", _PIECE),),
        "secret": (pieces.chit("secret", _PIECE),),
    }
