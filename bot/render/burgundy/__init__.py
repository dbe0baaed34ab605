"""The pictures of Burgundy: the table and its close-ups."""
