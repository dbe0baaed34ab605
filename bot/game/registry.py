"""The games there are, by name."""

from __future__ import annotations

from bot.game.burgundy import GAME as BURGUNDY
from bot.game.contract import AnyGame
from bot.game.kogge import GAME as KOGGE

GAMES: dict[str, AnyGame] = {game.name: game for game in (KOGGE, BURGUNDY)}
