"""How the tests play each of the games at random, by name."""

from __future__ import annotations

from tests.game.burgundy.random_games import BURGUNDY
from tests.game.kogge.random_games import KOGGE
from tests.game.random_games import RandomGames

SAMPLED: dict[str, RandomGames] = {each.game.name: each for each in (KOGGE, BURGUNDY)}
