"""The signs of Burgundy's pieces for words."""

from __future__ import annotations

from functools import partial

from bot.game.burgundy.data import COLOUR_KEYS, SIDES, TILES
from bot.render.burgundy import pieces
from bot.render.burgundy.layout import LAYOUT
from bot.render.signs import SIZE, Signs

SIGNS: Signs = {
    **{
        f"burgundy_any_{key}": partial(pieces.symbol, colour, SIZE)
        for colour, key in enumerate(COLOUR_KEYS)
    },
    **{f"burgundy_{kind.key}": partial(pieces.tile, kind.key, SIZE // 2) for kind in TILES},
    **{
        f"burgundy_good_{number + 1}": partial(pieces.good, number, SIZE)
        for number in range(len(LAYOUT.goods))
    },
    **{
        f"burgundy_die_{value}": partial(pieces.die, value, False, SIZE)
        for value in range(1, SIDES + 1)
    },
    **{f"burgundy_{name}": partial(pieces.icon, name, SIZE) for name in ("worker", "silverling")},
}
"""The colours of tiles, each tile, goods and dice by their number, and what one pays with."""
