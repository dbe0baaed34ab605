"""Pictures of games: a view goes in, the bytes of a PNG come out, nothing else happens."""
