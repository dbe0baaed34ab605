"""Standing orders for what needs no thought. Whether they answer tells nothing: who holds which
cards can be worked out by all, and what cards can do lies open."""

from __future__ import annotations

from bot.game.choices import Done
from bot.game.contract import Action, Decision
from bot.game.flandern.view import FlandernView
from bot.policy.contract import Legal
from bot.policy.orders import ON, Order


def forced(view: FlandernView, decision: Decision, legal: Legal, value: str) -> Action | None:
    """The only action that there is, but for the golden card: whoever ended the last round can take
    that back until it is drawn."""
    if decision.kind == "look":
        return None
    action: Action = ()
    while not isinstance(choices := legal(action), Done):
        word = choices.only()
        if word is None:
            return None
        action = (*action, word)
    return action


def draw_first(view: FlandernView, decision: Decision, legal: Legal, value: str) -> Action | None:
    """Of two players, a card of the deck before one of the hand."""
    return ("draw",) if decision.kind == "turn" and not view.has_drawn else None


ORDERS = {"forced": Order(ON, forced), "draw_first": Order(ON, draw_first)}
"""By name, in the order in which they answer."""
