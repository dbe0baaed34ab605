"""A computer player of Flandern 1302 that takes what seems to gain most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from bot.game.choices import OneOf
from bot.game.contract import Action, Decision
from bot.game.flandern.city import NONE
from bot.game.flandern.data import EMBLEM_OF_KEY
from bot.game.flandern.plan import CITY_OF_NAME, PLACE_OF_NAME
from bot.game.flandern.view import FlandernView
from bot.policy.contract import Legal
from bot.policy.flandern.building import Prospect, ways_in_city, ways_of_site
from bot.policy.flandern.cards import TAKE, by_card, influence
from bot.policy.flandern.worth import FlandernWorth


def greedy(view: FlandernView, decision: Decision, legal: Legal, rng: Random) -> Action:
    """The action that seems to gain most. Plays from the view alone."""
    if decision.kind in ("guild", "control"):
        return decision.kind, rng.choice(words(legal, (decision.kind,)))
    if decision.kind == "turn" and not view.has_drawn:
        return ("draw",)
    worth = FlandernWorth(view, decision.seat)
    match decision.kind:
        case "choose":
            card = by_card(worth)[0]
            return "choose", card, str(influence(worth, card))
        case "turn":
            card = by_card(worth)[0]
            return (card,) if card == TAKE else ("play", card)
        case "city" | "site":
            return _carried_out(worth)
        case "cathedral" | "leader":
            places = words(legal, (decision.kind,))
            return decision.kind, by_place(worth, decision.kind, places)[0]
    raise ValueError(f"{decision.kind!r} is no decision of Flandern 1302")


def _carried_out(worth: FlandernWorth) -> Action:
    return max(ways(worth)).action


def ways(worth: FlandernWorth) -> Iterator[Prospect]:
    """All that the card could do that is being carried out."""
    action = worth.view.action
    assert action is not None
    guild = EMBLEM_OF_KEY.get(action.guild, NONE)
    if action.city:
        return ways_in_city(worth.cities[CITY_OF_NAME[action.city]], guild)
    return ways_of_site(worth, guild)


def by_place(worth: FlandernWorth, kind: str, places: Sequence[str]) -> list[str]:
    """The places for a piece, a `kind` of action, first that where it gains most."""

    def gain(place: str) -> float:
        city = worth.cities[PLACE_OF_NAME[place][0]]
        return city.after((kind, place)).now - city.now

    return sorted(places, key=gain, reverse=True)


def words(legal: Legal, prefix: Action) -> tuple[str, ...]:
    """The words that may follow; the choice must be one of words."""
    choices = legal(prefix)
    assert isinstance(choices, OneOf)
    return choices.values
