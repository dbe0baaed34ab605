"""The whole actions that a person is offered in Guatemala Café, as the greedy player rates them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import END, Action, Decision
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.production import POSITION_NAMES
from bot.game.guatemala.sacks import NO, YES
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Legal
from bot.policy.guatemala.buying import Shop
from bot.policy.guatemala.greedy import by_start, by_step, takes, words
from bot.policy.guatemala.sacks import blocks, by_refill
from bot.policy.guatemala.worth import GuatemalaWorth

POSITIONS = 12
"""Where the buyer may begin: so many of all the positions."""
PURCHASES = 20
PLACES = 3
"""Of each piece."""
END_BY = 3
"""How many purchases come before the end of the turn at the most, so that it is soon found."""


def menu(view: GuatemalaView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """Implements `bot.policy.contract.Menu`."""
    if decision.kind == "place":
        return [("place", position) for position in by_start(view, POSITION_NAMES)[:POSITIONS]]
    worth = GuatemalaWorth(view, decision.seat)
    match decision.kind:
        case "step":
            steps = by_step(worth, words(legal, ("move",)))
            return [*(("move", step) for step in steps), ("pass",)]
        case "act":
            return _act(worth, words(legal, ()))
        case "block":
            able = YES in words(legal, ("block",))
            answers = (YES, NO) if able and blocks(worth) else (NO, YES)
            return [("block", answer) for answer in answers[: 1 + able]]
        case "refill":
            colours = words(legal, ("refill",))
            return [("refill", colour) for colour in by_refill(worth, colours)]
    return ()


def _act(worth: GuatemalaWorth, kinds: tuple[str, ...]) -> list[Action]:
    """Pieces on the best of their places, the end of the turn before those that gain nothing, and
    the sack, either first or second."""
    view, shop, found = worth.view, Shop(worth), list[Action]()
    assert view.buyer is not None
    offers = shop.offers(view.buyer, PLACES) if "buy" in kinds else []
    found += [("buy", space, purchase.place) for purchase, space in offers[:PURCHASES]]
    gaining = sum(purchase.value > 0 for purchase, _ in offers)
    found.insert(min(gaining, END_BY), (END,))
    if "take" in kinds:
        basket = shop.line(view.buyer, CONTENT.pieces)
        found.insert(0 if takes(worth, view.buyer, basket) else 1, ("take",))
    return found
