"""What a tile, a space, goods and workers seem to be worth to a seat, in points.

The weights are read from data/burgundy/weights.toml.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.burgundy.data import (
    AROUND,
    BOARDS,
    COLOUR_OF,
    CONTENT,
    LAST_ROUND,
    PHASES,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
    Region,
    members,
)
from bot.game.burgundy.placing import region_points
from bot.game.burgundy.state import NONE, BurgundyState, phase_of
from bot.game.content import Strict, read
from bot.game.contract import Seat
from bot.resources import data


class BurgundyWeights(Strict, frozen=True):
    """What one computer player judges by, in points where nothing else is said."""

    worker: float
    silverling: float
    black_tile: float
    """What a tile from the black depot is worth over the silverlings paid for it."""
    covered: float
    """A space covered: more neighbours, and nearer to a colour's bonus."""
    opening: float
    """Each empty space that can be reached only from there."""
    goal: float
    """How much of a region's points each of its spaces counts for before the last one."""
    later: float
    """A discount: what is in storage still has to be placed with another die."""
    unreached: float
    """Another one, for a space that nothing borders on yet."""
    left_over: float
    """A tile that nothing can be done with."""
    ship: float
    goods: float
    """Each goods tile that a ship can take in."""
    warehouse: float
    """Each goods tile that it sells."""
    counted: float
    """For what a knowledge tile counts at the end: how many more there will be by then, for each
    phase to come."""
    animal_kinds: float
    """The same of kinds of animals."""
    sold: float
    """The same of goods sold."""
    effects: Mapping[str, float]
    """What some tiles bring, whenever they are placed."""
    early: Mapping[str, float]
    """What the knowledge tiles that work during the game bring over a whole one."""


WEIGHTS: Mapping[str, BurgundyWeights] = read(
    data("burgundy", "weights.toml"), dict[str, BurgundyWeights]
)
"""By the name of what judges by them."""
NORMAL = WEIGHTS["normal"]


class BurgundyWorth:
    """Values for one seat, of what it may know."""

    def __init__(self, state: BurgundyState, seat: Seat, weights: BurgundyWeights) -> None:
        self.state = state
        self.seat = seat
        self.weights = weights
        self.mine = state.players[seat]
        self.has_room = len(self.mine.storage) < CONTENT.storage_spaces
        self._board = BOARDS.get(self.mine.board)
        self._phase = phase_of(state)
        self._phases_left = PHASES - self._phase
        self._rounds_left = LAST_ROUND - max(state.round, 1)
        self._stored: dict[int, float] = {}

    def placed(self, tile: int, space: int, points: int) -> float:
        """A tile on a space, where that scores so many points immediately."""
        assert self._board is not None
        region = self._board.region_of[space]
        return self._placed(region, space, points, self._effect(tile))

    def stored(self, tile: int) -> float:
        """A tile in storage: the best that it can still become."""
        found = self._stored.get(tile)
        if found is None:
            found = self._stored[tile] = self._best(tile)
        return found

    def discarded(self) -> tuple[float, str]:
        """What the tile is worth that makes room for another, and its key; nothing where there is
        room."""
        if self.has_room:
            return 0.0, ""
        tile = min(self.mine.storage, key=self.stored)
        return self.stored(tile), TILE_KEYS[tile]

    def _best(self, tile: int) -> float:
        if self._board is None:
            return 0.0
        mine, colour, weights = self.mine, COLOUR_OF[tile], self.weights
        waiting = sum([COLOUR_OF[other] == colour for other in mine.storage])
        empty = (self._board.of_colour[colour] & ~mine.covered).bit_count()
        best = weights.left_over
        if empty <= waiting or self._rounds_left < 1:
            return best
        effect = self._effect(tile)
        for region in self._board.regions:
            spaces = region.mask & ~mine.covered
            if region.colour != colour or not spaces:
                continue
            points = self._herd(tile, region)
            if spaces & (spaces - 1) == 0:
                points += sum(region_points(self._phase, region))
            for space in members(spaces):
                value = self._placed(region, space, points, effect)
                if not mine.border >> space & 1:
                    value *= weights.unreached
                best = max(best, value)
        return best * weights.later

    def _placed(self, region: Region, space: int, points: int, effect: float) -> float:
        mine, weights, left = self.mine, self.weights, self._rounds_left
        value = weights.covered + points + effect
        empty = (region.mask & ~mine.covered).bit_count()
        if 1 < empty <= left:
            # One more space of a region that is not completed by it.
            gain = sum(region_points(self._phase, region))
            value += weights.goal * gain / len(region.spaces)
        if left > 3:
            # Empty spaces that can be reached only from there.
            value += weights.opening * (AROUND[space] & ~mine.covered & ~mine.border).bit_count()
        return value

    def _herd(self, tile: int, region: Region) -> int:
        """The animals that would count for an animal tile in a pasture."""
        kind, estate = TILES[tile], self.mine.estate
        if not kind.kind:
            return 0
        there = [TILES[estate[space]] for space in region.spaces if estate[space] != NONE]
        return kind.amount + sum([each.amount for each in there if each.kind == kind.kind])

    def goods_in(self, count: int) -> float:
        """So many goods tiles taken into the hold, to be sold later."""
        return count * self.weights.goods if self._rounds_left > 1 else count

    def _effect(self, tile: int) -> float:
        """What a tile is worth besides its points, once placed."""
        kind, weights, estate = TILES[tile], self.weights, self.mine.estate
        match kind.key:
            case "mine":
                return weights.silverling * self._phases_left * kind.amount
            case "ship":
                most = max(map(sum, self.state.goods))
                return weights.ship + self.goods_in(min(most, 3)) / 2
            case "warehouse":
                return weights.warehouse * max(self.mine.goods)
            case "boarding_house":
                return weights.worker * kind.amount
            case "bank":
                return weights.silverling * kind.amount
            case "k24":
                animals = {TILES[each].kind for each in estate if each != NONE} - {""}
                return kind.amount * (len(animals) + weights.animal_kinds * self._phases_left)
            case "k15" | "k25":
                sold = sum(self.mine.sold) / (1 if kind.key == "k25" else 2)
                return sold + weights.sold * self._phases_left
        if kind.key in weights.early:
            return weights.early[kind.key] * (self._rounds_left + 1) / LAST_ROUND
        if kind.counts:
            there = estate.count(TILE_OF_KEY[kind.counts])
            return kind.amount * (there + weights.counted * self._phases_left)
        return weights.effects.get(kind.key, 0.0)
