"""The whole actions of The Castles of Burgundy that a person is offered, the best first."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.burgundy.view import BurgundyView
from bot.game.contract import DECLINE, END, Action, Decision
from bot.policy.burgundy.rating import best_loads, castles, completed, rated, values
from bot.policy.burgundy.worth import BurgundyWorth
from bot.policy.contract import Legal

MOST = 25
"""Entries of a menu."""
_ALWAYS = (END, DECLINE, "workers")
"""Kinds that are offered however much else there is."""


def menu(view: BurgundyView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """What can be done with each die, as far as a press can say it.

    Of two dice for the same thing the cheaper one is offered, of goods that do not all fit the
    most, and of tiles to discard the one of least worth; all others can be chosen word by word.
    """
    match decision.kind:
        case "board":
            return [("board", board) for board in values(legal(("board",)))]
        case "castle":
            spaces = castles(view, decision.seat, values(legal(("castle",))))
            return [("castle", space) for space in spaces]
        case "load":
            loads = sorted(best_loads(view, legal), reverse=True)
            declining = [(DECLINE,)] if DECLINE in values(legal(())) else []
            return [action for _, action in loads] + declining
    worth = BurgundyWorth(view, decision.seat)
    once: dict[Action, Action] = {}
    for _, action in rated(worth, legal):
        once.setdefault(_aim(action), action)
    always = sum(action[0] in _ALWAYS for action in once.values())
    room = MOST - always
    found: list[Action] = []
    for action in once.values():
        if action[0] in _ALWAYS:
            found.append(action)
        elif room:
            room -= 1
            found.append(completed(worth, action, legal))
    return found


def _aim(action: Action) -> Action:
    """What an action is about, whatever die it is done with; the die itself where it is given
    away."""
    kind, *words = action
    return (kind, *words[1:]) if kind in ("place", "take", "sell") else action
