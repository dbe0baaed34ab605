"""The interface of a game's pictures for the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from bot.game.contract import Event
from bot.render.asked import AskedWords
from bot.render.layout import Say


class Renderer(Protocol):
    """A game's view, the seats' names and the latest events, all for one observer -> a PNG."""

    def __call__(
        self,
        view: Any,
        names: Sequence[str],
        events: Sequence[Event],
        asked: AskedWords | None = None,
        say: Say = str,
        /,
    ) -> bytes:
        """The picture, with its labels as `say` has them; what is `asked` of the observer is
        highlighted, so it is for their eyes only.
        """
        ...


class CloseUpRenderer(Protocol):
    """The same for one part of the table, enlarged. The words say what a piece does, by its word in
    the notation; the picture explains those it shows.
    """

    def __call__(
        self,
        view: Any,
        names: Sequence[str],
        events: Sequence[Event],
        part: str,
        words: Mapping[str, str],
        asked: AskedWords | None = None,
        say: Say = str,
        /,
    ) -> bytes:
        """The picture, with its labels as `say` has them."""
        ...


class CloseUps(NamedTuple):
    """The parts of a title's table that have close-ups: those of a view, and the drawing of one.

    Parts are named by words: a seat's by its number, others as the title chooses (``depots``).
    """

    parts: Callable[[Any], tuple[str, ...]]
    draw: CloseUpRenderer


PartAsked = Callable[[Any, AskedWords], str | None]
"""The part a question is about: '' for the whole table, None if about no place or piece."""


def nowhere(_view: object, _asked: AskedWords) -> None:
    """For a title whose pictures highlight nothing."""
