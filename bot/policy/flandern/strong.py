"""How the strong player of Flandern 1302 thinks."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Action, Decision, joined
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS, SITE, TAKE
from bot.game.flandern.ending import score_of
from bot.game.flandern.state import FlandernState
from bot.game.flandern.view import FlandernView
from bot.policy.contract import Legal
from bot.policy.flandern.building import ways_in_city, ways_of_site
from bot.policy.flandern.cards import by_card
from bot.policy.flandern.greedy import playing_on
from bot.policy.flandern.menu import menu
from bot.policy.flandern.situation import seen, within
from bot.policy.flandern.weights import NORMAL
from bot.policy.flandern.worth import FlandernWorth, Prospect, judge
from bot.policy.search import Mind

MOST = 8
"""Actions that are thought about."""
ALIKE = 3
"""Of these, at most so many that play the same card."""
SPREAD = 8.0


def candidates(view: FlandernView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """What gains most at once, the normal player's answer first."""
    if decision.kind == "turn":
        return _turn(view, decision)
    return menu(view, decision, legal)[:MOST]


def _turn(view: FlandernView, decision: Decision) -> Sequence[Action]:
    """Of two players: to draw first; then how to play which card."""
    if not view.has_drawn:
        return [("draw",)]
    worth = FlandernWorth(seen(view, decision.seat), judge(NORMAL))
    best = by_card(worth)[0]
    found: list[Prospect] = []
    for card in worth.situation.hand:
        if card != TAKE:
            found += sorted(_ways(worth, card), reverse=True)[:ALIKE]
    found.sort(key=lambda each: (each.action[1] == CARDS[best], each.gain), reverse=True)
    actions = [each.action for each in found]
    actions.insert(0 if best == TAKE or not actions else 1, ("take",))
    return actions[:MOST]


def _ways(worth: FlandernWorth, card: int) -> list[Prospect]:
    """All that could be done with a card."""
    about = worth.situation
    there = (
        ways_of_site(worth, about.own)
        if card == SITE
        else ways_in_city(worth.city(card), about.own)
    )
    play = ("play", CARDS[card])
    ways = [Prospect(each.gain, joined(play, each.action)) for each in there]
    return ways or [Prospect(0.0, play)]


def value(state: FlandernState) -> Sequence[float]:
    """Points scored, and what cities promise."""
    worth = FlandernWorth(within(state, 0), judge(NORMAL))
    total = [float(score_of(state, seat)) for seat in range(len(state.players))]
    for number in worth.numbers:
        points = worth.city(number).points
        for seat, player in enumerate(state.players):
            for guild in player.guilds:
                total[seat] += points[guild]
    return total


def spread(state: FlandernState) -> float:
    """How far a point goes."""
    return SPREAD


MIND = Mind(
    game=GAME,
    module=__name__,
    candidates=candidates,
    quick=playing_on(NORMAL),
    rounds=1,
    value=value,
    spread=spread,
    nodes=500,
)
"""Everything a search needs of the game."""
