"""The pieces, the numbers and the production board, read and checked once from data/guatemala.

Colours, pieces, spaces and positions are numbers in the state and words for people. A space of the
production board is 0..80 in reading order; its word has the row and the column from 1, ``11`` to
``99``. A position of the buyer is 0..35 clockwise; its word has the edge and the column or row that
the buyer faces: ``t1`` to ``t9`` at the top, then ``r``, ``b`` and ``l``.
"""

from __future__ import annotations

from bot.game.content import Count, Strict, check_content, read
from bot.resources import data

FOLDER = data("guatemala")


class Zone(Strict, frozen=True):
    """A band of rows of the plantation board, and the prices of its cells in centavos."""

    key: str
    rows: Count
    worker: Count
    hut: Count

    def price(self, kind: int) -> int:
        return self.hut if kind == HUT else self.worker


class GuatemalaContent(Strict, frozen=True):
    """The file game.toml."""

    start_money: Count
    harvest_money: Count
    fourth_step: Count
    steps: Count
    pieces: Count
    roads: Count
    sacks_left: Count
    tracks: tuple[Count, ...]
    turns_without_piece: Count
    of_a_colour: dict[str, Count]
    """The number of pieces of each colour, by kind of piece."""
    colours: dict[str, str]
    """The letters of the colours by key."""
    zones: tuple[Zone, ...]


CONTENT = read(FOLDER / "game.toml", GuatemalaContent)
_BOARD = read(FOLDER / "production.toml", dict[str, tuple[str, ...]])

COLOUR_KEYS = tuple(CONTENT.colours)
COLOUR_OF_KEY = {key: colour for colour, key in enumerate(COLOUR_KEYS)}
COLOURS = len(COLOUR_KEYS)

KINDS = (*CONTENT.of_a_colour, "road")
"""The kinds of piece on the production board."""
WORKER, HUT, SHIP, SACK, ROAD_KIND = range(len(KINDS))
COUNTS = tuple(CONTENT.of_a_colour.values())
"""The number of pieces of each colour, by kind of piece."""

ROAD = COLOURS * ROAD_KIND
"""A piece is its kind times five plus its colour; a road has no colour."""
EMPTY = -1
"""No piece."""

ZONES = len(CONTENT.zones)
ROWS = sum(zone.rows for zone in CONTENT.zones)
ZONE_OF_ROW = tuple(zone for zone, kind in enumerate(CONTENT.zones) for _ in range(kind.rows))


def piece(kind: int, colour: int) -> int:
    return kind * COLOURS + colour


def kind_of(piece: int) -> int:
    """Return the kind of a piece; EMPTY has none."""
    return piece // COLOURS


def colour_of(piece: int) -> int:
    return piece % COLOURS


def colour_key(piece: int) -> str:
    """Return the colour of a piece as a word; "" for a road."""
    return "" if piece == ROAD else COLOUR_KEYS[colour_of(piece)]


def piece_key(piece: int) -> str:
    """Return a piece as one word: ``red_worker``, ``road``; "" for EMPTY."""
    return "" if piece == EMPTY else f"{colour_key(piece)}_{KINDS[kind_of(piece)]}".lstrip("_")


# The production board

SIZE = 9
SPACE_NAMES = tuple(f"{row + 1}{column + 1}" for row in range(SIZE) for column in range(SIZE))
SPACE_OF_NAME = {name: space for space, name in enumerate(SPACE_NAMES)}

EDGES = "trbl"
"""The edges of the board, clockwise: top, right, bottom, left."""
POSITION_NAMES = tuple(
    f"{edge}{number if edge in 'tr' else SIZE + 1 - number}"
    for edge in EDGES
    for number in range(1, SIZE + 1)
)
POSITION_OF_NAME = {name: position for position, name in enumerate(POSITION_NAMES)}
POSITIONS = len(POSITION_NAMES)


FACED = tuple(
    tuple(
        range(number, SIZE * SIZE, SIZE)
        if edge in "tb"
        else range(SIZE * number, SIZE * (number + 1))
    )
    for edge, number in ((name[0], int(name[1:]) - 1) for name in POSITION_NAMES)
)
"""By position, the nine spaces that the buyer faces, in reading order (rules: moving)."""

FRAMED = tuple(SPACE_OF_NAME[name] for name in _BOARD["framed"])
"""The spaces for sacks, and only for sacks."""
FRAMED_IN = tuple(next((space for space in line if space in FRAMED), EMPTY) for line in FACED)
"""By position, the framed space that the buyer faces, at most one; EMPTY for none."""
OTHERS = tuple(space for space in range(SIZE * SIZE) if space not in FRAMED)
"""The spaces of all other pieces."""


_LETTERS = "".join(CONTENT.colours.values())
PRINTED = tuple(
    piece("wbsX".index(word[0]), _LETTERS.index(word[1]))
    for row in _BOARD["printed"]
    for word in row.split()
)
"""The printed setup: the piece of each space."""

check_content(
    FOLDER,
    {
        f"a production board of {len(PRINTED)} spaces": (
            len(PRINTED) != SIZE * SIZE or len(OTHERS) != sum(COUNTS[:SACK]) * COLOURS
        ),
        "two framed spaces in one line": any(
            sum(space in FRAMED for space in line) > 1 for line in FACED
        ),
        "a wrong number of printed pieces of a colour": any(
            PRINTED.count(piece(kind, colour)) != COUNTS[kind]
            for kind in (WORKER, HUT, SHIP)
            for colour in range(COLOURS)
        ),
        "printed sacks that do not match the framed spaces": (
            {space for space, each in enumerate(PRINTED) if kind_of(each) == SACK} != {*FRAMED}
            or {each for each in PRINTED if kind_of(each) == SACK}
            != {piece(SACK, colour) for colour in range(COLOURS)}
        ),
    },
)
