"""Pieces, boards and prices (rules: setup, moving, huts, ships, roads)."""

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


def test_the_buyer_has_36_positions_and_faces_a_row_or_column() -> None:
    """Rulings 1 and 2: clockwise along the top, right, bottom and left edges."""
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


def test_six_spaces_are_framed_and_no_two_in_one_line() -> None:
    """They are point-symmetric; 24 positions face one of them and 12 none."""
    assert [SPACE_NAMES[space] for space in FRAMED] == ["14", "38", "43", "67", "72", "96"]
    assert sorted((*FRAMED, *OTHERS)) == list(range(81))
    assert {80 - space for space in FRAMED} == set(FRAMED)
    assert Counter(sum(space in FRAMED for space in line) for line in FACED) == {1: 24, 0: 12}


def test_two_of_the_six_printed_sacks_are_black_and_one_is_of_each_other_colour() -> None:
    """The content check at import covers all other pieces."""
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
"""The columns to the right of the ports."""


def names(board: PlantationBoard, cells: int) -> list[str]:
    return [board.names[cell] for cell in members(cells)]


def path(left: str, right: str) -> set[str]:
    """Return a printed path: the line between two columns, and branches below rows 1, 4, 7."""
    return {f"{left}{row}-{right}{row}" for row in range(1, 8)} | {
        f"{column}{row}-{column}{row + 1}" for column in (left, right) for row in (1, 4, 7)
    }


def test_cells_have_names_of_column_and_row_and_three_zones_of_three_rows() -> None:
    for players, board in BOARDS.items():
        columns = COLUMNS[: 12 if players == 2 else 16]
        assert (board.columns, board.cells) == (len(columns), 9 * len(columns))
        assert list(board.names) == [f"{x}{y}" for y in range(1, 10) for x in columns]
        for cell, name in enumerate(board.names):
            x, y = columns.index(name[0]), int(name[1])
            rows = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
            adjacent = [
                f"{columns[x]}{y}" for x, y in rows if x in range(len(columns)) and 0 < y < 10
            ]
            assert names(board, board.around[cell]) == adjacent
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
            # A road between two cells is at the left or the top of the second one.
            first, second = (
                (COLUMNS.index(name[0]), int(name[1]) - 1) for name in road.name.split("-")
            )
            (x, y), is_upright = second, first[1] == second[1]
            assert set(road.ends) == {(x, y), (x, y + 1) if is_upright else (x + 1, y)}
        corners = {board.ports[port].name: board.ports[port].corner for port in board.open_ports}
        assert corners == {port: (COLUMNS.index(x), 0) for port, x in PORTS[players].items()}
        docks = (1, 2, 3, 4, 5, 6) if players == 2 else (2, 4, 6)
        assert {port.prices for port in board.ports} == {docks}
    with pytest.raises(KeyError):
        board_for(5)


def test_a_region_is_a_strip_and_a_zone_and_never_has_more_than_25_cells_or_roads() -> None:
    """A panel can then ask for a place in two steps."""
    four, two = BOARDS[4], BOARDS[2]
    regions = [four.region_of(place) for place in ("a1", "e4", "p9", "b3-c3")]
    assert regions == ["1coast", "2middle", "4mountains", "1coast"]
    regions = [two.region_of(place) for place in ("c3", "d4", "l9", "port1")]
    assert regions == ["1coast", "2middle", "4mountains", ""]
    for board in BOARDS.values():
        for places in (board.names, [road.name for road in board.roads]):
            assert max(Counter(map(board.region_of, places)).values()) <= 25
