"""The plantation boards: cells, hut cells, ports, and the places of roads, worked out once.

A cell is a number in reading order from the coast, and a word wherever people read it: the letter
of its column and its row from 1, ``a1`` at the left end of the coast. A road lies between two
cells and is called by both, ``b1-c1``. Ports are ``port1`` and so on from the left. Sets of cells
and of roads are bit masks.
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
    """Where roads are printed: segments straight inland from a port, and rows of its branches."""

    length: Count
    branches: tuple[Count, ...]


class Port(Strict, frozen=True):
    """A port at a corner of the coast, and the prices of its docks in centavos."""

    name: str
    corner: Corner
    prices: tuple[Count, ...]


class BoardSide(Strict, frozen=True):
    """One side of the plantation board, as data/guatemala/plantation.toml describes it."""

    players: tuple[Count, ...]
    columns: Count
    strips: Count
    hut_columns: tuple[Count, ...]
    hut_rows: tuple[Count, ...]
    ports: tuple[Port, ...]
    closed: Mapping[str, Count] = msgspec.field(default_factory=dict)
    """By number of players, the strip that only workers may use: without huts, roads and ships."""
    path: Path | None = None


_CACHED = 1024
"""Placements of roads for which ways are kept."""


class Road(NamedTuple):
    """A place for a road: between two cells, from one corner to another."""

    name: str
    ends: tuple[Corner, Corner]
    cell: int
    """The upper or left one of the two."""


class PlantationBoard:
    """The plantation board as it is for a number of players."""

    def __init__(self, side: BoardSide, players: int) -> None:
        self.columns = side.columns
        self.cells = side.columns * ROWS
        self.strips = side.strips
        self.has_paths = side.path is not None
        """Whether roads lie on printed paths; otherwise on any edge between two cells."""
        parts = [f"path{n + 1}" for n in range(side.strips)] if side.path else ["left", "right"]
        wide = side.strips // len(parts)
        self.parts = {part: range(wide * n + 1, wide * (n + 1) + 1) for n, part in enumerate(parts)}
        """The parts that can be seen large, from the left: by name their strips, from 1."""
        closed = side.closed.get(str(players))
        self.names = tuple(
            f"{ascii_lowercase[column]}{row + 1}"
            for row in range(ROWS)
            for column in range(self.columns)
        )
        self.cell_of_name = {name: cell for cell, name in enumerate(self.names)}
        printed = [r * self.columns + c for r in side.hut_rows for c in side.hut_columns]
        self.closed_huts = mask(cell for cell in printed if self.strip_of(cell) == closed)
        """Hut cells on which nothing is ever built."""
        self.hut_cells = mask(printed) & ~self.closed_huts
        self.land = mask(range(self.cells)) & ~mask(printed)
        """The cells of workers."""
        self.around = tuple(mask(self._beside(cell)) for cell in range(self.cells))
        """By cell, those that join it orthogonally."""
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
            if cell + step in self._beside(cell)
        ]
        self.roads = tuple(
            road for road in between if side.path is None or road.ends in printed_roads
        )
        """All places for roads, those of a closed strip included."""
        self.road_of_name = {road.name: n for n, road in enumerate(self.roads)}
        land, ports, roads = self.cell_of_name, self.port_of_name, self.road_of_name
        self.places: tuple[Mapping[str, int], ...] = (land, land, ports, {}, roads)
        """By kind of piece, the numbers of its places by their names."""
        self.open_roads = mask(
            n for n, road in enumerate(self.roads) if self.strip_of(road.cell) != closed
        )
        self.ways: dict[Corner, list[tuple[Corner, int]]] = {}
        """By corner, those beside it to which a road can lead, each with that road."""
        for n in members(self.open_roads):
            start, end = self.roads[n].ends
            self.ways.setdefault(start, []).append((end, n))
            self.ways.setdefault(end, []).append((start, n))

    def zone_of(self, cell: int) -> int:
        """0 at the coast."""
        return ZONE_OF_ROW[cell // self.columns]

    def strip_of(self, cell: int) -> int:
        """0 at the left."""
        return cell % self.columns * self.strips // self.columns

    def _beside(self, cell: int) -> list[int]:
        row, column = divmod(cell, self.columns)
        steps = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [r * self.columns + c for r, c in steps if 0 <= r < ROWS and 0 <= c < self.columns]

    def _road(self, cell: int, other: int) -> Road:
        """The edge between a cell and the one beside it, to the right or below."""
        row, column = divmod(other, self.columns)
        end = (column, row + 1) if other == cell + 1 else (column + 1, row)
        return Road(f"{self.names[cell]}-{self.names[other]}", ((column, row), end), cell)

    def corners(self, cell: int) -> tuple[Corner, ...]:
        """The four corners of a cell."""
        row, column = divmod(cell, self.columns)
        return (column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)

    def region_of(self, place: str) -> str:
        """The strip, from 1, and the zone in which a cell or a road by name lies, as one word:
        ``2coast``. "" for a port."""
        cell = self.cell_of_name.get(place.partition("-")[0])
        if cell is None:
            return ""
        return f"{self.strip_of(cell) + 1}{CONTENT.zones[self.zone_of(cell)].key}"


def _path_edges(side: BoardSide) -> set[tuple[Corner, Corner]]:
    """The printed segments, each from its upper or left end (rules: roads)."""
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
    """The board for 2, 3 or 4 players. Raises KeyError for another number."""
    return PlantationBoard(_SIDES[players], players)


# Ways along roads


@lru_cache(_CACHED)
def joined_ports(players: int, roads: tuple[int, ...]) -> Mapping[int, tuple[int, ...]]:
    """By hut cell, the ports to which these roads connect it: a way of roads from the port's
    corner leads to a corner of the cell (ruling 20). Shared: never change it."""
    board, laid = board_for(players), set(roads)
    found: dict[int, tuple[int, ...]] = dict.fromkeys(members(board.hut_cells), ())
    for port in board.open_ports:
        reached = [board.ports[port].corner]
        for corner in reached:
            ways = board.ways.get(corner, ())
            reached += [end for end, road in ways if road in laid and end not in reached]
        for cell in found:
            if not {*reached}.isdisjoint(board.corners(cell)):
                found[cell] += (port,)
    return found


@lru_cache(_CACHED)
def missing_roads(
    players: int, laid: tuple[int, ...], start: tuple[Corner, ...]
) -> Mapping[Corner, tuple[int, ...]]:
    """By corner that roads can reach, the fewest that are missing from the nearest start to it,
    where these are laid. Shared: never change it.
    """
    free, ways = set(laid), board_for(players).ways
    found: dict[Corner, tuple[int, ...]] = dict.fromkeys(start, ())
    queue = deque(start)
    while queue:
        corner = queue.popleft()
        for other, road in ways.get(corner, ()):
            way = found[corner] if road in free else (*found[corner], road)
            if other not in found or len(way) < len(found[other]):
                found[other] = way
                # Corners that cost nothing more come first, so that each is settled at its least.
                (queue.appendleft if road in free else queue.append)(other)
    return found


def _from_port(players: int, roads: tuple[int, ...], port: int) -> Mapping[Corner, tuple[int, ...]]:
    return missing_roads(players, roads, (board_for(players).ports[port].corner,))


@lru_cache(_CACHED)
def nearest_ports(
    players: int, roads: tuple[int, ...]
) -> Mapping[int, tuple[int, tuple[int, ...]]]:
    """By hut cell, the port to which fewest roads are missing where these are laid, and those.
    Shared: never change it."""
    board, best = board_for(players), dict[int, tuple[int, tuple[int, ...]]]()
    for port in board.open_ports:
        found = _from_port(players, roads, port)
        for cell in members(board.hut_cells):
            reached = [found[corner] for corner in board.corners(cell) if corner in found]
            missing = min(reached, key=len, default=None)
            if missing is not None and (cell not in best or len(missing) < len(best[cell][1])):
                best[cell] = port, missing
    return best


class Nearer(NamedTuple):
    """A hut cell that one more road brings nearer to a port: the roads still missing then."""

    cell: int
    missing: int
    port: int


@lru_cache(_CACHED)
def brought_nearer(
    players: int, roads: tuple[int, ...], cells: tuple[int, ...]
) -> Mapping[int, Sequence[Nearer]]:
    """By road, those of these hut cells without a port that it would bring nearer to one where
    these roads are laid. Shared: never change it."""
    board, found = board_for(players), dict[int, list[Nearer]]()
    for cell in cells:
        from_cell = missing_roads(players, roads, board.corners(cell))
        _, nearest = nearest_ports(players, roads)[cell]
        for port in board.open_ports:
            from_port = _from_port(players, roads, port)
            for number, (_, ends, _) in enumerate(board.roads):
                ways = [
                    len(from_cell[one]) + len(from_port[other])
                    for one, other in (ends, ends[::-1])
                    if one in from_cell and other in from_port
                ]
                if ways and min(ways) < len(nearest):
                    found.setdefault(number, []).append(Nearer(cell, min(ways), port))
    return found


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
