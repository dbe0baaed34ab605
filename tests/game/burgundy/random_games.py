"""Random games of Burgundy for tests."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.burgundy import GAME
from bot.game.burgundy.data import DEPOT_WORDS, SPACE_NAMES, TILE_KEYS
from tests.game.random_games import RandomGames

OPTION_SETS: tuple[Mapping[str, str], ...] = (
    {},
    {"boards": "random", "sold_goods": "hidden"},
    {"boards": "choose", "ties": "emptiest"},
    {"boards": "choose", "sold_goods": "hidden", "ties": "emptiest"},
    {"boards": "7", "sold_goods": "hidden"},
)

SAMPLED = RandomGames(
    GAME,
    OPTION_SETS,
    words=("any", "0", "7", "9", *DEPOT_WORDS, *TILE_KEYS, *SPACE_NAMES, *GAME.moves),
    likelihood={"place": 8, "buy": 4, "decline": 0.3, "workers": 0.5},
    stride=12,
)
