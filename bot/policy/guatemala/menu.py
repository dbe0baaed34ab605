"""The whole actions that a person is offered in Guatemala Café, as the greedy player rates them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import END, Action, Decision, joined
from bot.game.guatemala import GAME
from bot.game.guatemala.data import POSITION_NAMES
from bot.game.guatemala.sacks import NO, YES
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Legal
from bot.policy.guatemala.buying import Purchase, Shop
from bot.policy.guatemala.greedy import (
    basket_of,
    by_start,
    by_step,
    can_block,
    can_take,
    in_hand,
    left_to_buy,
    purchase,
    takes,
)
from bot.policy.guatemala.sacks import blocks, by_refill
from bot.policy.guatemala.worth import GuatemalaWorth, seen

POSITIONS = 12
"""Where the buyer may begin: so many of all the positions."""
PURCHASES = 20
PLACES = 3
"""Of each piece."""
END_BY = 2
"""How many purchases come before the end of the turn at the most, so that it is soon found."""


def menu(view: GuatemalaView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """Implements `bot.policy.contract.Menu`."""
    state = seen(view)
    if decision.kind == "place":
        return [("place", position) for position in by_start(state, POSITION_NAMES)[:POSITIONS]]
    worth = GuatemalaWorth(state, decision.seat)
    match decision.kind:
        case "step":
            return [*(("move", step) for step in by_step(worth)), ("pass",)]
        case "act":
            return _act(worth)
        case "block":
            able = can_block(worth)
            answers = (YES, NO) if able and blocks(worth) else (NO, YES)
            return [("block", answer) for answer in answers[: 1 + able]]
        case "refill":
            return [("refill", colour) for colour in by_refill(worth, in_hand(worth))]
    return ()


def _act(worth: GuatemalaWorth) -> list[Action]:
    """All that the greedy player would buy in a row, and the end of the turn; then pieces on the
    best of their places, the end of the turn before those that gain nothing, and the sack, either
    first or second. The last piece that may be bought ends the turn."""
    state, shop = worth.state, Shop(worth)
    left = left_to_buy(worth)
    offers = _best_first(shop.offers(state.buyer, PLACES)) if left else []
    found: list[Action] = [("buy", space, each.place) for each, space in offers[:PURCHASES]]
    if left == 1:
        found = [joined(each, (END,)) for each in found]
    gaining = sum(each.value > 0 for each, _ in offers)
    found.insert(min(gaining, END_BY), (END,))
    if gaining:
        all_of_it = joined(*shopping(worth))
        found = [all_of_it, *(entry for entry in found if entry != all_of_it)]
    if can_take(worth):
        found.insert(0 if takes(worth, basket_of(shop)) else 1, ("take",))
    return found


def _best_first(offers: Sequence[tuple[Purchase, str]]) -> list[tuple[Purchase, str]]:
    """The best place of each piece before the second best of any, what gains nothing after all."""
    met = Counter[str]()
    ranked = []
    for offer in offers:
        value, space = offer[0].value, offer[1]
        ranked.append((value <= 0, met[space], offer))
        met[space] += 1
    return [offer for _, _, offer in sorted(ranked, key=lambda each: each[:2])]


def shopping(worth: GuatemalaWorth) -> Iterator[Action]:
    """What the greedy player would buy, one piece after the other, until it ends the turn."""
    state, seat = GAME.decode(GAME.encode(worth.state)), worth.seat
    while True:
        action = purchase(basket_of(Shop(GuatemalaWorth(state, seat, worth.by))))
        yield action
        if action == (END,):
            return
        GAME.apply(state, seat, action, RandomChance(Random(0)))
