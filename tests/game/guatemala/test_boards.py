"""The box: pieces, boards and prices (rules: setup, moving, huts, ships, roads)."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.game.bits import members
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    FACED,
    FRAMED,
    OTHERS,
    POSITION_NAMES,
    POSITIONS,
    PRINTED,
    SPACE_NAMES,
    piece_key,
)
from bot.game.guatemala.plantation import PlantationBoard, board_for


def test_the_buyer_goes_round_36_positions_and_faces_a_whole_row_or_column() -> None:
    """Rulings 1 and 2: above columns 1-9, right of rows 1-9, below them and left of them back."""
    up, down = range(1, 10), range(9, 0, -1)
    words = [
        f"{side}{n}" for side, row in zip("trbl", (up, up, down, down), strict=True) for n in row
    ]
    assert list(POSITION_NAMES) == words
    assert POSITIONS == 36
    for position, line in zip(POSITION_NAMES, FACED, strict=True):
        across = position[0] in "tb"
        names = [name for name in SPACE_NAMES if name[across] == position[1]]
        assert [SPACE_NAMES[space] for space in line] == names


def test_six_spaces_are_framed_no_two_in_one_line() -> None:
    """The same from the other side of the table; 24 positions reach one sack and 12 none."""
    assert [SPACE_NAMES[space] for space in FRAMED] == ["14", "38", "43", "67", "72", "96"]
    assert sorted((*FRAMED, *OTHERS)) == list(range(81))
    assert {80 - space for space in FRAMED} == set(FRAMED)
    assert Counter(sum(space in FRAMED for space in line) for line in FACED) == {1: 24, 0: 12}


def test_of_the_six_printed_sacks_two_are_black_and_the_other_colours_lie_once() -> None:
    """That all other pieces are printed is checked when the board is read."""
    sacks = Counter(piece_key(PRINTED[space]) for space in FRAMED)
    assert sacks == {f"{key}_sack": 1 + (key == "black") for key in COLOUR_KEYS}
    assert [piece_key(PRINTED[space]) for space in (0, 9, 80)] == [
        *("white_worker", "black_hut", "red_ship"),
    ]


# The plantation boards

BOARDS = {players: board_for(players) for players in (2, 3, 4)}
COLUMNS = "abcdefghijklmnop"
HUT_COLUMNS = {2: "behk", 3: "ehilmp", 4: "adehilmp"}
PORTS = {2: {"port1": "g"}, 3: {"port2": "g", "port3": "k", "port4": "o"}}
PORTS[4] = {"port1": "c", **PORTS[3]}
"""The columns to the left of which ports lie at the coast."""


def names(board: PlantationBoard, cells: int) -> list[str]:
    return [board.names[cell] for cell in members(cells)]


def path(left: str, right: str) -> set[str]:
    """A printed path: a line between two columns, and branches below rows 1, 4 and 7 of both."""
    return {f"{left}{row}-{right}{row}" for row in range(1, 8)} | {
        f"{column}{row}-{column}{row + 1}" for column in (left, right) for row in (1, 4, 7)
    }


def test_cells_are_named_by_column_and_row_from_the_coast_in_three_zones_of_three_rows() -> None:
    for players, board in BOARDS.items():
        columns = COLUMNS[: 12 if players == 2 else 16]
        assert (board.columns, board.cells) == (len(columns), 9 * len(columns))
        assert list(board.names) == [f"{x}{y}" for y in range(1, 10) for x in columns]
        for cell, name in enumerate(board.names):
            x, y = columns.index(name[0]), int(name[1])
            rows = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
            beside = [
                f"{columns[x]}{y}" for x, y in rows if x in range(len(columns)) and 0 < y < 10
            ]
            assert names(board, board.around[cell]) == beside
            assert board.zone_of(cell) == (y - 1) // 3
            assert [cell in members(zone) for zone in board.zones].index(True) == (y - 1) // 3
        huts = {f"{x}{y}" for x in HUT_COLUMNS[players] for y in (2, 5, 8)}
        closed = {f"{x}{y}" for x in "ad" for y in (2, 5, 8)} if players == 3 else set()
        assert set(names(board, board.hut_cells)) == huts
        assert set(names(board, board.closed_huts)) == closed
        assert set(names(board, board.land)) == {*board.names} - huts - closed


def test_roads_and_ports_are_those_printed_and_with_three_players_a_path_is_closed() -> None:
    """13 segments a path, or all 195 inner edges; three docks a port, or six."""
    paths = [path(*COLUMNS[first : first + 2]) for first in (1, 5, 9, 13)]
    for players, board in BOARDS.items():
        roads = {road.name for n, road in enumerate(board.roads) if board.open_roads >> n & 1}
        assert len(roads) == {2: 195, 3: 39, 4: 52}[players]
        if players > 2:
            assert roads == set().union(*paths[4 - players :])
        for number, road in enumerate(board.roads):
            assert board.road_of_name[road.name] == number
            # A road lies between its two cells, so at the left or the top of the second one.
            cell, beside = (
                (COLUMNS.index(name[0]), int(name[1]) - 1) for name in road.name.split("-")
            )
            (x, y), is_upright = beside, cell[1] == beside[1]
            assert set(road.ends) == {(x, y), (x, y + 1) if is_upright else (x + 1, y)}
        there = {board.ports[port].name: board.ports[port].corner for port in board.open_ports}
        assert there == {port: (COLUMNS.index(x), 0) for port, x in PORTS[players].items()}
        docks = (1, 2, 3, 4, 5, 6) if players == 2 else (2, 4, 6)
        assert {port.prices for port in board.ports} == {docks}
    with pytest.raises(KeyError):
        board_for(5)


def test_a_region_is_a_strip_and_a_zone_and_never_has_more_than_25_cells_or_roads() -> None:
    """So a panel asks for a place in two presses."""
    four, two = BOARDS[4], BOARDS[2]
    found = [four.region_of(place) for place in ("a1", "e4", "p9", "b3-c3")]
    assert found == ["1coast", "2middle", "4mountains", "1coast"]
    found = [two.region_of(place) for place in ("c3", "d4", "l9", "port1")]
    assert found == ["1coast", "2middle", "4mountains", ""]
    for board in BOARDS.values():
        for places in (board.names, [road.name for road in board.roads]):
            assert max(Counter(map(board.region_of, places)).values()) <= 25
