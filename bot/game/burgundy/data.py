"""The pieces and numbers of The Castles of Burgundy, read and checked once from data/burgundy."""

from __future__ import annotations

from bot.game.content import Count, Strict, read
from bot.resources import data

FOLDER = data("burgundy")

SIDES = 6
"""Faces of a die; also the kinds of goods and the numbered depots."""


class TileKind(Strict, frozen=True):
    """A kind of hex tile and how many there are by back; see data/burgundy/tiles.toml."""

    key: str
    colour: str
    coloured: Count
    black: Count
    amount: Count = 0
    kind: str = ""
    counts: str = ""
    takes: tuple[str, ...] = ()


class ColourKind(Strict, frozen=True):
    """One of the six colours of tiles and spaces."""

    key: str
    letter: str


class DepotSpace(Strict, frozen=True):
    """A space of a numbered depot: what fills it, with how many players, in which phases."""

    colour: str
    players: tuple[Count, ...]
    phases: tuple[str, ...] | None = None


class DepotKind(Strict, frozen=True):
    """A numbered depot as printed."""

    spaces: tuple[DepotSpace, ...]


class Numbers(Strict, frozen=True):
    """What depends on the number of players."""

    count: Count
    sale_points: Count
    bonus: tuple[Count, Count]
    black_depot: Count


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
    colours: tuple[ColourKind, ...]
    depots: tuple[DepotKind, ...]


class BoardKind(Strict, frozen=True):
    """An estate as printed: its rows of colour letters, and how many copies there are."""

    number: Count
    rows: tuple[str, ...]
    copies: Count = 1


class BoardFile(Strict, frozen=True):
    """The file boards.toml."""

    numbers: tuple[str, ...]
    boards: tuple[BoardKind, ...]


class TileFile(Strict, frozen=True):
    """The file tiles.toml."""

    tiles: tuple[TileKind, ...]


CONTENT = read(FOLDER / "game.toml", BurgundyContent)
TILES = read(FOLDER / "tiles.toml", TileFile).tiles

COLOUR_KEYS = tuple(colour.key for colour in CONTENT.colours)
COLOURS = len(COLOUR_KEYS)
BUILDING, ANIMAL, SHIP, KNOWLEDGE, MINE, CASTLE = range(COLOURS)

TILE_KEYS = tuple(tile.key for tile in TILES)
"""In the state a tile is a number, its place in this list; wherever people read it, a key."""
TILE_OF_KEY = {key: tile for tile, key in enumerate(TILE_KEYS)}
COLOUR_OF = tuple(COLOUR_KEYS.index(tile.colour) for tile in TILES)
"""The colour of each tile."""
ANIMALS = tuple(dict.fromkeys(tile.kind for tile in TILES if tile.kind))
TILES_OF = tuple(
    tuple(tile for tile, other in enumerate(COLOUR_OF) if other == colour)
    for colour in range(COLOURS)
)
"""The tiles of each colour."""
CASTLE_TILE = COLOUR_OF.index(CASTLE)

PHASES = len(CONTENT.phases)
LAST_ROUND = PHASES * CONTENT.rounds

DEPOTS = len(CONTENT.depots)
BLACK = DEPOTS
"""The place of the black depot in lists of depots."""
DEPOT_WORDS = (*(str(number + 1) for number in range(DEPOTS)), "black")
DEPOT_OF_WORD = {word: depot for depot, word in enumerate(DEPOT_WORDS)}
GOODS_LETTERS = "".join(str(number + 1) for number in range(SIDES))
"""A goods tile is written by its number."""


def filled(depot: int, players: int, phase: int) -> tuple[int, ...]:
    """The colours that fill a numbered depot in a phase (section 2.1)."""
    return tuple(
        COLOUR_KEYS.index(space.colour)
        for space in CONTENT.depots[depot].spaces
        if players in space.players
        and (space.phases is None or CONTENT.phases[phase] in space.phases)
    )


def numbers_for(players: int) -> Numbers:
    """The numbers for a player count. Raises KeyError for a count that cannot play."""
    return _NUMBERS[players]


_NUMBERS = {numbers.count: numbers for numbers in CONTENT.players}


def kind_of(key: str) -> TileKind:
    """A tile by its key. Raises KeyError where there is none."""
    return TILES[TILE_OF_KEY[key]]


def knowledge(number: int) -> TileKind:
    """The knowledge tile of a number, 1 to 26. Raises KeyError where there is none."""
    return kind_of(f"k{number}")


def keys(tiles: list[int]) -> tuple[str, ...]:
    """The different tiles of a list by key, in its order."""
    return tuple([TILE_KEYS[tile] for tile in dict.fromkeys(tiles)])
