"""A computer player of Guatemala Café that takes what gains most, a step at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bot.game.contract import END, Action, Decision
from bot.game.frames import frame_of
from bot.game.guatemala.buyer import STEPS, step_cost
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    CONTENT,
    FACED,
    HUT,
    POSITION_NAMES,
    POSITION_OF_NAME,
    POSITIONS,
    WORKER,
    colour_of,
    kind_of,
)
from bot.game.guatemala.sacks import NO, YES
from bot.game.guatemala.state import Blocking, Buying, GuatemalaState
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Legal, Policy
from bot.policy.guatemala.buying import Basket, Shop
from bot.policy.guatemala.sacks import blocks, by_refill, sack_at, take, threat
from bot.policy.guatemala.weights import GuatemalaWeights
from bot.policy.guatemala.worth import GuatemalaWorth, seen


def player(by: GuatemalaWeights | None = None) -> Policy:
    """The player that judges by these weights, or else by the usual ones for so many players; from
    its view alone."""
    quick = playing_on(by)

    def policy(view: GuatemalaView, decision: Decision, legal: Legal, rng: Random) -> Action:
        return quick(seen(view), decision, rng)

    return policy


def playing_on(
    by: GuatemalaWeights | None = None,
) -> Callable[[GuatemalaState, Decision, Random], Action]:
    """The same player on a state, of which it looks at nothing that its seat does not know."""

    def quick(state: GuatemalaState, decision: Decision, rng: Random) -> Action:
        if decision.kind == "place":
            positions = list(POSITION_NAMES)
            rng.shuffle(positions)
            return "place", by_start(state, positions)[0]
        worth = GuatemalaWorth(state, decision.seat, by)
        match decision.kind:
            case "step":
                return "move", by_step(worth)[0]
            case "act":
                return act(worth)
            case "block":
                return "block", YES if can_block(worth) and blocks(worth) else NO
            case "refill":
                return "refill", by_refill(worth, in_hand(worth))[0]
        raise ValueError(f"{decision.kind!r} is no decision of Guatemala Café")

    return quick


quick = playing_on()
greedy = player()
"""The action that seems to gain most. Plays from the view alone."""


def by_start(state: GuatemalaState, positions: Sequence[str]) -> list[str]:
    """The positions, first those from which the first seat finds least to begin with."""

    def offer(position: int) -> int:
        lying = [state.production[space] for space in FACED[position]]
        huts = [colour_of(each) for each in lying if kind_of(each) == HUT]
        return sum(kind_of(each) == WORKER and colour_of(each) in huts for each in lying)

    def best(position: str) -> int:
        start = POSITION_OF_NAME[position]
        return max(offer((start + step) % POSITIONS) for step in range(1, CONTENT.steps + 1))

    return sorted(positions, key=best)


def by_step(worth: GuatemalaWorth) -> list[str]:
    """The steps, first that to the line that offers most, the sacks that the next seat can reach
    then considered."""
    shop, state = Shop(worth), worth.state

    def value(step: str) -> float:
        position = (state.buyer + int(step)) % POSITIONS
        bought = shop.line(position, CONTENT.pieces).value
        sack = sack_at(state, position)
        best = bought if sack is None else max(bought, take(worth, sack, bought))
        return best - worth.money(step_cost(int(step))) + threat(worth, position)

    able = [step for step in STEPS if step_cost(int(step)) <= worth.me.money]
    return sorted(able, key=value, reverse=True)


def act(worth: GuatemalaWorth) -> Action:
    """What to do before the buyer's line."""
    basket = basket_of(Shop(worth))
    if can_take(worth) and takes(worth, basket):
        return ("take",)
    return purchase(basket)


def purchase(basket: Basket) -> Action:
    """The first thing to buy, or the end of the turn where there is none."""
    return ("buy", *basket.pieces[0]) if basket.pieces else (END,)


def basket_of(shop: Shop) -> Basket:
    """What to buy in this turn yet."""
    return shop.line(shop.worth.state.buyer, left_to_buy(shop.worth))


def left_to_buy(worth: GuatemalaWorth) -> int:
    """How many pieces may be bought in this turn yet."""
    return CONTENT.pieces - len(frame_of(worth.state, Buying).emptied)


def can_take(worth: GuatemalaWorth) -> bool:
    """Whether the rules allow to take a sack now."""
    frame = frame_of(worth.state, Buying)
    there = sack_at(worth.state, worth.state.buyer) is not None
    return there and not (frame.emptied or frame.blocked)


def takes(worth: GuatemalaWorth, basket: Basket) -> bool:
    """Whether the sack of the buyer's line seems better than the best purchases there."""
    sack = sack_at(worth.state, worth.state.buyer)
    return sack is not None and take(worth, sack, basket.value) > basket.value


def can_block(worth: GuatemalaWorth) -> bool:
    """Whether the seat has a sack to block with."""
    return worth.me.hand[frame_of(worth.state, Blocking).colour] > 0


def in_hand(worth: GuatemalaWorth) -> list[str]:
    """The colours that can be put in place of the sack."""
    return [key for key, n in zip(COLOUR_KEYS, worth.me.hand, strict=True) if n]
