"""A computer player of Guatemala Café that takes what gains most, a step at a time."""

from __future__ import annotations

from random import Random

from bot.game.choices import OneOf
from bot.game.contract import END, Action, Decision
from bot.game.guatemala.data import CONTENT, HUT, KINDS, WORKER
from bot.game.guatemala.moving import cost_of
from bot.game.guatemala.production import POSITION_NAMES, position_after
from bot.game.guatemala.sacks import NO, YES
from bot.game.guatemala.view import GuatemalaView
from bot.policy.contract import Legal
from bot.policy.guatemala.buying import Shop
from bot.policy.guatemala.sacks import blocks, refill, sack_at, take, threat
from bot.policy.guatemala.worth import GuatemalaWorth


def greedy(view: GuatemalaView, decision: Decision, legal: Legal, rng: Random) -> Action:
    """The action that seems to gain most. Plays from the view alone."""
    if decision.kind == "place":
        return "place", _place(view, rng)
    worth = GuatemalaWorth(view, decision.seat)
    match decision.kind:
        case "step":
            return "move", _step(worth, _words(legal, ("move",)))
        case "act":
            return _act(worth, _words(legal, ()))
        case "block":
            able = YES in _words(legal, ("block",))
            return "block", YES if able and blocks(worth) else NO
        case "refill":
            return "refill", refill(worth, _words(legal, ("refill",)))
    raise ValueError(f"{decision.kind!r} is no decision of Guatemala Café")


def _place(view: GuatemalaView, rng: Random) -> str:
    """Where the first seat finds least to begin with."""

    def offer(position: str) -> int:
        lying = [each for _, each in view.line(position)]
        huts = [each.colour for each in lying if each.kind == KINDS[HUT]]
        return sum(each.kind == KINDS[WORKER] and each.colour in huts for each in lying)

    def best(position: str) -> int:
        return max(offer(position_after(position, step)) for step in range(1, CONTENT.steps + 1))

    positions = list(POSITION_NAMES)
    rng.shuffle(positions)
    return min(positions, key=best)


def _step(worth: GuatemalaWorth, steps: tuple[str, ...]) -> str:
    """The step to the line that offers most, the sacks that the next seat can reach then
    considered."""
    shop = Shop(worth)

    def value(step: str) -> float:
        position = worth.view.reached(int(step))
        bought = shop.line(position, CONTENT.pieces).value
        sack = sack_at(worth.view, position)
        best = bought if sack is None else max(bought, take(worth, sack, bought))
        return best - worth.money(cost_of(int(step))) + threat(worth, position)

    return max(steps, key=value)


def _act(worth: GuatemalaWorth, kinds: tuple[str, ...]) -> Action:
    view = worth.view
    assert view.buyer is not None
    basket = Shop(worth).line(view.buyer, CONTENT.pieces - len(view.emptied))
    if "take" in kinds:
        sack = sack_at(view, view.buyer)
        if sack is not None and take(worth, sack, basket.value) > basket.value:
            return ("take",)
    if "buy" in kinds and basket.pieces:
        return "buy", *basket.pieces[0]
    return (END,)


def _words(legal: Legal, prefix: Action) -> tuple[str, ...]:
    choices = legal(prefix)
    assert isinstance(choices, OneOf)
    return choices.values
