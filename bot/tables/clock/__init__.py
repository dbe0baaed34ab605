"""What happens as time passes: turn clocks, pauses, idle lobbies."""
