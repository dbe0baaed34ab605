"""Guatemala Café: plantations, harvests and ships, for two to four players."""

from bot.game.guatemala.game import GAME

__all__ = ["GAME"]
