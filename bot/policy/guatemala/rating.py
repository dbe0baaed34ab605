"""How many points each seat can expect, as a state stands, for a search to go by.

It may know all hands, as in an imagined world.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Seat
from bot.game.guatemala.data import COLOURS, CONTENT
from bot.game.guatemala.placing import cells_of, covered_cells
from bot.game.guatemala.production import POSITIONS
from bot.game.guatemala.state import NONE, GuatemalaOver, GuatemalaState
from bot.policy.guatemala.sacks import sack_at
from bot.policy.guatemala.weights import NORMAL, RATING
from bot.policy.guatemala.worth import HUTS, SHIPS, WORKERS, GuatemalaWorth, Way, ways

MANY = 4
"""Free cells around a plantation, and workers that may join it: more are not worth more."""
NO_WAY: Way = (NONE, ())


def value(state: GuatemalaState) -> Sequence[float]:
    """By seat, points scored and those to come."""
    scores = [float(sum(player.points)) for player in state.players]
    if isinstance(state.frames[-1], GuatemalaOver):
        return scores
    weights = RATING[len(scores)]
    return [
        score + sum([weight * amount for weight, amount in zip(weights, held, strict=True)])
        for score, held in zip(scores, holdings(state), strict=True)
    ]


def holdings(state: GuatemalaState) -> list[list[float]]:
    """By seat, how much it has of each of the `HOLDINGS`."""
    worth = GuatemalaWorth(state, state.turn, NORMAL)
    to_port = ways(worth.seats, tuple(state.roads))
    free = worth.board.land & ~covered_cells(state, worth.board)
    return [_held(worth, seat, to_port, free) for seat in range(worth.seats)]


def _held(worth: GuatemalaWorth, seat: Seat, to_port: dict[int, Way], free: int) -> list[float]:
    state, player, around = worth.state, worth.state.players[seat], worth.board.around
    workers = ships = far = coming = hutless = growth = room = 0.0
    for colour in range(COLOURS):
        size, hut, times = len(player.workers[colour]), player.huts[colour], worth.harvests[colour]
        if hut == NONE:
            hutless += size * times if worth.lying[HUTS[colour]] else 0.0
            continue
        workers += size * times
        growth += min(worth.lying[WORKERS[colour]] / worth.seats, MANY) * times
        beside = 0
        for cell in cells_of(player, colour):
            beside |= around[cell]
        room += min((beside & free).bit_count(), MANY)
        port, missing = to_port.get(hut, NO_WAY)
        if port == NONE:
            continue
        there, close = state.ports[port].count(colour), worth.close(len(missing))
        harvested = size * sum([min(there - n, times) for n in range(there)])
        if missing:
            far += close * harvested
        else:
            ships += harvested
        coming += close * size * worth.lying[SHIPS[colour]] if times > 1 else 0.0
    time = worth.time
    money, sacks = time * player.money, float(sum(player.hand))
    ahead = _ahead(worth) if seat == state.turn else 0.0
    return [workers, ships, far, coming, hutless, time * growth, time * room, money, sacks, ahead]


def _ahead(worth: GuatemalaWorth) -> int:
    """The most that the seat on turn can gain on all others by a sack that it can reach."""
    state, most = worth.state, 0
    if state.buyer == NONE:
        return most
    for step in range(1, CONTENT.steps + 2):
        colour = sack_at(state, (state.buyer + step) % POSITIONS)
        if colour is not None:
            made = worth.gains(colour)
            others = [points for seat, points in enumerate(made) if seat != worth.seat]
            most = max(most, made[worth.seat] - max(others))
    return most
