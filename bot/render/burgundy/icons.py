"""The drawings on Burgundy's tiles, from data/burgundy/drawings.toml, and a few with numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from bot.game.burgundy.data import COLOUR_KEYS, SIDES, knowledge
from bot.render.burgundy.layout import COLOURS, LAYOUT
from bot.render.drawing import Drawings, Icon, Stencil, Stroke
from bot.render.layout import Strict, read
from bot.render.sprites import Point
from bot.render.theme import Colour, mix
from bot.resources import data

_MOST_POINTS = 4
_SEAL = [
    (radius * math.cos(math.pi * step / 12), radius * math.sin(math.pi * step / 12))
    for step, radius in enumerate((48, 41) * 12)
]
_STAVES: list[Point] = [(-32, -46), (32, -46), (42, -24), (45, 0), (42, 24), (32, 46), (-32, 46)]
_STAVES += [(-42, 24), (-45, 0), (-42, -24)]
_PIPS: tuple[tuple[Point, ...], ...] = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)


class File(Strict, frozen=True):
    """The whole data file: rows of signs by knowledge tile, and drawings."""

    signs: dict[str, tuple[tuple[str, float], ...]]
    drawings: dict[str, tuple[Stroke, ...]]


def signs(at: Stencil, number: int) -> None:
    """The signs of a knowledge tile, in a box 100 units wide and 60 high around the middle."""
    tile = knowledge(number)
    counted = ((tile.counts, 56), (f"points {tile.amount}", 42))
    row = _FILE.signs.get(f"k{number}", counted)
    left = -sum(width for _, width in row) / 2
    for name, width in row:
        ICONS[name](at.part(left + width / 2, 0, width * 0.94))
        left += width


def barrel(at: Stencil, kind: int) -> None:
    """A barrel of goods with its number, 0 the first kind."""
    look = LAYOUT.goods[kind]
    _barrel(at, look.fill, mix(look.fill, COLOURS.ink, 0.45))
    at.text(0, 0, str(kind + 1), look.writing, 70)


def _barrel(at: Stencil, fill: Colour, hoop: Colour) -> None:
    at.polygon(_STAVES, fill, None)
    at.polygon([(-38, -34), (38, -34), (41, -27), (-41, -27)], hoop, None)
    at.polygon([(-41, 27), (41, 27), (38, 34), (-38, 34)], hoop, None)
    at.polygon(_STAVES, None, COLOURS.ink)


def die(at: Stencil, value: int, face: Colour = COLOURS.white, pip: Colour = COLOURS.ink) -> None:
    """A die showing a value."""
    at.rect(-48, -48, 48, 48, face, COLOURS.ink, 18)
    for x, y in _PIPS[value - 1]:
        at.oval(25 * x, 25 * y, 10.5, 10.5, pip, None)


def points(at: Stencil, text: str) -> None:
    """Points: white on a red seal."""
    at.polygon(_SEAL, COLOURS.bar, COLOURS.cream)
    at.text(0, 0, text, COLOURS.white, (62, 54, 44)[len(text) - 1])


def bonus(at: Stencil, text: str = "") -> None:
    """A bonus tile: a golden shield."""
    shield = [(-38, -46), (38, -46), (38, 20), (0, 48), (-38, 20)]
    at.polygon(shield, COLOURS.gold, COLOURS.ink)
    at.text(0, -6, text, COLOURS.ink, 66)


def _colour(name: str) -> Colour:
    """A colour of the layout; that of the symbol on an empty space for a colour of tiles."""
    if name in LAYOUT.tiles:
        return LAYOUT.tiles[name].deep
    return str(getattr(COLOURS, name))


def _made(draw: Callable[[Stencil], None]) -> Icon:
    """A drawing that has colours of its own."""
    return lambda at, fill=None, /: draw(at)


_FILE = read(data("burgundy", "drawings.toml"), File)
ICONS = Drawings(
    _FILE.drawings,
    {
        # One whose goods do not matter or are not known.
        "barrel": _made(partial(_barrel, fill=COLOURS.straw, hoop=COLOURS.wood)),
        "bonus": _made(bonus),
        **{f"barrel {kind + 1}": _made(partial(barrel, kind=kind)) for kind in range(SIDES)},
        **{f"die {side}": _made(partial(die, value=side)) for side in range(1, SIDES + 1)},
        **{
            f"points {count}": _made(partial(points, text=str(count)))
            for count in range(1, _MOST_POINTS + 1)
        },
    },
    _colour,
)
SYMBOLS = {colour: ICONS[f"symbol_{colour}"] for colour in COLOUR_KEYS}
"""What tells the colours apart besides the colour."""
