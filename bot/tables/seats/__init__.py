"""How seats change hands in a game, and how the same people play another."""
