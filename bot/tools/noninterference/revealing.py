"""What the rules of each game let come out: events that tell what was secret until then.

Nothing is exempt from comparison by it. Where these tell the same of two states or histories, all
the rest that an observer is given must be the same as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.game.contract import Event
from bot.game.kogge import events as kogge

REVEALING: Mapping[str, frozenset[str]] = {
    "kogge": frozenset(event.kind for event in kogge.REVEALING),
    "burgundy": frozenset({"castle_placed", "scored", "game_ended"}),
}
"""Sealed choices revealed at once, a seat without a bid, what lay face down and is turned or taken
up, a cargo laid open to its robber, and what comes to lie in the reserve or in an office."""

READ_OFF: Mapping[str, tuple[str, str]] = {"kogge": ("goods", "open")}
"""An option with which hands lie open, so that what is laid out of them face down shows in them."""


def revealed(game: str, events: Iterable[Event]) -> list[Event]:
    """Those of the events by which something comes out by the rules."""
    return [event for event in events if event.kind in REVEALING.get(game, ())]
