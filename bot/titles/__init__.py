"""What can be played: one module per title, which names everything that belongs to it.

A title is a game with its words, pictures, computer players and standing orders, by one version of
its rules. Adding or removing one changes a line here, and its own folders.
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
"""The modules of this package that define titles, in the order in which titles are listed."""


def versions_of(name: str) -> tuple[Title, ...]:
    """Every version of a title, out of its module."""
    versions: tuple[Title, ...] = import_module(f"{__name__}.{name}").VERSIONS
    return versions


TITLES = Titles(title for name in NAMES for title in versions_of(name))
"""Versions of titles side by side: a table keeps the one it began with until its end."""
