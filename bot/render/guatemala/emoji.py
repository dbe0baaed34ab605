"""The signs of Guatemala Café's pieces for words."""

from __future__ import annotations

from functools import partial

from bot.game.guatemala.data import COLOUR_KEYS, KINDS
from bot.render.guatemala import pieces
from bot.render.signs import SIZE, Signs

SIGNS: Signs = {
    **{
        f"guatemala_{kind}_{colour}": partial(pieces.piece, kind, colour, SIZE)
        for kind in KINDS[:-1]
        for colour in COLOUR_KEYS
    },
    "guatemala_road": partial(pieces.piece, KINDS[-1], "", SIZE),
    **{
        f"guatemala_{name}": partial(pieces.icon, name, SIZE)
        for name in ("buyer", "coin", "hidden_sack")
    },
}
"""Each piece by its kind and the key of its coffee's colour, a road, and what has no colour."""
