"""The production board: its spaces, the positions of the buyer, and the lines they face.

A space is a number 0..80 in reading order, and a word wherever people read it: its row and its
column from 1, ``11`` to ``99``. A position is a number 0..35 clockwise, and a word: the side of the
board, and the column or row that is faced there, ``t1`` to ``t9`` at the top, then ``r``, ``b``
and ``l``.
"""

from __future__ import annotations

from bot.game.content import Strict, read
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    CONTENT,
    COUNTS,
    FOLDER,
    HUT,
    SACK,
    SHIP,
    WORKER,
    piece,
)

SIZE = 9
SPACE_NAMES = tuple(f"{row + 1}{column + 1}" for row in range(SIZE) for column in range(SIZE))
SPACE_OF_NAME = {name: space for space, name in enumerate(SPACE_NAMES)}

EDGES = "trbl"
"""The sides of the board, clockwise: top, right, bottom, left."""
_UP = tuple(range(1, SIZE + 1))
POSITION_NAMES = tuple(
    f"{edge}{number}"
    for edge, numbers in zip(EDGES, (_UP, _UP, _UP[::-1], _UP[::-1]), strict=True)
    for number in numbers
)
POSITION_OF_NAME = {name: position for position, name in enumerate(POSITION_NAMES)}
POSITIONS = len(POSITION_NAMES)


class ProductionBoard(Strict, frozen=True):
    """The file production.toml."""

    framed: tuple[str, ...]
    printed: tuple[str, ...]


_FILE = read(FOLDER / "production.toml", ProductionBoard)


def line_of(position: int) -> tuple[int, ...]:
    """The nine spaces that the buyer faces, in reading order (section 3.1)."""
    return _LINES[position]


def position_after(position: str, steps: int) -> str:
    """Where so many steps bring the buyer from a position."""
    return POSITION_NAMES[(POSITION_OF_NAME[position] + steps) % POSITIONS]


def _line(name: str) -> tuple[int, ...]:
    number = int(name[1:]) - 1
    if name[0] in "tb":
        return tuple(range(number, SIZE * SIZE, SIZE))
    return tuple(range(SIZE * number, SIZE * (number + 1)))


_LINES = tuple(map(_line, POSITION_NAMES))

FRAMED = tuple(SPACE_OF_NAME[name] for name in _FILE.framed)
"""The spaces of sacks, which nothing but sacks ever lies on."""
OTHERS = tuple(space for space in range(SIZE * SIZE) if space not in FRAMED)
"""The spaces of all other pieces."""


def _read_piece(word: str) -> int:
    colours = [colour.letter for colour in CONTENT.colours]
    return piece(_KINDS[word[0]], colours.index(word[1:]))


_KINDS = {"w": WORKER, "b": HUT, "s": SHIP, "X": SACK}

PRINTED = tuple(_read_piece(word) for row in _FILE.printed for word in row.split())
"""The printed set-up: a piece by space."""


def _check() -> None:
    """Raises ValueError where the board is not as section 3.1 describes it."""
    if len(PRINTED) != SIZE * SIZE or len(OTHERS) != sum(COUNTS[:SACK]) * COLOURS:
        raise ValueError(f"{FOLDER}: a production board of {len(PRINTED)} spaces")
    if any(sum(space in FRAMED for space in line) > 1 for line in _LINES):
        raise ValueError(f"{FOLDER}: two framed spaces in one line")
    for kind in (WORKER, HUT, SHIP):
        for colour, key in enumerate(COLOUR_KEYS):
            if PRINTED.count(piece(kind, colour)) != COUNTS[kind]:
                raise ValueError(f"{FOLDER}: not {COUNTS[kind]} printed pieces of {key}")
    sacks = {space for space, each in enumerate(PRINTED) if piece(SACK, 0) <= each}
    if sacks != set(FRAMED) or len({PRINTED[space] for space in FRAMED}) != COLOURS:
        raise ValueError(f"{FOLDER}: printed sacks that do not lie on the framed spaces")


_check()
