"""What the bot posts by itself: turns, private messages, notifications, the end of a game."""
