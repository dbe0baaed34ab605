"""The whole actions that a person is offered at once: what the computer player thinks of, the best
first, and behind it more of each kind that it passes over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bot.game.contract import ACCEPT, ANSWER, DECLINE, Action, Decision, joined, offer_of
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.ahead import RAIDS, turn, voyage
from bot.policy.kogge.auction import bids, outbidding
from bot.policy.kogge.greedy import RANKED
from bot.policy.kogge.movement import STOP, is_known, known_here, look, move, steps
from bot.policy.kogge.raid import raids
from bot.policy.kogge.situation import Situation, words
from bot.policy.kogge.turn import DONE, Option, ashore, enough, options, points_now, small_trades

MOST = 24
"""Actions of a menu."""
TRADES = 6
ALIKE = {"buy": 1, "swap_good": 1, "reroute": 2}
"""How many are offered that differ only in their last word: other pairs rather than other ways to
pay for the same one."""
ENDED = 3
"""How many of the best actions are offered as the last one, too."""
PAYMENTS = 3
"""Ways to pay for the same step."""


def menu(view: KoggeView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """Whole actions for what is asked, the best first; none that is free to make at any time."""
    return menu_of(Situation(view, decision.seat), decision, legal)


def menu_of(situation: Situation, decision: Decision, legal: Legal) -> Sequence[Action]:
    """The menu of whoever judges as this situation does."""
    match decision.kind:
        case "move":
            return _movement(situation, legal)
        case "act":
            return _turn(situation, legal)
        case "bid":
            return _bids(situation, legal)
        case _ if decision.kind == ANSWER:
            return _answers(offer_of(decision), legal)
    return RANKED[decision.kind](situation, legal)[:MOST]


def _movement(situation: Situation, legal: Legal) -> Sequence[Action]:
    """The computer player's voyage and its first step, then the others, with an end of the movement
    after them and without, and last to pay for a look at what is known.
    """
    kinds = words(legal, ())
    best = move(situation, legal)
    found: list[Action] = [joined(*voyage(situation, legal, best)), best]
    if "peek" in kinds and not known_here(situation):
        found.append(look(situation))
    ways = [
        steps(situation, legal, route)
        for route in (words(legal, ("sail",)) if "sail" in kinds else ())
    ]
    found += [joined(way[0], STOP) for way in ways if is_known(situation, way[0][1])]
    found += [step for way in ways for step in way[:PAYMENTS]]
    found.append(STOP)
    if "peek" in kinds:
        found.append(look(situation))
    return list(dict.fromkeys(found))


def _bids(situation: Situation, legal: Legal) -> Sequence[Action]:
    """The computer player's, and behind the best one how to come first, where only more does."""
    best, *others = bids(situation, legal)
    return [best, *outbidding(situation, legal), *others][:MOST]


def _turn(situation: Situation, legal: Legal) -> Sequence[Action]:
    """The computer player's turn to its end, then what gains, alone or as the last action, then to
    end the turn, and then what gains nothing now.
    """
    kinds = words(legal, ())
    berth = ashore(situation, legal, kinds)
    price = enough(situation, berth)
    thoughts = {
        *options(situation, berth, legal, kinds),
        *small_trades(situation, berth, kinds),
    }
    rated = list(_few(sorted(thoughts, reverse=True)))
    robbing = raids(situation, kinds)
    before = [
        *points_now(legal, kinds),
        *(action for worth, action in rated if worth > price),
        *(action for gain, action in robbing if gain > 0),
    ]
    after = [
        *(action for worth, action in rated if worth <= price),
        *(action for gain, action in robbing if gain <= 0),
    ]
    if not before:
        return [DONE, *after][:MOST]
    whole = joined(*turn(situation, legal, before[0]))
    ended = [joined(each, DONE) for each in before[:ENDED] if each[0] not in RAIDS]
    found = dict.fromkeys((whole, *ended, *before))
    return [*list(found)[: MOST - 1], DONE, *after][:MOST]


def _few(rated: Iterable[Option]) -> Iterator[Option]:
    """Of those that are much alike only the best."""
    shown = Counter[Action]()
    for worth, action in rated:
        is_trade = action[0] == "trade"
        alike = action[:1] if is_trade else action[:2]
        shown[alike] += 1
        if shown[alike] <= (TRADES if is_trade else ALIKE.get(action[0], MOST)):
            yield worth, action


def _answers(offer: str, legal: Legal) -> Sequence[Action]:
    """Yes or no; a counter-offer is put together piece by piece."""
    kinds = words(legal, ())
    return [
        (kind, offer)
        for kind in (ACCEPT, DECLINE)
        if kind in kinds and offer in words(legal, (kind,))
    ]
