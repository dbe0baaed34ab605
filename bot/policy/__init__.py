"""Computer players. They see views and legal choices, never a state."""
