"""How many points each seat can expect, as a state stands, for a search to go by.

It may know all hands, as in an imagined world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.contract import Seat
from bot.game.guatemala.buying import occupied_cells
from bot.game.guatemala.data import COLOURS
from bot.game.guatemala.plantation import nearest_ports
from bot.game.guatemala.state import NONE, GuatemalaOver, GuatemalaState
from bot.policy.guatemala.weights import RATING
from bot.policy.guatemala.worth import HUTS, WORKERS, GuatemalaWorth

MANY = 4
"""Free cells around a plantation, and workers that may join it: more are not worth more."""
Way = tuple[int, tuple[int, ...]]
"""A port, and the roads that are missing to it."""
NO_WAY: Way = (NONE, ())


def value(state: GuatemalaState) -> Sequence[float]:
    """By seat, how many points it may have at the end, less what they all have then."""
    scores = [float(sum(player.points)) for player in state.players]
    if isinstance(state.frames[-1], GuatemalaOver):
        return scores
    weights = RATING[len(scores)]
    return [
        sum([weight * amount for weight, amount in zip(weights, held, strict=True)])
        for held in holdings(state)
    ]


def holdings(state: GuatemalaState) -> list[list[float]]:
    """By seat, how much it has of each of the `HOLDINGS`."""
    worth = GuatemalaWorth(state, state.turn)
    to_port = nearest_ports(worth.seats, tuple(state.roads))
    free = worth.board.land & ~occupied_cells(state)
    return [_held(worth, seat, to_port, free) for seat in range(worth.seats)]


def _held(worth: GuatemalaWorth, seat: Seat, to_port: Mapping[int, Way], free: int) -> list[float]:
    state, player, around = worth.state, worth.state.players[seat], worth.board.around
    points = float(sum(player.points))
    workers = ships = hutless = growth = room = 0.0
    for colour in range(COLOURS):
        size, hut, times = len(player.workers[colour]), player.huts[colour], worth.harvests[colour]
        if hut == NONE:
            hutless += size * times if worth.lying[HUTS[colour]] else 0.0
            continue
        workers += size * times
        growth += min(worth.lying[WORKERS[colour]] / worth.seats, MANY) * times
        beside = 0
        for cell in player.cells(colour):
            beside |= around[cell]
        room += min((beside & free).bit_count(), MANY)
        port, missing = to_port.get(hut, NO_WAY)
        if port == NONE:
            continue
        there, close = state.ports[port].count(colour), worth.close(len(missing))
        ships += close * size * sum([min(there - n, times) for n in range(there)])
    time = worth.time
    money, sacks = time * player.money, float(sum(player.hand))
    growth, room = time * growth, time * room
    return [points, workers, ships, hutless, growth, room, money, sacks]
