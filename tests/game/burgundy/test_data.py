"""The numbers of tiles, the boards and the depots of the first edition."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from bot.game.bits import members
from bot.game.burgundy.data import (
    BOARDS,
    CASTLE,
    CENTRE,
    COLOUR_KEYS,
    DEPOTS,
    FOR_PLAYERS,
    NEIGHBOURS,
    PHASES,
    SPACE_NAMES,
    SPACE_OF_NAME,
    SPACES,
    TILES,
    BurgundyContent,
    filled,
)
from bot.game.content import read

LETTERS = "BGSKMC"
REGIONS = {
    1: "B 5+3+3+1; G 5+1; S 3+3; K 3+3; M 3; C 3+1",
    2: "B 8+2+2; G 4+2; S 2+2+2; K 2+2+2; M 2+1; C 1+1+1+1",
    3: "B 5+5+1+1; G 4+2; S 3+2+1; K 6; M 2+1; C 1+1+1+1",
    4: "B 5+5+2; G 3+3; S 4+1+1; K 3+3; M 2+1; C 1+1+1+1",
    5: "B 3+3+3+2+1; G 3+3; S 3+2+1; K 3+2+1; M 2+1; C 1+1+1+1",
    6: "B 6+4+2; G 4+2; S 6; K 3+3; M 1+1+1; C 1+1+1+1",
    7: "B 7+3+2; G 3+3; S 2+2+2; K 2+2+2; M 1+1+1; C 2+2",
    8: "B 2+2+2+2+2+2; G 6; S 1+1+1+1+1+1; K 4+2; M 2+1; C 1+1+1+1",
    9: "B 6+6; G 4+2; S 4+2; K 3+1+1+1; M 2+1; C 1+1+1+1",
}
CASTLES = {
    1: "a2 a3 b3 d4",
    2: "a4 d7 g1 g4",
    3: "b3 d4 f1 f5",
    4: "a1 c5 e2 g4",
    5: "c2 d5 e2 f4",
    6: "a3 d4 g1 g4",
    7: "a2 a3 g2 g3",
    8: "b2 b4 f2 f4",
    9: "a3 d1 d6 g2",
}


def test_124_of_the_164_tiles_have_coloured_backs() -> None:
    """There is one knowledge tile of each number; of each building there are five and two."""
    coloured, black = Counter[str](), Counter[str]()
    for kind in TILES:
        coloured[kind.colour] += kind.coloured
        black[kind.colour] += kind.black
    keys = ("building", "animal", "ship", "knowledge", "castle", "mine")
    assert [coloured[key] for key in keys] == [40, 20, 20, 20, 14, 10]
    assert [black[key] for key in keys] == [16, 8, 6, 6, 2, 2]
    assert {(k.coloured, k.black) for k in TILES if k.colour == "building"} == {(5, 2)}
    for animal in ("cow", "pig", "sheep", "chicken"):
        kinds = [(k.amount, k.coloured, k.black) for k in TILES if k.kind == animal]
        assert kinds == [(2, 2, 0), (3, 2, 1), (4, 1, 1)]
    knowledge = [kind for kind in TILES if kind.colour == "knowledge"]
    assert [kind.key for kind in knowledge] == [f"k{number}" for number in range(1, 27)]
    assert {kind.coloured + kind.black for kind in knowledge} == {1}
    assert [k.key for k in knowledge if k.black] == ["k7", "k12", "k14", "k15", "k24", "k25"]


def test_each_board_has_the_listed_regions_and_castles() -> None:
    """There are nine boards, four copies of the first, all with equal numbers of each colour."""
    assert {n: board.copies for n, board in BOARDS.items()} == {
        n: 1 + 3 * (n == 1) for n in REGIONS
    }
    for number, board in BOARDS.items():
        found = []
        for colour, letter in enumerate(LETTERS):
            sizes = [len(region.spaces) for region in board.regions if region.colour == colour]
            found.append(f"{letter} {'+'.join(map(str, sorted(sizes, reverse=True)))}")
        assert "; ".join(found) == REGIONS[number]
        assert (
            " ".join(SPACE_NAMES[space] for space in members(board.of_colour[CASTLE]))
            == CASTLES[number]
        )
        counts = Counter(region.colour for region in board.region_of)
        assert [counts[colour] for colour in range(6)] == [12, 6, 6, 6, 3, 4]


def test_spaces_have_their_neighbours() -> None:

    def around(name: str) -> str:
        return " ".join(SPACE_NAMES[space] for space in NEIGHBOURS[SPACE_OF_NAME[name]])

    assert SPACE_NAMES[CENTRE] == "d4"
    assert SPACES[CENTRE].number == 6
    assert around("d4") == "c3 c4 d3 d5 e3 e4"
    assert around("a1") == "a2 b1 b2"
    assert around("d1") == "c1 d2 e1"
    assert around("g4") == "f4 f5 g3"
    assert around("b5") == "a4 b4 c5 c6"
    for space, others in enumerate(NEIGHBOURS):
        assert all(space in NEIGHBOURS[other] for other in others)


def test_five_phases_use_the_listed_numbers_of_tiles() -> None:
    """The first castles are included."""
    for players, used in (
        (2, {"B": 20, "S": 10, "K": 10, "G": 10, "C": 7, "M": 5}),
        (3, {"B": 30, "S": 15, "K": 15, "G": 15, "C": 11, "M": 7}),
        (4, {"B": 40, "S": 20, "K": 20, "G": 20, "C": 14, "M": 10}),
    ):
        counts = Counter({CASTLE: players})
        for phase in range(PHASES):
            colours = [c for depot in range(DEPOTS) for c in filled(depot, players, phase)]
            assert len(colours) == 6 * players
            counts.update(colours)
        assert {LETTERS[colour]: count for colour, count in counts.items()} == used
        assert PHASES * FOR_PLAYERS[players].black_depot == 10 * players


def test_depots_are_filled_as_printed_and_with_three_players_one_space_changes() -> None:
    depots = [
        "".join(sorted(LETTERS[colour] for colour in filled(depot, 2, 0)))
        for depot in range(DEPOTS)
    ]
    assert depots == ["BS", "CK", "BG", "BS", "KM", "BG"]
    special = [COLOUR_KEYS[filled(5, 3, phase)[0]] for phase in range(PHASES)]
    assert special == ["castle", "mine", "castle", "mine", "castle"]
    assert {COLOUR_KEYS[filled(5, 4, phase)[0]] for phase in range(PHASES)} == {"castle"}


def test_a_data_file_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text("rounds = 5\nrunds = 6\n")
    with pytest.raises(msgspec.ValidationError):
        read(tmp_path / "game.toml", BurgundyContent)
