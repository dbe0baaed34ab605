"""The posts of a table: turns, private messages, notifications, votes, the end of a game."""
