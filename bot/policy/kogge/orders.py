"""Standing orders of Kogge: the auction up to so many markers, and no conflicts."""

from __future__ import annotations

from msgspec.structs import replace

from bot.game.choices import Bundle
from bot.game.contract import Action, Decision
from bot.game.kogge.auction import rank
from bot.game.kogge.view import View
from bot.policy.contract import Legal

AUCTION = "bid"
CHALLENGE = "challenge"


def bid(view: View, decision: Decision, legal: Legal, value: str) -> Action | None:
    """In the auction the best bid of at most `value` markers, if there is one still to be made."""
    if decision.kind != AUCTION:
        return None
    domain = legal(("bid",))
    assert isinstance(domain, Bundle)
    words = replace(domain, most=min(domain.most, int(value))).each()
    best = max(words, key=rank, default=None)
    return None if best is None else ("bid", best)


def pass_conflicts(view: View, decision: Decision, legal: Legal, value: str) -> Action | None:
    """No conflict is begun."""
    return ("pass",) if decision.kind == CHALLENGE else None
