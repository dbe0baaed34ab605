"""The box: pieces, boards and prices are those that the fact sheet counts (sections 1 to 3)."""

from __future__ import annotations

from collections import Counter, deque
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.game.content import read
from bot.game.guatemala import plantation, production
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    CONTENT,
    COUNTS,
    EMPTY,
    HUT,
    KINDS,
    ROAD,
    SACK,
    SHIP,
    WORKER,
    GuatemalaContent,
    colour_of,
    kind_of,
    piece,
)
from bot.game.guatemala.plantation import (
    PathKind,
    PlantationBoard,
    PortKind,
    board_for,
    members,
)
from bot.game.guatemala.production import (
    FRAMED,
    OTHERS,
    POSITION_NAMES,
    POSITIONS,
    PRINTED,
    SPACE_NAMES,
    line_of,
)
from bot.game.guatemala.state import piece_key
from bot.resources import data

LINES = [line_of(position) for position in range(POSITIONS)]
PRINTED_ROWS = """
wW wR bW XK sN wG bN wW wK
bK sN wG wR bR sR wW wG wN
wN sG wR wN sW bG wK XN wG
sG bR XR bK wK wR wN sK wW
sR wR wK wG bW wN sW wK wG
bG wK wG sK wR wW XK wN bK
wK XG wW bN wN sK sG wR bW
wR bN wK wW wG wW bR sW wN
wG wW sN wN wR XW wK bG sR
"""
"""The table of section 3.1, copied once more."""


# Section 1: the pieces


def test_there_are_45_workers_15_huts_15_ships_35_sacks_and_50_roads_in_five_colours() -> None:
    assert COLOUR_KEYS == ("black", "brown", "red", "beige", "white")
    assert "".join(colour.letter for colour in CONTENT.colours) == "KNRGW"
    assert KINDS == ("worker", "hut", "ship", "sack", "road")
    assert [count * len(COLOUR_KEYS) for count in COUNTS] == [45, 15, 15, 35]
    assert CONTENT.roads == 50
    known = {piece(kind, colour): (kind, colour) for kind in range(4) for colour in range(5)}
    assert len(known) == 20
    for number, (kind, colour) in known.items():
        assert (kind_of(number), colour_of(number)) == (kind, colour)
        assert piece_key(number) == f"{COLOUR_KEYS[colour]}_{KINDS[kind]}"
    assert not known.keys() & {ROAD, EMPTY}
    assert (piece_key(ROAD), piece_key(EMPTY)) == ("road", "")


def test_the_numbers_of_the_rules_are_those_of_the_sheet() -> None:
    """Sections 2, 4, 5 and 6, ruling 6; prices of section 5.3 from the coast to the mountains."""
    assert (CONTENT.start_money, CONTENT.harvest_money) == (15, 8)
    assert (CONTENT.steps, CONTENT.fourth_step) == (3, 2)
    assert (CONTENT.pieces, CONTENT.sacks_left) == (3, 5)
    assert CONTENT.tracks == (79, 99)
    assert CONTENT.turns_without_piece == 12
    prices = [(zone.key, zone.worker, zone.hut) for zone in CONTENT.zones]
    assert prices == [("coast", 3, 6), ("middle", 2, 4), ("mountains", 1, 2)]


def test_a_data_file_with_a_word_too_many_is_refused(tmp_path: Path) -> None:
    whole = data("guatemala", "game.toml").read_text(encoding="utf-8")
    file = tmp_path / "game.toml"
    file.write_text(whole.replace("pieces =", "peices =", 1), encoding="utf-8")
    with pytest.raises(msgspec.ValidationError, match="peices"):
        read(file, GuatemalaContent)


# Section 3.1: the production board


def test_the_buyer_goes_round_36_positions_and_faces_a_whole_row_or_column() -> None:
    """Rulings 1 and 2: above columns 1-9, right of rows 1-9, below them and left of them back."""
    up, down = range(1, 10), range(9, 0, -1)
    words = [
        f"{side}{n}" for side, row in zip("trbl", (up, up, down, down), strict=True) for n in row
    ]
    assert list(POSITION_NAMES) == words
    assert POSITIONS == 36
    for name, line in zip(POSITION_NAMES, LINES, strict=True):
        place = 1 if name[0] in "tb" else 0
        assert [SPACE_NAMES[space] for space in line] == [
            space for space in SPACE_NAMES if space[place] == name[1]
        ]


def test_six_spaces_are_framed_no_two_in_one_line() -> None:
    """The same from the other side of the table; 24 positions reach one sack and 12 none."""
    assert [SPACE_NAMES[space] for space in FRAMED] == ["14", "38", "43", "67", "72", "96"]
    assert sorted((*FRAMED, *OTHERS)) == list(range(81))
    assert {80 - space for space in FRAMED} == set(FRAMED)
    assert Counter(sum(space in FRAMED for space in line) for line in LINES) == {1: 24, 0: 12}


