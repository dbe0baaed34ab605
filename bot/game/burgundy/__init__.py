"""The Castles of Burgundy: dice, hex tiles and estates, for two to four players."""

from bot.game.burgundy.game import GAME

__all__ = ["GAME"]
