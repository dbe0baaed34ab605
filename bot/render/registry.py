"""The renderer of each game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.game.contract import Event
from bot.render import kogge

Renderer = Callable[[Any, Sequence[str], Sequence[Event]], bytes]
"""A game's view, the seats' names and the latest events, all for one observer -> a PNG."""

RENDERERS: dict[str, Renderer] = {"kogge": kogge.draw}
