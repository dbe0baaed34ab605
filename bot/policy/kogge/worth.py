"""What holdings are worth to a seat: points at the end, and how near they bring an office or chit.

Worth is in victory points, roughly. It knows nothing of places: distances are the concern of those
who plan a voyage.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.game.kogge.common import points_so_far
from bot.game.kogge.data import CITIES, CITY_GOOD, CONTENT, GOOD_LETTERS, GOODS
from bot.game.kogge.view import KoggeView
from bot.policy.kogge.weights import NORMAL, KoggeWeights

Counts = list[int]
Numbers = tuple[int, ...]

GOOD_POINTS = tuple(good.points for good in CONTENT.goods)
GOODS_PRICES = tuple(tuple(int(good != own) for good in range(GOODS)) for own in range(GOODS))
"""The goods that an office takes, by the good of its city."""

NUMBERS = "".join(map(str, range(CITIES)))

FAR = 99
SIX = CONTENT.bonus_price


KEPT = 1 << 12
"""So many holdings of one kind a judge remembers, then forgets them all."""


def worth_of(view: KoggeView, seat: int, weights: KoggeWeights = NORMAL) -> KoggeWorth:
    """The judge of a seat's holdings in the situation of a view; one for all situations in which
    they are worth the same."""
    needed = [
        FAR
        if len(city.offices) >= CONTENT.offices_per_city or seat in city.raids
        else 1 + len(city.offices)
        for city in view.cities
    ]
    return _judge(
        weights,
        "either_price" in view.variants,
        view.seats[seat].development_points + 1 >= CONTENT.development_points_to_win,
        min(1.0, rounds_left(view) / weights.rounds),
        any(view.chits_left),
        tuple(needed),
    )


class KoggeWorth:
    """Judges holdings of one seat. `last` says that a development point wins, `time` how much of
    what plans promise there is time for.

    It is asked about the same goods and markers again and again, and remembers what it has found.
    """

    def __init__(
        self,
        weights: KoggeWeights,
        either_price: bool,
        last: bool,
        time: float,
        chits_left: bool,
        markers_needed: Numbers,
    ) -> None:
        self.weights = weights
        self.either_price = either_price
        self.office = weights.win if last else weights.office
        self.chit = weights.win if last else weights.chit
        self.time = time
        self.chits_left = chits_left
        self.markers_needed = markers_needed
        self._sites = [
            [
                (number, self.markers_needed[number])
                for number in range(CITIES)
                if CITY_GOOD[number] == good and self.markers_needed[number] < FAR
            ]
            for good in range(GOODS)
        ]
        near_chit = weights.near_chit if self.chits_left else (0.0,) * len(weights.near_chit)
        plan = self.time * (weights.last_plan if last else 1.0)
        self._near_office = [weights.office * part * plan for part in weights.near_office]
        self._good = [number + weights.trading * self.time for number in GOOD_POINTS]
        self._near_chit = [
            [max(0.0, weights.chit - SIX * each) * part * plan for part in near_chit]
            for each in self._good
        ]
        self._markers = [worth * self.time for worth in weights.markers]
        self._of_goods: dict[Numbers, tuple[float, float, Numbers]] = {}
        self._of_markers: dict[Numbers, tuple[float, Numbers]] = {}
        self._of_missing: dict[tuple[Numbers, Numbers], float] = {}
        self._missed: dict[tuple[Numbers, Numbers], str] = {}

    def of(self, goods: Counts, markers: Counts) -> float:
        """The worth of holding these goods and markers."""
        own, nearest, goods_missing = self._judge_goods(tuple(goods))
        held, markers_missing = self.judge_markers(tuple(markers))
        missing = goods_missing, markers_missing
        near = self._of_missing.get(missing)
        if near is None:
            near = self._of_missing[missing] = self._near_office[self._lacking(*missing)]
        return own + held + nearest + near

    def _judge_goods(self, goods: Numbers) -> tuple[float, float, Numbers]:
        """The worth of goods themselves and of what they do for a chit, and how many are missing
        for an office, by the good of its city."""
        known = self._of_goods.get(goods)
        if known is not None:
            return known
        ore, fur, amber, salt = goods
        each = self._good
        worth = ore * each[0] + fur * each[1] + amber * each[2] + salt * each[3]
        nearest = 0.0
        for count, near in zip(goods, self._near_chit, strict=True):
            gain = near[count] if count < SIX else near[SIX]
            if gain > nearest:
                nearest = gain
        kinds_missing = goods.count(0)
        missing = tuple([kinds_missing - (count == 0) for count in goods])
        if len(self._of_goods) >= KEPT:
            self._of_goods.clear()
        judged = self._of_goods[goods] = worth, nearest, missing
        return judged

    def judge_markers(self, markers: Numbers) -> tuple[float, Numbers]:
        """All that counts of markers: their worth, and how many are missing for an office, by the
        good of its city; FAR where there is no room for one."""
        known = self._of_markers.get(markers)
        if known is not None:
            return known
        count = sum(markers)
        if count < len(self._markers):
            worth = self._markers[count]
        else:
            worth = self._markers[-1] + (count - len(self._markers) + 1) * self.weights.more_markers
        missing = [
            max(0, min([needed - markers[city] for city, needed in cities], default=FAR))
            for cities in self._sites
        ]
        if len(self._of_markers) >= KEPT:
            self._of_markers.clear()
        judged = self._of_markers[markers] = worth, tuple(missing)
        return judged

    def lacking(self, goods: Counts, markers: Counts) -> int:
        """How many pieces these lack to pay the nearest office; five stand for more as well."""
        _, _, goods_missing = self._judge_goods(tuple(goods))
        return self._lacking(goods_missing, self.judge_markers(tuple(markers))[1])

    def least_missed(self, goods: Counts, markers: Counts) -> str:
        """The piece of these whose loss costs least. Raises ValueError where there is none."""
        held = tuple(goods), tuple(markers)
        missed = self._missed.get(held)
        if missed is None:
            if len(self._missed) >= KEPT:
                self._missed.clear()
            missed = self._missed[held] = self._least_missed(goods, markers)
        return missed

    def _least_missed(self, goods: Counts, markers: Counts) -> str:
        best, chosen = 0.0, ""
        for counts, letters in ((goods, GOOD_LETTERS), (markers, NUMBERS)):
            for kind, letter in enumerate(letters):
                if counts[kind]:
                    counts[kind] -= 1
                    value = self.of(goods, markers)
                    counts[kind] += 1
                    if not chosen or value > best:
                        best, chosen = value, letter
        if not chosen:
            raise ValueError("there is no piece to give")
        return chosen

    def _lacking(self, goods_missing: Numbers, markers_missing: Numbers) -> int:
        """How many pieces the office nearest to being paid lacks."""
        least = len(self._near_office) - 1
        for goods, markers in zip(goods_missing, markers_missing, strict=True):
            if markers < FAR:
                missing = min(goods, markers) if self.either_price else goods + markers
                least = min(least, missing)
        return least

    def office_price(
        self, city: int, goods: Counts, markers: Counts
    ) -> tuple[Sequence[int], int] | None:
        """Goods and the number of markers that an office in the city takes; None if not payable.

        Where goods or markers will do, the goods are kept.
        """
        needed = self.markers_needed[city]
        if needed == FAR:
            return None
        own = CITY_GOOD[city]
        enough_markers = markers[city] >= needed
        if self.either_price and enough_markers:
            return (0,) * GOODS, needed
        if not (self.either_price or enough_markers):
            return None
        if goods.count(0) > (goods[own] == 0):
            return None
        return GOODS_PRICES[own], 0 if self.either_price else needed


_judge = lru_cache(maxsize=1 << 8)(KoggeWorth)


def rounds_left(view: KoggeView) -> float:
    """About how many rounds the guild master needs to the end of the game."""
    to_marker = (view.end_city - view.guild_city - 1) % CITIES + 1
    spaces = to_marker + CITIES * (CONTENT.laps_to_end - view.laps - 1)
    return spaces / 1.5


TYPICAL_GOODS = 12
"""Points guessed for goods that are hidden."""


def points(view: KoggeView, seat: int) -> int:
    """Victory points if the game ended now; hidden goods are guessed."""
    return points_so_far(view.known, seat) + TYPICAL_GOODS * (view.seats[seat].goods is None)


def lead(view: KoggeView, seat: int) -> int:
    """The seat's points less those of the best other; negative where it is behind."""
    return points(view, seat) - max(
        points(view, other) for other in range(len(view.seats)) if other != seat
    )
