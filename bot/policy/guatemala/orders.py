"""Standing orders about blocks. Whom they answer for depends on what everybody can see alone, so
that being answered at once tells nothing of a hand."""

from __future__ import annotations

from collections.abc import Callable

from bot.game.contract import Action, Decision
from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.sacks import NO, YES, crops
from bot.game.guatemala.state import Blocking, GuatemalaState, GuatemalaView
from bot.policy.contract import Legal
from bot.policy.orders import ON, Answer, Order

LEAST = ("1", "2", "3")
"""How many sacks of a colour one may want to hold for a block with it."""


def _about_block(says: Callable[[GuatemalaState, int, Decision, str], bool | None]) -> Answer:
    """An order that blocks or not, as it `says`; None asks the person."""

    def answer(view: GuatemalaView, decision: Decision, legal: Legal, value: str) -> Action | None:
        frame = view.known.frames[-1]
        if not isinstance(frame, Blocking):
            return None
        blocks = says(view.known, frame.colour, decision, value)
        return None if blocks is None else ("block", YES if blocks else NO)

    return answer


def _of_colour(key: str) -> Answer:
    """A block of one colour, with so many sacks of it in hand at least; without them no block."""

    def blocks(state: GuatemalaState, colour: int, decision: Decision, value: str) -> bool | None:
        if COLOUR_KEYS[colour] != key:
            return None
        return state.players[decision.seat].hand[colour] >= int(value)

    return _about_block(blocks)


def _scoreless(state: GuatemalaState, colour: int, decision: Decision, value: str) -> bool | None:
    """A block, where one can, when others would score and one's own plantation nothing; where
    nobody would, no sack is spent."""
    points = [each.points for each in crops(state, colour)]
    if points[decision.seat]:
        return None
    return any(points) and state.players[decision.seat].hand[colour] > 0


ORDERS = {
    **{f"block_{key}": Order(LEAST, _of_colour(key)) for key in COLOUR_KEYS},
    "block_scoreless": Order(ON, _about_block(_scoreless)),
    "never_block": Order(ON, _about_block(lambda state, colour, decision, value: False)),
}
"""By name, in the order in which they answer."""
