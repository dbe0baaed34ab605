"""What to buy of a line, and where to place it."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from typing import NamedTuple

from bot.game.guatemala.data import (
    EMPTY,
    HUT,
    ROAD,
    SACK,
    SHIP,
    WORKER,
    colour_of,
    kind_of,
)
from bot.game.guatemala.placing import covered_cells, next_dock, places, price_of
from bot.game.guatemala.plantation import members
from bot.game.guatemala.production import SPACE_NAMES, line_of
from bot.game.guatemala.state import NONE
from bot.policy.guatemala.worth import GuatemalaWorth


class Purchase(NamedTuple):
    """A piece on the best of its places: what it is worth, its price counted in."""

    value: float
    price: int
    place: str


class Basket(NamedTuple):
    """Several purchases: what they are worth, and the space and place of each."""

    value: float
    pieces: tuple[tuple[str, str], ...]


NOTHING = Purchase(0.0, 0, "")


class Shop:
    """The purchases of a seat as things stand, each thought out once."""

    def __init__(self, worth: GuatemalaWorth) -> None:
        self.worth = worth
        self._known: dict[int, Purchase] = {}
        self._covered = covered_cells(worth.state, worth.board)

    def best(self, piece: int) -> Purchase:
        """The best that a piece can be bought for; nothing where it cannot be placed or paid."""
        known = self._known.get(piece)
        if known is None:
            known = max(self._purchases(piece), default=NOTHING)
            self._known[piece] = known
        return known

    def offers(self, position: int, places: int) -> list[tuple[Purchase, str]]:
        """Every kind of piece of the line at a position on the best of its places, at most so many,
        each with the space that it is bought from: all of them by their value."""
        lying = sorted((each, space) for space, each in self._line(position).items())
        found = []
        for piece, space in dict(lying).items():
            best = nlargest(places, self._purchases(piece))
            found += [(purchase, SPACE_NAMES[space]) for purchase in best]
        return sorted(found, reverse=True)

    def _line(self, position: int) -> dict[int, int]:
        """The pieces that can be bought there, each with its space."""
        production = self.worth.state.production
        lying = {space: production[space] for space in line_of(position)}
        return {
            space: each for space, each in lying.items() if each != EMPTY and kind_of(each) != SACK
        }

    def _purchases(self, piece: int) -> Iterator[Purchase]:
        worth, board, built = self.worth, self.worth.board, self.worth.by.built
        if piece == ROAD:
            for road, value in worth.roads().items():
                yield Purchase(built * value, 0, board.road_names[road])
            return
        kind, colour = kind_of(piece), colour_of(piece)
        there = places(worth.state, worth.seat, piece)
        if kind == SHIP:
            for port in members(there):
                price = next_dock(board, worth.state.ports, port) or 0
                value = built * worth.ship(colour, port) - worth.money(price)
                yield Purchase(value, price, board.port_names[port])
            return
        alone = worth.worker(colour) if kind == WORKER else 0.0
        if kind == WORKER and not worth.me.workers[colour] and worth.me.huts[colour] == NONE:
            there &= self._near_hut_cells()
        times = 3 if kind == HUT else 1
        for cell in members(there):
            price = price_of(board, kind, cell)
            value = worth.hut(colour, cell) if kind == HUT else alone
            value += worth.room(cell, self._covered) * times
            yield Purchase(built * value - worth.money(price), price, board.names[cell])

    def _near_hut_cells(self) -> int:
        """The cells beside hut cells that are free, where a plantation may begin."""
        board, near = self.worth.board, 0
        for cell in members(board.hut_cells & ~self._covered):
            near |= board.around[cell]
        return near

    def line(self, position: int, most: int) -> Basket:
        """Up to so many purchases of the line at a position, the best first."""
        worth, basket = self.worth, Basket(0.0, ())
        lying = self._line(position)
        money, huts = worth.me.money, dict[int, str]()
        while len(basket.pieces) < most:
            offers = [(self._with_huts(piece, huts), space) for space, piece in lying.items()]
            able = [each for each in offers if each[0].value > 0 and each[0].price <= money]
            if not able:
                break
            best, space = max(able)
            bought = lying.pop(space)
            money -= best.price
            if kind_of(bought) == HUT:
                huts[colour_of(bought)] = best.place
                lying = {at: each for at, each in lying.items() if each != bought}
            pieces = (*basket.pieces, (SPACE_NAMES[space], best.place))
            basket = Basket(basket.value + best.value, pieces)
        return basket

    def _with_huts(self, piece: int, huts: dict[int, str]) -> Purchase:
        """The best that a piece can be bought for, after the huts of some colours were built."""
        if not huts:
            return self.best(piece)
        worth, colour = self.worth, colour_of(piece)
        if kind_of(piece) != WORKER or colour not in huts:
            return self.best(piece)
        cell = worth.board.cell_of_name[huts[colour]]
        price = price_of(worth.board, WORKER, cell)
        value = worth.by.built * worth.times(colour, cell) - worth.money(price)
        return Purchase(value, price, "")
