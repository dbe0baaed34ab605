"""What pieces on their places seem to be worth, in points, as one seat sees the table."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import exp

from bot.game.contract import Seat
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOUR_OF_KEY,
    COLOURS,
    CONTENT,
    HUT,
    KINDS,
    SACK,
    SHIP,
    WORKER,
    piece,
)
from bot.game.guatemala.placing import cells_of, cover, next_dock
from bot.game.guatemala.plantation import PlantationBoard, members, missing_roads
from bot.game.guatemala.state import (
    NONE,
    GuatemalaPlayer,
    GuatemalaRules,
    GuatemalaState,
)
from bot.game.guatemala.view import GuatemalaView, PieceView

MONEY = 0.7
"""A centavo, for a seat without any."""
NEED = 0.8
"""Centavos in hand for each turn to come that make the next one worth half as much."""
TURNS = {2: 1.2, 3: 0.8, 4: 0.6}
"""By number of players, how many turns of each go by from one sack to the next."""
A_SACK = {2: 4.7, 3: 3.5, 4: 3.1}
"""By number of players, how far each sack brings the markers and the sacks together."""
TO_LEARN = 0.7
"""How much a colour counts of which no sack can be seen, against one on the board."""
LONG = 16.0
"""Sacks still to be taken with which there is time for everything."""
GROWTH = 0.75
"""The part of the workers on the board that a seat will have, where all share them evenly."""
CLOSE = tuple(0.62**missing for missing in range(12))
"""What ships are worth to a hut, by the roads that are missing to their port."""
COMING = 0.4
"""A ship that lies on the production board still, for a plantation that reaches a port."""
HUTLESS = 0.35
"""A worker without a hut."""
ROOM = 0.5
"""A free cell beside a plantation."""
RIVALS = 1.3
"""The points of the others together, against one's own."""
LEAD = 0.15
"""How much more each point that another is ahead makes theirs count."""
BUILT = 0.6
"""What is built, against points made at once."""


class GuatemalaWorth:
    """Values for one seat, from its view."""

    def __init__(self, view: GuatemalaView, seat: Seat) -> None:
        self.view, self.seat = view, seat
        self.state = as_state(view)
        self.board = view.board
        self.me = self.state.players[seat]
        self.weights = _weights(view, seat)
        """By seat, what a point is worth to this one."""
        self.lying = Counter(number_of(each) for each in view.production if each is not None)
        """How many of each piece lie on the production board."""
        self.sacks_left = self._sacks_left()
        """How many sacks are still to be taken, perhaps."""
        self.time = min(1.0, self.sacks_left / LONG)
        """How much there is still time to build, 1 at the beginning."""
        self.harvests = self._harvests()
        """By colour, how often it is still to be harvested, perhaps."""
        self._ways = ways(view.board, view.roads)

    def _sacks_left(self) -> float:
        view, taken = self.view, len(self.view.track)
        gap = view.last_space + 1 - taken - max(seat.score for seat in view.seats)
        there = CONTENT.sacks * COLOURS - taken
        return max(1.0, min(gap / A_SACK[len(view.seats)], there))

    def _harvests(self) -> list[float]:
        """Sacks on the board count, and those that may come, rather of colours in hand."""
        likely = [
            self.lying[piece(SACK, colour)] + TO_LEARN * (1 + held / COLOURS)
            for colour, held in enumerate(self.me.hand)
        ]
        each, gone = self.sacks_left / sum(likely), Counter(self.view.track)
        return [
            min(each * n, CONTENT.sacks - gone[key])
            for n, key in zip(likely, COLOUR_KEYS, strict=True)
        ]

    def money(self, amount: float) -> float:
        """Centavos to be had or spent now."""
        need = NEED * TURNS[len(self.weights)] * self.sacks_left
        return MONEY * amount * need / (need + self.me.money)

    def growth(self, seat: Seat, colour: int) -> float:
        """The workers of a colour that a seat may yet have."""
        lying = self.lying[piece(WORKER, colour)]
        return GROWTH * min(lying / len(self.weights), 4.0) * self.time

    def size(self, seat: Seat, colour: int) -> float:
        """The workers of a plantation with those that it may yet have."""
        return len(self.state.players[seat].workers[colour]) + self.growth(seat, colour)

    def ships(self, colour: int, port: int) -> float:
        """What the ships of a colour at a port, and those to come, add to each worker's points."""
        there, times = self.state.ports[port].count(colour), self.harvests[colour]
        value = sum(min(there - n, times) for n in range(there))
        if next_dock(self.board, self.state.ports, port) is not None and times > 1:
            value += COMING * self.lying[piece(SHIP, colour)]
        return value

    def times(self, colour: int, hut: int) -> float:
        """How often a worker of a colour will score, ships counted in, by its hut's cell."""
        port, missing = self._ways.get(hut, (NONE, ()))
        value = self.harvests[colour]
        if port != NONE:
            value += CLOSE[len(missing)] * self.ships(colour, port)
        return value

    def worker(self, colour: int) -> float:
        """One more worker of a colour, by itself."""
        hut = self.me.huts[colour]
        if hut != NONE:
            return self.times(colour, hut)
        return HUTLESS * self.harvests[colour] if self.lying[piece(HUT, colour)] else 0.0

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
                value += self.weights[seat] * self.size(seat, colour) * CLOSE[len(missing)]
        return value * more

    def roads(self) -> dict[int, float]:
        """What each road would be worth that brings a hut nearer to its port."""
        values: dict[int, float] = {}
        for seat, player in enumerate(self.state.players):
            for colour, hut in enumerate(player.huts):
                port, missing = self._ways.get(hut, (NONE, ()))
                if not missing:
                    continue
                nearer = CLOSE[len(missing) - 1] - CLOSE[len(missing)]
                value = nearer * self.ships(colour, port) * self.size(seat, colour)
                for road in missing:
                    values[road] = values.get(road, 0.0) + self.weights[seat] * value
        return values

    def room(self, cell: int, besides: int) -> float:
        """The free cells around one, besides some that are taken."""
        free = self.board.around[cell] & self.board.land & ~besides
        return ROOM * free.bit_count() * self.time


