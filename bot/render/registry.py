"""The renderer of each game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bot.game.contract import Event, Seat
from bot.game.versions import Versions
from bot.render import burgundy, kogge
from bot.render.layout import Say


class Renderer(Protocol):
    """A game's view, the seats' names and the latest events, all for one observer -> a PNG."""

    def __call__(
        self, view: Any, names: Sequence[str], events: Sequence[Event], say: Say = str, /
    ) -> bytes:
        """The picture, with its labels as `say` has them."""
        ...


class CloseUp(Protocol):
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


RENDERERS: Versions[Renderer] = Versions({"burgundy": burgundy.draw, "kogge": kogge.draw})
CLOSE_UPS: Versions[CloseUp] = Versions({"burgundy": burgundy.draw_seat})
"""Only games in which a seat has more than its panel can show."""
