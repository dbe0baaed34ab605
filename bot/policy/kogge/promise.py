"""What a position promises each seat: fitted to who won games from such positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from bot.game.content import Strict, read
from bot.game.kogge.data import CONTENT, GOODS
from bot.game.kogge.state import KoggePlayer, KoggeState
from bot.policy.kogge.glance import glance
from bot.policy.kogge.worth import GOOD_POINTS, SIX, KoggeWorth, rounds_left, worth_of
from bot.resources import data

By = tuple[float, float]
"""How much something counts: far from the end, and how much more at the end."""

MARKERS = 10
"""More markers than these promise nothing."""


class KoggePromises(Strict, frozen=True):
    """What each thing adds to the logarithm of a seat's odds."""

    developed: tuple[By, By, By, By]
    """One to four development points."""
    good: By
    """A good on the ship, of any kind."""
    good_point: By
    """A victory point of the goods on the ship, beside that, or of a Raid in hand."""
    in_office: By
    """A good that waits in an office of the seat."""
    marker: By
    lacking: tuple[By, By, By, By]
    """No, one, two and three pieces lacking to the nearest office."""
    alike: tuple[By, By, By]
    """Four, five, and six or more goods of a kind on the ship, while there are chits."""
    chits: tuple[By, By, By, By]
    """Each kind of chit, beside its development point."""


class _Promise:
    """The same at one moment; `late` grows from 0 to 1 towards the end."""

    def __init__(self, promises: KoggePromises, late: float) -> None:
        def now(by: By) -> float:
            return by[0] + late * by[1]

        self.developed = (0.0, *map(now, promises.developed))
        good, point = now(promises.good), now(promises.good_point)
        self.good = [good + points * point for points in GOOD_POINTS]
        # The normal player never keeps one for long, so games do not tell.
        self.raid = max(0.0, CONTENT.victory_points.raid * point)
        self.in_office = now(promises.in_office)
        self.markers = [count * now(promises.marker) for count in range(MARKERS + 1)]
        self.lacking = [*map(now, promises.lacking)]
        self.alike = [0.0] * (SIX + 1 - len(promises.alike)) + [*map(now, promises.alike)]
        self.chits = [*map(now, promises.chits)]

    def of(self, player: KoggePlayer, worth: KoggeWorth, points: int) -> float:
        """What a seat's holdings and development points promise, offices' goods left out."""
        total = self.developed[min(points, len(self.developed) - 1)]
        total += self.markers[min(sum(player.markers), MARKERS)] + player.raids * self.raid
        for good in range(GOODS):
            total += player.goods[good] * self.good[good]
        lacking = worth.lacking(player.goods, player.markers)
        if lacking < len(self.lacking):
            total += self.lacking[lacking]
        if worth.chits_left:
            total += self.alike[min(max(player.goods), SIX)]
        for count, promised in zip(player.chits, self.chits, strict=True):
            if count:
                total += promised
        return total


def promised(state: KoggeState) -> Sequence[float]:
    """The logarithm of each seat's odds to win, up to what is the same for all."""
    view = glance(state, 0)
    promise = _promise(len(state.players), rounds_left(view))
    total = [
        promise.of(player, worth_of(view, seat), view.seats[seat].development_points)
        for seat, player in enumerate(state.players)
    ]
    for city in state.cities:
        for office in city.offices:
            total[office.seat] += promise.in_office * sum(office.goods)
    return total


PROMISES: Mapping[str, KoggePromises] = read(
    data("kogge", "promise.toml"), dict[str, KoggePromises]
)
"""By how many play, in words."""
_SEATS = {2: "two", 3: "three", 4: "four"}


@lru_cache(maxsize=1 << 7)
def _promise(seats: int, rounds: float) -> _Promise:
    return _Promise(PROMISES[_SEATS[seats]], 1 / (1 + rounds))
