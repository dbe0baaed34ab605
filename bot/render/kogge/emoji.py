"""The signs of Kogge's pieces for words."""

from __future__ import annotations

from functools import partial

from bot.game.kogge.data import CHIT_KEYS, CITY_GOOD, GOOD_KEYS
from bot.render.kogge import pieces
from bot.render.signs import SIZE, Signs

SIGNS: Signs = {
    **{f"kogge_{key}": partial(pieces.good, "", kind, SIZE) for kind, key in enumerate(GOOD_KEYS)},
    **{
        f"kogge_marker_{city}": partial(pieces.marker, city, SIZE) for city in range(len(CITY_GOOD))
    },
    **{f"kogge_chit_{key}": partial(pieces.chit, key, SIZE) for key in CHIT_KEYS},
    "kogge_marker_back": partial(pieces.marker_back, None, SIZE),
    "kogge_guild_master": pieces.guild_master,
}
"""Goods, route markers by their number, bonus chits, a marker face down, the guild master."""
