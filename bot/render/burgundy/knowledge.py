"""What the 26 knowledge tiles do, in signs: one row of small drawings a tile.

A sign before an arrow is what happens, the one behind it what it brings.
"""

from __future__ import annotations

from bot.game.burgundy.data import COLOUR_KEYS, knowledge
from bot.render.burgundy import icons
from bot.render.burgundy.icons import Icon
from bot.render.burgundy.layout import COLOURS, LOOKS
from bot.render.burgundy.stencil import Stencil

_INK = COLOURS.ink


def signs(at: Stencil, number: int) -> None:
    """The signs of a tile, in a box 100 units wide and 60 high around the middle."""
    row = _ROWS[number]
    for place, (icon, width) in enumerate(row):
        left = -sum(each for _, each in row) / 2 + sum(each for _, each in row[:place])
        icon(at.part(left + width / 2, 0, width * 0.94))


Cell = tuple[Icon, float]
"""A drawing and the width it takes."""


def _arrow(at: Stencil) -> None:
    at.polygon([(-40, -16), (0, -16), (0, -44), (46, 0), (0, 44), (0, 16), (-40, 16)], _INK, None)


def _words(text: str, size: float = 84) -> Icon:
    return lambda at: at.text(0, 0, text, _INK, size)


def _points(amount: int) -> Icon:
    return lambda at: icons.points(at, str(amount))


def _symbols(*colours: str) -> Icon:
    """The symbols of colours, one beside or above another."""
    if len(colours) == 1:
        spots: tuple[tuple[float, float, float], ...] = ((0, 0, 92),)
    elif len(colours) == 2:
        spots = ((-2, -27, 56), (2, 27, 58))
    else:
        spots = ((0, -28, 52), (-28, 26, 50), (28, 26, 50))

    def draw(at: Stencil) -> None:
        for colour, (x, y, size) in zip(colours, spots, strict=True):
            deep = LOOKS[COLOUR_KEYS.index(colour)].deep
            icons.SYMBOLS[colour](at.part(x, y, size), deep)

    return draw


def _twin(icon: Icon) -> Icon:
    """The drawing twice, one before the other."""

    def draw(at: Stencil) -> None:
        icon(at.part(-20, -14, 64))
        icon(at.part(20, 14, 64))

    return draw


def _goods(at: Stencil) -> None:
    for place, kind in enumerate((0, 1, 2)):
        icons.barrel(at.part(-30 + 30 * place, -16 if place == 1 else 14, 56), kind)


def _two_loads(at: Stencil) -> None:
    """Two depots side by side, loaded with goods."""
    icons.sealed_barrel(at.part(-24, 0, 52))
    icons.sealed_barrel(at.part(24, 0, 52))


def _any_depot(at: Stencil) -> None:
    """A die and the black depot."""
    icons.die(at.part(-14, -16, 62), 5)
    at.rect(-2, -4, 48, 46, COLOURS.night, COLOURS.ink, 10)


def _flock(at: Stencil) -> None:
    icons.cow(at.part(-14, -14, 66))
    icons.sheep(at.part(14, 18, 66))


def _taking(at: Stencil) -> None:
    """A tile out of a depot."""
    icons.die(at.part(18, 14, 66), 4)
    at.polygon(
        [(-50, -14), (-20, -46), (-20, -28), (10, -28), (10, -2), (-20, -2), (-20, 16)], _INK, None
    )


def _counted(number: int) -> tuple[Cell, ...]:
    """Points for each building of a kind."""
    tile = knowledge(number)
    return ((icons.BUILDINGS[tile.counts], 56), (_points(tile.amount), 42))


_ROWS: dict[int, tuple[Cell, ...]] = {
    1: ((_twin(icons.warehouse), 64),),
    2: ((icons.mine, 42), (_arrow, 18), (icons.worker, 40)),
    3: ((icons.sealed_barrel, 34), (_arrow, 18), (_twin(icons.silverling), 48)),
    4: ((icons.sealed_barrel, 36), (_arrow, 18), (icons.worker, 42)),
    5: ((icons.ship, 46), (_two_loads, 54)),
    6: ((icons.silverling, 34), (_arrow, 18), (_any_depot, 48)),
    7: ((icons.cow, 56), (_points(1), 42)),
    8: ((icons.worker, 44), (_words("±2"), 54)),
    9: ((_words("±1"), 52), (_symbols("building"), 46)),
    10: ((_words("±1"), 48), (_symbols("ship", "animal"), 52)),
    11: ((_words("±1"), 48), (_symbols("castle", "mine", "knowledge"), 52)),
    12: ((_words("±1"), 50), (_taking, 50)),
    13: ((icons.worker, 42), (_words("+", 210), 20), (icons.silverling, 38)),
    14: ((_words("4", 190), 26), (icons.worker, 48)),
    15: ((_goods, 60), (_points(3), 40)),
    **{number: _counted(number) for number in range(16, 24)},
    24: ((_flock, 60), (_points(4), 40)),
    25: ((icons.sealed_barrel, 44), (_points(1), 42)),
    26: ((icons.bonus, 44), (_points(2), 42)),
}
"""By number, the drawings of the row from left to right."""
