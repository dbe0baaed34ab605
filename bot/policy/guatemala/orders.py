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


def _about_block(
    says: Callable[[GuatemalaState, int, Decision, str], bool | None], colour: int | None = None
) -> Answer:
    """An order about blocks, of one colour or of any: it blocks or not, as it `says`; None asks the
    person."""

    def answer(view: GuatemalaView, decision: Decision, legal: Legal, value: str) -> Action | None:
        frame = view.known.frames[-1]
        if not isinstance(frame, Blocking) or colour not in (None, frame.colour):
            return None
        blocks = says(view.known, frame.colour, decision, value)
        return None if blocks is None else ("block", YES if blocks else NO)

    return answer


def _holding(state: GuatemalaState, colour: int, decision: Decision, value: str) -> bool:
    """A block with so many sacks of the colour in hand at least; without them no block."""
    return state.players[decision.seat].hand[colour] >= int(value)


def _scoreless(state: GuatemalaState, colour: int, decision: Decision, value: str) -> bool | None:
    """A block, where one can, when others would score and one's own plantation nothing; where
    nobody would, no sack is spent."""
    points = [each.points for each in crops(state, colour)]
    if points[decision.seat]:
        return None
    return any(points) and _holding(state, colour, decision, "1")


ORDERS = {
    **{
        f"block_{key}": Order(LEAST, _about_block(_holding, colour))
        for colour, key in enumerate(COLOUR_KEYS)
    },
    "block_scoreless": Order(ON, _about_block(_scoreless)),
    "never_block": Order(ON, _about_block(lambda state, colour, decision, value: False)),
}
"""By name, in the order in which they answer."""
