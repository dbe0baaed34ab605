"""Who is on turn after the one who is, where the order of play is known to all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.game.contract import Decision, Seat

Upcoming = Callable[[Any, Decision], Seat | None]
"""The seat whose turn follows that of whoever is asked a decision, by the view that all have; None
where that is still open."""


def nobody_known(_view: Any, _decision: Decision) -> Seat | None:
    """As in a game whose turns follow no order."""
    return None


def in_order(*kinds: str, around: bool = False) -> Upcoming:
    """By the state's `order`, else around the table, for the kinds of decision that turns consist
    of.

    Nobody is known to follow the last one, unless the order goes `around`.
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
