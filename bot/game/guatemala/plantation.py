"""The plantation boards: cells, hut cells, ports, and the places for roads, computed once.

A cell is a number in reading order from the coast. For people it is the letter of its column and
its row from 1, ``a1`` at the left end of the coast. A road between two cells has both names,
``b1-c1``. Ports are ``port1`` and so on from the left. Sets of cells and roads are bit masks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from string import ascii_lowercase
from typing import NamedTuple

import msgspec

from bot.game.bits import mask, members
from bot.game.content import Count, Strict, check_content, read
from bot.game.guatemala.data import CONTENT, FOLDER, ROWS, ZONE_OF_ROW, ZONES

Corner = tuple[Count, Count]
"""The column and the row of the cell to its lower right."""


class Path(Strict, frozen=True):
    """The printed path of a port: its length straight inland, and the rows of its branches."""

    length: Count
    branches: tuple[Count, ...]


class Port(Strict, frozen=True):
    """A port at a corner of the coast, and the prices of its docks in centavos."""

    name: str
    corner: Corner
    prices: tuple[Count, ...]


class BoardSide(Strict, frozen=True):
    """A side of the plantation board in data/guatemala/plantation.toml."""

    players: tuple[Count, ...]
    columns: Count
    strips: Count
    hut_columns: tuple[Count, ...]
    hut_rows: tuple[Count, ...]
    ports: tuple[Port, ...]
    closed: Mapping[str, Count] = msgspec.field(default_factory=dict)
    """By number of players, the strip without huts, roads and ships, only for workers."""
    path: Path | None = None


_CACHED = 1024
"""The number of road networks with cached routes."""


class Road(NamedTuple):
    """A place for a road: between two cells, from one corner to another."""

    name: str
    ends: tuple[Corner, Corner]
    cell: int
    """The upper or left one of the two cells."""


class PlantationBoard:
    """The plantation board for a number of players."""

    def __init__(self, side: BoardSide, players: int) -> None:
        self.columns = side.columns
        self.cells = side.columns * ROWS
        self.strips = side.strips
        self.has_paths = side.path is not None
        """Whether roads follow printed paths; otherwise any edge between two cells is a place."""
        parts = [f"path{n + 1}" for n in range(side.strips)] if side.path else ["left", "right"]
        wide = side.strips // len(parts)
        self.parts = {part: range(wide * n + 1, wide * (n + 1) + 1) for n, part in enumerate(parts)}
        """The strips, from 1, of each part with a close-up, from the left."""
        closed = side.closed.get(str(players))
        self.names = tuple(
            f"{ascii_lowercase[column]}{row + 1}"
            for row in range(ROWS)
            for column in range(self.columns)
        )
        self.cell_of_name = {name: cell for cell, name in enumerate(self.names)}
        printed = [r * self.columns + c for r in side.hut_rows for c in side.hut_columns]
        self.closed_huts = mask(cell for cell in printed if self.strip_of(cell) == closed)
        """Hut cells of a closed strip, always empty."""
        self.hut_cells = mask(printed) & ~self.closed_huts
        self.land = mask(range(self.cells)) & ~mask(printed)
        """The cells for workers."""
        self.around = tuple(mask(self._neighbours(cell)) for cell in range(self.cells))
        """The orthogonal neighbours of each cell."""
        self.zones = tuple(
            mask(cell for cell in range(self.cells) if self.zone_of(cell) == zone)
            for zone in range(ZONES)
        )
        self.zone_starts = tuple((bits & -bits).bit_length() - 1 for bits in self.zones)
        """The first cell of each zone."""
        self.ports = side.ports
        self.port_of_name = {port.name: n for n, port in enumerate(self.ports)}
        self.open_ports = tuple(
            n for n, port in enumerate(self.ports) if self.strip_of(port.corner[0]) != closed
        )
        printed_roads = _path_edges(side)
        between = [
            self._road(cell, cell + step)
            for step in (1, self.columns)
            for cell in range(self.cells)
            if cell + step in self._neighbours(cell)
        ]
        self.roads = tuple(
            road for road in between if side.path is None or road.ends in printed_roads
        )
        """All places for roads, also those of a closed strip."""
        self.road_of_name = {road.name: n for n, road in enumerate(self.roads)}
        land, ports, roads = self.cell_of_name, self.port_of_name, self.road_of_name
        self.places: tuple[Mapping[str, int], ...] = (land, land, ports, {}, roads)
        """By kind of piece, the numbers of its places by name."""
        self.open_roads = mask(
            n for n, road in enumerate(self.roads) if self.strip_of(road.cell) != closed
        )
        self.ways: dict[Corner, list[tuple[Corner, int]]] = {}
        """By corner, the corners that a road can connect to it, each with that road."""
        for n in members(self.open_roads):
            start, end = self.roads[n].ends
            self.ways.setdefault(start, []).append((end, n))
            self.ways.setdefault(end, []).append((start, n))

    def zone_of(self, cell: int) -> int:
        """Return the zone of a cell, 0 at the coast."""
        return ZONE_OF_ROW[cell // self.columns]

    def strip_of(self, cell: int) -> int:
        """Return the strip of a cell, 0 at the left."""
        return cell % self.columns * self.strips // self.columns

    def _neighbours(self, cell: int) -> list[int]:
        row, column = divmod(cell, self.columns)
        steps = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [r * self.columns + c for r, c in steps if 0 <= r < ROWS and 0 <= c < self.columns]

    def _road(self, cell: int, other: int) -> Road:
        """Return the edge between a cell and its neighbour to the right or below."""
        row, column = divmod(other, self.columns)
        end = (column, row + 1) if other == cell + 1 else (column + 1, row)
        return Road(f"{self.names[cell]}-{self.names[other]}", ((column, row), end), cell)

    def corners(self, cell: int) -> tuple[Corner, ...]:
        row, column = divmod(cell, self.columns)
        return (column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)

    def region_of(self, place: str) -> str:
        """Return the strip, from 1, and the zone of a named cell or road as one word: ``2coast``.

        Return "" for a port.
        """
        cell = self.cell_of_name.get(place.partition("-")[0])
        if cell is None:
            return ""
        return f"{self.strip_of(cell) + 1}{CONTENT.zones[self.zone_of(cell)].key}"


def _path_edges(side: BoardSide) -> set[tuple[Corner, Corner]]:
    """Return the edges of the printed paths, each from its upper or left end (rules: roads)."""
    path, columns = side.path, [port.corner[0] for port in side.ports]
    if path is None:
        return set()
    inland = {((x, y), (x, y + 1)) for x in columns for y in range(path.length)}
    lefts = [left for x in columns for left in (x - 1, x)]
    return inland | {((left, y), (left + 1, y)) for left in lefts for y in path.branches}


_SIDES = {
    players: side
    for side in read(FOLDER / "plantation.toml", dict[str, tuple[BoardSide, ...]])["plantations"]
    for players in side.players
}


@cache
def board_for(players: int) -> PlantationBoard:
    """Return the board for 2, 3 or 4 players. Raise KeyError for another number."""
    return PlantationBoard(_SIDES[players], players)


# Routes along roads. The returned mappings are cached: callers must not change them.


@lru_cache(_CACHED)
def joined_ports(players: int, roads: tuple[int, ...]) -> Mapping[int, tuple[int, ...]]:
    """Return, by hut cell, the ports to which `roads` connect it.

    Roads must lead from the port's corner to a corner of the cell (ruling 20).
    """
    board, built = board_for(players), set(roads)
    ports: dict[int, tuple[int, ...]] = dict.fromkeys(members(board.hut_cells), ())
    for port in board.open_ports:
        reached = [board.ports[port].corner]
        for corner in reached:
            ways = board.ways.get(corner, ())
            reached += [end for end, road in ways if road in built and end not in reached]
        for cell in ports:
            if not {*reached}.isdisjoint(board.corners(cell)):
                ports[cell] += (port,)
    return ports


@lru_cache(_CACHED)
def missing_roads(
    players: int, roads: tuple[int, ...], start: tuple[Corner, ...]
) -> Mapping[Corner, tuple[int, ...]]:
    """Return, by corner, the fewest roads missing from the nearest corner of `start` to it.

    Corners that no route can reach are left out.
    """
    built, ways = set(roads), board_for(players).ways
    missing: dict[Corner, tuple[int, ...]] = dict.fromkeys(start, ())
    queue = deque(start)
    while queue:
        corner = queue.popleft()
        for other, road in ways.get(corner, ()):
            way = missing[corner] if road in built else (*missing[corner], road)
            if other not in missing or len(way) < len(missing[other]):
                missing[other] = way
                # Visit corners without a new road first, so that each gets its minimum early.
                (queue.appendleft if road in built else queue.append)(other)
    return missing


def _from_port(players: int, roads: tuple[int, ...], port: int) -> Mapping[Corner, tuple[int, ...]]:
    return missing_roads(players, roads, (board_for(players).ports[port].corner,))


@lru_cache(_CACHED)
def nearest_ports(
    players: int, roads: tuple[int, ...]
) -> Mapping[int, tuple[int, tuple[int, ...]]]:
    """Return, by hut cell, the port with the fewest missing roads, and these roads."""
    board, best = board_for(players), dict[int, tuple[int, tuple[int, ...]]]()
    for port in board.open_ports:
        from_port = _from_port(players, roads, port)
        for cell in members(board.hut_cells):
            routes = [from_port[corner] for corner in board.corners(cell) if corner in from_port]
            missing = min(routes, key=len, default=None)
            if missing is not None and (cell not in best or len(missing) < len(best[cell][1])):
                best[cell] = port, missing
    return best


class CloserHut(NamedTuple):
    """A hut cell that one more road connects better: the number of roads still missing then."""

    cell: int
    missing: int
    port: int


@lru_cache(_CACHED)
def closer_huts(
    players: int, roads: tuple[int, ...], cells: tuple[int, ...]
) -> Mapping[int, Sequence[CloserHut]]:
    """Return, by road, the hut cells among `cells` that need fewer roads to a port with it.

    None of `cells` may be connected to a port yet.
    """
    board, closer = board_for(players), dict[int, list[CloserHut]]()
    for cell in cells:
        from_cell = missing_roads(players, roads, board.corners(cell))
        _, nearest = nearest_ports(players, roads)[cell]
        for port in board.open_ports:
            from_port = _from_port(players, roads, port)
            for number, (_, ends, _) in enumerate(board.roads):
                lengths = [
                    len(from_cell[one]) + len(from_port[other])
                    for one, other in (ends, ends[::-1])
                    if one in from_cell and other in from_port
                ]
                if lengths and min(lengths) < len(nearest):
                    closer.setdefault(number, []).append(CloserHut(cell, min(lengths), port))
    return closer


for _players, _side in _SIDES.items():
    _board, _corners = board_for(_players), [port.corner[0] for port in _side.ports]
    _joined = joined_ports(_players, tuple(members(_board.open_roads)))
    check_content(
        FOLDER,
        {
            f"huts or ports outside a board of {_side.columns} columns": (
                {*_side.hut_columns, *_corners, *(corner - 1 for corner in _corners)}
                - {*range(_side.columns)}
                or max(_side.hut_rows) >= ROWS
            ),
            f"{_side.columns} columns in {_side.strips} strips": _side.columns % _side.strips,
            "prices of docks that do not rise": any(
                [0, *port.prices] != sorted({0, *port.prices}) for port in _side.ports
            ),
            "huts from which no roads lead to a port": not all(_joined.values()),
        },
    )
