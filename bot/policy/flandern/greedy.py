"""A computer player of Flandern 1302 that takes what seems to gain most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from bot.game.choices import OneOf
from bot.game.contract import Action, Decision
from bot.game.flandern import GAME
from bot.game.flandern.city import NONE
from bot.game.flandern.data import CARDS, TAKE
from bot.game.flandern.plan import PLACE_OF_NAME
from bot.game.flandern.state import FlandernState
from bot.game.flandern.view import FlandernView
from bot.policy.contract import Legal, Policy
from bot.policy.flandern.building import best_in_city, best_site, ways_in_city, ways_of_site
from bot.policy.flandern.cards import by_card, influence
from bot.policy.flandern.situation import FlandernSituation, seen, within
from bot.policy.flandern.weights import NORMAL, FlandernWeights
from bot.policy.flandern.worth import FlandernWorth, Prospect, judge


def player(weights: FlandernWeights) -> Policy:
    """The one that judges by these weights. Plays from the view alone."""

    def policy(view: FlandernView, decision: Decision, legal: Legal, rng: Random) -> Action:
        return _answer(seen(view, decision.seat), decision, legal, rng, weights)

    return policy


def playing_on(weights: FlandernWeights) -> Callable[[FlandernState, Decision, Random], Action]:
    """The same for imagined games: it does what `player` would, which looks at its view alone, but
    needs none."""

    def quick(state: FlandernState, decision: Decision, rng: Random) -> Action:
        seat = decision.seat
        return _answer(within(state, seat), decision, GAME.walk(state, seat), rng, weights)

    return quick


def _answer(
    about: FlandernSituation,
    decision: Decision,
    legal: Legal,
    rng: Random,
    weights: FlandernWeights,
) -> Action:
    kind = decision.kind
    if kind in ("guild", "control"):
        return kind, rng.choice(words(legal, (kind,)))
    if kind == "look":
        return ("look",)
    if kind == "turn" and not about.drawn:
        return ("draw",)
    worth = FlandernWorth(about, judge(weights))
    match kind:
        case "choose":
            card = by_card(worth)[0]
            return "choose", CARDS[card], str(influence(worth, card))
        case "turn":
            card = by_card(worth)[0]
            return ("take",) if card == TAKE else ("play", CARDS[card])
        case "city":
            return best_in_city(worth.city(about.city), about.guild).action
        case "site":
            return best_site(worth, about.guild).action
        case "cathedral" | "leader":
            return kind, by_place(worth, kind, words(legal, (kind,)))[0]
    raise ValueError(f"{kind!r} is no decision of Flandern 1302")


greedy = player(NORMAL)
"""The normal player."""


def ways(worth: FlandernWorth) -> Iterator[Prospect]:
    """All that the card could do that is being carried out."""
    about = worth.situation
    if about.city != NONE:
        return ways_in_city(worth.city(about.city), about.guild)
    return ways_of_site(worth, about.guild)


def by_place(worth: FlandernWorth, kind: str, places: Sequence[str]) -> list[str]:
    """The places for a piece, a `kind` of action, first that where it gains most."""

    def gain(place: str) -> float:
        city = worth.city(PLACE_OF_NAME[place][0])
        return city.after((kind, place)).now - city.now

    return sorted(places, key=gain, reverse=True)


def words(legal: Legal, prefix: Action) -> tuple[str, ...]:
    """The words that may follow; the choice must be one of words."""
    choices = legal(prefix)
    assert isinstance(choices, OneOf)
    return choices.values
