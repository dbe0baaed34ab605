"""What an observer may know of a table of Guatemala Café, in the words of its notation.

Colours are keys (``black``, ``brown``, ``red``, ``beige``, ``white``), kinds of piece ``worker``,
``hut``, ``ship``, ``sack`` and ``road``. For spaces and positions see production.py, for cells,
ports and roads plantation.py; what is printed on a board is there as well.
"""

from __future__ import annotations

import msgspec

from bot.game.contract import Outcome
from bot.game.guatemala.data import (
    COLOUR_OF_KEY,
    FACED,
    KINDS,
    POSITION_NAMES,
    POSITION_OF_NAME,
    POSITIONS,
    SACK,
    SPACE_NAMES,
)
from bot.game.guatemala.plantation import PlantationBoard, board_for
from bot.game.guatemala.state import GuatemalaState
from bot.game.hidden import View
from bot.game.sides import clockwise

Counts = tuple[int, ...]


class PieceView(msgspec.Struct, frozen=True):
    """A piece on the production board; a road has no colour, which is ""."""

    kind: str
    colour: str


class PortView(msgspec.Struct, frozen=True):
    """A port: the colours of its ships from the cheapest dock on, and whether it may be used."""

    port: str
    ships: tuple[str, ...]
    is_open: bool


class PlantationView(msgspec.Struct, frozen=True):
    """A seat's plantation of one colour: the cells of its hut (None without one) and its workers.

    `ports` are those to which roads connect the hut, `ships` the ships of its colour there, and
    `points` what it would score if a sack of its colour were taken now.
    """

    colour: str
    hut: str | None
    workers: tuple[str, ...]
    ports: tuple[str, ...]
    ships: int
    points: int


class GuatemalaSeatView(msgspec.Struct, frozen=True):
    """A seat. `hand` counts its sacks by colour, for its owner alone; `sacks` is their number.
    `points` are those scored by colour, `score` their sum."""

    money: int
    score: int
    points: Counts
    sacks: int
    hand: Counts | None
    plantations: tuple[PlantationView, ...]
    """One for each owner's tile that lies on the board, in the order of colours."""

    def holds(self, colour: str) -> int | None:
        """Its sacks of a colour; None where they are not the observer's own."""
        return None if self.hand is None else self.hand[COLOUR_OF_KEY[colour]]

    def plantation(self, colour: str) -> PlantationView:
        """That of a colour, be it only the plan of one."""
        planned = PlantationView(colour, None, (), (), 0, 0)
        return next((each for each in self.plantations if each.colour == colour), planned)


class TakenSackView(msgspec.Struct, frozen=True):
    """The sack that is being dealt with: its colour, and the space on which it lay."""

    colour: str
    space: str


class GuatemalaView(View[GuatemalaState], frozen=True):
    """The table as `observer` may know it.

    `asked` is the kind of what is being asked: place (the buyer, before the first turn), step, act
    (buy or take, then buy on), block, refill, over. `active` lists the seats everybody waits for.
    """

    asked: str
    active: Counts
    round: int
    first: int
    """The seat that begins; to its right sits who places the buyer."""
    turn: int
    """Whose turn it is; while the buyer is placed, who places it."""
    production: tuple[PieceView | None, ...]
    """By space, in reading order."""
    buyer: str | None
    """Their position; None before they are placed."""
    ports: tuple[PortView, ...]
    roads: tuple[str, ...]
    """The places of the roads laid, in the order in which they were laid."""
    stock: int
    """Roads that still come to the production board."""
    bag: int
    """How many sacks the bag holds."""
    last_space: int
    """Of the score track; the first sack comes to lie there."""
    track: tuple[str, ...]
    """Colours of the sacks on the score track, from its last space downwards."""
    emptied: tuple[str, ...]
    """The spaces whose pieces the seat on turn has bought in this turn, in order."""
    taken: TakenSackView | None
    """While a block is asked about and while a sack is to be put in its place."""
    blocked: bool
    """Whether the seat on turn buys instead of the scoring that was blocked."""
    answer: str | None
    """The observer's own answer about a block, ``yes`` or ``no``, while others still answer."""
    idle: int
    """Turns in a row in which neither a piece nor a sack was taken."""
    still: int
    """Turns in a row in which the buyer did not move."""
    seats: tuple[GuatemalaSeatView, ...]
    outcome: Outcome | None

    @property
    def board(self) -> PlantationBoard:
        """The plantation board of the table."""
        return board_for(len(self.seats))

    @property
    def order(self) -> Counts:
        """The order of play: clockwise from the seat that begins."""
        return clockwise(self.first, len(self.seats))

    def reached(self, steps: int) -> str:
        """The position to which so many steps bring the buyer, who must have been placed."""
        assert self.buyer is not None
        return POSITION_NAMES[(POSITION_OF_NAME[self.buyer] + steps) % POSITIONS]

    def sack_in(self, position: str) -> PieceView | None:
        """The sack that is faced from a position, of which there is one at the most."""
        return next((piece for _, piece in self.line(position) if piece.kind == KINDS[SACK]), None)

    def line(self, position: str) -> list[tuple[str, PieceView]]:
        """The pieces that are faced from a position, each with its space."""
        spaces = FACED[POSITION_OF_NAME[position]]
        pieces = [(SPACE_NAMES[space], self.production[space]) for space in spaces]
        return [(space, piece) for space, piece in pieces if piece is not None]
