"""The actions of a turn: what gains most now, one at a time, until nothing gains."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import Action, IllegalAction
from bot.game.kogge.data import CITY_GOOD, CONTENT, GOOD_KEYS, GOODS
from bot.game.kogge.notation import goods_word
from bot.policy.contract import Legal
from bot.policy.kogge.raid import raid
from bot.policy.kogge.situation import Berth, Situation, plus, words
from bot.policy.kogge.worth import Counts

CHITS = ("spaces", "three", "marker", "secret")
"""Chits by how useful they are to this player."""

GAIN = 0.4
"""The least gain for which an action is taken."""

RAID_MARKER = 7.0
"""What the second Raid is worth: ten points if it stays unused, and less freedom if not."""

Option = tuple[float, Action]


def act(situation: Situation, legal: Legal) -> Action:
    """The next action of the turn."""
    view, me = situation.view, situation.me
    kinds = words(legal, ())
    if "sell_six" in kinds:
        # Goods are listed from the cheapest kind on.
        good = words(legal, ("sell_six",))[0]
        chit = min(words(legal, ("sell_six", good)), key=CHITS.index)
        return ("sell_six", good, chit)
    if "build" in kinds:
        # Where either may be paid, markers are cheaper.
        return ("build", words(legal, ("build",))[-1])
    berth = situation.berth(
        me.city,
        view.guild_city if _unused(legal, "sell_six") else -1,
        may_trade="trade" in kinds,
        may_build=_unused(legal, "build"),
    )
    before = berth.finish(situation.goods, situation.markers)
    best = max(_options(situation, berth, legal, kinds), default=None)
    if best is not None and best[0] > before + GAIN:
        return best[1]
    return raid(situation, kinds) or ("end",)


def _unused(legal: Legal, kind: str) -> bool:
    """Whether an action that cannot be taken now may still be taken later this turn."""
    try:
        legal((kind,))
    except IllegalAction as refused:
        return refused.refusal.code != "already_done"
    return True


def _options(
    situation: Situation, berth: Berth, legal: Legal, kinds: tuple[str, ...]
) -> Iterator[Option]:
    if "trade" in kinds:
        trade = berth.best_trade(situation.goods, situation.markers)
        if any(trade.give):
            yield trade.worth, ("trade", goods_word(trade.give), goods_word(trade.take))
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
            yield berth.finish(situation.goods, markers) + RAID_MARKER, ("buy_raid", marker)
    if "reroute" in kinds:
        yield from _rerouting(situation, berth, legal)


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
