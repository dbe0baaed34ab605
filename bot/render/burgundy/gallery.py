"""The nine estates side by side, in place of the main board while they are being chosen."""

from __future__ import annotations

from bot.game.burgundy.boards import BOARDS
from bot.game.burgundy.view import View
from bot.render.burgundy.estate import estate, size
from bot.render.burgundy.layout import COLOURS, LAYOUT
from bot.render.seats import emblem
from bot.render.sprites import Align, Canvas

_RADIUS = 18
_COLUMNS = 5
_PAD = 8


def draw_gallery(canvas: Canvas, view: View) -> None:
    """Every estate with its number, and the emblems of those who have it."""
    left, top, right, bottom = LAYOUT.board
    canvas.rect((left, top, right, bottom - 2), COLOURS.paper)
    _, high = size(_RADIUS)
    for place, number in enumerate(BOARDS):
        row, column = divmod(place, _COLUMNS)
        x = left + 14 + column * ((right - left - 20) // _COLUMNS)
        y = top + _PAD + row * (high + _PAD)
        canvas.text(x + 18, y + 28, str(number), COLOURS.ink, 44, align=Align.CENTRE)
        canvas.image.paste(estate(number, _RADIUS), (x + 36, y))
        owners = [seat for seat, each in enumerate(view.seats) if each.board == number]
        for line, seat in enumerate(owners):
            canvas.stamp(emblem(seat, 42), x - 4, y + 62 + 46 * line)
