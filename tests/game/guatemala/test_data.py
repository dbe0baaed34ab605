"""The box: pieces, boards and prices are those that the fact sheet counts (sections 1 to 3)."""

from __future__ import annotations

from collections import Counter, deque
from itertools import pairwise
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
    SIZE,
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


def test_there_are_five_colours_in_the_order_of_the_sheet() -> None:
    assert COLOUR_KEYS == ("black", "brown", "red", "beige", "white")
    assert "".join(colour.letter for colour in CONTENT.colours) == "KNRGW"


def test_there_are_45_workers_15_huts_15_ships_35_sacks_and_50_roads() -> None:
    assert KINDS == ("worker", "hut", "ship", "sack", "road")
    assert [count * len(COLOUR_KEYS) for count in COUNTS] == [45, 15, 15, 35]
    assert CONTENT.roads == 50


def test_every_piece_has_a_number_of_its_own_which_tells_kind_and_colour() -> None:
    known = {piece(kind, colour): (kind, colour) for kind in range(4) for colour in range(5)}
    assert len(known) == 20
    for number, (kind, colour) in known.items():
        assert (kind_of(number), colour_of(number)) == (kind, colour)
        assert piece_key(number) == f"{COLOUR_KEYS[colour]}_{KINDS[kind]}"
    assert not known.keys() & {ROAD, EMPTY}
    assert (piece_key(ROAD), piece_key(EMPTY)) == ("road", "")


def test_the_numbers_of_the_rules_are_those_of_the_sheet() -> None:
    """Sections 2, 4, 5 and 6, ruling 6."""
    assert (CONTENT.start_money, CONTENT.harvest_money) == (15, 8)
    assert (CONTENT.steps, CONTENT.fourth_step) == (3, 2)
    assert (CONTENT.pieces, CONTENT.sacks_left) == (3, 5)
    assert CONTENT.tracks == (79, 99)
    assert CONTENT.turns_without_piece == 12


def test_a_data_file_with_a_word_too_many_is_refused(tmp_path: Path) -> None:
    whole = data("guatemala", "game.toml").read_text(encoding="utf-8")
    file = tmp_path / "game.toml"
    file.write_text(whole, encoding="utf-8")
    assert read(file, GuatemalaContent) == CONTENT
    file.write_text(whole.replace("pieces =", "peices =", 1), encoding="utf-8")
    with pytest.raises(msgspec.ValidationError, match="peices"):
        read(file, GuatemalaContent)


# Section 3.1: the production board


def test_the_buyer_goes_round_36_positions_clockwise_without_corners() -> None:
    """Ruling 2: above columns 1-9, right of rows 1-9, below columns 9-1, left of rows 9-1."""
    up, down = range(1, 10), range(9, 0, -1)
    words = [
        f"{side}{n}" for side, row in zip("trbl", (up, up, down, down), strict=True) for n in row
    ]
    assert list(POSITION_NAMES) == words
    assert POSITIONS == 36


def test_the_buyer_faces_a_whole_row_or_a_whole_column() -> None:
    """Ruling 1: all nine spaces of the line, from either end."""
    for name, line in zip(POSITION_NAMES, LINES, strict=True):
        place = 1 if name[0] in "tb" else 0
        assert [SPACE_NAMES[space] for space in line] == [
            space for space in SPACE_NAMES if space[place] == name[1]
        ]


def test_two_steps_turn_a_corner_onto_another_line() -> None:
    """Steps 8 -> 9 and 35 -> 0 of the sheet."""
    assert POSITION_NAMES[8:10] == ("t9", "r1")
    assert (POSITION_NAMES[35], POSITION_NAMES[0]) == ("l1", "t1")


def test_six_spaces_are_framed_no_two_in_one_line() -> None:
    assert [SPACE_NAMES[space] for space in FRAMED] == ["14", "38", "43", "67", "72", "96"]
    assert sorted((*FRAMED, *OTHERS)) == list(range(81))
    for places in (0, 1):
        assert len({SPACE_NAMES[space][places] for space in FRAMED}) == 6


def test_the_framed_spaces_are_the_same_from_the_other_side_of_the_table() -> None:
    assert {80 - space for space in FRAMED} == set(FRAMED)


def test_24_positions_reach_one_sack_and_12_none() -> None:
    reached = Counter(sum(space in FRAMED for space in line) for line in LINES)
    assert reached == {1: 24, 0: 12}


