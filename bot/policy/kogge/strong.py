"""How the strong player of Kogge thinks: to the end of the round."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Action, Decision
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.glance import glance
from bot.policy.kogge.greedy import silent, talker
from bot.policy.kogge.menu import menu
from bot.policy.kogge.promise import promised
from bot.policy.kogge.weights import NORMAL
from bot.policy.search import Mind, by_view

MOST = 8
"""Actions that are thought about."""


def candidates(view: KoggeView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """The best of what people are offered."""
    return menu(view, decision, legal)[:MOST]


def spread(state: KoggeState) -> float:
    """What is promised tells by itself how likely each seat is to win."""
    return 1.0


MIND = Mind(
    game=GAME,
    module=__name__,
    candidates=candidates,
    quick=by_view(GAME, silent(NORMAL), glance),
    rounds=0,
    value=promised,
    spread=spread,
    nodes=400,
    talk=talker(NORMAL),
    in_points=False,
)
"""Everything a search needs of the game."""
