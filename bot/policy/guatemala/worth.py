"""What pieces on their places seem to be worth, in points, as one seat sees the table."""

from __future__ import annotations

from math import exp

from bot.game.contract import Seat
from bot.game.guatemala.buying import next_dock
from bot.game.guatemala.data import (
    COLOURS,
    CONTENT,
    HUT,
    ROAD,
    SACK,
    SHIP,
    WORKER,
    piece,
)
from bot.game.guatemala.plantation import joined_ports, nearest_ports
from bot.game.guatemala.state import NONE, GuatemalaPlayer, GuatemalaState, board_of
from bot.game.guatemala.view import GuatemalaView
from bot.policy.guatemala.weights import NORMAL, GuatemalaWeights

WORKERS, HUTS, SHIPS, SACKS = (
    tuple(piece(kind, colour) for colour in range(COLOURS)) for kind in (WORKER, HUT, SHIP, SACK)
)
"""By colour, the numbers of pieces."""


def seen(view: GuatemalaView) -> GuatemalaState:
    """The table as a view shows it."""
    return view.known


class GuatemalaWorth:
    """Values for one seat, by the weights of the normal player if by no others. Of the sacks of
    others and of the bag it looks at the number alone."""

    def __init__(
        self, state: GuatemalaState, seat: Seat, by: GuatemalaWeights | None = None
    ) -> None:
        by = by or NORMAL[len(state.players)]
        self.state, self.seat, self.by = state, seat, by
        self.board = board_of(state)
        self.me = state.players[seat]
        self.seats = len(state.players)
        self.scores = [sum(player.points) for player in state.players]
        self.weights = self._weights()
        """By seat, what a point is worth to this one."""
        self.lying = [0] * (ROAD + 2)
        """By piece, how many lie on the production board; last, how many spaces are empty."""
        for each in state.production:
            self.lying[each] += 1
        self.sacks_left = self._sacks_left()
        """How many sacks are still to be taken, perhaps."""
        self.time = min(1.0, self.sacks_left / by.long)
        """How much there is still time to build, 1 at the beginning."""
        self.harvests = self._harvests()
        """By colour, how often it is still to be harvested, perhaps."""
        need = by.need * by.turns * self.sacks_left
        self.dear = by.money * need / (need + self.me.money)
        """A centavo to be had or spent now."""
        self.room = [by.room * free * self.time for free in range(5)]
        """Room to grow, by how many cells are free around one."""
        self._roads = tuple(state.roads)
        self._ways = nearest_ports(self.seats, self._roads)
        self._gains: dict[int, list[int]] = {}
        self._ships: dict[tuple[int, int], float] = {}

    def _weights(self) -> list[float]:
        """It plays against the others, and most against those in the lead."""
        first, lead, rivals = max(self.scores), self.by.lead, self.by.rivals
        near = [exp(lead * (score - first)) for score in self.scores]
        near[self.seat] = 0.0
        total = sum(near)
        weights = [-rivals * each / total for each in near]
        weights[self.seat] = 1.0
        return weights

    def _sacks_left(self) -> float:
        taken = len(self.state.track)
        gap = self.state.rules.track + 1 - taken - max(self.scores)
        there = CONTENT.sacks * COLOURS - taken
        return max(1.0, min(gap / self.by.a_sack, there))

    def _harvests(self) -> list[float]:
        """Sacks on the board count, and those that may come, rather of colours in hand."""
        to_learn, track, lying = self.by.to_learn, self.state.track, self.lying
        likely = [
            lying[SACKS[colour]] + to_learn * (1 + held / COLOURS)
            for colour, held in enumerate(self.me.hand)
        ]
        each = self.sacks_left / sum(likely)
        return [
            min(each * n, CONTENT.sacks - track.count(colour)) for colour, n in enumerate(likely)
        ]

    def gains(self, colour: int) -> list[int]:
        """What each seat scores when a sack of a colour is taken and not blocked."""
        found = self._gains.get(colour)
        if found is None:
            found = [self._points(player, colour) for player in self.state.players]
            self._gains[colour] = found
        return found

    def _points(self, player: GuatemalaPlayer, colour: int) -> int:
        """As `bot.game.guatemala.scoring.crop` does, with the ports looked up."""
        hut, workers = player.huts[colour], len(player.workers[colour])
        if hut == NONE or not workers:
            return 0
        ports = joined_ports(self.seats, self._roads)[hut]
        return workers * (1 + sum([self.state.ports[port].count(colour) for port in ports]))

    def money(self, amount: float) -> float:
        """Centavos to be had or spent now."""
        return self.dear * amount

    def growth(self, colour: int) -> float:
        """The workers of a colour that a seat may yet have."""
        lying = self.lying[WORKERS[colour]]
        return self.by.growth * min(lying / self.seats, 4.0) * self.time

    def size(self, seat: Seat, colour: int) -> float:
        """The workers of a plantation with those that it may yet have."""
        return len(self.state.players[seat].workers[colour]) + self.growth(colour)

    def ships(self, colour: int, port: int) -> float:
        """What the ships of a colour at a port, and those to come, add to each worker's points."""
        known = self._ships.get((colour, port))
        if known is None:
            known = self._ships[colour, port] = self._worth_of_ships(colour, port)
        return known

    def _worth_of_ships(self, colour: int, port: int) -> float:
        there, times = self.state.ports[port].count(colour), self.harvests[colour]
        value = sum([min(there - n, times) for n in range(there)])
        if next_dock(self.state, port) is not None and times > 1:
            value += self.by.coming * self.lying[SHIPS[colour]]
        return value

    def close(self, missing: int) -> float:
        """What ships are worth to a hut with so many roads missing to their port."""
        close: float = self.by.close**missing
        return close

    def times(self, colour: int, hut: int) -> float:
        """How often a worker of a colour will score, ships counted in, by its hut's cell."""
        port, missing = self._ways.get(hut, (NONE, ()))
        value = self.harvests[colour]
        if port != NONE:
            value += self.close(len(missing)) * self.ships(colour, port)
        return value

    def worker(self, colour: int) -> float:
        """One more worker of a colour, by itself."""
        hut = self.me.huts[colour]
        if hut != NONE:
            return self.times(colour, hut)
        return self.by.hutless * self.harvests[colour] if self.lying[HUTS[colour]] else 0.0

    def hut(self, colour: int, cell: int) -> float:
        """A hut of a colour on a cell."""
        return self.size(self.seat, colour) * self.times(colour, cell)

    def ship(self, colour: int, port: int) -> float:
        """A ship of a colour at a port, for all whose huts have roads to it."""
        there = self.state.ports[port].count(colour)
        more, value = min(there + 1.0, self.harvests[colour]), 0.0
        for seat, player in enumerate(self.state.players):
            to, missing = self._ways.get(player.huts[colour], (NONE, ()))
            if to == port:
                value += self.weights[seat] * self.size(seat, colour) * self.close(len(missing))
        return value * more

    def roads(self) -> dict[int, float]:
        """What each road would be worth that brings a hut nearer to its port."""
        values: dict[int, float] = {}
        for seat, player in enumerate(self.state.players):
            for colour, hut in enumerate(player.huts):
                port, missing = self._ways.get(hut, (NONE, ()))
                if not missing:
                    continue
                nearer = self.close(len(missing) - 1) - self.close(len(missing))
                value = nearer * self.ships(colour, port) * self.size(seat, colour)
                for road in missing:
                    values[road] = values.get(road, 0.0) + self.weights[seat] * value
        return values
