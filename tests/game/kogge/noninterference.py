"""What the rules of Kogge reveal by themselves."""

from __future__ import annotations

from bot.game.contract import SPECTATOR, Observer
from bot.game.kogge.rules.common import SLOT, here
from bot.game.kogge.state import Demand, Exchange, Push, Split
from tests.game.random_games import Step

TELLING = frozenset(
    {
        *("founded", "crowded", "no_bid", "lapsed"),
        *("conflict_won", "conflict_tied"),
        *("tax_paid", "tax_paid_secretly", "office_accepted_secretly"),
    }
)
"""What makes a secret public by the rules: sealed choices revealed at once, a seat without a
bid announced, an offer that its maker can no longer keep, and what comes to lie in the reserve or
in an office for all to see."""


def reveals(step: Step, observer: Observer) -> bool:
    """Whether by the rules the step itself shows the observer what he did not know."""
    state, frame, kind = step.state, step.state.frames[-1], step.action[0]
    if kind in ("sail", "push", "reroute") and step.action[1] in SLOT:
        ship = frame.pushed if isinstance(frame, Push) else step.seat
        route = here(state, ship).routes[SLOT[step.action[1]]]
        known = observer != SPECTATOR and route.known >> observer & 1
        # A marker that is taken up shows in an open hand.
        shown = kind != "reroute" or observer == step.seat or not state.rules.hidden
        if route.hidden and not known and shown:
            return True
    if kind == "peek":
        return observer == step.seat
    if isinstance(frame, Exchange):
        # The next seat looks at its city.
        return bool(state.order[frame.at + 1 : frame.at + 2] == [observer])
    if isinstance(frame, Demand) and observer == frame.winner:
        # What the loser has of it.
        return step.action[0] == "demand"
    # The two groups lay a cargo open to its robber.
    return isinstance(frame, Split) and step.action[0] == "split" and observer == frame.raider
