"""Small games of the tests: Pebbles, in two versions, and an archipelago with large choices."""
