"""What all layout files share: how they are read, and how places are given."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec.structs import asdict

from bot.resources import Traversable

Spot = tuple[int, int]
"""x, y in pixels from the top left corner."""

Area = tuple[int, int, int, int]
"""Left, top, right, bottom."""


Say = Callable[[str], str]
"""Maps a label's English text to the viewers' language."""


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table in a file; an unknown key is an error."""


class CommonLabels(Strict, frozen=True):
    """The words on a picture, in one language, that every game has."""

    you: str
    wins: str
    shared: str
    player: str
    over: str

    def of(self, word: str) -> str:
        """The words for what is asked, or for another name in the view."""
        return str(getattr(self, word))


T = TypeVar("T", bound=Strict)


def read(path: Traversable, kind: type[T]) -> T:
    """A layout file. Raises msgspec.ValidationError or tomllib.TOMLDecodeError if it is wrong."""
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)


def check_counts(path: Traversable, *counts: tuple[str, int, int]) -> None:
    """Raises ValueError unless each count is as expected: (name, found, expected)."""
    for name, found, due in counts:
        if found != due:
            raise ValueError(f"{path}: {found} {name} are described, there are {due}")


def said(labels: T, say: Say) -> T:
    """The labels of a layout file in the language of `say`."""
    return type(labels)(**{name: say(text) for name, text in asdict(labels).items()})
