"""Estimates of the value of purchases, harvests and sacks for a seat, in points.

The weights are in data/guatemala/weights.toml, which explains each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from heapq import nlargest
from math import comb, exp

from bot.game.bits import members
from bot.game.content import read
from bot.game.contract import END, Action, Seat
from bot.game.guatemala.buying import (
    adjacent_cells,
    next_dock,
    occupied_cells,
    places,
    price_of,
    step_cost,
)
from bot.game.guatemala.data import (
    COLOURS,
    CONTENT,
    COUNTS,
    FACED,
    FOLDER,
    HUT,
    POSITIONS,
    ROAD,
    SACK,
    SHIP,
    SPACE_NAMES,
    WORKER,
    colour_of,
    kind_of,
)
from bot.game.guatemala.plantation import board_for, nearest_ports
from bot.game.guatemala.sacks import crops, lowest_sack, sack_space
from bot.game.guatemala.state import NONE, GuatemalaState, board_of

Weights = Mapping[str, float]


_FILE = read(FOLDER / "weights.toml", dict[str, tuple[dict[str, float], ...]])
"""Lists for two, three and four players."""
WEIGHTS = {f"normal-{players}": weights for players, weights in enumerate(_FILE["normal"], start=2)}
"""The weights of the normal player by name."""
RATING = dict(enumerate(_FILE["rating"], start=2))
"""By number of players, the expected points for each of a seat's holdings."""

WIN = 100.0
"""The value of winning; losing has its negative."""
WORKERS, HUTS, SHIPS, SACKS = (
    range(COLOURS * kind, COLOURS * (kind + 1)) for kind in (WORKER, HUT, SHIP, SACK)
)
"""The pieces of each kind by colour."""


Purchase = tuple[float, int, str]
"""The value of a piece on a place, less its price; the price; the place."""


