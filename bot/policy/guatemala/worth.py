"""What pieces on their places and harvests seem to be worth, in points, as one seat sees the table.

What it goes by is in data/guatemala/weights.toml, which says what each number means.
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
"""For two players, for three, and for four."""
WEIGHTS = {f"normal-{players}": weights for players, weights in enumerate(_FILE["normal"], start=2)}
"""By name, what the normal player goes by."""
RATING = dict(enumerate(_FILE["rating"], start=2))
"""By number of players, what each of what a seat has promises, in points."""

WIN = 100.0
"""The end of the game with this seat first; as much is lost by another."""
WORKERS, HUTS, SHIPS, SACKS = (
    range(COLOURS * kind, COLOURS * (kind + 1)) for kind in (WORKER, HUT, SHIP, SACK)
)
"""By colour, the numbers of pieces."""


Purchase = tuple[float, int, str]
"""A piece on one of its places: what it is worth, its price counted in; the price; the place."""


class GuatemalaWorth:
    """Values for one seat. Of the sacks of others and of the bag it looks at the number alone."""

    def __init__(self, state: GuatemalaState, seat: Seat, by: Weights | None = None) -> None:
        self.players = len(state.players)
        self.by = by = by or WEIGHTS[f"normal-{self.players}"]
        self.state, self.seat, self.me = state, seat, state.players[seat]
        self.board = board_of(state)
        self.scores = [sum(player.points) for player in state.players]
        first, lead, rivals = max(self.scores), by["lead"], by["rivals"]
        near = [exp(lead * (score - first)) for score in self.scores]
        near[seat] = 0.0
        total = sum(near)
        self.weights = [-rivals * each / total for each in near]
        """By seat, what a point is worth to this one: it plays against the others, and most
        against those in the lead."""
        self.weights[seat] = 1.0
        self.lying = [0] * (ROAD + 2)
        """By piece, how many lie on the production board; last, how many spaces are empty."""
        for each in state.production:
            self.lying[each] += 1
        gap = lowest_sack(state) - first
        there = COUNTS[SACK] * COLOURS - len(state.track)
        self.sacks_left = max(1.0, min(gap / by["a_sack"], there))
        """How many sacks are still to be taken, perhaps."""
        self.time = min(1.0, self.sacks_left / by["long"])
        """How much there is still time to build, 1 at the beginning."""
        likely = [
            self.lying[SACKS[colour]] + by["to_learn"] * (1 + held / COLOURS)
            for colour, held in enumerate(self.me.hand)
        ]
        each_sack = self.sacks_left / sum(likely)
        self.harvests = [
            min(each_sack * n, COUNTS[SACK] - state.track.count(colour))
            for colour, n in enumerate(likely)
        ]
        """By colour, how often it is still to be harvested, perhaps: sacks on the board count, and
        those that may come, rather of colours in hand."""
        need = by["need"] * by["turns"] * self.sacks_left
        self.dear = by["money"] * need / (need + self.me.money)
        """A centavo to be had or spent now."""
        self.room = [by["room"] * n * self.time for n in range(5)]
        """Room to grow, by how many cells are free around one."""
        self._growth = [
            by["growth"] * min(self.lying[worker] / self.players, 4.0) * self.time
            for worker in WORKERS
        ]
        self._nearest = nearest_ports(self.players, tuple(state.roads))
        self.free = self.board.land & ~occupied_cells(state)
        """The cells for workers that are free."""
        self._ships: dict[tuple[int, int], float] = {}
        self._gains: dict[int, list[int]] = {}
        self._known: dict[int, Purchase] = {}

    # Plantations

    def gains(self, colour: int) -> list[int]:
        """What each seat scores when a sack of a colour is taken and not blocked."""
        if colour not in self._gains:
            self._gains[colour] = [each.points for each in crops(self.state, colour)]
        return self._gains[colour]

    def size(self, seat: Seat, colour: int) -> float:
        """The workers of a plantation with those that it may yet have."""
        return len(self.state.players[seat].workers[colour]) + self._growth[colour]

    def close(self, missing: int) -> float:
        """What ships are worth to a hut with so many roads missing to their port."""
        return float(self.by["close"] ** missing)

    def ships(self, colour: int, port: int) -> float:
        """What the ships of a colour at a port, and those to come, add to each worker's points."""
        if (colour, port) not in self._ships:
            there, times = self.state.ports[port].count(colour), self.harvests[colour]
            coming = self.lying[SHIPS[colour]] if times > 1 and next_dock(self.state, port) else 0
            found = sum([min(there - n, times) for n in range(there)]) + self.by["coming"] * coming
            self._ships[colour, port] = found
        return self._ships[colour, port]

    def times(self, colour: int, hut: int) -> float:
        """How often a worker of a colour will score, ships counted in, by its hut's cell."""
        port, missing = self._nearest[hut]
        return self.harvests[colour] + self.close(len(missing)) * self.ships(colour, port)

    # Purchases

    def basket(self, position: int, most: int) -> tuple[float, Action]:
        """Up to so many purchases of the line at a position, the best first: what they are worth
        together, and the first of them; the end of the turn where none gains."""
        offers = [(*self._best(piece), space, piece) for piece, space in self._line(position)]
        money, total, first = self.me.money, 0.0, None
        for _ in range(most):
            able = [each for each in offers if each[0] > 0 and each[1] <= money]
            if not able:
                break
            value, price, place, space, bought = max(able)
            first = first or ("buy", SPACE_NAMES[space], place)
            money -= price
            total += value
            offers = [each for each in offers if each[3] != space]
            if kind_of(bought) == HUT:
                # No second hut of its colour, and workers of it join the first.
                colour, cell = colour_of(bought), self.board.cell_of_name[place]
                price = price_of(self.state, WORKER, cell)
                joining = self.by["built"] * self.times(colour, cell) - self.dear * price, price, ""
                offers = [
                    (*joining, *each[3:]) if each[4] == WORKERS[colour] else each
                    for each in offers
                    if each[4] != bought
                ]
        return total, first or (END,)

    def offers(self, position: int, most: int) -> list[tuple[float, Action]]:
        """Every kind of piece of the line at a position on the best of its places, at most so many:
        the best place of each before the second best of any, what gains nothing after all."""
        found = [
            (*each, SPACE_NAMES[space], nth)
            for piece, space in dict(sorted(self._line(position))).items()
            for nth, each in enumerate(nlargest(most, self._purchases(piece)))
        ]
        found.sort(reverse=True)
        found.sort(key=lambda each: (each[0] <= 0, each[-1]))
        return [(value, ("buy", space, place)) for value, _, place, space, _ in found]

    def _line(self, position: int) -> list[tuple[int, int]]:
        """The pieces that can be bought there, each before its space."""
        lying = [(self.state.production[space], space) for space in FACED[position]]
        return [each for each in lying if each[0] == ROAD or 0 <= each[0] < SACKS[0]]

    def _best(self, piece: int) -> Purchase:
        """The best that a piece can be bought for; nothing where it cannot be placed or paid."""
        if piece not in self._known:
            self._known[piece] = max(self._purchases(piece), default=(0.0, 0, ""))
        return self._known[piece]

    def _purchases(self, piece: int) -> list[Purchase]:
        built, board, dear = self.by["built"], self.board, self.dear
        if piece == ROAD:
            return [(built * worth, 0, board.roads[n].name) for n, worth in self._roads().items()]
        kind, colour = kind_of(piece), colour_of(piece)
        there = places(self.state, self.seat, piece)
        if kind == SHIP:
            docks = [(port, next_dock(self.state, port)) for port in members(there)]
            return [
                (built * self._ship(colour, port) - dear * price, price, board.ports[port].name)
                for port, price in docks
            ]
        if kind == WORKER and not self.me.cells(colour):
            # A plantation begins beside a hut cell that is free.
            huts = board.hut_cells & ~occupied_cells(self.state)
            there &= adjacent_cells(self.players, tuple(members(huts)))
        cells, hut = members(there), self.me.huts[colour]
        if kind == HUT:
            size = self.size(self.seat, colour)
            alone = [size * self.times(colour, cell) for cell in cells]
        elif hut != NONE:
            alone = [self.times(colour, hut)] * len(cells)
        else:
            promise = self.by["hutless"] if self.lying[HUTS[colour]] else 0.0
            alone = [promise * self.harvests[colour]] * len(cells)
        prices, names, around = _prices(self.players, kind), board.names, board.around
        free, room, ways = self.free, self.room, 3 if kind == HUT else 1
        return [
            (
                built * (worth + room[(around[cell] & free).bit_count()] * ways)
                - dear * prices[cell],
                prices[cell],
                names[cell],
            )
            for cell, worth in zip(cells, alone, strict=True)
        ]

    def _ship(self, colour: int, port: int) -> float:
        """A ship of a colour at a port, for all whose huts have roads to it."""
        value = 0.0
        for seat, player in enumerate(self.state.players):
            to, missing = self._nearest.get(player.huts[colour], (NONE, ()))
            if to == port:
                value += self.weights[seat] * self.size(seat, colour) * self.close(len(missing))
        return value * min(self.state.ports[port].count(colour) + 1.0, self.harvests[colour])

    def _roads(self) -> dict[int, float]:
        """What each road would be worth that brings a hut nearer to its port."""
        values: dict[int, float] = {}
        for seat, player in enumerate(self.state.players):
            for colour, hut in enumerate(player.huts):
                port, missing = self._nearest.get(hut, (NONE, ()))
                if missing:
                    nearer = self.close(len(missing) - 1) - self.close(len(missing))
                    value = nearer * self.ships(colour, port) * self.size(seat, colour)
                    for road in missing:
                        values[road] = values.get(road, 0.0) + self.weights[seat] * value
        return values

    # Sacks

    def take(self, colour: int, instead: float) -> float:
        """What taking a sack of a colour is worth; `instead` is what could be bought after a
        block."""
        likely, sacks = self._chance_of_block(colour), len(self.state.track) + 1
        blocked = self.ended(self.scores, sacks) or instead
        value = (1 - likely) * self.harvested(colour, sacks) + likely * blocked
        return value + self.dear * CONTENT.harvest_money + self.by["sack"]

    def sack(self, position: int) -> int | None:
        """The colour of the sack in the line at a position."""
        space = sack_space(self.state, position)
        return None if space == NONE else colour_of(self.state.production[space])

    def harvested(self, colour: int, sacks: int) -> float:
        """What a harvest is worth to the seat where then so many sacks lie on the score track, or
        the end of the game to which it leads."""
        made = self.gains(colour)
        scores = [score + points for score, points in zip(self.scores, made, strict=True)]
        value = sum([weight * points for weight, points in zip(self.weights, made, strict=True)])
        return self.ended(scores, sacks) or value

    def ended(self, scores: Sequence[int], sacks: int) -> float:
        """What the end of the game is worth to the seat; 0 where these scores and so many sacks on
        the score track have not met."""
        if max(scores) < self.state.rules.track + 1 - sacks:
            return 0.0
        money = [player.money for player in self.state.players]
        ranks = list(zip(scores, money, strict=True))
        return WIN if ranks[self.seat] == max(ranks) else -WIN

    def _chance_of_block(self, colour: int) -> float:
        """How likely somebody can block, and would."""
        state, made, nobody = self.state, self.gains(colour), 1.0
        unseen = COUNTS[SACK] - state.track.count(colour) - self.me.hand[colour]
        unseen -= self.lying[SACKS[colour]]
        hands = [sum(player.hand) for player in state.players]
        others = sum(state.bag) + sum(hands) - hands[self.seat]
        for seat, held in enumerate(hands):
            spared = made[self.seat] - made[seat]
            if held and seat != self.seat and spared >= self.by["to_block"]:
                nobody *= comb(others - unseen, held) / comb(others, held)
        return 1 - nobody

    def blocking(self, colour: int) -> float:
        """What a block is worth, where others would gain more than the seat; the sack that it
        takes is counted in."""
        sacks, workers = len(self.state.track), len(self.me.workers[colour])
        cost = self.by["to_block"] + self.by["kept"] * workers / self.me.hand[colour]
        return self.ended(self.scores, sacks) - self.harvested(colour, sacks) - cost

    def refilling(self, colour: int) -> float:
        """What a sack of a colour promises that is put in place of the one taken."""
        made = self.gains(colour)
        return sum(
            weight * (made[seat] + self.by["promise"] * self.size(seat, colour))
            for seat, weight in enumerate(self.weights)
        )

    def step(self, steps: int) -> float:
        """What the line is worth to which so many steps lead: the best of its pieces or its sack,
        and what the next seat may take then by the sacks that it can reach."""
        position = (self.state.buyer + steps) % POSITIONS
        bought, _ = self.basket(position, CONTENT.pieces)
        threats = [0.0]
        for more in range(1, CONTENT.steps + 2):
            if (colour := self.sack((position + more) % POSITIONS)) is not None:
                threats.append(self.harvested(colour, len(self.state.track) + 1))
        sack = self.sack(position)
        best = bought if sack is None else max(bought, self.take(sack, bought))
        return best - self.dear * step_cost(steps) + self.by["seen"] * min(threats)


@cache
def _prices(players: int, kind: int) -> tuple[int, ...]:
    """By cell, what a worker or a hut costs there."""
    board = board_for(players)
    return tuple(CONTENT.zones[board.zone_of(cell)].price(kind) for cell in range(board.cells))
