"""What needs the consent of others: proposals, and going back in a game."""
