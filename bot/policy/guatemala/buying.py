"""What to buy of a line, and where to place it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from heapq import nlargest
from typing import NamedTuple

from bot.game.guatemala.buying import next_dock, occupied_cells, places
from bot.game.guatemala.data import (
    CONTENT,
    FACED,
    HUT,
    ROAD,
    SHIP,
    SPACE_NAMES,
    WORKER,
    colour_of,
    kind_of,
)
from bot.game.guatemala.plantation import board_for, members
from bot.game.guatemala.state import NONE
from bot.policy.guatemala.worth import SACKS, WORKERS, GuatemalaWorth


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
        self._covered = occupied_cells(worth.state)

    def best(self, piece: int) -> Purchase:
        """The best that a piece can be bought for; nothing where it cannot be placed or paid."""
        known = self._known.get(piece)
        if known is None:
            known = Purchase(*max(self._purchases(piece), default=NOTHING))
            self._known[piece] = known
        return known

    def offers(self, position: int, places: int) -> list[tuple[Purchase, str]]:
        """Every kind of piece of the line at a position on the best of its places, at most so many,
        each with the space that it is bought from: all of them by their value."""
        lying = sorted((each, space) for space, each in self._line(position))
        found = []
        for piece, space in dict(lying).items():
            best = nlargest(places, self._purchases(piece))
            found += [(Purchase(*each), SPACE_NAMES[space]) for each in best]
        return sorted(found, reverse=True)

    def _line(self, position: int) -> list[tuple[int, int]]:
        """The pieces that can be bought there, each after its space."""
        production = self.worth.state.production
        lying = [(space, production[space]) for space in FACED[position]]
        return [each for each in lying if each[1] >= ROAD or 0 <= each[1] < SACKS[0]]

    def _purchases(self, piece: int) -> Sequence[tuple[float, int, str]]:
        """As plain tuples, since most are forgotten at once."""
        worth, board, built = self.worth, self.worth.board, self.worth.by.built
        if piece == ROAD:
            return [
                (built * value, 0, board.roads[road].name) for road, value in worth.roads().items()
            ]
        kind, colour = kind_of(piece), colour_of(piece)
        there = places(worth.state, worth.seat, piece)
        if not there:
            return ()
        if kind == SHIP:
            return [self._ship(colour, port) for port in members(there)]
        prices, names, around = prices_of(worth.seats, kind), board.names, board.around
        free, room = board.land & ~self._covered, worth.room
        if kind == HUT:
            return [
                (
                    built * (worth.hut(colour, cell) + room[(around[cell] & free).bit_count()] * 3)
                    - worth.money(prices[cell]),
                    prices[cell],
                    names[cell],
                )
                for cell in members(there)
            ]
        if not worth.me.workers[colour] and worth.me.huts[colour] == NONE:
            there &= self._near_hut_cells()
        alone, dear = worth.worker(colour), worth.dear
        return [
            (
                built * (alone + room[(around[cell] & free).bit_count()]) - dear * prices[cell],
                prices[cell],
                names[cell],
            )
            for cell in members(there)
        ]

    def _ship(self, colour: int, port: int) -> tuple[float, int, str]:
        worth = self.worth
        price = next_dock(worth.state, port) or 0
        value = worth.by.built * worth.ship(colour, port) - worth.money(price)
        return value, price, worth.board.ports[port].name

    def _near_hut_cells(self) -> int:
        """The cells beside hut cells that are free, where a plantation may begin."""
        board, near = self.worth.board, 0
        for cell in members(board.hut_cells & ~self._covered):
            near |= board.around[cell]
        return near

    def line(self, position: int, most: int) -> Basket:
        """Up to so many purchases of the line at a position, the best first."""
        lying = self._line(position)
        offers = [(self.best(piece), space, piece) for space, piece in lying]
        offers = sorted([each for each in offers if each[0].value > 0], reverse=True)
        money, value, pieces = self.worth.me.money, 0.0, list[tuple[str, str]]()
        while len(pieces) < most:
            found = next((each for each in offers if each[0].price <= money), None)
            if found is None:
                break
            offers.remove(found)
            best, space, bought = found
            money -= best.price
            value += best.value
            pieces.append((SPACE_NAMES[space], best.place))
            if kind_of(bought) == HUT:
                colour = colour_of(bought)
                others = [each for each in offers if each[2] not in (bought, WORKERS[colour])]
                more = self._joining(colour, best.place)
                joining = [(more, at, each) for at, each in lying if each == WORKERS[colour]]
                # Workers of the colour that were bought before are no longer there.
                there = [each for each in joining if SPACE_NAMES[each[1]] not in dict(pieces)]
                offers = sorted(others + (there if more.value > 0 else []), reverse=True)
        return Basket(value, tuple(pieces))

    def _joining(self, colour: int, hut: str) -> Purchase:
        """A worker beside the hut that was just built."""
        worth = self.worth
        cell = worth.board.cell_of_name[hut]
        price = prices_of(worth.seats, WORKER)[cell]
        value = worth.by.built * worth.times(colour, cell) - worth.money(price)
        return Purchase(value, price, "")


@cache
def prices_of(seats: int, kind: int) -> tuple[int, ...]:
    """By cell, what a worker or a hut costs there."""
    board = board_for(seats)
    return tuple(CONTENT.zones[board.zone_of(cell)].price(kind) for cell in range(board.cells))
