"""What a tile, a space, goods and workers seem to be worth, in points."""

from __future__ import annotations

from bot.game.burgundy.data import BOARDS, CONTENT, NEIGHBOURS, SPACE_NAMES, SPACE_OF_NAME, kind_of
from bot.game.burgundy.view import BurgundySeatView, BurgundyView, RegionView
from bot.policy.burgundy.weights import NORMAL, BurgundyWeights


class BurgundyWorth:
    """Values for one seat, from its view."""

    def __init__(self, view: BurgundyView, seat: int, weights: BurgundyWeights = NORMAL) -> None:
        self.view = view
        self.weights = weights
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
        value = self.weights.covered + points + self._effect(tile)
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
            return self.weights.left_over
        best = self.weights.left_over
        for region in self.mine.regions:
            if region.colour != colour:
                continue
            for space in region.empty:
                points = region.points if len(region.empty) == 1 else 0
                value = self.placed(tile, space, points + self._herd(tile, region))
                if not self._is_reached(space):
                    value *= self.weights.unreached
                best = max(best, value)
        return best * self.weights.later

    def goods_in(self, count: int) -> float:
        """So many goods tiles taken into the hold, to be sold later."""
        return count * self.weights.goods if self.rounds_left > 1 else count

    def _progress(self, region: RegionView) -> float:
        """One more space of a region that is not completed by it."""
        if len(region.empty) > self.rounds_left:
            return 0.0
        return self.weights.goal * region.points / len(region.spaces)

    def _openings(self, space: str) -> float:
        """How many empty spaces can be reached only from there."""
        near = NEIGHBOURS[SPACE_OF_NAME[space]]
        estate = self.mine.estate
        new = [n for n in near if estate[n] is None and not self._is_reached(SPACE_NAMES[n])]
        return self.weights.opening * len(new) if self.rounds_left > 3 else 0.0

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
        kind, weights = kind_of(tile), self.weights
        match tile:
            case "castle":
                return weights.castle
            case "mine":
                return weights.silverling * self.phases_left * kind.amount
            case "ship":
                most = max((sum(depot.goods) for depot in self.view.depots), default=0)
                return weights.ship + self.goods_in(min(most, 3)) / 2
            case "warehouse":
                return weights.warehouse * max(self.mine.goods, default=0)
            case "carpenter" | "church" | "market" | "city_hall":
                return weights.extra_tile
            case "boarding_house":
                return weights.worker * kind.amount
            case "bank":
                return weights.silverling * kind.amount
        if tile in weights.early:
            return weights.early[tile] * (self.rounds_left + 1) / 25
        if kind.counts:
            there = sum(each == kind.counts for each in self.mine.estate)
            return kind.amount * (there + weights.counted * self.phases_left)
        if tile == "k24":
            animals = {kind_of(each).kind for each in self.mine.estate if each}
            return kind.amount * (len(animals - {""}) + weights.animal_kinds * self.phases_left)
        if tile in ("k15", "k25"):
            sold = self.mine.sold_count / (1 if tile == "k25" else 2)
            return sold + weights.sold * self.phases_left
        return weights.bonuses if tile == "k26" else 0.0
