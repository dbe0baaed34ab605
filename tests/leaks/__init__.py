"""Looks for leaks: whether anything that a person is given depends on what they may not know."""
