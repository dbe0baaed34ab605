"""How the strong player of Kogge thinks: to the end of the round."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Action, Decision
from bot.game.kogge import GAME
from bot.game.kogge.common import development_points
from bot.game.kogge.ending import outcome
from bot.game.kogge.state import KoggeOver, KoggeState
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.greedy import silent, talker
from bot.policy.kogge.menu import menu
from bot.policy.kogge.weights import NORMAL
from bot.policy.kogge.worth import worth_of
from bot.policy.search import Mind, by_view

MOST = 8
"""Actions that are thought about."""
DEVELOPED = (0.0, 35.0, 80.0, 140.0, 220.0, 400.0)
"""What so many development points are worth: each more than the one before, as five of them win."""
IN_OFFICE = 2.5
"""A good that waits in an office, which takes a voyage to fetch."""
SPREAD = 30.0


def candidates(view: KoggeView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """The best of what people are offered."""
    return menu(view, decision, legal)[:MOST]


def value(state: KoggeState) -> Sequence[float]:
    """What development points and holdings are worth, as the normal player judges them."""
    if isinstance(state.frames[-1], KoggeOver):
        found = outcome(state)
        assert found is not None
        return [float(score) for score in found.scores]
    total = []
    for seat, player in enumerate(state.players):
        points = min(development_points(state, seat), len(DEVELOPED) - 1)
        worth = worth_of(GAME.view(state, seat), seat)
        total.append(DEVELOPED[points] + worth.of(player.goods, player.markers))
    for city in state.cities:
        for office in city.offices:
            total[office.seat] += IN_OFFICE * sum(office.goods)
    return total


def spread(state: KoggeState) -> float:
    """The same at all times: whoever develops fastest wins, whenever that is."""
    return SPREAD


MIND = Mind(
    game=GAME,
    module=__name__,
    candidates=candidates,
    quick=by_view(GAME, silent(NORMAL)),
    rounds=0,
    value=value,
    spread=spread,
    nodes=150,
    talk=talker(NORMAL),
    in_points=False,
)
"""Everything a search needs of the game."""
