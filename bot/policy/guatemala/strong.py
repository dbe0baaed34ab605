"""How the strong player of Guatemala Café thinks: to the end of the next round."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bot.game.contract import Action, Decision, joined
from bot.game.guatemala import GAME
from bot.game.guatemala.buyer import step_cost
from bot.game.guatemala.data import CONTENT, POSITIONS
from bot.game.guatemala.state import GuatemalaState
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Legal
from bot.policy.guatemala.buying import Shop
from bot.policy.guatemala.greedy import by_step, purchase, quick
from bot.policy.guatemala.menu import menu
from bot.policy.guatemala.rating import value
from bot.policy.guatemala.sacks import sack_at, take
from bot.policy.guatemala.worth import GuatemalaWorth, seen
from bot.policy.search import Mind

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


MIND = Mind(
    game=GAME,
    module=__name__,
    candidates=candidates,
    quick=quick,
    rounds=1,
    value=value,
    spread=spread,
    nodes=1_000,
    doubt=0.1,
)
"""Everything a search needs of the game."""
