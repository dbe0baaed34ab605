"""The pieces and numbers of Guatemala Café, read and checked once from data/guatemala."""

from __future__ import annotations

from bot.game.content import Count, Strict, read
from bot.resources import data

FOLDER = data("guatemala")


class CoffeeColour(Strict, frozen=True):
    """One of the five colours of coffee."""

    key: str
    letter: str


class Zone(Strict, frozen=True):
    """A band of rows of the plantation board, and the prices of its cells in centavos."""

    key: str
    rows: Count
    worker: Count
    hut: Count

    def price(self, kind: int) -> int:
        """Of a worker or a hut."""
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
    workers: Count
    huts: Count
    ships: Count
    sacks: Count
    colours: tuple[CoffeeColour, ...]
    zones: tuple[Zone, ...]


CONTENT = read(FOLDER / "game.toml", GuatemalaContent)

COLOUR_KEYS = tuple(colour.key for colour in CONTENT.colours)
"""In the state a colour is a number, its place in this list; wherever people read it, a key."""
COLOUR_OF_KEY = {key: colour for colour, key in enumerate(COLOUR_KEYS)}
COLOURS = len(COLOUR_KEYS)

KINDS = ("worker", "hut", "ship", "sack", "road")
"""The kinds of piece on the production board."""
WORKER, HUT, SHIP, SACK, ROAD_KIND = range(len(KINDS))
COUNTS = (CONTENT.workers, CONTENT.huts, CONTENT.ships, CONTENT.sacks)
"""By kind of coloured piece, how many there are of each colour."""

ROAD = COLOURS * ROAD_KIND
"""A piece is a number, its kind times five plus its colour; a road has none."""
EMPTY = -1
"""No piece."""

ZONES = len(CONTENT.zones)
ROWS = sum(zone.rows for zone in CONTENT.zones)
ZONE_OF_ROW = tuple(zone for zone, kind in enumerate(CONTENT.zones) for _ in range(kind.rows))


def piece(kind: int, colour: int) -> int:
    """The number of a coloured piece."""
    return kind * COLOURS + colour


def kind_of(piece: int) -> int:
    """The kind of a piece; EMPTY has none."""
    return piece // COLOURS


def colour_of(piece: int) -> int:
    """The colour of a piece that has one."""
    return piece % COLOURS
