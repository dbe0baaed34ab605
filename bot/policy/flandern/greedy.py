"""A computer player of Flandern 1302 that takes what seems to gain most."""

from __future__ import annotations

from random import Random

from bot.game.choices import OneOf
from bot.game.contract import Action, Decision
from bot.game.flandern.city import NONE
from bot.game.flandern.data import EMBLEM_OF_KEY
from bot.game.flandern.plan import CITY_OF_NAME, PLACE_OF_NAME
from bot.game.flandern.view import FlandernView
from bot.policy.contract import Legal
from bot.policy.flandern.building import best_in_city, best_site
from bot.policy.flandern.cards import TAKE, best_card, influence
from bot.policy.flandern.worth import FlandernWorth


def greedy(view: FlandernView, decision: Decision, legal: Legal, rng: Random) -> Action:
    """The action that seems to gain most. Plays from the view alone."""
    if decision.kind in ("guild", "control"):
        return decision.kind, rng.choice(_words(legal, (decision.kind,)))
    if decision.kind == "turn" and not view.has_drawn:
        return ("draw",)
    worth = FlandernWorth(view, decision.seat)
    match decision.kind:
        case "choose":
            card = best_card(worth)
            return "choose", card, str(influence(worth, card))
        case "turn":
            card = best_card(worth)
            return (card,) if card == TAKE else ("play", card)
        case "city" | "site":
            return _carried_out(worth)
        case "cathedral" | "leader":
            return _put(worth, legal, decision.kind)
    raise ValueError(f"{decision.kind!r} is no decision of Flandern 1302")


def _carried_out(worth: FlandernWorth) -> Action:
    action = worth.view.action
    assert action is not None
    guild = EMBLEM_OF_KEY.get(action.guild, NONE)
    if action.city:
        return best_in_city(worth.cities[CITY_OF_NAME[action.city]], guild).action
    return best_site(worth, guild).action


def _put(worth: FlandernWorth, legal: Legal, kind: str) -> Action:
    """A piece where it gains most."""

    def gain(place: str) -> float:
        city = worth.cities[PLACE_OF_NAME[place][0]]
        return city.after((kind, place)).now - city.now

    return kind, max(_words(legal, (kind,)), key=gain)


def _words(legal: Legal, prefix: Action) -> tuple[str, ...]:
    choices = legal(prefix)
    assert isinstance(choices, OneOf)
    return choices.values
