"""What a choice would bring, worked out from a view: harvests, prices, lines, and roads to lay."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bot.game.contract import Seat
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.plantation import Corner, PlantationBoard, board_for, members
from bot.game.guatemala.production import (
    POSITION_NAMES,
    POSITION_OF_NAME,
    POSITIONS,
    SPACE_NAMES,
    SPACE_OF_NAME,
    line_of,
)
from bot.game.guatemala.view import GuatemalaView, PieceView, PlantationView

WORKER, HUT, SHIP, SACK, ROAD = "worker", "hut", "ship", "sack", "road"

_BOARDS_KEPT = 256
"""Placements of roads for which distances are kept: a few for each picture of a table."""


def board_of(view: GuatemalaView) -> PlantationBoard:
    """The plantation board of the table."""
    return board_for(len(view.seats))


def piece_on(view: GuatemalaView, space: str) -> PieceView | None:
    """The piece on a space of the production board."""
    return view.production[SPACE_OF_NAME[space]]


def position_after(view: GuatemalaView, steps: int) -> str:
    """Where so many steps bring the buyer, who must have been placed."""
    here = POSITION_OF_NAME[view.buyer or POSITION_NAMES[0]]
    return POSITION_NAMES[(here + steps) % POSITIONS]


def line(view: GuatemalaView, position: str) -> list[tuple[str, PieceView]]:
    """The pieces that are faced from a position, each with its space."""
    spaces = line_of(POSITION_OF_NAME[position])
    pieces = [(SPACE_NAMES[space], view.production[space]) for space in spaces]
    return [(space, piece) for space, piece in pieces if piece is not None]


def sack_in(view: GuatemalaView, position: str | None) -> PieceView | None:
    """The sack that is faced from a position."""
    if position is None:
        return None
    return next((piece for _, piece in line(view, position) if piece.kind == SACK), None)


def plantation(view: GuatemalaView, seat: Seat, colour: str) -> PlantationView:
    """A seat's plantation of a colour, be it only the plan of one."""
    owned = view.seats[seat].plantations if seat >= 0 else ()
    planned = PlantationView(colour, None, (), (), 0, 0)
    return next((each for each in owned if each.colour == colour), planned)


def harvests(view: GuatemalaView, colour: str) -> list[tuple[Seat, int]]:
    """Who would score for a sack of a colour, and how much: the observer first, then by turn."""
    count = len(view.seats)
    seats = sorted(
        range(count), key=lambda seat: (seat != view.observer, (seat - view.turn) % count)
    )
    points = [(seat, plantation(view, seat, colour).points) for seat in seats]
    return [(seat, scored) for seat, scored in points if scored]


def ships(view: GuatemalaView, ports: Iterable[str], colour: str) -> int:
    """How many ships of a colour lie in some ports."""
    return sum(each.ships.count(colour) for each in view.ports if each.port in set(ports))


def multiplied(view: GuatemalaView, port: str, colour: str) -> list[tuple[Seat, int, int]]:
    """Whose harvest of a colour one more ship in a port would raise: from what, to what."""
    raised = []
    for seat in range(len(view.seats)):
        owned = plantation(view, seat, colour)
        if owned.points and port in owned.ports:
            raised.append((seat, owned.points, owned.points + len(owned.workers)))
    return raised


def price(view: GuatemalaView, kind: str, place: str) -> int:
    """What a piece of a kind costs in a place, in centavos. Raises IndexError for a full port."""
    board = board_of(view)
    if kind == ROAD:
        return 0
    if kind == SHIP:
        number = board.port_of_name[place]
        return board.ports[number].prices[len(view.ports[number].ships)]
    zone = CONTENT.zones[board.zone_of(board.cell_of_name[place])]
    return zone.hut if kind == HUT else zone.worker


def joined_ports(view: GuatemalaView, cell: str) -> tuple[str, ...]:
    """The ports to which roads connect a cell."""
    board, missing = board_of(view), _distances(len(view.seats), view.roads, cell)
    ports = [board.ports[number] for number in board.open_ports]
    return tuple(port.name for port in ports if missing.get(port.corner) == 0)


