"""Computer players. They get views and legal choices, never a state."""