class GuatemalaValuation:
    """Estimates values for one seat. Of hidden sacks it uses only the number."""

    def __init__(self, state: GuatemalaState, seat: Seat, weights: Weights | None = None) -> None:
        self.players = len(state.players)
        self.weights = weights = weights or WEIGHTS[f"normal-{self.players}"]
        self.state, self.seat, self.player = state, seat, state.players[seat]
        self.board = board_of(state)
        self.scores = [sum(player.points) for player in state.players]
        first, lead, rivals = max(self.scores), weights["lead"], weights["rivals"]
        closeness = [exp(lead * (score - first)) for score in self.scores]
        closeness[seat] = 0.0
        total = sum(closeness)
        self.seat_weights = [-rivals * each / total for each in closeness]
        """The value for this seat of a point of each seat; leading rivals count most."""
        self.seat_weights[seat] = 1.0
        self.on_board = [0] * (ROAD + 2)
        """The number of each piece on the production board; the last item counts empty spaces."""
        for each in state.production:
            self.on_board[each] += 1
        gap = lowest_sack(state) - first
        remaining = COUNTS[SACK] * COLOURS - len(state.track)
        self.sacks_left = max(1.0, min(gap / weights["a_sack"], remaining))
        """The expected number of sacks still to be taken."""
        self.time = min(1.0, self.sacks_left / weights["long"])
        """The share of the time to build that is left, 1 at the beginning."""
        likely = [
            self.on_board[SACKS[colour]] + weights["to_learn"] * (1 + count / COLOURS)
            for colour, count in enumerate(self.player.hand)
        ]
        per_sack = self.sacks_left / sum(likely)
        self.harvests = [
            min(per_sack * n, COUNTS[SACK] - state.track.count(colour))
            for colour, n in enumerate(likely)
        ]
        """The expected number of harvests by colour, from sacks on the board and likely new ones,
        more of colours in hand."""
        need = weights["need"] * weights["turns"] * self.sacks_left
        self.money_value = weights["money"] * need / (need + self.player.money)
        """The value of a centavo now."""
        self.room = [weights["room"] * n * self.time for n in range(5)]
        """The value of space to grow, by number of free cells around a cell."""
        self._growth = [
            weights["growth"] * min(self.on_board[worker] / self.players, 4.0) * self.time
            for worker in WORKERS
        ]
        self._nearest = nearest_ports(self.players, tuple(state.roads))
        self.free = self.board.land & ~occupied_cells(state)
        """The free cells for workers."""
        self._ships: dict[tuple[int, int], float] = {}
        self._gains: dict[int, list[int]] = {}
        self._best_purchases: dict[int, Purchase] = {}

    # Plantations

    def gains(self, colour: int) -> list[int]:
        """Return the points of each seat for a sack of a colour that is not blocked."""
        if colour not in self._gains:
            self._gains[colour] = [each.points for each in crops(self.state, colour)]
        return self._gains[colour]

    def size(self, seat: Seat, colour: int) -> float:
        """Return the expected number of workers of a plantation."""
        return len(self.state.players[seat].workers[colour]) + self._growth[colour]

    def nearness(self, missing: int) -> float:
        """Return the share of a ship's value for a hut with missing roads to the port."""
        return float(self.weights["close"] ** missing)

    def ships(self, colour: int, port: int) -> float:
        """Return the points per worker from the ships of a colour at a port, now and later."""
        if (colour, port) not in self._ships:
            docked, times = self.state.ports[port].count(colour), self.harvests[colour]
            coming = (
                self.on_board[SHIPS[colour]] if times > 1 and next_dock(self.state, port) else 0
            )
            points = sum([min(docked - n, times) for n in range(docked)])
            self._ships[colour, port] = points + self.weights["coming"] * coming
        return self._ships[colour, port]

    def times(self, colour: int, hut: int) -> float:
        """Return the expected points per worker of a colour whose hut is on a cell."""
        port, missing = self._nearest[hut]
        return self.harvests[colour] + self.nearness(len(missing)) * self.ships(colour, port)

    # Purchases

    def best_purchases(self, position: int, limit: int) -> tuple[float, Action]:
        """Return the total value of the best purchases in the line of a position, at most `limit`,
        and the first of them; the end of the turn if no purchase gains."""
        offers = [(*self._best(piece), space, piece) for piece, space in self._line(position)]
        money, total, first = self.player.money, 0.0, None
        for _ in range(limit):
            gaining = [each for each in offers if each[0] > 0 and each[1] <= money]
            if not gaining:
                break
            value, price, place, space, bought = max(gaining)
            first = first or ("buy", SPACE_NAMES[space], place)
            money -= price
            total += value
            offers = [each for each in offers if each[3] != space]
            if kind_of(bought) == HUT:
                # A second hut of the colour is illegal, and workers of the colour join this one.
                colour, cell = colour_of(bought), self.board.cell_of_name[place]
                price = price_of(self.state, WORKER, cell)
                value = self.weights["built"] * self.times(colour, cell) - self.money_value * price
                offers = [
                    (value, price, "", *each[3:]) if each[4] == WORKERS[colour] else each
                    for each in offers
                    if each[4] != bought
                ]
        return total, first or (END,)

    def offers(self, position: int, limit: int) -> list[tuple[float, Action]]:
        """Return the purchases in the line of a position, each piece on at most `limit` places.

        The best place of each piece comes before all second-best ones; purchases without gain are
        last.
        """
        purchases = [
            (*each, SPACE_NAMES[space], nth)
            for piece, space in dict(sorted(self._line(position))).items()
            for nth, each in enumerate(nlargest(limit, self._purchases(piece)))
        ]
        purchases.sort(reverse=True)
        purchases.sort(key=lambda each: (each[0] <= 0, each[-1]))
        return [(value, ("buy", space, place)) for value, _, place, space, _ in purchases]

    def _line(self, position: int) -> list[tuple[int, int]]:
        """Return the pieces for sale in the line of a position, each with its space."""
        line = [(self.state.production[space], space) for space in FACED[position]]
        return [each for each in line if each[0] == ROAD or 0 <= each[0] < SACKS[0]]

    def _best(self, piece: int) -> Purchase:
        """Return the best purchase of a piece; its value is 0 if the piece can't be bought."""
        if piece not in self._best_purchases:
            self._best_purchases[piece] = max(self._purchases(piece), default=(0.0, 0, ""))
        return self._best_purchases[piece]

    def _purchases(self, piece: int) -> list[Purchase]:
        built, board, centavo = self.weights["built"], self.board, self.money_value
        if piece == ROAD:
            return [(built * value, 0, board.roads[n].name) for n, value in self._roads().items()]
        kind, colour = kind_of(piece), colour_of(piece)
        legal = places(self.state, self.seat, piece)
        if kind == SHIP:
            docks = [(port, next_dock(self.state, port)) for port in members(legal)]
            return [
                (
                    built * self._ship(colour, port) - centavo * price,
                    price,
                    board.ports[port].name,
                )
                for port, price in docks
            ]
        if kind == WORKER and not self.player.cells(colour):
            # A plantation starts next to a free hut cell.
            huts = board.hut_cells & ~occupied_cells(self.state)
            legal &= adjacent_cells(self.players, tuple(members(huts)))
        cells, hut = members(legal), self.player.huts[colour]
        if kind == HUT:
            size = self.size(self.seat, colour)
            points = [size * self.times(colour, cell) for cell in cells]
        elif hut != NONE:
            points = [self.times(colour, hut)] * len(cells)
        else:
            hutless = self.weights["hutless"] if self.on_board[HUTS[colour]] else 0.0
            points = [hutless * self.harvests[colour]] * len(cells)
        prices, names, around = _prices(self.players, kind), board.names, board.around
        free, room, factor = self.free, self.room, 3 if kind == HUT else 1
        return [
            (
                built * (value + room[(around[cell] & free).bit_count()] * factor)
                - centavo * prices[cell],
                prices[cell],
                names[cell],
            )
            for cell, value in zip(cells, points, strict=True)
        ]

    def _ship(self, colour: int, port: int) -> float:
        """Return the value of a ship at a port for the huts to which it is the nearest port."""
        value = 0.0
        for seat, player in enumerate(self.state.players):
            nearest, missing = self._nearest.get(player.huts[colour], (NONE, ()))
            if nearest == port:
                value += (
                    self.seat_weights[seat] * self.size(seat, colour) * self.nearness(len(missing))
                )
        return value * min(self.state.ports[port].count(colour) + 1.0, self.harvests[colour])

    def _roads(self) -> dict[int, float]:
        """Return the values of the roads missing from huts to their nearest ports."""
        values: dict[int, float] = {}
        for seat, player in enumerate(self.state.players):
            for colour, hut in enumerate(player.huts):
                port, missing = self._nearest.get(hut, (NONE, ()))
                if missing:
                    gain = self.nearness(len(missing) - 1) - self.nearness(len(missing))
                    value = gain * self.ships(colour, port) * self.size(seat, colour)
                    for road in missing:
                        values[road] = values.get(road, 0.0) + self.seat_weights[seat] * value
        return values

    # Sacks

    def take(self, colour: int, instead: float) -> float:
        """Return the value of taking a sack of a colour; `instead` is that of purchases after a
        block."""
        likely, sacks = self._chance_of_block(colour), len(self.state.track) + 1
        blocked = self.ended(self.scores, sacks) or instead
        value = (1 - likely) * self.harvested(colour, sacks) + likely * blocked
        return value + self.money_value * CONTENT.harvest_money + self.weights["sack"]

    def sack(self, position: int) -> int | None:
        """Return the colour of the sack in the line of a position; None without a sack."""
        space = sack_space(self.state, position)
        return None if space == NONE else colour_of(self.state.production[space])

    def harvested(self, colour: int, sacks: int) -> float:
        """Return the value of a harvest, or of the end of the game if it causes it; `sacks` is the
        number on the score track."""
        gains = self.gains(colour)
        scores = [score + points for score, points in zip(self.scores, gains, strict=True)]
        weighted = zip(self.seat_weights, gains, strict=True)
        value = sum([weight * points for weight, points in weighted])
        return self.ended(scores, sacks) or value

    def ended(self, scores: Sequence[int], sacks: int) -> float:
        """Return the value of the end of the game; 0 if these scores and this number of sacks on
        the score track have not met."""
        if max(scores) < self.state.rules.track + 1 - sacks:
            return 0.0
        money = [player.money for player in self.state.players]
        ranks = list(zip(scores, money, strict=True))
        return WIN if ranks[self.seat] == max(ranks) else -WIN

    def _chance_of_block(self, colour: int) -> float:
        """Return the probability that another seat can block and gains by it."""
        state, gains, unblocked = self.state, self.gains(colour), 1.0
        unseen = COUNTS[SACK] - state.track.count(colour) - self.player.hand[colour]
        unseen -= self.on_board[SACKS[colour]]
        hands = [sum(player.hand) for player in state.players]
        hidden = sum(state.bag) + sum(hands) - hands[self.seat]
        for seat, count in enumerate(hands):
            prevented = gains[self.seat] - gains[seat]
            if count and seat != self.seat and prevented >= self.weights["to_block"]:
                unblocked *= comb(hidden - unseen, count) / comb(hidden, count)
        return 1 - unblocked

    def blocking(self, colour: int) -> float:
        """Return the value of a block, less the value of the sack that it costs."""
        sacks, workers = len(self.state.track), len(self.player.workers[colour])
        cost = self.weights["to_block"] + self.weights["kept"] * workers / self.player.hand[colour]
        return self.ended(self.scores, sacks) - self.harvested(colour, sacks) - cost

    def refilling(self, colour: int) -> float:
        """Return the value of putting a sack of a colour on the emptied space."""
        gains = self.gains(colour)
        return sum(
            weight * (gains[seat] + self.weights["promise"] * self.size(seat, colour))
            for seat, weight in enumerate(self.seat_weights)
        )

    def step(self, steps: int) -> float:
        """Return the value of a move: the best use of its line, and the harvests that the next
        seat can then reach."""
        position = (self.state.buyer + steps) % POSITIONS
        purchases, _ = self.best_purchases(position, CONTENT.pieces)
        threats = [0.0]
        for more in range(1, CONTENT.steps + 2):
            if (colour := self.sack((position + more) % POSITIONS)) is not None:
                threats.append(self.harvested(colour, len(self.state.track) + 1))
        sack = self.sack(position)
        best = purchases if sack is None else max(purchases, self.take(sack, purchases))
        return best - self.money_value * step_cost(steps) + self.weights["seen"] * min(threats)


@cache
def _prices(players: int, kind: int) -> tuple[int, ...]:
    """Return the price of a worker or a hut on each cell."""
    board = board_for(players)
    return tuple(CONTENT.zones[board.zone_of(cell)].price(kind) for cell in range(board.cells))
