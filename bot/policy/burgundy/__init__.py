"""Computer players of The Castles of Burgundy."""