def test_the_printed_set_up_is_that_of_the_sheet() -> None:
    letters = dict(zip("KNRGW", COLOUR_KEYS, strict=True))
    kinds = {"w": "worker", "b": "hut", "s": "ship", "X": "sack"}
    words = [f"{letters[word[1]]}_{kinds[word[0]]}" for word in PRINTED_ROWS.split()]
    assert [piece_key(number) for number in PRINTED] == words


def test_the_printed_set_up_has_every_piece_and_the_black_sack_twice() -> None:
    counts = Counter(PRINTED)
    for colour in range(5):
        assert [counts[piece(kind, colour)] for kind in (WORKER, HUT, SHIP)] == [9, 3, 3]
    sacks = [piece_key(PRINTED[space]) for space in FRAMED]
    assert Counter(sacks) == {f"{key}_sack": 1 + (key == "black") for key in COLOUR_KEYS}


@pytest.mark.parametrize("position", POSITION_NAMES[:18])
def test_every_printed_line_offers_something_of_everything(position: str) -> None:
    """One or two huts and ships, none of them twice in a colour, all colours, no three workers
    alike."""
    line = [PRINTED[space] for space in LINES[POSITION_NAMES.index(position)]]
    for kind in (HUT, SHIP):
        of_kind = [each for each in line if kind_of(each) == kind]
        assert len(of_kind) in (1, 2)
        assert len(set(of_kind)) == len(of_kind)
    workers = Counter(each for each in line if kind_of(each) == WORKER)
    assert max(workers.values()) <= 2
    assert {colour_of(each) for each in line} == set(range(5))


def test_no_equal_pieces_are_printed_side_by_side() -> None:
    for line in LINES:
        for left, right in pairwise(line):
            assert PRINTED[left] != PRINTED[right]


def _exchanged(*pairs: tuple[str, str]) -> tuple[int, ...]:
    """The printed set-up with pieces of two spaces exchanged."""
    lying = [*PRINTED]
    for here, there in pairs:
        first, second = SPACE_NAMES.index(here), SPACE_NAMES.index(there)
        lying[first], lying[second] = lying[second], lying[first]
    return tuple(lying)


