"""The next player, if the turn order is public."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.game.contract import Decision, Seat

Upcoming = Callable[[Any, Decision], Seat | None]
"""Called with a spectator's view and a decision; returns the seat whose turn follows that of the
decision's seat, or None if that is open."""


def none_known(_view: Any, _decision: Decision) -> Seat | None:
    """Return None, for a game without a fixed turn order."""
    return None


def in_order(*kinds: str, around: bool = False) -> Upcoming:
    """Return a function that follows the state's `order`, or else the order of the seats.

    `kinds` are the kinds of decisions in a turn. After the last seat the next is unknown, unless
    the order goes `around`.
    """

    def upcoming(view: Any, decision: Decision) -> Seat | None:
        known = view.known
        order = known.order if hasattr(known, "order") else range(len(known.players))
        if decision.kind not in kinds or decision.seat not in order:
            return None
        place = order.index(decision.seat) + 1
        if place == len(order) and not around:
            return None
        return int(order[place % len(order)])

    return upcoming
