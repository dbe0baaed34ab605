"""The titles: one module for each, which lists everything that belongs to it.

A title is a game with its words, pictures, computer players and standing orders, in one version of
its rules. To add or remove one, change a line here and its own folders.
"""

from __future__ import annotations

from importlib import import_module

from bot.titles.title import Title, Titles

NAMES = (
    "kogge",
    "burgundy",
    "guatemala",
    "flandern",
)
"""The modules of this package that define titles, in the order of all lists of titles."""


def versions_of(name: str) -> tuple[Title, ...]:
    """Return every version of a title."""
    versions: tuple[Title, ...] = import_module(f"{__name__}.{name}").VERSIONS
    return versions


TITLES = Titles(title for name in NAMES for title in versions_of(name))
"""All versions of all titles. A table keeps the version that it started with."""
