"""What the bot says by itself: posts, private messages, notifications, the end of a game."""
