"""The strong player's processes."""
