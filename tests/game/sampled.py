"""How the tests play each of the games at random, by name."""

from __future__ import annotations

from importlib import import_module

from bot.titles import NAMES
from tests.game.random_games import RandomGames

SAMPLED: dict[str, RandomGames] = {
    name: import_module(f"tests.game.{name}.random_games").SAMPLED for name in NAMES
}
