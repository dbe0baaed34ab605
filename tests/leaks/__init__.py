"""A search for leaks: outputs to a person that depend on what they may not know."""
