"""What happens because time passes: turn clocks, pauses, lobbies that nobody uses."""
