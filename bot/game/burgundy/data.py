"""The pieces, boards and numbers of The Castles of Burgundy, read and checked once.

A space is a number 0..36 in reading order. For people it has a name of row and column, ``a1`` to
``g4``. Sets of spaces are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import mul

import msgspec

from bot.game.bits import connected, mask, members
from bot.game.content import Count, Strict, read
from bot.resources import data

FOLDER = data("burgundy")

SIDES = 6
"""Faces of a die; also the kinds of goods and the numbered depots."""


class TileKind(Strict, frozen=True):
    """A kind of hex tile, with its count for each back; see data/burgundy/tiles.toml."""

    key: str
    colour: str
    coloured: Count
    black: Count
    amount: Count = 0
    kind: str = ""
    counts: str = ""
    takes: tuple[str, ...] = ()


class Numbers(Strict, frozen=True):
    """Numbers for one player count. `depots` has the colour letters that fill each numbered depot;
    if there are several words, the phases use them in turn."""

    count: Count
    sale_points: Count
    bonus: tuple[Count, Count]
    black_depot: Count
    depots: tuple[str, ...]


class BurgundyContent(Strict, frozen=True):
    """The file game.toml."""

    phases: tuple[str, ...]
    rounds: Count
    region_points: tuple[Count, ...]
    phase_points: tuple[Count, ...]
    storage_spaces: Count
    goods_spaces: Count
    goods_each: Count
    goods_a_phase: Count
    start_goods: Count
    start_silverlings: Count
    price: Count
    sale_silverlings: Count
    die_workers: Count
    workers_a_point: Count
    track_spaces: Count
    players: tuple[Numbers, ...]
    colours: Mapping[str, str]


class BoardFile(Strict, frozen=True):
    """The file boards.toml: the numbers of the spaces by row; for each board its rows of colour
    letters and its number of copies."""

    numbers: tuple[str, ...]
    boards: tuple[tuple[str, ...], ...]
    copies: tuple[Count, ...]


CONTENT = read(FOLDER / "game.toml", BurgundyContent)
TILES = read(FOLDER / "tiles.toml", dict[str, tuple[TileKind, ...]])["tiles"]
_FILE = read(FOLDER / "boards.toml", BoardFile)

KINDS = {kind.key: kind for kind in TILES}
FOR_PLAYERS = {numbers.count: numbers for numbers in CONTENT.players}

COLOUR_KEYS = tuple(CONTENT.colours)
COLOURS = len(COLOUR_KEYS)
BUILDING, ANIMAL, SHIP, KNOWLEDGE, MINE, CASTLE = range(COLOURS)

TILE_KEYS = tuple(KINDS)
"""In the state a tile is its index in this list; for people it is its key."""
TILE_OF_KEY = {key: tile for tile, key in enumerate(TILE_KEYS)}
TILE_COUNTS = tuple(tile.coloured + tile.black for tile in TILES)
COLOUR_OF = tuple(COLOUR_KEYS.index(tile.colour) for tile in TILES)
TILES_OF = tuple(
    tuple(tile for tile, other in enumerate(COLOUR_OF) if other == colour)
    for colour in range(COLOURS)
)
"""The tiles of each colour."""
CASTLE_TILE, MINE_TILE = TILES_OF[CASTLE][0], TILES_OF[MINE][0]

PHASES = len(CONTENT.phases)
LAST_ROUND = PHASES * CONTENT.rounds

DEPOTS = BLACK = SIDES
"""The number of numbered depots; also the index of the black one in lists of depots."""
DEPOT_WORDS = (*(str(number + 1) for number in range(DEPOTS)), "black")
DEPOT_OF_WORD = {word: depot for depot, word in enumerate(DEPOT_WORDS)}
GOODS_LETTERS = "".join(str(number + 1) for number in range(SIDES))
"""In words a goods tile is its number."""


def colours_of(letters: str) -> tuple[int, ...]:
    """Return the colours of letters. Raise KeyError for an unknown letter."""
    by_letter = {letter: colour for colour, letter in enumerate(CONTENT.colours.values())}
    return tuple(by_letter[letter] for letter in letters)


def filled(depot: int, players: int, phase: int) -> tuple[int, ...]:
    """Return the colours that fill a numbered depot in a phase."""
    words = FOR_PLAYERS[players].depots[depot].split()
    return colours_of(words[phase % len(words)])


def goods_word(counts: Iterable[int]) -> str:
    """Return counts of goods by kind as a word: ``1123``."""
    return "".join(map(mul, GOODS_LETTERS, counts))


def keys(tiles: list[int]) -> tuple[str, ...]:
    """Return the keys of the different tiles in a list, in its order."""
    return tuple([TILE_KEYS[tile] for tile in dict.fromkeys(tiles)])


# Estates

_MIDDLE = len(_FILE.numbers) // 2
"""The index of the longest row; also the column from which hexes are counted."""


class Space(msgspec.Struct, frozen=True):
    """A space, the same on all boards; `number` is its die. `q` and `r` are the axial coordinates
    of a pointy-top hex around the centre."""

    name: str
    number: int
    q: int
    r: int


SPACES = tuple(
    Space(
        f"{'abcdefg'[row]}{column + 1}",
        int(number),
        max(-_MIDDLE, -row) + column,
        row - _MIDDLE,
    )
    for row, numbers in enumerate(_FILE.numbers)
    for column, number in enumerate(numbers)
)
SPACE_NAMES = tuple(space.name for space in SPACES)
SPACE_OF_NAME = {name: space for space, name in enumerate(SPACE_NAMES)}

_AT = {(space.q, space.r): place for place, space in enumerate(SPACES)}
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
NEIGHBOURS = tuple(
    tuple(sorted(_AT[q, r] for dq, dr in _STEPS if (q := s.q + dq, r := s.r + dr) in _AT))
    for s in SPACES
)
CENTRE = _AT[0, 0]

ALL = mask(range(len(SPACES)))
AROUND = tuple(mask(spaces) for spaces in NEIGHBOURS)
"""The neighbours of each space."""


def distance(die: int, other: int) -> int:
    """Return the steps from one die number to another; 1 and 6 are neighbours (rules: workers)."""
    return min((die - other) % SIDES, (other - die) % SIDES)


WITHIN = tuple(
    tuple(
        tuple(side for side in range(SIDES) if die == 0 or distance(die, side + 1) <= steps)
        for steps in range(SIDES // 2 + 1)
    )
    for die in range(SIDES + 1)
)
"""By die and steps (at most three), the sides in reach, from 0: also the depots and the goods of
that number. Die 0 is any die."""
SPACES_WITHIN = tuple(
    tuple(mask(s for s, at in enumerate(SPACES) if at.number - 1 in sides) for sides in reached)
    for reached in WITHIN
)
"""By die and steps, the spaces in reach, as bit masks."""


class Region(msgspec.Struct, frozen=True):
    """Connected spaces of one colour."""

    colour: int
    spaces: tuple[int, ...]
    mask: int
    points: int


class Board(msgspec.Struct, frozen=True):
    """An estate board: its regions, also by space, and its spaces by colour as bit masks."""

    copies: int
    regions: tuple[Region, ...]
    region_of: tuple[Region, ...]
    of_colour: tuple[int, ...]


def _board(copies: int, rows: tuple[str, ...]) -> Board:
    if [len(row) for row in rows] != [len(row) for row in _FILE.numbers]:
        raise ValueError(f"a board has rows of the wrong lengths: {rows}")
    colours = colours_of("".join(rows))
    of_colour = tuple(
        mask(space for space, other in enumerate(colours) if other == colour)
        for colour in range(COLOURS)
    )
    masks = [
        connected(1 << space, of_colour[colour], AROUND) for space, colour in enumerate(colours)
    ]
    regions = {
        bits: Region(
            colour, tuple(members(bits)), bits, CONTENT.region_points[bits.bit_count() - 1]
        )
        for bits, colour in zip(masks, colours, strict=True)
    }
    return Board(copies, tuple(regions.values()), tuple(regions[bits] for bits in masks), of_colour)


BOARDS = {
    number: _board(*each)
    for number, each in enumerate(zip(_FILE.copies, _FILE.boards, strict=True), 1)
}
BEGINNERS_BOARD = min(BOARDS)
