"""Random games of Flandern 1302 for tests."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS, EMBLEM_KEYS, PLACE_OF_NAME
from tests.game.random_games import RandomGames

OPTION_SETS: tuple[Mapping[str, str], ...] = (
    {},
    {"guilds": "drawn"},
    {"first_player": "first_seat", "golden_cities": "2"},
    {"guilds": "drawn", "golden_cities": "2", "bonus": "any"},
)
TILES = (
    *EMBLEM_KEYS,
    *(f"{emblem}-leader" for emblem in EMBLEM_KEYS),
    *("church-a", "church-b", "church-c", "church-d-r1", "church-d-r2", "church-d-r3"),
)

SAMPLED = RandomGames(
    GAME,
    OPTION_SETS,
    words=("0", "1", "3", "4", *CARDS, *TILES, *PLACE_OF_NAME, *GAME.moves),
    likelihood={"complete": 2},
    stride=8,
)
