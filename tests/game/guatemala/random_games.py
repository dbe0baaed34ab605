"""Random games of Guatemala Café for tests."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.guatemala import GAME
from bot.game.guatemala.data import COLOUR_KEYS, POSITION_NAMES, SPACE_NAMES
from bot.game.guatemala.plantation import board_for
from tests.game.random_games import RandomGames

OPTION_SETS: tuple[Mapping[str, str], ...] = (
    {},
    {"setup": "random"},
    {"track": "99"},
    {"setup": "random", "track": "99"},
)
PLACES = tuple(
    word
    for board in map(board_for, (2, 3))
    for word in (*board.names, *board.port_of_name, *board.road_of_name)
)

SAMPLED = RandomGames(
    GAME,
    OPTION_SETS,
    words=("0", "1", "4", "5", *COLOUR_KEYS, *POSITION_NAMES, *SPACE_NAMES, *PLACES, *GAME.moves),
    likelihood={"pass": 0.04, "buy": 4, "take": 4},
    stride=12,
)