def _weights(view: GuatemalaView, seat: Seat) -> list[float]:
    """It plays against the others, and most against those in the lead."""
    first = max(each.score for each in view.seats)
    near = [exp(LEAD * (each.score - first)) for each in view.seats]
    near[seat] = 0.0
    weights = [-RIVALS * each / sum(near) for each in near]
    weights[seat] = 1.0
    return weights


def as_state(view: GuatemalaView) -> GuatemalaState:
    """The table as far as the view shows it, for the functions of the rules. What others hold,
    the bag and the production board are left out."""
    board = view.board
    players = []
    for seat in view.seats:
        player = GuatemalaPlayer(list(seat.hand or [0] * COLOURS), seat.money, list(seat.points))
        for each in seat.plantations:
            colour = COLOUR_OF_KEY[each.colour]
            if each.hut is not None:
                player.huts[colour] = board.cell_of_name[each.hut]
            player.workers[colour] = [board.cell_of_name[name] for name in each.workers]
        players.append(player)
    state = GuatemalaState(
        rules=GuatemalaRules(view.last_space),
        players=players,
        production=[],
        ports=[[COLOUR_OF_KEY[ship] for ship in port.ships] for port in view.ports],
        bag=[],
        stock=view.stock,
        first=view.first,
        turn=view.turn,
        frames=[],
        roads=[board.road_of_name[name] for name in view.roads],
    )
    for player in players:
        for colour in range(COLOURS):
            for cell in cells_of(player, colour):
                cover(state, cell)
    return state


def number_of(lying: PieceView) -> int:
    """The number of a piece on the production board."""
    return piece(KINDS.index(lying.kind), COLOUR_OF_KEY.get(lying.colour, 0))


Way = tuple[int, tuple[int, ...]]
"""A port, and the roads that are missing to it."""


@lru_cache(64)
def ways(board: PlantationBoard, laid: tuple[str, ...]) -> dict[int, Way]:
    """By hut cell the nearest port, with the fewest missing roads to it, where there are laid
    those of these names."""
    best: dict[int, Way] = {}
    for port in board.open_ports:
        found = missing_roads(board, laid, (board.ports[port].corner,))
        for cell in members(board.hut_cells):
            reached = [found[corner] for corner in board.corners(cell) if corner in found]
            missing = min(reached, key=len, default=None)
            if missing is not None and (cell not in best or len(missing) < len(best[cell][1])):
                best[cell] = port, missing
    return best
