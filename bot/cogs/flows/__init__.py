"""One dialogue each: seats, votes, undo, absence, promises, replay, rules, log, settings."""