def test_the_printed_set_up_is_that_of_the_sheet() -> None:
    """Every piece, and the black sack twice."""
    letters = dict(zip("KNRGW", COLOUR_KEYS, strict=True))
    kinds = {"w": "worker", "b": "hut", "s": "ship", "X": "sack"}
    words = [f"{letters[word[1]]}_{kinds[word[0]]}" for word in PRINTED_ROWS.split()]
    assert [piece_key(number) for number in PRINTED] == words
    counts = Counter(PRINTED)
    for colour in range(5):
        found = [counts[piece(kind, colour)] for kind in (WORKER, HUT, SHIP, SACK)]
        assert found == [9, 3, 3, 1 + (colour == 0)]


def _exchanged(here: str, there: str) -> tuple[int, ...]:
    """The printed set-up with the pieces of two spaces exchanged."""
    lying, (first, second) = [*PRINTED], map(SPACE_NAMES.index, (here, there))
    lying[first], lying[second] = lying[second], lying[first]
    return tuple(lying)


def test_boards_that_are_not_as_described_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is checked as their files are read."""
    black = tuple(piece(SACK, 0) if n in FRAMED else each for n, each in enumerate(PRINTED))
    for name, spoiled, said in (
        ("PRINTED", PRINTED[:80], "a production board of 80 spaces"),
        ("FRAMED", (*FRAMED[:5], FRAMED[0] + 1), "two framed spaces in one line"),
        ("PRINTED", (PRINTED[1], *PRINTED[1:]), "not 9 printed pieces of red"),
        ("PRINTED", _exchanged("14", "15"), "do not lie on the framed spaces"),
        ("PRINTED", black, "printed sacks"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(production, name, spoiled)
            with pytest.raises(ValueError, match=said):
                production._check()
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"hut_columns": (0, 16)}, r"\[16\] on a board of 16 columns"),
        ({"strips": 5}, "on a board of 16 columns"),
        ({"ports": (PortKind(6, (2, 2, 6)),)}, "prices of docks that do not rise"),
        ({"path": PathKind(5, (1, 4, 7))}, "no roads lead from a8 to a port"),
        ({"path": PathKind(7, (1, 4))}, "no roads lead from a8 to a port"),
    )
    for changed, said in wrong:
        side = msgspec.structs.replace(plantation._SIDES[4], **changed)
        with pytest.raises(ValueError, match=said):
            plantation._check(side, PlantationBoard(side, 4))


# Sections 3.2 and 3.3: the plantation boards

BOARDS = {players: board_for(players) for players in (2, 3, 4)}
STRIPS = ("abcd", "efgh", "ijkl", "mnop")


def names(board: PlantationBoard, cells: int) -> set[str]:
    return {board.names[cell] for cell in members(cells)}


def test_144_cells_with_24_for_huts_and_with_two_players_108_with_12() -> None:
    """Named by column and row from the coast, in three zones of three rows."""
    for players, columns, hut_columns, land in ((2, 12, "behk", 96), (4, 16, "adehilmp", 120)):
        board = BOARDS[players]
        assert (board.columns, board.cells, len(board.names)) == (columns, 9 * columns, 9 * columns)
        assert (board.names[:2], board.names[-1]) == (("a1", "b1"), f"{'lp'[players // 4]}9")
        huts = {f"{column}{row}" for column in hut_columns for row in (2, 5, 8)}
        assert names(board, board.hut_cells) == huts
        assert names(board, board.land) == set(board.names) - huts
        assert len(members(board.land)) == land
        for name, cell in board.cell_of_name.items():
            zone = board.zone_of(cell)
            assert zone == (int(name[1:]) - 1) // 3
            assert [cell in members(cells) for cells in board.zones] == [
                zone == n for n in range(3)
            ]


def test_cells_join_their_neighbours_in_row_and_column_and_no_others() -> None:
    for board in BOARDS.values():
        last = board.names[board.columns - 1][0]
        for name, around in (
            ("c3", {"c2", "b3", "d3", "c4"}),
            ("a1", {"a2", "b1"}),
            ("a2", {"a1", "b2", "a3"}),
            (f"{last}1", {f"{last}2", f"{chr(ord(last) - 1)}1"}),
        ):
            assert names(board, board.around[board.cell_of_name[name]]) == around


def test_four_ports_have_three_docks_each_and_one_port_has_six() -> None:
    assert [(port.name, port.corner, port.prices) for port in BOARDS[4].ports] == [
        (f"port{n + 1}", (4 * n + 2, 0), (2, 4, 6)) for n in range(4)
    ]
    assert [(port.name, port.corner, port.prices) for port in BOARDS[2].ports] == [
        ("port1", (6, 0), (1, 2, 3, 4, 5, 6))
    ]
    assert [len(BOARDS[players].open_ports) for players in (2, 3, 4)] == [1, 3, 4]


def test_each_path_has_13_printed_segments_and_with_two_players_any_edge_is_one() -> None:
    """Seven straight inland and six side branches; 11 x 9 and 12 x 8 edges. A road runs between the
    corners that its two cells share."""
    main = [f"b{row}-c{row}" for row in range(1, 8)]
    sides = [f"{column}{row}-{column}{row + 1}" for row in (1, 4, 7) for column in "bc"]
    roads = [road.name for road in BOARDS[4].roads]
    assert {road for road in roads if road[0] in "abcd"} == {*main, *sides}
    assert [sum(road[0] in strip for road in roads) for strip in STRIPS] == [13] * 4
    board = BOARDS[2]
    pairs = {
        tuple(sorted((name, other), key=board.names.index))
        for name in board.names
        for other in names(board, board.around[board.cell_of_name[name]])
    }
    assert {tuple(road.name.split("-")) for road in board.roads} == pairs
    assert len(board.roads) == len(pairs) == 11 * 9 + 12 * 8
    # Fifty are enough for three players and not for four.
    assert [len(members(BOARDS[players].open_roads)) for players in (2, 3, 4)] == [195, 39, 52]
    for board in BOARDS.values():
        for road in board.roads:
            first, second = (board.cell_of_name[name] for name in road.name.split("-"))
            assert set(board.corners(first)) & set(board.corners(second)) == set(road.ends)
            assert road.cell == first < second
            assert board.roads[board.road_of_name[road.name]] is road


def roads_needed(board: PlantationBoard, hut: str, port: int = 0) -> int:
    """How many roads join a hut cell to a port at least."""
    goal, start = set(board.corners(board.cell_of_name[hut])), board.ports[port].corner
    far, waiting = {start: 0}, deque([start])
    while waiting:
        corner = waiting.popleft()
        if corner in goal:
            return far[corner]
        for road in board.roads:
            if corner in road.ends:
                (other,) = set(road.ends) - {corner}
                if other not in far:
                    far[other] = far[corner] + 1
                    waiting.append(other)
    raise AssertionError(f"no way to {hut}")


def test_a_hut_is_two_five_or_eight_roads_from_the_port_of_its_path() -> None:
    """With two players outer huts need three roads more."""
    for row in (2, 5, 8):
        for port, strip in enumerate(STRIPS):
            for column in strip[::3]:
                assert roads_needed(BOARDS[4], f"{column}{row}", port) == row
        needed = {column: roads_needed(BOARDS[2], f"{column}{row}") for column in "behk"}
        assert needed == {"b": row + 3, "e": row, "h": row, "k": row + 3}


def test_with_three_players_six_hut_cells_one_port_and_13_segments_are_closed() -> None:
    """Section 2.2; workers may stand on the other cells of that path as ever."""
    board, whole = BOARDS[3], BOARDS[4]
    assert names(board, board.covered) == {f"{column}{row}" for column in "ad" for row in (2, 5, 8)}
    assert board.hut_cells == whole.hut_cells & ~board.covered
    assert board.land == whole.land
    assert board.open_ports == (1, 2, 3)
    closed = {road.name for n, road in enumerate(board.roads) if not board.open_roads >> n & 1}
    assert closed == {road.name for road in board.roads if road.name[0] in "abcd"}
    assert [BOARDS[players].covered for players in (2, 4)] == [0, 0]
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


# Ruling 20: what is connected


def test_a_hut_is_connected_where_its_roads_reach_from_the_port_to_a_corner_of_it() -> None:
    """In whatever order they were laid; not beyond a gap, nor to a closed port."""
    whole = "f1-g1 f2-g2 f3-g3 f4-g4 f4-f5"
    for players, roads, cell, ports in (
        (4, "b1-c1 b1-b2", "a2", ["port1"]),
        (4, "b1-c1 c1-c2", "a2", []),
        (4, "b2-c2 b1-b2", "a2", []),
        (4, "b1-b2", "a2", []),
        (4, "", "a2", []),
        (4, "b1-c1 c1-c2", "d2", ["port1"]),
        (3, "b1-c1 c1-c2", "d2", []),
        (2, "f1-g1 f1-f2", "e2", ["port1"]),
        (2, "f1-g1 f2-g2 g2-g3", "h2", ["port1"]),
        (2, "f1-g1 f2-g2", "h2", []),
        (4, whole, "e5", ["port2"]),
        (4, " ".join(reversed(whole.split())), "e5", ["port2"]),
        *((4, whole.replace(f"f{gap}-g{gap}", ""), "e5", []) for gap in range(1, 5)),
    ):
        board = BOARDS[players]
        networks = board.networks([board.road_of_name[name] for name in roads.split()])
        found = board.joined_ports(networks, board.cell_of_name[cell])
        assert [board.ports[port].name for port in found] == ports, (players, roads, cell)
