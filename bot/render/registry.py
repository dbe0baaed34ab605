"""The renderer of each game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.game.contract import Event, Seat
from bot.render import burgundy, kogge

Renderer = Callable[[Any, Sequence[str], Sequence[Event]], bytes]
"""A game's view, the seats' names and the latest events, all for one observer -> a PNG."""

CloseUp = Callable[[Any, Sequence[str], Sequence[Event], Seat, Mapping[str, str]], bytes]
"""The same of one seat, large. The words say what a piece does, by its word in the notation; the
picture explains those it shows."""

RENDERERS: dict[str, Renderer] = {"burgundy": burgundy.draw, "kogge": kogge.draw}
CLOSE_UPS: dict[str, CloseUp] = {"burgundy": burgundy.draw_seat}
"""Only games in which a seat has more than its panel can show."""
