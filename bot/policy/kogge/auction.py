"""Bids: cheap ones, of markers not needed, that supply the seat's own offices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from bot.game.choices import Bundle
from bot.game.contract import Action, Decision
from bot.game.kogge.auction import rank
from bot.game.kogge.data import CITIES, CITY_GOOD, CONTENT, GOODS
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.situation import Situation
from bot.policy.kogge.worth import GOOD_POINTS


def bids(situation: Situation, legal: Legal) -> list[Action]:
    """All bids of one marker and of two alike, the best first; else the cheapest that is left."""
    domain = legal(("bid",))
    assert isinstance(domain, Bundle)
    words = [word for word in _small(situation) if domain.admits(word)]
    if not words:
        words = [next(domain.each())]
    words.sort(key=lambda word: _worth(situation, word), reverse=True)
    return [("bid", word) for word in words]


def outbidding(situation: Situation, legal: Legal) -> list[Action]:
    """The best bid of two, else of three markers that comes first so far, where one is needed: none
    of `bids` does, and somebody has bid.
    """
    domain = legal(("bid",))
    assert isinstance(domain, Bundle)
    best = max((rank(each.bid) for each in situation.view.seats if each.bid), default=None)
    if best is None or any(rank(word) > best for _, word in bids(situation, legal)):
        return []
    held = "".join(str(n) * count for n, count in enumerate(situation.markers))
    for size in (2, 3):
        words = {domain.sort("".join(each)) for each in combinations(held, size)}
        found = [word for word in words if rank(word) > best and domain.admits(word)]
        if found:
            return [("bid", max(sorted(found), key=lambda word: _worth(situation, word)))]
    return []


def _small(situation: Situation) -> Iterator[str]:
    for number in range(CITIES):
        for count in range(1, min(2, situation.markers[number]) + 1):
            yield str(number) * count


def _worth(situation: Situation, word: str) -> float:
    view, seat = situation.view, situation.seat
    others = [rank(other.bid) for n, other in enumerate(view.seats) if n != seat and other.bid]
    mine = rank(word)
    beaten = sum(mine > other for other in others)
    first = beaten == len(others) and len(view.seats) - 1 == len(others)
    eager = max(situation.goods[good] + _in_offices(situation, good) for good in range(GOODS))
    value = situation.weights.place * beaten - situation.without(word)
    if first and eager >= CONTENT.bonus_price:
        value += situation.weights.first
    for letter in set(word):
        city = view.cities[int(letter)]
        good = CITY_GOOD[int(letter)]
        if len(city.offices) <= min(2 * word.count(letter), view.reserve[good]):
            for office in city.offices:
                gain = GOOD_POINTS[good] + situation.weights.office_good
                value += gain if office.seat == seat else -gain / (len(view.seats) - 1)
    return value


def _in_offices(situation: Situation, good: int) -> int:
    return sum(
        office.goods[good]
        for city in situation.view.cities
        for office in city.offices
        if office.seat == situation.seat
    )


def bid_at_most(view: KoggeView, decision: Decision, legal: Legal, value: str) -> Action | None:
    """In the auction the best bid of at most `value` markers, if there is one still to be made."""
    if decision.kind != "bid":
        return None
    domain = legal(("bid",))
    assert isinstance(domain, Bundle)
    words = replace(domain, most=min(domain.most, int(value))).each()
    best = max(words, key=rank, default=None)
    return None if best is None else ("bid", best)
