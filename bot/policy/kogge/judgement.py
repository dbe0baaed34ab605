"""What the computer players of Kogge go by: rated actions, deals, and what a position promises each
seat, which is fitted to who won games from such positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from bot.game.content import Strict, read
from bot.game.contract import ANSWER, Action, Decision, offer_of
from bot.game.hidden import View
from bot.game.kogge import GAME
from bot.game.kogge.common import development_points, pieces
from bot.game.kogge.data import CONTENT
from bot.game.kogge.state import KoggePlayer, KoggeState
from bot.policy.contract import Judgement, Legal, Rated
from bot.policy.kogge.deals import answer, talk
from bot.policy.kogge.rating import menu, ranked
from bot.policy.kogge.worth import (
    GOOD_POINTS,
    NORMAL,
    SIX,
    WEIGHTS,
    KoggeWeights,
    KoggeWorth,
    Situation,
    rounds_left,
    worth_of,
)
from bot.resources import data

By = tuple[float, float]
"""How much something counts: far from the end, and how much more at the end."""

MARKERS = 10
"""More markers than these promise nothing."""
OPEN_CITIES = 3
"""Among so many best cities the first office is chosen at random."""


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


PROMISES: Mapping[str, KoggePromises] = read(
    data("kogge", "promise.toml"), dict[str, KoggePromises]
)
"""By how many play, in words."""
_SEATS = {2: "two", 3: "three", 4: "four"}


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
        self.in_office, self.marker = now(promises.in_office), now(promises.marker)
        self.lacking = [*map(now, promises.lacking), 0.0, 0.0]
        self.alike = [0.0] * (SIX + 1 - len(promises.alike)) + [*map(now, promises.alike)]
        self.chits = [*map(now, promises.chits)]

    def of(self, player: KoggePlayer, worth: KoggeWorth, points: int) -> float:
        """What a seat's holdings and development points promise, offices' goods left out."""
        total = self.developed[min(points, len(self.developed) - 1)] + player.raids * self.raid
        total += min(sum(player.markers), MARKERS) * self.marker
        total += self.lacking[worth.lacking(pieces(player))]
        if worth.chits_left:
            total += self.alike[min(max(player.goods), SIX)]
        for count, each in zip(player.goods, self.good, strict=True):
            total += count * each
        for count, promised in zip(player.chits, self.chits, strict=True):
            total += promised * (count > 0)
        return total


@lru_cache(maxsize=1 << 7)
def _promise(seats: int, rounds: float) -> _Promise:
    return _Promise(PROMISES[_SEATS[seats]], 1 / (1 + rounds))


class KoggeJudgement(Judgement[KoggeState]):
    """The first of what is ranked, and deals in the seat's own turn."""

    def rated(
        self, view: View[KoggeState], decision: Decision, legal: Legal, weights: KoggeWeights
    ) -> Sequence[Rated]:
        """By place."""
        situation = Situation(view, decision.seat, weights)
        return [(-float(n), each) for n, each in enumerate(menu(situation, decision, legal))]

    def best(
        self,
        view: View[KoggeState],
        decision: Decision,
        legal: Legal,
        rng: Random,
        weights: KoggeWeights | None = None,
    ) -> Action:
        """The same as the first of all that is rated, found without the others."""
        situation = Situation(view, decision.seat, weights or NORMAL)
        if decision.kind == ANSWER:
            return answer(situation, offer_of(decision), legal, rng)
        found = ranked(situation, decision, legal)
        # Of like minds all would for ever choose the same city again.
        return rng.choice(found[:OPEN_CITIES]) if decision.kind == "found" else found[0]

    def talk(
        self, view: View[KoggeState], decision: Decision, legal: Legal, rng: Random
    ) -> Action | None:
        """A deal to propose or to take back, while its result can still be used."""
        if decision.kind not in ("move", "act"):
            return None
        return talk(Situation(view, decision.seat), legal, rng)

    def value(self, state: KoggeState) -> Sequence[float]:
        """The logarithm of each seat's odds to win, up to what is the same for all."""
        promise = _promise(len(state.players), rounds_left(state))
        total = [
            promise.of(player, worth_of(state, seat), development_points(state, seat))
            for seat, player in enumerate(state.players)
        ]
        for city in state.cities:
            for office in city.offices:
                total[office.seat] += promise.in_office * sum(office.goods)
        return total

    def spread(self, state: KoggeState) -> float:
        """As it is."""
        return 1.0


JUDGEMENT = KoggeJudgement(game=GAME, weights=WEIGHTS, nodes=400, rounds=0, in_points=False)
"""What the computer players go by."""
