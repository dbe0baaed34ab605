"""The whole actions that a person is offered in Guatemala Café, as the greedy player rates them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.game.contract import END, Action, Decision, joined
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.production import POSITION_NAMES
from bot.game.guatemala.sacks import NO, YES
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Legal
from bot.policy.guatemala.ahead import bought
from bot.policy.guatemala.buying import Purchase, Shop
from bot.policy.guatemala.greedy import act, by_start, by_step, takes, words
from bot.policy.guatemala.sacks import blocks, by_refill
from bot.policy.guatemala.worth import GuatemalaWorth

POSITIONS = 12
"""Where the buyer may begin: so many of all the positions."""
PURCHASES = 20
PLACES = 3
"""Of each piece."""
END_BY = 2
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
    """All that the greedy player would buy in a row, and the end of the turn; then pieces on the
    best of their places, the end of the turn before those that gain nothing, and the sack, either
    first or second. The last piece that may be bought ends the turn."""
    view, shop = worth.view, Shop(worth)
    assert view.buyer is not None
    offers = _best_first(shop.offers(view.buyer, PLACES)) if "buy" in kinds else []
    found: list[Action] = [("buy", space, each.place) for each, space in offers[:PURCHASES]]
    if len(view.emptied) == CONTENT.pieces - 1:
        found = [joined(purchase, (END,)) for purchase in found]
    gaining = sum(purchase.value > 0 for purchase, _ in offers)
    found.insert(min(gaining, END_BY), (END,))
    if gaining:
        all_of_it = joined(*_shopping(worth))
        found = [all_of_it, *(entry for entry in found if entry != all_of_it)]
    if "take" in kinds:
        basket = shop.line(view.buyer, CONTENT.pieces)
        found.insert(0 if takes(worth, view.buyer, basket) else 1, ("take",))
    return found


def _best_first(offers: Sequence[tuple[Purchase, str]]) -> list[tuple[Purchase, str]]:
    """The best place of each piece before the second best of any, what gains nothing after all."""
    seen = Counter[str]()
    ranked = []
    for purchase, space in offers:
        ranked.append((purchase.value <= 0, seen[space], (purchase, space)))
        seen[space] += 1
    return [offer for _, _, offer in sorted(ranked, key=lambda each: each[:2])]


def _shopping(worth: GuatemalaWorth) -> Iterator[Action]:
    """What the greedy player would buy, one piece after the other, until it ends the turn."""
    action, view = act(worth, ("buy",)), worth.view
    while action != (END,):
        yield action
        _, space, place = action
        view = bought(view, worth.seat, space, place)
        action = act(GuatemalaWorth(view, worth.seat), ("buy",))
    yield action
