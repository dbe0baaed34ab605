"""How the strong player of Flandern 1302 thinks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from bot.game.contract import Action, Decision, joined
from bot.game.flandern import GAME
from bot.game.flandern.city import NONE
from bot.game.flandern.data import CARD_OF_KEY, CARDS, SITE, TAKE
from bot.game.flandern.scoring import score_of
from bot.game.flandern.state import CardChoice, FlandernOver, FlandernState, open_cities
from bot.game.flandern.view import FlandernView
from bot.policy.contract import Judgement, Legal, Rated
from bot.policy.flandern import greedy
from bot.policy.flandern.building import ways_in_city, ways_of_site
from bot.policy.flandern.cards import by_card, influence
from bot.policy.flandern.greedy import playing_on, ways
from bot.policy.flandern.menu import menu, varied
from bot.policy.flandern.situation import seen, within
from bot.policy.flandern.weights import NORMAL, WEIGHTS, FlandernWeights
from bot.policy.flandern.worth import FlandernWorth, Prospect, judge

MOST = 12
"""Actions that are thought about."""
ALIKE = 3
"""Of these, at most so many that play the same card."""
LAID = 3
"""Cards that are thought about with and without influence."""
INFLUENCE = 0.45
"""What an influence card in hand is worth, by how games of the normal player have ended."""
SURE, A_PLOT = 2.0, 0.33
"""The points by which leads are told apart: at the end, and for each free plot."""


def candidates(view: FlandernView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """What gains most at once, the normal player's answer first."""
    if decision.kind == "turn":
        return _turn(view, decision)
    if decision.kind == "choose":
        return _choose(view, decision)
    if decision.kind in ("city", "site"):
        there = ways(FlandernWorth(seen(view, decision.seat), judge(NORMAL)))
        return varied([each.action for each in _unlike(there)])[:MOST]
    return menu(view, decision, legal)[:MOST]


def _choose(view: FlandernView, decision: Decision) -> Sequence[Action]:
    """The best cards, each with as many influence cards as it deserves; the very best with one more
    or one less as well."""
    worth = FlandernWorth(seen(view, decision.seat), judge(NORMAL))
    about, found = worth.situation, list[Action]()
    for place, card in enumerate(card for card in by_card(worth) if card in about.hand):
        laid = influence(worth, card)
        found.append(("choose", CARDS[card], str(laid)))
        if place < LAID and card != TAKE and about.influence:
            found.append(("choose", CARDS[card], str(1 - laid)))
    return found[:MOST]


def _turn(view: FlandernView, decision: Decision) -> Sequence[Action]:
    """Of two players: to draw first, as the card of one's own can be chosen better then; and how to
    play which card."""
    if not view.has_drawn:
        return [("draw",)]
    worth = FlandernWorth(seen(view, decision.seat), judge(NORMAL))
    best = by_card(worth)[0]
    found: list[Prospect] = []
    for card in worth.situation.hand:
        if card != TAKE:
            found += _unlike(_ways(worth, card))[:ALIKE]
    found.sort(key=lambda each: (each.action[1] == CARDS[best], each.gain), reverse=True)
    actions = [each.action for each in found]
    actions.insert(0 if best == TAKE or not actions else 1, ("take",))
    return actions[:MOST]


def _unlike(found: Iterable[Prospect]) -> list[Prospect]:
    """The best first, without what gains as much as one before: most often it is the same quarter
    on a plot that is like the other."""
    return [*{round(each.gain, 6): each for each in sorted(found)}.values()][::-1]


def _ways(worth: FlandernWorth, card: int) -> list[Prospect]:
    """All that could be done with a card."""
    about = worth.situation
    there = (
        ways_of_site(worth, about.own)
        if card == SITE
        else ways_in_city(worth.city(card), about.own)
    )
    play = ("play", CARDS[card])
    found = [Prospect(each.gain, joined(play, each.action)) for each in there]
    return found or [Prospect(0.0, play)]


def value(state: FlandernState) -> Sequence[float]:
    """Points scored, and what cities and influence cards promise."""
    total = [float(score_of(state, seat)) for seat in range(len(state.players))]
    if isinstance(state.frames[-1], FlandernOver):
        return total
    worth = FlandernWorth(within(state, 0), judge(NORMAL))
    promised = [worth.city(number).points for number in worth.numbers]
    for seat, player in enumerate(state.players):
        total[seat] += INFLUENCE * player.influence
        for points in promised:
            total[seat] += sum(points[guild] for guild in player.guilds)
    return total


def spread(state: FlandernState) -> float:
    """What is promised of free plots comes out otherwise."""
    return SURE + A_PLOT * sum(city.free.bit_count() for city in open_cities(state))


QUICK = playing_on(NORMAL)


def imagine(view: FlandernView, rng: Random) -> FlandernState:
    """What others have laid out face down is what they would lay out."""
    state = GAME.imagine(view, rng)
    if isinstance(state.frames[-1], CardChoice):
        for seat, player in enumerate(state.players):
            if player.card != NONE and view.seats[seat].card is None:
                _, card, laid = QUICK(state, Decision("", seat, "choose"), rng)
                player.card, player.laid = CARD_OF_KEY[card], int(laid)
    return state


class FlandernJudgement(Judgement[FlandernState]):
    """By the functions of this package."""

    def rated(
        self, view: Any, decision: Decision, legal: Legal, weights: FlandernWeights
    ) -> Sequence[Rated]:
        """The menu, which is rated already."""
        return [(0.0, action) for action in menu(view, decision, legal)]

    def best(
        self, view: Any, decision: Decision, legal: Legal, rng: Random, weights: Any = None
    ) -> Action:
        """What seems to gain most."""
        return greedy.player(weights or NORMAL)(view, decision, legal, rng)

    def menu(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        """What people are offered."""
        return menu(view, decision, legal)

    def candidates(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        """What gains most at once."""
        return candidates(view, decision, legal)[: self.most]

    def quick(self, state: FlandernState, decision: Decision, rng: Random) -> Action:
        """The same on a state."""
        return QUICK(state, decision, rng)

    def value(self, state: FlandernState) -> Sequence[float]:
        """Points scored and promised."""
        return value(state)

    def spread(self, state: FlandernState) -> float:
        """By the plots that are free."""
        return spread(state)

    def imagine(self, view: Any, rng: Random) -> FlandernState:
        """With likely cards."""
        return imagine(view, rng)


JUDGEMENT = FlandernJudgement(game=GAME, weights=WEIGHTS, nodes=1_000, most=MOST)
"""What the computer players go by."""
