"""The actions of a turn: what gains most now, one at a time, until nothing gains."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import Action, IllegalAction
from bot.game.kogge.data import CITY_GOOD, CONTENT, GOOD_KEYS, GOODS, goods_word
from bot.policy.contract import Legal
from bot.policy.kogge.raid import raids
from bot.policy.kogge.situation import Berth, Situation, Trade, plus, words
from bot.policy.kogge.worth import Counts

CHITS = ("spaces", "three", "marker", "secret")
"""Chits by how useful they are to this player."""

DONE: Action = ("end",)

Option = tuple[float, Action]


def act(situation: Situation, legal: Legal) -> Action:
    """The next action of the turn."""
    kinds = words(legal, ())
    for action in points_now(legal, kinds):
        return action
    berth = ashore(situation, legal, kinds)
    best = max(options(situation, berth, legal, kinds), default=None)
    if best is not None and best[0] > enough(situation, berth):
        return best[1]
    for gain, action in raids(situation, kinds):
        if gain > 0:
            return action
    return DONE


def points_now(legal: Legal, kinds: tuple[str, ...]) -> Iterator[Action]:
    """Ways to a development point at once, the best first."""
    if "sell_six" in kinds:
        # Goods are listed from the cheapest kind on.
        for good in words(legal, ("sell_six",)):
            for chit in sorted(words(legal, ("sell_six", good)), key=CHITS.index):
                yield ("sell_six", good, chit)
    if "build" in kinds:
        # Where either may be paid, markers are cheaper.
        for price in reversed(words(legal, ("build",))):
            yield ("build", price)


def ashore(situation: Situation, legal: Legal, kinds: tuple[str, ...]) -> Berth:
    """The berth where the ship lies, for the rest of its turn."""
    return situation.berth(
        situation.me.city,
        situation.view.guild_city if _unused(legal, "sell_six") else -1,
        may_trade="trade" in kinds,
        may_build=_unused(legal, "build"),
    )


def enough(situation: Situation, berth: Berth) -> float:
    """What the holdings must be worth after an action for it to be taken."""
    return berth.finish(situation.goods, situation.markers) + situation.weights.gain


def _unused(legal: Legal, kind: str) -> bool:
    """Whether an action that cannot be taken now may still be taken later this turn."""
    try:
        legal((kind,))
    except IllegalAction as refused:
        return refused.refusal.code != "already_done"
    return True


def options(
    situation: Situation, berth: Berth, legal: Legal, kinds: tuple[str, ...]
) -> Iterator[Option]:
    """What else can be done, each with what the holdings are worth after it."""
    if "trade" in kinds:
        trade = berth.best_trade(situation.goods, situation.markers)
        if any(trade.give):
            yield _trading(trade)
    if "buy" in kinds:
        yield from _buying(situation, berth)
    if "swap_good" in kinds:
        yield from _swapping_goods(situation, berth, legal)
    if "swap_marker" in kinds:
        yield from _swapping_markers(situation, berth, legal)
    if "buy_raid" in kinds:
        for marker in words(legal, ("buy_raid",)):
            markers = situation.markers[:]
            markers[int(marker)] -= CONTENT.raid_price
            yield (
                berth.finish(situation.goods, markers) + situation.weights.raid_marker,
                ("buy_raid", marker),
            )
    if "reroute" in kinds:
        yield from _rerouting(situation, berth, legal)


def small_trades(situation: Situation, berth: Berth, kinds: tuple[str, ...]) -> Iterator[Option]:
    """Every trade of one good, rated like the other options."""
    if "trade" in kinds:
        yield from map(_trading, berth.small_trades(situation.goods, situation.markers))


def _trading(trade: Trade) -> Option:
    return trade.worth, ("trade", goods_word(trade.give), goods_word(trade.take))


def _one_good_less(goods: Counts) -> Iterator[tuple[int, Counts]]:
    for good in range(GOODS):
        if goods[good]:
            less = goods[:]
            less[good] -= 1
            yield good, less


def _buying(situation: Situation, berth: Berth) -> Iterator[Option]:
    pairs = {pair: n for n, pair in enumerate(situation.view.display, 1) if pair}
    for good, goods in _one_good_less(situation.goods):
        for pair, number in pairs.items():
            worth = berth.finish(goods, plus(situation.markers, pair))
            yield worth, ("buy", str(number), GOOD_KEYS[good])


def _swapping_goods(situation: Situation, berth: Berth, legal: Legal) -> Iterator[Option]:
    for key in words(legal, ("swap_good",)):
        goods = situation.goods[:]
        goods[GOOD_KEYS.index(key)] -= 1
        for marker in words(legal, ("swap_good", key)):
            worth = berth.finish(goods, plus(situation.markers, marker))
            yield worth, ("swap_good", key, marker)


def _swapping_markers(situation: Situation, berth: Berth, legal: Legal) -> Iterator[Option]:
    for marker in words(legal, ("swap_marker",)):
        goods, markers = situation.goods[:], situation.markers[:]
        markers[int(marker)] -= 1
        goods[CITY_GOOD[int(marker)]] += 1
        yield berth.finish(goods, markers), ("swap_marker", marker)


def _rerouting(situation: Situation, berth: Berth, legal: Legal) -> Iterator[Option]:
    """A route marker that one lacks can be had for another that one does not need."""
    routes = situation.view.cities[situation.me.city].routes
    for name in words(legal, ("reroute",)):
        old = routes[("left", "right").index(name)].marker
        if old is None:
            continue
        for marker in words(legal, ("reroute", name)):
            if int(marker) != old:
                markers = situation.markers[:]
                markers[old] += 1
                markers[int(marker)] -= 1
                yield berth.finish(situation.goods, markers), ("reroute", name, marker)
