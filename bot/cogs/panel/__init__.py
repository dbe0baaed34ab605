"""A player's turn: the private panel, the views of the table, and the move commands."""
