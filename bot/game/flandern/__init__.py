"""Flandern 1302: guilds that share six cities of Flanders, for two to four players."""
