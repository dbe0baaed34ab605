"""What counts after a game: results, ratings, statistics."""
