"""What a choice would bring, worked out from a view: harvests, prices, and roads to lay."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from bot.game.contract import Seat
from bot.game.guatemala.buying import price_of
from bot.game.guatemala.data import COLOUR_OF_KEY, KINDS, SPACE_OF_NAME
from bot.game.guatemala.plantation import board_for, joined_ports, missing_roads, nearest_ports
from bot.game.guatemala.view import GuatemalaView, PieceView

WORKER, HUT, SHIP, SACK, ROAD = KINDS

_BOARDS_KEPT = 256
"""Placements of roads for which distances are kept: a few for each picture of a table."""


def piece_on(view: GuatemalaView, space: str) -> PieceView | None:
    """The piece on a space of the production board."""
    return view.production[SPACE_OF_NAME[space]]


def harvests(view: GuatemalaView, colour: str) -> list[tuple[Seat, int]]:
    """Who would score for a sack of a colour, and how much: the observer first, then by turn."""
    count = len(view.seats)
    seats = sorted(
        range(count), key=lambda seat: (seat != view.observer, (seat - view.turn) % count)
    )
    points = [(seat, view.seats[seat].plantation(colour).points) for seat in seats]
    return [(seat, scored) for seat, scored in points if scored]


def ships(view: GuatemalaView, cell: str, colour: str) -> int:
    """How many ships of a colour lie in the ports to which roads connect a cell of a hut."""
    state = view.known
    joined = joined_ports(len(state.players), tuple(state.roads))
    ports = joined[view.board.cell_of_name[cell]]
    return sum(state.ports[port].count(COLOUR_OF_KEY[colour]) for port in ports)


def multiplied(view: GuatemalaView, port: str, colour: str) -> list[tuple[Seat, int, int]]:
    """Whose harvest of a colour one more ship in a port would raise: from what, to what."""
    raised = []
    for seat, owner in enumerate(view.seats):
        owned = owner.plantation(colour)
        if owned.points and port in owned.ports:
            raised.append((seat, owned.points, owned.points + len(owned.workers)))
    return raised


def price(view: GuatemalaView, kind: str, place: str) -> int:
    """What a piece of a kind costs in a place, in centavos; nothing for a road."""
    number = KINDS.index(kind)
    return price_of(view.known, number, view.board.places[number][place])


def roads_missing(view: GuatemalaView, cell: str) -> tuple[int, str]:
    """How many roads a hut on a cell lacks to its nearest port, and which that is."""
    state = view.known
    nearest = nearest_ports(len(state.players), tuple(state.roads))
    port, missing = nearest[view.board.cell_of_name[cell]]
    return len(missing), view.board.ports[port].name


class Nearer(NamedTuple):
    """A hut that a road would bring nearer: what is missing then, and to which port."""

    seat: Seat
    colour: str
    missing: int
    port: str


def brought_nearer(view: GuatemalaView) -> Mapping[str, tuple[Nearer, ...]]:
    """By road, the huts without a port that it would bring nearer to one."""
    huts = tuple(
        (seat, owned.colour, owned.hut)
        for seat, owner in enumerate(view.seats)
        for owned in owner.plantations
        if owned.hut is not None and not owned.ports
    )
    return _brought_nearer(len(view.seats), tuple(view.known.roads), huts)


def regions_that_help(view: GuatemalaView) -> set[str]:
    """The regions where a road brings a hut of the seat on turn nearer to a port."""
    nearer = brought_nearer(view).items()
    helping = [road for road, huts in nearer if any(hut.seat == view.turn for hut in huts)]
    return {view.board.region_of(road) for road in helping}


@lru_cache(maxsize=_BOARDS_KEPT)
def _brought_nearer(
    players: int, roads: tuple[int, ...], huts: tuple[tuple[Seat, str, str], ...]
) -> Mapping[str, tuple[Nearer, ...]]:
    board = board_for(players)
    found: dict[str, tuple[Nearer, ...]] = {}
    for seat, colour, cell in huts:
        from_cell = missing_roads(players, roads, board.corners(board.cell_of_name[cell]))
        ports = [board.ports[number] for number in board.open_ports]
        now = min((len(from_cell[p.corner]) for p in ports if p.corner in from_cell), default=0)
        for port in ports if now else ():
            from_port = missing_roads(players, roads, (port.corner,))
            for road in board.roads:
                one, other = road.ends
                if one not in from_cell or one not in from_port:
                    continue
                then = min(
                    len(from_cell[one]) + len(from_port[other]),
                    len(from_cell[other]) + len(from_port[one]),
                )
                if then < now:
                    nearer = Nearer(seat, colour, then, port.name)
                    found[road.name] = (*found.get(road.name, ()), nearer)
    return found
