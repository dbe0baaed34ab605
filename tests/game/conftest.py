"""Hypothesis for the engine's tests: the same examples in every run, and no deadline."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("games", deadline=None, derandomize=True, database=None)
settings.load_profile("games")
