"""A computer player of Guatemala Café that takes what gains most, a step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bot.game.choices import OneOf
from bot.game.contract import END, Action, Decision
from bot.game.guatemala.data import CONTENT, HUT, KINDS, WORKER
from bot.game.guatemala.moving import cost_of
from bot.game.guatemala.production import POSITION_NAMES, position_after
from bot.game.guatemala.sacks import NO, YES
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Legal
from bot.policy.guatemala.buying import Basket, Shop
from bot.policy.guatemala.sacks import blocks, by_refill, sack_at, take, threat
from bot.policy.guatemala.worth import GuatemalaWorth


def greedy(view: GuatemalaView, decision: Decision, legal: Legal, rng: Random) -> Action:
    """The action that seems to gain most. Plays from the view alone."""
    if decision.kind == "place":
        positions = list(POSITION_NAMES)
        rng.shuffle(positions)
        return "place", by_start(view, positions)[0]
    worth = GuatemalaWorth(view, decision.seat)
    match decision.kind:
        case "step":
            return "move", by_step(worth, words(legal, ("move",)))[0]
        case "act":
            return act(worth, words(legal, ()))
        case "block":
            able = YES in words(legal, ("block",))
            return "block", YES if able and blocks(worth) else NO
        case "refill":
            return "refill", by_refill(worth, words(legal, ("refill",)))[0]
    raise ValueError(f"{decision.kind!r} is no decision of Guatemala Café")


def by_start(view: GuatemalaView, positions: Sequence[str]) -> list[str]:
    """The positions, first those from which the first seat finds least to begin with."""

    def offer(position: str) -> int:
        lying = [each for _, each in view.line(position)]
        huts = [each.colour for each in lying if each.kind == KINDS[HUT]]
        return sum(each.kind == KINDS[WORKER] and each.colour in huts for each in lying)

    def best(position: str) -> int:
        return max(offer(position_after(position, step)) for step in range(1, CONTENT.steps + 1))

    return sorted(positions, key=best)


def by_step(worth: GuatemalaWorth, steps: Sequence[str]) -> list[str]:
    """The steps, first that to the line that offers most, the sacks that the next seat can reach
    then considered."""
    shop = Shop(worth)

    def value(step: str) -> float:
        position = worth.view.reached(int(step))
        bought = shop.line(position, CONTENT.pieces).value
        sack = sack_at(worth.view, position)
        best = bought if sack is None else max(bought, take(worth, sack, bought))
        return best - worth.money(cost_of(int(step))) + threat(worth, position)

    return sorted(steps, key=value, reverse=True)


def act(worth: GuatemalaWorth, kinds: Sequence[str]) -> Action:
    """What to do before the buyer's line, of these kinds of action."""
    view = worth.view
    assert view.buyer is not None
    basket = Shop(worth).line(view.buyer, CONTENT.pieces - len(view.emptied))
    if "take" in kinds and takes(worth, view.buyer, basket):
        return ("take",)
    if "buy" in kinds and basket.pieces:
        return "buy", *basket.pieces[0]
    return (END,)


def takes(worth: GuatemalaWorth, position: str, basket: Basket) -> bool:
    """Whether the sack of a line seems better than the best purchases there."""
    sack = sack_at(worth.view, position)
    return sack is not None and take(worth, sack, basket.value) > basket.value


def words(legal: Legal, prefix: Action) -> tuple[str, ...]:
    """The words that may follow; the choice must be one of words."""
    choices = legal(prefix)
    assert isinstance(choices, OneOf)
    return choices.values
