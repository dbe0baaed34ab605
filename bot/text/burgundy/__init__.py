"""The words of The Castles of Burgundy."""
