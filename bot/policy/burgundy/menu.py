"""The whole actions of The Castles of Burgundy that a person is offered, the best first."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.burgundy.data import CONTENT, kind_of
from bot.game.burgundy.goods import HARBOURS
from bot.game.burgundy.view import BurgundyView
from bot.game.contract import DECLINE, END, Action, Decision, joined
from bot.policy.burgundy.rating import (
    best_loads,
    castles,
    completed,
    has_room,
    purchases,
    rated,
    values,
)
from bot.policy.burgundy.worth import BurgundyWorth
from bot.policy.contract import Legal

MOST = 25
"""Entries of a menu."""
_ALWAYS = (END, DECLINE, "workers")
"""Kinds that are offered however much else there is."""
_NO_EFFECT = ("watchtower", "boarding_house")
"""The buildings that only bring points or workers."""


def menu(view: BurgundyView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """What can be done with each die, as far as a press can say it.

    Of two dice for the same thing the cheaper one is offered, of goods that do not all fit the
    most, and of tiles to discard the one of least worth; all others can be chosen word by word.
    The end of the turn goes with what leaves nothing else to do: with the last die, or with a
    purchase after it.
    """
    if decision.kind == "board":
        return [("board", board) for board in values(legal(("board",)))]
    if decision.kind == "castle":
        spaces = castles(view, decision.seat, values(legal(("castle",))))
        return [("castle", space) for space in spaces]
    if decision.kind == "roll":
        return [("roll",)]
    worth = BurgundyWorth(view, decision.seat)
    found = _loads(worth, legal) if decision.kind == "load" else _of_dice(worth, legal)
    if len(view.left) > (decision.kind == "turn"):
        return found
    return [joined(action, (END,)) if _is_last(worth, action) else action for action in found]


def _loads(worth: BurgundyWorth, legal: Legal) -> list[Action]:
    """What a ship can load; of the depots from which it would load nothing one alone."""
    loads = best_loads(worth, legal)
    nothing = [action for count, action in loads if not count][:1]
    if DECLINE in values(legal(())):
        nothing = [(DECLINE,)]
    return [*(action for count, action in loads if count), *nothing]


def _of_dice(worth: BurgundyWorth, legal: Legal) -> list[Action]:
    """What dice and effects can do."""
    once: dict[Action, Action] = {}
    for _, action in rated(worth, legal):
        once.setdefault(_aim(action), action)
    room = MOST - sum(action[0] in _ALWAYS for action in once.values())
    found: list[Action] = []
    for action in once.values():
        if action[0] in _ALWAYS:
            found.append(action)
        elif room:
            room -= 1
            found.append(completed(worth, action, legal))
    return found


def _would_buy(worth: BurgundyWorth) -> bool:
    """Whether a tile seems worth buying, so that the turn is not over with the last die."""
    return has_room(worth) and any(value > 0 for value, _ in purchases(worth))


def _is_last(worth: BurgundyWorth, action: Action) -> bool:
    """Whether an action with the last die, or after it, leaves nothing to do but to end the turn:
    no effect, and nothing to buy."""
    if action[0] == "buy":
        return not worth.view.left
    if _would_buy(worth):
        return False
    match action:
        case ["take" | "workers" | "decline", *_]:
            return True
        case ["place", _, "city_hall", _]:
            return worth.mine.storage == ("city_hall",)
        case ["place", _, "warehouse", _]:
            return not any(worth.mine.goods)
        case ["place", _, "ship", _]:
            return not _would_load(worth)
        case ["place", _, tile, _]:
            return tile in _NO_EFFECT or kind_of(tile).colour in ("animal", "knowledge", "mine")
        case ["load", *_]:
            return worth.view.loaded is not None or HARBOURS not in worth.mine.knowledge
        case ["sell", die, good]:
            sales = (sale for use in worth.view.uses if use.die == die for sale in use.sales)
            brought = next(sale.silverlings for sale in sales if sale.good == good)
            return worth.view.bought or worth.mine.silverlings + brought < CONTENT.price
    return False


def _would_load(worth: BurgundyWorth) -> bool:
    """Whether any goods fit on a ship."""
    own = worth.mine.goods
    has_space = sum(map(bool, own)) < CONTENT.goods_spaces
    return any(
        there and (held or has_space)
        for depot in worth.view.depots
        for there, held in zip(depot.goods, own, strict=True)
    )


def _aim(action: Action) -> Action:
    """What an action is about, whatever die it is done with; the die itself where it is given
    away."""
    kind, *words = action
    return (kind, *words[1:]) if kind in ("place", "take", "sell") else action
