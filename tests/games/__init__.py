"""Small games for tests: Pebbles in two versions, Archipelago with large choices, and Unclaimed."""
