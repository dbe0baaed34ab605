"""By name of the game: how to play it at random."""

from __future__ import annotations

from importlib import import_module

from bot.titles import NAMES
from tests.game.random_games import RandomGames

SAMPLED: dict[str, RandomGames] = {
    name: import_module(f"tests.game.{name}.random_games").SAMPLED for name in NAMES
}
