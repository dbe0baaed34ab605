"""An estate without tiles: its spaces by colour, with number and symbol, and its regions' hedges.

Painted once for each board and size.
"""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from bot.game.burgundy.data import BOARDS, COLOUR_KEYS, SPACES, Board
from bot.render.burgundy.layout import COLOURS, LOOKS, PanelLayout
from bot.render.burgundy.pieces import SYMBOLS, corners, half_width
from bot.render.drawing import Stencil
from bot.render.fonts import Face
from bot.render.kept import kept
from bot.render.sprites import Backdrop, Pen, Point, paint
from bot.render.theme import mix

_HEDGE = 6
"""Pixels that the outer hedge may reach beyond the outermost spaces."""

_ROWS, _COLUMNS = 11, 14
"""Height of an estate in radii of its spaces, and its width in halves of their width."""


def middle(panel: PanelLayout, space: int) -> Point:
    """The middle of a space in a panel."""
    return _from_centre(panel.centre, panel.radius, space)


def corner(panel: PanelLayout) -> tuple[int, int]:
    """Where the upper left corner of the estate's picture lies in a panel."""
    x, y = panel.centre
    wide, high = size(panel.radius)
    return x - wide // 2, y - high // 2


@kept
def estate(number: int, radius: int, named: bool) -> Backdrop:
    """The estate of a board on paper, or bare hexes for board 0, which is not chosen yet; `named`
    with what each space is called.
    """
    wide, high = size(radius)
    board = BOARDS.get(number)

    def draw(pen: Pen) -> None:
        spots = [_from_centre((wide / 2, high / 2), radius, at) for at in range(len(SPACES))]
        hedge = max(3.0, radius / 11)
        for x, y in spots:
            pen.band(corners(x, y, radius), COLOURS.earth, hedge)
        for space, (x, y) in enumerate(spots):
            if board is None:
                pen.polygon(corners(x, y, radius), COLOURS.shade, COLOURS.soft, 1.5)
            else:
                colour, name = board.colours[space], SPACES[space].name if named else ""
                _space(pen, colour, SPACES[space].number, x, y, radius, name)
        for start, end in _borders(board, radius, spots) if board else ():
            pen.line([start, end], COLOURS.earth, hedge)

    drawn = paint(wide, high, draw)
    whole = Image.new("RGB", (wide, high), COLOURS.paper)
    whole.paste(drawn.image, (0, 0), drawn.mask)
    return Backdrop(whole)


def _space(pen: Pen, colour: int, number: int, x: float, y: float, radius: int, name: str) -> None:
    look = LOOKS[colour]
    pen.polygon(corners(x, y, radius), look.pale, mix(*look.edge), max(1.0, radius / 30))
    pen.text((x, y - radius * 0.3), str(number), look.deep, round(radius * 0.92), Face.TEXT)
    symbol, foot = SYMBOLS[COLOUR_KEYS[colour]], y + radius * 0.46
    if name:
        pen.text((x + radius * 0.36, foot), name, look.deep, round(radius * 0.54), Face.TEXT)
        x -= radius * 0.36
    symbol(Stencil(pen, x, foot, radius * 0.6), mix(*look.faint))


def _borders(board: Board, radius: int, spots: list[Point]) -> Iterator[tuple[Point, Point]]:
    """The edges between a space and what is not of its region."""
    regions = {(space.q, space.r): board.region_of[number] for number, space in enumerate(SPACES)}
    for space, (x, y) in zip(SPACES, spots, strict=True):
        path = corners(x, y, radius)
        for side, (dq, dr) in enumerate(_SIDES):
            if regions.get((space.q + dq, space.r + dr)) is not regions[space.q, space.r]:
                yield path[side], path[(side + 1) % 6]


def _from_centre(centre: tuple[float, float], radius: int, space: int) -> Point:
    at = SPACES[space]
    return (
        centre[0] + half_width(radius) * (2 * at.q + at.r),
        centre[1] + radius * 1.5 * at.r,
    )


def size(radius: int) -> tuple[int, int]:
    """Width and height of an estate's picture."""
    return (
        _COLUMNS * half_width(radius) + 2 * _HEDGE,
        _ROWS * radius + 2 * _HEDGE,
    )


_SIDES = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The neighbour beyond each side, as `corners` goes round."""
