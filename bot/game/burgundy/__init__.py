"""The Castles of Burgundy: dice, hex tiles and estates, for two to four players."""

from bot.game.burgundy.game import GAME, GAME_2

__all__ = ["GAME", "GAME_2"]