def roads_missing(view: GuatemalaView, cell: str) -> tuple[int, str] | None:
    """How many roads a hut on a cell lacks to its nearest port, and which that is; None where it
    can reach none."""
    return _nearest(len(view.seats), view.roads, cell)


class Nearer(NamedTuple):
    """A hut that a road would bring nearer: what is missing then, and to which port."""

    seat: Seat
    colour: str
    missing: int
    port: str


def brought_nearer(view: GuatemalaView, road: str) -> tuple[Nearer, ...]:
    """The huts without a port that a road would bring nearer to one."""
    return _all_brought_nearer(view).get(road, ())


def regions_that_help(view: GuatemalaView) -> set[str]:
    """The regions where a road brings a hut of the seat on turn nearer to a port."""
    board, nearer = board_of(view), _all_brought_nearer(view)
    helping = [road for road, huts in nearer.items() if any(h.seat == view.turn for h in huts)]
    return {board.region_of(road) for road in helping}


def _all_brought_nearer(view: GuatemalaView) -> dict[str, tuple[Nearer, ...]]:
    huts = tuple(
        (seat, owned.colour, owned.hut)
        for seat, owner in enumerate(view.seats)
        for owned in owner.plantations
        if owned.hut is not None and not owned.ports
    )
    return _brought_nearer(len(view.seats), view.roads, huts)


@lru_cache(maxsize=_BOARDS_KEPT)
def _brought_nearer(
    players: int, roads: tuple[str, ...], huts: tuple[tuple[Seat, str, str], ...]
) -> dict[str, tuple[Nearer, ...]]:
    """The same for all roads of a board at once, by their places. Shared: never change it."""
    board, found = board_for(players), dict[str, tuple[Nearer, ...]]()
    for seat, colour, cell in huts:
        now = _nearest(players, roads, cell)
        from_cell = _distances(players, roads, cell)
        for port in (board.ports[number] for number in board.open_ports if now):
            from_port = _distances(players, roads, port.name)
            for road in board.roads:
                one, other = road.ends
                if one not in from_cell or one not in from_port:
                    continue
                then = min(from_cell[one] + from_port[other], from_cell[other] + from_port[one])
                if now and then < now[0]:
                    nearer = Nearer(seat, colour, then, port.name)
                    found[road.name] = (*found.get(road.name, ()), nearer)
    return found


def _nearest(players: int, roads: tuple[str, ...], cell: str) -> tuple[int, str] | None:
    board, missing = board_for(players), _distances(players, roads, cell)
    ports = [board.ports[number] for number in board.open_ports]
    reached = [(missing[port.corner], port.name) for port in ports if port.corner in missing]
    return min(reached, default=None)


@lru_cache(maxsize=_BOARDS_KEPT)
def _distances(players: int, roads: tuple[str, ...], start: str) -> dict[Corner, int]:
    """How many roads are missing from a cell or port to each corner that roads can reach."""
    board = board_for(players)
    if start in board.port_of_name:
        corners: tuple[Corner, ...] = (board.ports[board.port_of_name[start]].corner,)
    else:
        corners = board.corners(board.cell_of_name[start])
    laid = frozenset(roads)
    missing, queue = dict.fromkeys(corners, 0), deque(corners)
    while queue:
        here = queue.popleft()
        for there, road in _ways(players).get(here, ()):
            steps = missing[here] + (road not in laid)
            if there in missing and missing[there] <= steps:
                continue
            missing[there] = steps
            # Corners that cost nothing more come first, so that each is settled at its least.
            (queue.appendleft if road in laid else queue.append)(there)
    return missing


@lru_cache
def _ways(players: int) -> dict[Corner, list[tuple[Corner, str]]]:
    """By corner, the corners beside it to which a road can lead, and that road's place."""
    board = board_for(players)
    ways: dict[Corner, list[tuple[Corner, str]]] = {}
    for road in (board.roads[number] for number in members(board.open_roads)):
        one, other = road.ends
        ways.setdefault(one, []).append((other, road.name))
        ways.setdefault(other, []).append((one, road.name))
    return ways
