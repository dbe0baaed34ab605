"""What all layout files share: how they are read, and how places are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from bot.game.content import Strict
from bot.render.theme import Colour
from bot.resources import Traversable

Spot = tuple[int, int]
"""x, y in pixels from the top left corner."""

Area = tuple[int, int, int, int]
"""Left, top, right, bottom."""

Labels = Mapping[str, str]
"""The words on a picture, in one language."""

LABELS = ("you", "wins", "shared", "player", "over")
"""The labels that every game has."""

Say = Callable[[str], str]
"""Maps a label's English text to the viewers' language."""


class Look(Strict, frozen=True):
    """How a kind of piece looks: its colour, and that of what is written on it."""

    fill: Colour
    writing: Colour


class CommonColours(Strict, frozen=True):
    """Colours by what they are for, as far as all games have them."""

    ink: Colour
    soft: Colour
    paper: Colour
    shade: Colour
    bar: Colour
    dusk: Colour
    cream: Colour
    gold: Colour
    white: Colour
    wood: Colour
    skin: Colour
    fresh: Colour


class GameLayout(Strict, frozen=True):
    """What every game's layout file has, beside where things lie."""

    colours: dict[str, Colour]
    labels: dict[str, str]
    """The words on the pictures, in English, by what they are for."""


T = TypeVar("T", bound=Strict)
C = TypeVar("C", bound=CommonColours)


def check_counts(path: Traversable, *counts: tuple[str, int, int]) -> None:
    """Raises ValueError unless each count is as expected: (name, found, expected)."""
    for name, found, due in counts:
        if found != due:
            raise ValueError(f"{path}: {found} {name} are described, there are {due}")


def check_names(
    path: Traversable, layout: GameLayout, colours: type[CommonColours], labels: Iterable[str]
) -> None:
    """Raises ValueError where a colour is missing, or a label: of these, or one every game has."""
    for table, known, needed in (
        ("colours", layout.colours, colours.__struct_fields__),
        ("labels", layout.labels, (*LABELS, *labels)),
    ):
        missing = sorted(set(needed) - known.keys())
        if missing:
            raise ValueError(f"{path}: {table} has no {', '.join(missing)}")


def colours_of(layout: GameLayout, kind: type[C]) -> C:
    """The colours that code uses."""
    return kind(**{name: layout.colours[name] for name in kind.__struct_fields__})


def said(labels: Labels, say: Say) -> Labels:
    """The labels of a layout file in the language of `say`."""
    return {name: say(text) for name, text in labels.items()}
