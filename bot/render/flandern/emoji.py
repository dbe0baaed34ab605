"""The signs of Flandern's pieces for words."""

from __future__ import annotations

from functools import partial

from bot.game.flandern.data import EMBLEM_KEYS, PLAYER_GUILDS
from bot.render.flandern import pieces
from bot.render.signs import SIZE, Signs

SIGNS: Signs = {
    **{f"flandern_{key}": partial(pieces.sign, key, SIZE) for key in EMBLEM_KEYS[PLAYER_GUILDS:]},
    **{
        f"flandern_{name}": partial(pieces.icon, name, SIZE)
        for name in ("site", "cathedral", "leader", "take", "influence")
    },
    **{
        f"flandern_{city}": partial(pieces.icon, city, SIZE)
        for city in ("brugge", "gent", "ieper", "leuven", "utrecht", "luik")
    },
}
"""The emblems that are nobody's (those of players look as the sides do), pieces, cards, cities."""
