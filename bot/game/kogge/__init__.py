"""Kogge: trade, routes and raids on the medieval Baltic, for two to four players."""

from bot.game.kogge.game import GAME

__all__ = ["GAME"]
