"""Flandern 1302: guilds that share six cities of Flanders, for two to four players."""

from bot.game.flandern.game import GAME

__all__ = ["GAME"]
