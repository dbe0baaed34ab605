"""The whole actions that a person is offered in Flandern 1302, as the greedy player rates them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest

from bot.game.contract import Action, Decision, joined
from bot.game.flandern.data import CARDS, TAKE
from bot.game.flandern.view import FlandernView
from bot.policy.contract import Legal
from bot.policy.flandern.cards import best_way, by_card, influence
from bot.policy.flandern.greedy import by_place, ways, words
from bot.policy.flandern.situation import seen
from bot.policy.flandern.weights import NORMAL
from bot.policy.flandern.worth import FlandernWorth, judge

MOST = 24
WEIGHED = 3
"""For how many cards it is thought out how to play them, which takes long."""


def menu(view: FlandernView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """Implements `bot.policy.contract.Menu`."""
    kind = decision.kind
    if kind in ("guild", "control"):
        return [(kind, guild) for guild in words(legal, (kind,))]
    if kind == "look":
        return [("look",)]
    worth = FlandernWorth(seen(view, decision.seat), judge(NORMAL))
    match kind:
        case "choose":
            return _choose(worth)[:MOST]
        case "turn":
            return _turn(worth, words(legal, ()))
        case "city" | "site":
            found = sorted(ways(worth), reverse=True)
            return varied([prospect.action for prospect in found[:MOST]])
        case "cathedral" | "leader":
            places = by_place(worth, kind, words(legal, (kind,)))
            return [(kind, place) for place in places[:MOST]]
    return ()


def _ranked(worth: FlandernWorth) -> list[int]:
    """The cards, first that which gains most; to take back nothing comes last."""
    cards = by_card(worth)
    if not worth.situation.lying[worth.situation.seat]:
        cards.sort(key=lambda card: card == TAKE)
    return cards


def _choose(worth: FlandernWorth) -> list[Action]:
    """Each card with as many influence cards as it deserves; then those that act on the board with
    any other number."""
    about = worth.situation
    cards = [card for card in _ranked(worth) if card in about.hand]
    best: list[Action] = [
        ("choose", CARDS[card], str(influence(worth, card) if place < WEIGHED else 0))
        for place, card in enumerate(cards)
    ]
    counts = range(about.influence + 1)
    others = [
        ("choose", CARDS[card], str(count)) for count in counts for card in cards if card != TAKE
    ]
    return [*dict.fromkeys([*best, *others])]


def varied(actions: Sequence[Action]) -> list[Action]:
    """The same, first the best that builds each emblem and the best that completes a site: many
    plots of a city are alike, and would leave no room for anything else."""
    alike: dict[str, list[Action]] = defaultdict(list)
    for action in actions:
        # The emblem of a quarter, or the city of a site.
        alike[action[-1].partition("-")[0]].append(action)
    return [action for row in zip_longest(*alike.values()) for action in row if action]


def _turn(worth: FlandernWorth, kinds: tuple[str, ...]) -> list[Action]:
    """To draw comes first, as the card of one's own can be chosen better then. The best cards are
    offered with the best that each could do, and all without."""
    found: list[Action] = [("draw",)] if "draw" in kinds else []
    plain: list[Action] = []
    for card in _ranked(worth):
        action = ("take",) if card == TAKE else ("play", CARDS[card])
        if action[0] not in kinds:
            continue
        best = best_way(worth, card).action if card != TAKE and len(plain) < WEIGHED else ()
        if best:
            found.append(joined(action, best))
            plain.append(action)
        else:
            found.append(action)
    return found + plain
