"""How the strong player of Guatemala Café thinks: to the end of the next round."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bot.game.contract import Action, Decision, joined
from bot.game.guatemala import GAME
from bot.game.guatemala.buyer import step_cost
from bot.game.guatemala.data import CONTENT, POSITIONS
from bot.game.guatemala.state import GuatemalaState
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Judgement, Legal, Rated
from bot.policy.guatemala.buying import Shop
from bot.policy.guatemala.greedy import by_step, player, purchase, quick
from bot.policy.guatemala.menu import menu
from bot.policy.guatemala.rating import holdings, value
from bot.policy.guatemala.sacks import sack_at, take
from bot.policy.guatemala.weights import HOLDINGS, WEIGHTS, GuatemalaWeights
from bot.policy.guatemala.worth import GuatemalaWorth, seen

MOST = 8
"""Actions that are thought about."""
CLOSE, OPEN = 4.0, {2: 7.0, 3: 5.0, 4: 1.0}
"""The points by which leads are told apart at the end, and those more at the beginning, by number
of players: so that chances are right in games of normal players."""


def candidates(view: GuatemalaView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """For a step, what could be done there as well; else what would be played on with, before the
    best of what people are offered."""
    state = seen(view)
    if decision.kind == "step":
        return _turns(GuatemalaWorth(state, decision.seat))
    offered = menu(view, decision, legal)[:MOST]
    if decision.kind == "place":
        return offered
    return [quick(state, decision, Random(0)), *offered]


def _turns(worth: GuatemalaWorth) -> list[Action]:
    """Each step, after which `quick` goes on; and where there is a sack, what that would not do
    there, to take it or to buy instead."""
    state, shop = worth.state, Shop(worth)
    steps = by_step(worth)
    found: list[Action] = [("move", step) for step in steps]
    for step in steps:
        position = (state.buyer + int(step)) % POSITIONS
        sack = sack_at(state, position)
        if sack is None:
            continue
        basket = shop.line(position, CONTENT.pieces)
        if take(worth, sack, basket.value) <= basket.value:
            found.append(joined(("move", step), ("take",)))
        elif not step_cost(int(step)):
            # What a step costs may be missing for what is bought then.
            found.append(joined(("move", step), purchase(basket)))
    return found


def spread(state: GuatemalaState) -> float:
    """Less and less can change."""
    track = state.rules.track
    first = max(sum(player.points) for player in state.players)
    return CLOSE + OPEN[len(state.players)] * (track + 1 - len(state.track) - first) / track


class GuatemalaJudgement(Judgement[GuatemalaState]):
    """By the functions of this package."""

    counted = HOLDINGS

    def rated(
        self, view: Any, decision: Decision, legal: Legal, weights: GuatemalaWeights
    ) -> Sequence[Rated]:
        """The menu, which is rated already."""
        return [(0.0, action) for action in menu(view, decision, legal)]

    def best(
        self, view: Any, decision: Decision, legal: Legal, rng: Random, weights: Any = None
    ) -> Action:
        """What seems to gain most."""
        return player(weights)(view, decision, legal, rng)

    def menu(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        """What people are offered."""
        return menu(view, decision, legal)

    def candidates(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        """What gains most at once."""
        return candidates(view, decision, legal)[: self.most]

    def quick(self, state: GuatemalaState, decision: Decision, rng: Random) -> Action:
        """The same on a state."""
        return quick(state, decision, rng)

    def value(self, state: GuatemalaState) -> Sequence[float]:
        """By what each has."""
        return value(state)

    def spread(self, state: GuatemalaState) -> float:
        """By how near the end is."""
        return spread(state)

    def holdings(self, state: GuatemalaState) -> Sequence[Sequence[float]]:
        """By seat."""
        return holdings(state)


JUDGEMENT = GuatemalaJudgement(game=GAME, weights=WEIGHTS, nodes=1_000, most=30, doubt=0.1)
"""What the computer players go by."""
