"""The estates: their spaces, regions and neighbours, worked out once from the printed rows.

A space is a number 0..36 in reading order, and a name wherever people read it: the letter of its
row and its place in it, ``a1`` to ``g4``. Sets of spaces are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from bot.game.burgundy.data import BUILDING, CASTLE, COLOURS, CONTENT, FOLDER, SIDES, BoardFile
from bot.game.content import read

_FILE = read(FOLDER / "boards.toml", BoardFile)

_MIDDLE = len(_FILE.numbers) // 2
"""The longest row; also the column that the hexes are counted from."""


class Space(msgspec.Struct, frozen=True):
    """A space as it is on every board. `row` counts from 0; `q` and `r` are the axial coordinates
    of a pointy-top hex around the centre."""

    name: str
    number: int
    row: int
    q: int
    r: int


def _spaces() -> Iterator[Space]:
    for row, numbers in enumerate(_FILE.numbers):
        r = row - _MIDDLE
        for column, number in enumerate(numbers):
            q = max(-_MIDDLE, -r - _MIDDLE) + column
            yield Space(f"{'abcdefg'[row]}{column + 1}", int(number), row, q, r)


SPACES = tuple(_spaces())
SPACE_NAMES = tuple(space.name for space in SPACES)
SPACE_OF_NAME = {name: space for space, name in enumerate(SPACE_NAMES)}
NUMBERS = tuple(space.number for space in SPACES)
"""The die that each space asks for."""

_AT = {(space.q, space.r): place for place, space in enumerate(SPACES)}
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
NEIGHBOURS = tuple(
    tuple(sorted(_AT[q, r] for dq, dr in _STEPS if (q := s.q + dq, r := s.r + dr) in _AT))
    for s in SPACES
)
CENTRE = _AT[0, 0]


def mask(spaces: Iterable[int]) -> int:
    """A set of spaces as a bit mask."""
    return sum(1 << space for space in spaces)


def members(bits: int) -> list[int]:
    """What a bit mask holds: spaces, or the numbers of knowledge tiles."""
    return [place for place in range(bits.bit_length()) if bits >> place & 1]


ALL = mask(range(len(SPACES)))
AROUND = tuple(mask(spaces) for spaces in NEIGHBOURS)
"""The neighbours of each space."""


def distance(die: int, other: int) -> int:
    """Steps from one number of a die to another; 1 and 6 adjoin (section 7.3)."""
    return min((die - other) % SIDES, (other - die) % SIDES)


WITHIN = tuple(
    tuple(
        tuple(side for side in range(SIDES) if die == 0 or distance(die, side + 1) <= steps)
        for steps in range(SIDES // 2 + 1)
    )
    for die in range(SIDES + 1)
)
"""By die and steps (at most three), the sides of a die, from 0, that can be reached: also the
depots and the goods of that number. Die 0 is any die."""
SPACES_WITHIN = tuple(
    tuple(mask(s for s, number in enumerate(NUMBERS) if number - 1 in sides) for sides in reached)
    for reached in WITHIN
)
"""The same as bit masks of the spaces of those numbers."""


class Region(msgspec.Struct, frozen=True):
    """Connected spaces of one colour."""

    colour: int
    spaces: tuple[int, ...]
    mask: int
    points: int


class Board(msgspec.Struct, frozen=True):
    """An estate: by space its colour letter's number and its region, and masks by colour."""

    number: int
    copies: int
    colours: tuple[int, ...]
    regions: tuple[Region, ...]
    region_of: tuple[Region, ...]
    of_colour: tuple[int, ...]
    castles: tuple[int, ...]
    buildings: tuple[int, ...]


def _regions(colours: tuple[int, ...]) -> Iterator[Region]:
    seen: set[int] = set()
    for start, colour in enumerate(colours):
        if start in seen:
            continue
        found = [start]
        for space in found:
            found += (n for n in NEIGHBOURS[space] if colours[n] == colour and n not in found)
        seen.update(found)
        spaces = tuple(sorted(found))
        yield Region(colour, spaces, mask(spaces), CONTENT.region_points[len(spaces) - 1])


def _board(number: int, copies: int, rows: tuple[str, ...]) -> Board:
    letters = [colour.letter for colour in CONTENT.colours]
    colours = tuple(letters.index(letter) for letter in "".join(rows))
    if [len(row) for row in rows] != [len(row) for row in _FILE.numbers]:
        raise ValueError(f"board {number} has rows of the wrong lengths")
    regions = tuple(_regions(colours))
    return Board(
        number=number,
        copies=copies,
        colours=colours,
        regions=regions,
        region_of=tuple(
            next(region for region in regions if space in region.spaces)
            for space in range(len(SPACES))
        ),
        of_colour=tuple(
            mask(space for space, c in enumerate(colours) if c == colour)
            for colour in range(COLOURS)
        ),
        castles=tuple(space for space, c in enumerate(colours) if c == CASTLE),
        buildings=tuple(space for space, c in enumerate(colours) if c == BUILDING),
    )


BOARDS = {kind.number: _board(kind.number, kind.copies, kind.rows) for kind in _FILE.boards}
"""The boards by number."""
BEGINNERS_BOARD = min(BOARDS)
