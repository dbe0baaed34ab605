"""What all layout files share: how they are read, and how places are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bot.game.content import Strict
from bot.render.theme import Colour
from bot.resources import Traversable

Spot = tuple[int, int]
"""x, y in pixels from the top left corner."""

Area = tuple[int, int, int, int]
"""Left, top, right, bottom."""

Labels = Mapping[str, str]
"""The words on a picture, in one language."""

Say = Callable[[str], str]
"""Puts a label, by its English text, into the viewers' language: `say("Round")`."""


def label(text: str) -> str:
    """A label in a table, marked for translation; `text` is a literal."""
    return text


class Look(Strict, frozen=True):
    """How a kind of piece looks: its colour, and that of what is written on it."""

    fill: Colour
    writing: Colour


class GameLayout(Strict, frozen=True):
    """What every game's layout file has, beside where things lie."""

    labels: dict[str, str]
    """The words on the pictures, in English, by what they are for."""


def check_counts(path: Traversable, *counts: tuple[str, int, int]) -> None:
    """Raises ValueError unless each count is as expected: (name, found, expected)."""
    for name, found, due in counts:
        if found != due:
            raise ValueError(f"{path}: {found} {name} are described, there are {due}")


def check_names(path: Traversable, layout: GameLayout, labels: Iterable[str]) -> None:
    """Raises ValueError where a label is missing."""
    if missing := sorted({*labels} - layout.labels.keys()):
        raise ValueError(f"{path}: labels has no {', '.join(missing)}")


def said(labels: Labels, say: Say) -> Labels:
    """The labels of a layout file in the language of `say`."""
    return {name: say(text) for name, text in labels.items()}
