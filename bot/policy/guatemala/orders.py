"""Standing orders about blocks. Whom they answer for depends on what everybody can see alone, so
that being answered at once tells nothing of a hand."""

from __future__ import annotations

from bot.game.contract import Action, Decision
from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.sacks import NO, YES
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Legal
from bot.policy.orders import ON, Answer, Order

LEAST = ("1", "2", "3")
"""How many sacks of a colour one may want to hold for a block with it."""


def block_colour(key: str) -> Answer:
    """A block of one colour, with so many sacks of it in hand at least; without them no block."""

    def answer(view: GuatemalaView, decision: Decision, legal: Legal, value: str) -> Action | None:
        if view.taken is None or view.taken.colour != key:
            return None
        return _block(view, decision, int(value))

    return answer


def block_scoreless(
    view: GuatemalaView, decision: Decision, legal: Legal, value: str
) -> Action | None:
    """A block, where one can, when others would score and one's own plantation nothing; where
    nobody would, no sack is spent."""
    if view.taken is None or decision.kind != "block":
        return None
    points = [each.plantation(view.taken.colour).points for each in view.seats]
    if points[decision.seat]:
        return None
    return _block(view, decision, 1) if any(points) else ("block", NO)


def never_block(view: GuatemalaView, decision: Decision, legal: Legal, value: str) -> Action | None:
    """No block at all."""
    return ("block", NO) if decision.kind == "block" else None


def _block(view: GuatemalaView, decision: Decision, least: int) -> Action | None:
    """The answer of a seat that blocks with so many sacks of the colour."""
    if decision.kind != "block" or view.taken is None:
        return None
    held = view.seats[decision.seat].holds(view.taken.colour)
    return None if held is None else ("block", YES if held >= least else NO)


ORDERS = {
    **{f"block_{key}": Order(LEAST, block_colour(key)) for key in COLOUR_KEYS},
    "block_scoreless": Order(ON, block_scoreless),
    "never_block": Order(ON, never_block),
}
"""By name, in the order in which they answer."""