@pytest.mark.parametrize(
    ("name", "spoiled", "said"),
    [
        ("PRINTED", PRINTED[:80], "a production board of 80 spaces"),
        ("FRAMED", (*FRAMED[:5], FRAMED[0] + 1), "two framed spaces in one line"),
        ("PRINTED", (PRINTED[1], *PRINTED[1:]), "not 9 printed pieces of red"),
        ("PRINTED", _exchanged(("14", "15")), "do not lie on the framed spaces"),
    ],
)
def test_a_production_board_that_is_not_as_described_is_refused(
    name: str, spoiled: tuple[int, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is checked as the file is read."""
    monkeypatch.setattr(production, name, spoiled)
    with pytest.raises(ValueError, match=said):
        production._check()


@pytest.mark.parametrize(
    ("spoiled", "said"),
    [
        ({"hut_columns": (0, 16)}, r"\[16\] on a board of 16 columns"),
        ({"strips": 5}, "on a board of 16 columns"),
        ({"ports": (PortKind(6, (2, 2, 6)),)}, "prices of docks that do not rise"),
        ({"path": PathKind(5, (1, 4, 7))}, "no roads lead from a8 to a port"),
        ({"path": PathKind(7, (1, 4))}, "no roads lead from a8 to a port"),
    ],
)
def test_a_plantation_board_that_is_not_as_described_is_refused(
    spoiled: dict[str, Any], said: str
) -> None:
    side = msgspec.structs.replace(plantation._SIDES[4], **spoiled)
    with pytest.raises(ValueError, match=said):
        plantation._check(side, PlantationBoard(side, 4))


def test_every_colour_is_among_the_printed_sacks(monkeypatch: pytest.MonkeyPatch) -> None:
    sacks = [piece(SACK, 0) if space in FRAMED else each for space, each in enumerate(PRINTED)]
    monkeypatch.setattr(production, "PRINTED", tuple(sacks))
    with pytest.raises(ValueError, match="printed sacks"):
        production._check()


# Sections 3.2 and 3.3: the plantation boards

BOARDS = {players: board_for(players) for players in (2, 3, 4)}
both_boards = pytest.mark.parametrize("players", [2, 4])


def names(board: PlantationBoard, cells: int) -> set[str]:
    return {board.names[cell] for cell in members(cells)}


def test_the_board_for_three_and_four_has_144_cells_24_of_them_for_huts() -> None:
    board = BOARDS[4]
    assert (board.columns, board.cells, len(board.names)) == (16, 144, 144)
    huts = {f"{column}{row}" for column in "adehilmp" for row in (2, 5, 8)}
    assert names(board, board.hut_cells) == huts
    assert names(board, board.land) == set(board.names) - huts
    assert len(members(board.land)) == 120


def test_the_board_for_two_has_108_cells_12_of_them_for_huts() -> None:
    board = BOARDS[2]
    assert (board.columns, board.cells, len(board.names)) == (12, 108, 108)
    huts = {f"{column}{row}" for column in "behk" for row in (2, 5, 8)}
    assert names(board, board.hut_cells) == huts
    assert len(members(board.land)) == 96


def test_cells_are_named_by_column_and_row_from_the_coast() -> None:
    assert BOARDS[4].names[:2] == ("a1", "b1")
    assert BOARDS[4].names[-1] == "p9"
    assert BOARDS[2].names[-1] == "l9"


@both_boards
def test_there_are_three_zones_of_three_rows(players: int) -> None:
    board = BOARDS[players]
    for name, cell in board.cell_of_name.items():
        zone = board.zone_of(cell)
        assert zone == (int(name[1:]) - 1) // 3
        assert [cell in members(cells) for cells in board.zones] == [zone == n for n in range(3)]


def test_a_worker_costs_three_two_or_one_and_a_hut_six_four_or_two() -> None:
    """Section 5.3, from the coast to the mountains."""
    assert [zone.key for zone in CONTENT.zones] == ["coast", "middle", "mountains"]
    assert [zone.worker for zone in CONTENT.zones] == [3, 2, 1]
    assert [zone.hut for zone in CONTENT.zones] == [6, 4, 2]


@both_boards
def test_cells_join_their_neighbours_in_row_and_column_and_no_others(players: int) -> None:
    board = BOARDS[players]

    def around(name: str) -> set[str]:
        return names(board, board.around[board.cell_of_name[name]])

    assert around("c3") == {"c2", "b3", "d3", "c4"}
    assert around("a1") == {"a2", "b1"}
    last = board.names[board.columns - 1]
    assert around(last) == {f"{last[0]}2", f"{chr(ord(last[0]) - 1)}1"}
    assert "b1" not in around("a2")


def test_four_ports_have_three_docks_each_and_one_port_has_six() -> None:
    assert [(port.name, port.corner, port.prices) for port in BOARDS[4].ports] == [
        ("port1", (2, 0), (2, 4, 6)),
        ("port2", (6, 0), (2, 4, 6)),
        ("port3", (10, 0), (2, 4, 6)),
        ("port4", (14, 0), (2, 4, 6)),
    ]
    assert [(port.name, port.corner, port.prices) for port in BOARDS[2].ports] == [
        ("port1", (6, 0), (1, 2, 3, 4, 5, 6))
    ]
    assert [len(BOARDS[players].open_ports) for players in (2, 3, 4)] == [1, 3, 4]


def test_each_path_has_13_printed_segments() -> None:
    """Seven straight inland and six side branches."""
    board = BOARDS[4]
    main = [f"b{row}-c{row}" for row in range(1, 8)]
    sides = [f"{column}{row}-{column}{row + 1}" for row in (1, 4, 7) for column in "bc"]
    first = {road.name for road in board.roads if road.name[0] in "abcd"}
    assert first == {*main, *sides}
    assert len(board.roads) == 52
    assert [sum(road.name[0] in strip for road in board.roads) for strip in STRIPS] == [13] * 4


STRIPS = ("abcd", "efgh", "ijkl", "mnop")


def test_with_two_players_a_road_lies_between_any_two_cells() -> None:
    """Section 3.3: 11 x 9 and 12 x 8 edges, each named by its two cells."""
    board = BOARDS[2]
    pairs = {
        tuple(sorted((name, other), key=board.names.index))
        for name in board.names
        for other in names(board, board.around[board.cell_of_name[name]])
    }
    assert {tuple(road.name.split("-")) for road in board.roads} == pairs
    assert len(board.roads) == len(pairs) == 11 * 9 + 12 * 8


def test_fifty_roads_are_enough_for_three_players_and_not_for_four() -> None:
    assert [len(members(BOARDS[players].open_roads)) for players in (2, 3, 4)] == [195, 39, 52]


def test_a_road_runs_between_the_corners_that_its_cells_share() -> None:
    for board in BOARDS.values():
        for road in board.roads:
            first, second = (board.cell_of_name[name] for name in road.name.split("-"))
            shared = set(board.corners(first)) & set(board.corners(second))
            assert shared == set(road.ends)
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


@pytest.mark.parametrize(("row", "roads"), [(2, 2), (5, 5), (8, 8)])
def test_a_hut_is_two_five_or_eight_roads_from_the_port_of_its_path(row: int, roads: int) -> None:
    for port, strip in enumerate(STRIPS):
        assert {roads_needed(BOARDS[4], f"{column}{row}", port) for column in strip[::3]} == {roads}


@pytest.mark.parametrize(("row", "near", "far"), [(2, 2, 5), (5, 5, 8), (8, 8, 11)])
def test_with_two_players_outer_huts_need_three_roads_more(row: int, near: int, far: int) -> None:
    needed = {column: roads_needed(BOARDS[2], f"{column}{row}") for column in "behk"}
    assert needed == {"b": far, "e": near, "h": near, "k": far}


def test_with_three_players_six_hut_cells_one_port_and_13_segments_are_closed() -> None:
    """Section 2.2; workers may stand on the other cells of that path as ever."""
    board, whole = BOARDS[3], BOARDS[4]
    assert names(board, board.covered) == {f"{column}{row}" for column in "ad" for row in (2, 5, 8)}
    assert board.hut_cells == whole.hut_cells & ~board.covered
    assert len(members(board.hut_cells)) == 18
    assert board.land == whole.land
    assert board.open_ports == (1, 2, 3)
    closed = {road.name for n, road in enumerate(board.roads) if not board.open_roads >> n & 1}
    assert closed == {road.name for road in board.roads if road.name[0] in "abcd"}
    assert len(closed) == 13
    assert [BOARDS[players].covered for players in (2, 4)] == [0, 0]


def test_a_region_is_a_strip_and_a_zone_and_never_has_more_than_25_cells_or_roads() -> None:
    """So a panel asks for a place in two presses."""
    four, two = BOARDS[4], BOARDS[2]
    assert [four.region_of(place) for place in ("a1", "e4", "p9")] == [
        "1coast", "2middle", "4mountains",
    ]  # fmt: skip
    assert [two.region_of(place) for place in ("c3", "d4", "l9", "port1")] == [
        "1coast", "2middle", "4mountains", "",
    ]  # fmt: skip
    assert {four.region_of(f"b{row}-c{row}")[0] for row in range(1, 8)} == {"1"}
    for board in BOARDS.values():
        for places in (board.names, [road.name for road in board.roads]):
            assert max(Counter(map(board.region_of, places)).values()) <= 25


def test_there_is_no_board_for_five() -> None:
    with pytest.raises(KeyError):
        board_for(5)


# Ruling 20: what is connected


def joined(players: int, roads: str, cell: str) -> list[str]:
    board = BOARDS[players]
    numbers = [board.road_of_name[name] for name in roads.split()]
    ports = board.joined_ports(board.networks(numbers), board.cell_of_name[cell])
    return [board.ports[port].name for port in ports]


def test_a_hut_is_connected_where_its_roads_reach_from_the_port_to_a_corner_of_it() -> None:
    assert joined(4, "b1-c1 b1-b2", "a2") == ["port1"]
    assert joined(4, "b1-c1 c1-c2", "a2") == []
    assert joined(4, "b2-c2 b1-b2", "a2") == []
    assert joined(4, "b1-b2", "a2") == []
    assert joined(4, "", "a2") == []
    assert joined(4, "b1-c1 c1-c2", "d2") == ["port1"]
    assert joined(2, "f1-g1 f1-f2", "e2") == ["port1"]
    assert joined(2, "f1-g1 f2-g2 g2-g3", "h2") == ["port1"]
    assert joined(2, "f1-g1 f2-g2", "h2") == []


def test_a_path_with_a_gap_connects_nothing_beyond_it() -> None:
    whole = [f"f{row}-g{row}" for row in range(1, 5)]
    assert joined(4, " ".join([*whole, "f4-f5"]), "e5") == ["port2"]
    for gap in range(4):
        left = [road for n, road in enumerate(whole) if n != gap]
        assert joined(4, " ".join([*left, "f4-f5"]), "e5") == []


def test_the_order_in_which_roads_were_laid_does_not_matter() -> None:
    roads = ["f1-g1", "f2-g2", "f3-g3", "f4-g4", "f4-f5"]
    assert joined(4, " ".join(reversed(roads)), "e5") == ["port2"]


def test_a_closed_port_joins_nobody() -> None:
    assert joined(4, "b1-c1 c1-c2", "d2") == ["port1"]
    assert joined(3, "b1-c1 c1-c2", "d2") == []


def test_all_lines_have_nine_spaces() -> None:
    assert {len(set(line)) for line in LINES} == {SIZE}
