"""What holdings are worth to a seat: points at the end, and how near they bring an office or chit.

Worth is in victory points, roughly. It knows nothing of places: distances are the concern of those
who plan a voyage.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.kogge.data import CITIES, CITY_GOOD, CONTENT, GOODS
from bot.game.kogge.points import known_points
from bot.game.kogge.view import KoggeView

Counts = list[int]
Numbers = tuple[int, ...]

GOOD_POINTS = tuple(good.points for good in CONTENT.goods)
GOODS_PRICES = tuple(tuple(int(good != own) for good in range(GOODS)) for own in range(GOODS))
"""The goods that an office takes, by the good of its city."""

OFFICE = 30.0
CHIT = 50.0
WIN = 400.0
"""An office, a chit and the fifth development point, as gains at the moment they are made."""

NEAR_OFFICE = (0.62, 0.42, 0.27, 0.16, 0.09, 0.04)
"""The part of OFFICE that goods and markers are worth which lack 0, 1, 2 ... of its price."""
NEAR_CHIT = (0.0, 0.02, 0.07, 0.15, 0.3, 0.5, 0.75)
"""The part of what selling six of a kind gains that so many of them are worth."""

TRADING = 2.0
"""What any good is worth for what it can be traded into, while there is time to trade."""
MARKERS = (0.0, 3.0, 5.0, 6.6, 8.0, 9.2, 10.2, 11.0, 11.6, 12.0)
"""What so many markers are worth for bids and fees; more than these add little."""
MORE_MARKERS = 0.3

LONG = 4.0
"""From so many rounds to the end on, plans are worth all they promise."""

FAR = 99
SIX = CONTENT.bonus_price


class KoggeWorth:
    """Judges holdings of one seat in the situation of a view.

    It is asked about the same goods and markers again and again: what it has found out about
    either is kept as long as it lives, which is for one decision.
    """

    def __init__(self, view: KoggeView, seat: int) -> None:
        me = view.seats[seat]
        self.either_price = "either_price" in view.variants
        points = me.development_points
        last = points + 1 >= CONTENT.development_points_to_win
        self.office = WIN if last else OFFICE
        self.chit = WIN if last else CHIT
        self.time = min(1.0, rounds_left(view) / LONG)
        self.chits_left = any(view.chits_left)
        self.markers_needed = [
            FAR
            if len(city.offices) >= CONTENT.offices_per_city or seat in city.raids
            else 1 + len(city.offices)
            for city in view.cities
        ]
        self._sites = [
            [
                (number, self.markers_needed[number])
                for number in range(CITIES)
                if CITY_GOOD[number] == good and self.markers_needed[number] < FAR
            ]
            for good in range(GOODS)
        ]
        near_chit = NEAR_CHIT if self.chits_left else (0.0,) * len(NEAR_CHIT)
        plan = self.time * (1.6 if last else 1.0)
        self._near_office = [OFFICE * part * plan for part in NEAR_OFFICE]
        self._good = [number + TRADING * self.time for number in GOOD_POINTS]
        self._near_chit = [
            [max(0.0, CHIT - SIX * each) * part * plan for part in near_chit] for each in self._good
        ]
        self._markers = [worth * self.time for worth in MARKERS]
        self._of_goods: dict[Numbers, tuple[float, float, Numbers]] = {}
        self._of_markers: dict[Numbers, tuple[float, Numbers]] = {}
        self._of_missing: dict[tuple[Numbers, Numbers], float] = {}

    def of(self, goods: Counts, markers: Counts) -> float:
        """The worth of holding these goods and markers."""
        kinds = tuple(goods)
        known = self._of_goods.get(kinds)
        if known is None:
            known = self._of_goods[kinds] = self._judge_goods(kinds)
        own, nearest, goods_missing = known
        held, markers_missing = self.judge_markers(tuple(markers))
        missing = goods_missing, markers_missing
        near = self._of_missing.get(missing)
        if near is None:
            near = self._of_missing[missing] = self._near_office[self._lacking(*missing)]
        return own + held + nearest + near

    def _judge_goods(self, goods: Numbers) -> tuple[float, float, Numbers]:
        """The worth of goods themselves and of what they do for a chit, and how many are missing
        for an office, by the good of its city."""
        ore, fur, amber, salt = goods
        each = self._good
        worth = ore * each[0] + fur * each[1] + amber * each[2] + salt * each[3]
        nearest = 0.0
        for count, near in zip(goods, self._near_chit, strict=True):
            gain = near[count] if count < SIX else near[SIX]
            if gain > nearest:
                nearest = gain
        kinds_missing = goods.count(0)
        return worth, nearest, tuple([kinds_missing - (count == 0) for count in goods])

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
            worth = self._markers[-1] + (count - len(self._markers) + 1) * MORE_MARKERS
        missing = [
            max(0, min([needed - markers[city] for city, needed in cities], default=FAR))
            for cities in self._sites
        ]
        judged = self._of_markers[markers] = worth, tuple(missing)
        return judged

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


def rounds_left(view: KoggeView) -> float:
    """About how many rounds the guild master needs to the end of the game."""
    to_marker = (view.end_city - view.guild_city - 1) % CITIES + 1
    spaces = to_marker + CITIES * (CONTENT.laps_to_end - view.laps - 1)
    return spaces / 1.5


TYPICAL_GOODS = 12
"""Points guessed for goods that are hidden."""


def points(view: KoggeView, seat: int) -> int:
    """Victory points if the game ended now; hidden goods are guessed."""
    return known_points(view, seat) + TYPICAL_GOODS * (view.seats[seat].goods is None)


def lead(view: KoggeView, seat: int) -> int:
    """The seat's points less those of the best other; negative where it is behind."""
    return points(view, seat) - max(
        points(view, other) for other in range(len(view.seats)) if other != seat
    )
