"""Access to the content of the project.

In a checkout it is in the folder data/. An installed program has it in its package, as bot/data
(`force-include` in pyproject.toml).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path

__all__ = ["CHECKOUT", "Traversable", "as_file", "data", "package_file", "register"]

CHECKOUT = Path(__file__).parents[1]
"""The folder with bot/ and data/; meaningless in an installed program."""

_REGISTERED: dict[str, Traversable] = {}


def data(*names: str) -> Traversable:
    """Return a path in data/, such as ``data("kogge", "game.toml")``. It may not exist."""
    if names and names[0] in _REGISTERED:
        return _REGISTERED[names[0]].joinpath(*names[1:])
    return _content().joinpath(*names)


def register(name: str, folder: Traversable) -> None:
    """Register a folder for a game that is not part of the program."""
    _REGISTERED[name] = folder


def package_file(package: str, *names: str) -> Traversable:
    """Return a file or folder in a package such as ``bot.local``."""
    return files(package).joinpath(*names)


@cache
def _content() -> Traversable:
    packaged = files("bot").joinpath("data")
    return packaged if packaged.is_dir() else CHECKOUT / "data"
