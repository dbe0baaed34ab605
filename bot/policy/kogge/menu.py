"""The whole actions that a person is offered at once: what the computer player thinks of, the best
first, and behind it more of each kind that it passes over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bot.game.contract import ACCEPT, ANSWER, DECLINE, Action, Decision, offer_of
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.greedy import RANKED
from bot.policy.kogge.movement import STOP, known_here, look, move, steps
from bot.policy.kogge.raid import raids
from bot.policy.kogge.situation import Situation, words
from bot.policy.kogge.turn import DONE, Option, ashore, enough, options, points_now, small_trades

MOST = 24
"""Actions of a menu."""
TRADES = 6
ALIKE = {"buy": 1, "swap_good": 1, "reroute": 2}
"""How many are offered that differ only in their last word: other pairs rather than other ways to
pay for the same one."""
PAYMENTS = 3
"""Ways to pay for the same step."""


def menu(view: KoggeView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """Whole actions for what is asked, the best first; none that is free to make at any time."""
    situation = Situation(view, decision.seat)
    match decision.kind:
        case "move":
            return _movement(situation, legal)
        case "act":
            return _turn(situation, legal)
        case _ if decision.kind == ANSWER:
            return _answers(offer_of(decision), legal)
    return RANKED[decision.kind](situation, legal)[:MOST]


def _movement(situation: Situation, legal: Legal) -> Sequence[Action]:
    """The computer player's step, then the others, and last to pay for a look at what is known."""
    kinds = words(legal, ())
    found: list[Action] = [move(situation, legal)]
    if "peek" in kinds and not known_here(situation):
        found.append(look(situation))
    if "sail" in kinds:
        for route in words(legal, ("sail",)):
            found += steps(situation, legal, route)[:PAYMENTS]
    found.append(STOP)
    if "peek" in kinds:
        found.append(look(situation))
    return list(dict.fromkeys(found))


def _turn(situation: Situation, legal: Legal) -> Sequence[Action]:
    """What gains, then to end the turn, then what gains nothing now."""
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
    return [*before[: MOST - 1], DONE, *after][:MOST]


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
