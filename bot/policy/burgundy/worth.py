"""What a tile, a space, goods and workers seem to be worth, in points."""

from __future__ import annotations

from bot.game.burgundy.boards import BOARDS, NEIGHBOURS, SPACE_NAMES, SPACE_OF_NAME
from bot.game.burgundy.data import CONTENT, kind_of
from bot.game.burgundy.view import BurgundySeatView, BurgundyView, RegionView

WORKER = 0.9
SILVERLING = 1.2
BLACK_TILE = 2.0
"""What a tile from the black depot is worth over the silverlings paid for it."""

COVERED = 1.5
"""A space covered: more neighbours, and nearer to a colour's bonus."""
GOAL = 0.9
"""How much of a region's points each of its spaces counts for before the last one."""
LATER = 0.62
"""A discount: what is in storage still has to be placed with another die."""
CASTLE = 5.0
EXTRA_TILE = 3.5
SHIP = 2.0
GOODS = 2.2
"""Each goods tile that a ship can take in."""
LEFT_OVER = 0.3
"""A tile that nothing can be done with."""

EARLY = {
    "k1": 1.5, "k2": 3, "k3": 4, "k4": 3.5, "k5": 4, "k6": 3, "k7": 4, "k8": 3,
    "k9": 3.5, "k10": 3.5, "k11": 3.5, "k12": 3, "k13": 3, "k14": 5,
}  # fmt: skip
"""What the knowledge tiles that work during the game bring over a whole one."""


class BurgundyWorth:
    """Values for one seat, from its view."""

    def __init__(self, view: BurgundyView, seat: int) -> None:
        self.view = view
        self.mine: BurgundySeatView = view.seats[seat]
        self._board = BOARDS[self.mine.board] if self.mine.board else None
        self._regions = {space: region for region in self.mine.regions for space in region.spaces}
        self._empty = dict(self.mine.empty)
        self._stored: dict[str, float] = {}
        phase = CONTENT.phases.index(view.phase) if view.phase else 0
        self.phases_left = len(CONTENT.phases) - phase
        self.rounds_left = self.phases_left * CONTENT.rounds - max(view.round, 1)

    def placed(self, tile: str, space: str, points: int) -> float:
        """A tile on a space, where that scores so many points immediately."""
        value = COVERED + points + self._effect(tile)
        region = self._regions[space]
        if len(region.empty) > 1:
            value += self._progress(region)
        return value + self._openings(space)

    def stored(self, tile: str) -> float:
        """A tile in storage: the best that it can still become."""
        if tile not in self._stored:
            self._stored[tile] = self._best(tile)
        return self._stored[tile]

    def _best(self, tile: str) -> float:
        if self._board is None:
            return 0.0
        colour = kind_of(tile).colour
        waiting = sum(kind_of(other).colour == colour for other in self.mine.storage)
        if self._empty.get(colour, 0) <= waiting or self.rounds_left < 1:
            return LEFT_OVER
        best = LEFT_OVER
        for region in self.mine.regions:
            if region.colour != colour:
                continue
            for space in region.empty:
                points = region.points if len(region.empty) == 1 else 0
                value = self.placed(tile, space, points + self._herd(tile, region))
                if not self._is_reached(space):
                    value *= 0.6
                best = max(best, value)
        return best * LATER

    def goods_in(self, count: int) -> float:
        """So many goods tiles taken into the hold, to be sold later."""
        return count * GOODS if self.rounds_left > 1 else count

    def _progress(self, region: RegionView) -> float:
        """One more space of a region that is not completed by it."""
        if len(region.empty) > self.rounds_left:
            return 0.0
        return GOAL * region.points / len(region.spaces)

    def _openings(self, space: str) -> float:
        """How many empty spaces can be reached only from there."""
        near = NEIGHBOURS[SPACE_OF_NAME[space]]
        estate = self.mine.estate
        new = [n for n in near if estate[n] is None and not self._is_reached(SPACE_NAMES[n])]
        return 0.25 * len(new) if self.rounds_left > 3 else 0.0

    def _is_reached(self, space: str) -> bool:
        estate = self.mine.estate
        return any(estate[near] is not None for near in NEIGHBOURS[SPACE_OF_NAME[space]])

    def _herd(self, tile: str, region: RegionView) -> int:
        """The animals that would count for an animal tile in a pasture."""
        kind = kind_of(tile)
        if not kind.kind:
            return 0
        there = (self.mine.estate[SPACE_OF_NAME[space]] for space in region.spaces)
        others = (kind_of(each) for each in there if each is not None)
        return kind.amount + sum(each.amount for each in others if each.kind == kind.kind)

    def _effect(self, tile: str) -> float:
        """What a tile is worth besides its points, once placed."""
        kind = kind_of(tile)
        match tile:
            case "castle":
                return CASTLE
            case "mine":
                return SILVERLING * self.phases_left * kind.amount
            case "ship":
                most = max((sum(depot.goods) for depot in self.view.depots), default=0)
                return SHIP + self.goods_in(min(most, 3)) / 2
            case "warehouse":
                return 2.0 * max(self.mine.goods, default=0)
            case "carpenter" | "church" | "market" | "city_hall":
                return EXTRA_TILE
            case "boarding_house":
                return WORKER * kind.amount
            case "bank":
                return SILVERLING * kind.amount
        if tile in EARLY:
            return EARLY[tile] * (self.rounds_left + 1) / 25
        if kind.counts:
            there = sum(each == kind.counts for each in self.mine.estate)
            return kind.amount * (there + 0.35 * self.phases_left)
        if tile == "k24":
            animals = {kind_of(each).kind for each in self.mine.estate if each}
            return kind.amount * (len(animals - {""}) + 0.2 * self.phases_left)
        if tile in ("k15", "k25"):
            return 1.0 * self.mine.sold_count / (1 if tile == "k25" else 2) + self.phases_left
        return 3.0 if tile == "k26" else 0.0
