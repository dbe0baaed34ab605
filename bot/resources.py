"""Where the content of the project lies: the one place that knows.

People edit it in the folder data/ of a checkout, beside the code. An installed program carries it
in its package, as bot/data (`force-include` in pyproject.toml). Both are read by
`importlib.resources`, in place.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path

__all__ = ["CHECKOUT", "Traversable", "as_file", "beside", "data", "keep"]

CHECKOUT = Path(__file__).parents[1]
"""The folder that holds bot/ and data/; where nothing is edited it means nothing."""


_ELSEWHERE: dict[str, Traversable] = {}


def data(*names: str) -> Traversable:
    """A file or folder of data/, which need not exist: ``data("kogge", "game.toml")``."""
    if names and names[0] in _ELSEWHERE:
        return _ELSEWHERE[names[0]].joinpath(*names[1:])
    return _content().joinpath(*names)


def keep(name: str, folder: Traversable) -> None:
    """Keep a folder of data/ elsewhere: that of a game which is not part of the program."""
    _ELSEWHERE[name] = folder


def beside(package: str, *names: str) -> Traversable:
    """A file or folder among the code of a package such as ``bot.local``."""
    return files(package).joinpath(*names)


@cache
def _content() -> Traversable:
    carried = files("bot").joinpath("data")
    return carried if carried.is_dir() else CHECKOUT / "data"
