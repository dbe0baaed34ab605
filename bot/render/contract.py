"""What a game's pictures promise the rest of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bot.game.contract import Event, Seat
from bot.render.layout import Say


class Renderer(Protocol):
    """A game's view, the seats' names and the latest events, all for one observer -> a PNG."""

    def __call__(
        self, view: Any, names: Sequence[str], events: Sequence[Event], say: Say = str, /
    ) -> bytes:
        """The picture, with its labels as `say` has them."""
        ...


class CloseUpRenderer(Protocol):
    """The same of one seat, large. The words say what a piece does, by its word in the notation;
    the picture explains those it shows.
    """

    def __call__(
        self,
        view: Any,
        names: Sequence[str],
        events: Sequence[Event],
        seat: Seat,
        words: Mapping[str, str],
        say: Say = str,
        /,
    ) -> bytes:
        """The picture, with its labels as `say` has them."""
        ...
