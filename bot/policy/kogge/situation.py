"""What the computer player knows at the moment it is asked, and what a ship can make of a city."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from bot.game.choices import OneOf
from bot.game.contract import Action
from bot.game.kogge.data import GOOD_LETTERS, GOODS, PIECE_LETTERS
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.weights import NORMAL, KoggeWeights
from bot.policy.kogge.worth import FAR, SIX, Counts, KoggeWorth, Numbers, worth_of

Judged = tuple[float, Numbers]
Holdings = tuple[Numbers, Judged, Judged | None]
"""Goods, markers as they are judged, and so what an office leaves of them, if it can be paid."""


@dataclass(frozen=True)
class Trade:
    """Goods for goods, by kind. `worth` is of all that is held and done after it."""

    give: tuple[int, ...]
    take: tuple[int, ...]
    worth: float


@lru_cache(maxsize=1 << 11)
def _loads(given: int, stock: tuple[int, ...], ratio: int) -> tuple[tuple[int, ...], ...]:
    """The kinds that may be taken for one given, out of a stock of which `ratio` of each are
    told."""
    kinds = tuple(good for good in range(GOODS) if stock[good] and good != given)
    if not kinds:
        return ()
    size = min(ratio, sum(stock[good] for good in kinds))
    return tuple(
        load
        for load in combinations_with_replacement(kinds, size)
        if all(load.count(good) <= stock[good] for good in kinds)
    )


class Berth:
    """A ship in a city, with what it may still do there this turn."""

    def __init__(
        self,
        worth: KoggeWorth,
        city: int,
        stock: tuple[int, ...],
        ratio: int,
        guild_deals: bool,
        may_build: bool,
    ) -> None:
        self.worth = worth
        self.city = city
        self.guild_deals = guild_deals
        self._stock = stock
        self._ratio = ratio
        self._markers_needed = worth.markers_needed[city] if may_build else FAR
        self._sells = guild_deals and worth.chits_left
        self._trades: dict[Holdings, Trade] = {}

    def finish(self, goods: Counts, markers: Counts) -> float:
        """The worth of these holdings once six goods are sold and an office is built, if
        possible."""
        worth = self.worth
        done = 0.0
        if self._sells and max(goods) >= SIX:
            goods = goods[:]
            # Of several kinds the one that is worth least.
            goods[next(good for good in range(GOODS) if goods[good] >= SIX)] -= SIX
            done = worth.chit
        if self._markers_needed != FAR:
            price = worth.office_price(self.city, goods, markers)
            if price is not None:
                goods = [have - cost for have, cost in zip(goods, price[0], strict=True)]
                markers = markers[:]
                markers[self.city] -= price[1]
                done += worth.office
        return done + worth.of(goods, markers)

    def best_trade(self, goods: Counts, markers: Counts) -> Trade:
        """The best trade found by adding one given good at a time; an empty one if none helps."""
        holdings = self._holdings(goods, markers)
        found = self._trades.get(holdings)
        if found is None:
            found = self._trades[holdings] = self._find_trade(goods, markers)
        return found

    def _holdings(self, goods: Counts, markers: Counts) -> Holdings:
        """All that counts of these holdings for a trade: of markers what they are worth, and what
        is left of them once an office is built."""
        judge, city, needed = self.worth.judge_markers, self.city, self._markers_needed
        left = None
        if markers[city] >= needed:
            paid = markers[:]
            paid[city] -= needed
            left = judge(tuple(paid))
        return tuple(goods), judge(tuple(markers)), left

    def _find_trade(self, goods: Counts, markers: Counts) -> Trade:
        now, stock = goods[:], list(self._stock)
        own, give, take = goods[:], [0] * GOODS, [0] * GOODS
        best = self.finish(now, markers)
        while any(stock):
            step: tuple[int, tuple[int, ...]] | None = None
            enough = self._enough(stock)
            for given in range(GOODS):
                if not own[given]:
                    continue
                now[given] -= 1
                for load in _loads(given, enough, self._ratio):
                    for good in load:
                        now[good] += 1
                    value = self.finish(now, markers)
                    if value > best + 1e-6:
                        best, step = value, (given, load)
                    for good in load:
                        now[good] -= 1
                now[given] += 1
            if step is None:
                break
            given, load = step
            own[given] -= 1
            now[given] -= 1
            give[given] += 1
            for good in load:
                now[good] += 1
                stock[good] -= 1
                take[good] += 1
        return Trade(tuple(give), tuple(take), best)

    def small_trades(self, goods: Counts, markers: Counts) -> Iterator[Trade]:
        """Every trade of one good."""
        enough = self._enough(self._stock)
        for given in range(GOODS):
            if not goods[given]:
                continue
            for load in _loads(given, enough, self._ratio):
                give, take = [0] * GOODS, [0] * GOODS
                give[given] = 1
                for good in load:
                    take[good] += 1
                after = [
                    have - out + back for have, out, back in zip(goods, give, take, strict=True)
                ]
                yield Trade(tuple(give), tuple(take), self.finish(after, markers))

    def _enough(self, stock: Sequence[int]) -> Numbers:
        """Of each kind no more than one good is traded for."""
        return tuple([min(count, self._ratio) for count in stock])

    def best_turn(self, goods: Counts, markers: Counts, pairs: tuple[str, ...]) -> float:
        """The worth of lying here, with a trade, a pair that helps to build, office and chit."""
        return _best_turn(self, tuple(goods), tuple(markers), pairs)

    def find_best_turn(self, goods: Counts, markers: Counts, pairs: tuple[str, ...]) -> float:
        """The same, found anew."""
        trade = self.best_trade(goods, markers)
        best = trade.worth
        if self._markers_needed in (FAR, 0) or markers[self.city] >= self._markers_needed:
            return best
        after = [
            have - out + back for have, out, back in zip(goods, trade.give, trade.take, strict=True)
        ]
        for pair in pairs:
            if str(self.city) in pair and any(after):
                more = plus(markers, pair)
                for good in range(GOODS):
                    if after[good]:
                        after[good] -= 1
                        best = max(best, self.finish(after, more))
                        after[good] += 1
        return best


@lru_cache(maxsize=1 << 14)
def _best_turn(berth: Berth, goods: Numbers, markers: Numbers, pairs: tuple[str, ...]) -> float:
    """Four of five that are asked for in imagined games have been before."""
    return berth.find_best_turn(list(goods), list(markers), pairs)


_berth = lru_cache(maxsize=1 << 12)(Berth)
"""A berth for all situations in which as much can be done there."""


def plus(markers: Counts, word: str) -> Counts:
    """The markers with those of a word added."""
    more = markers[:]
    for letter in word:
        more[int(letter)] += 1
    return more


class Situation:
    """A view as one seat judges it: its own holdings, and berths in cities."""

    def __init__(self, view: KoggeView, seat: int, weights: KoggeWeights = NORMAL) -> None:
        me = view.seats[seat]
        assert me.goods is not None, "a seat knows its own goods"
        assert me.markers is not None, "a seat knows its own markers"
        self.view = view
        self.seat = seat
        self.me = me
        self.goods: Counts = list(me.goods)
        self.markers: Counts = list(me.markers)
        self.weights = weights
        self.worth = worth_of(view, seat, weights)
        self.now = self.worth.of(self.goods, self.markers)

    def berth(
        self, city: int, guild_city: int, *, may_trade: bool, may_build: bool = True
    ) -> Berth:
        """A berth in a city, were the guild master in `guild_city`."""
        return _berth(
            self.worth,
            city,
            self.view.cities[city].goods if may_trade else (0,) * GOODS,
            3 if "three" in self.me.chits else 2,
            guild_city == city,
            may_build,
        )

    def without(self, pieces: str) -> float:
        """How much the worth of the holdings falls when these pieces are given away."""
        goods, markers = self.goods[:], self.markers[:]
        change(goods, markers, pieces, -1)
        return self.now - self.worth.of(goods, markers)

    def gain(self, pieces: str) -> float:
        """How much the worth of the holdings rises when these pieces are given to them."""
        goods, markers = self.goods[:], self.markers[:]
        change(goods, markers, pieces, 1)
        return self.worth.of(goods, markers) - self.now

    def spare(self, count: int) -> str:
        """The least useful pieces, as a word in canonical order."""
        goods, markers = self.goods[:], self.markers[:]
        word = ""
        for _ in range(count):
            piece = self.worth.least_missed(goods, markers)
            change(goods, markers, piece, -1)
            word += piece
        return "".join(sorted(word, key=PIECE_LETTERS.index))


def words(legal: Legal, prefix: Action) -> tuple[str, ...]:
    """The words that may follow, where they are few."""
    choices = legal(prefix)
    assert isinstance(choices, OneOf)
    return choices.values


def change(goods: Counts, markers: Counts, pieces: str, by: int) -> None:
    """Add (or with -1 take away) the pieces of a word."""
    for piece in pieces:
        good = GOOD_LETTERS.find(piece)
        if good < 0:
            markers[int(piece)] += by
        else:
            goods[good] += by
