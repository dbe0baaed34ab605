"""Everything that is true at a table of Guatemala Café, secrets included, as plain data.

Pieces, colours, spaces, cells, ports and roads are numbers (see data.py, production.py and
plantation.py). The bag has no order: it counts sacks by colour. What is being asked is the top of
`GuatemalaState.frames`.
"""

from __future__ import annotations

import msgspec

from bot.game.contract import Refusal, Seat
from bot.game.frames import in_short, listed
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    EMPTY,
    KINDS,
    ROAD,
    ZONES,
    colour_of,
    kind_of,
)
from bot.game.guatemala.plantation import PlantationBoard, board_for
from bot.game.guatemala.production import POSITION_NAMES, SIZE

NONE = -1
"""No cell, no space, no position, no seat."""

UNANSWERED, LETS, BLOCKS = range(3)
"""What a seat has answered about a block."""


class GuatemalaRules(msgspec.Struct, frozen=True):
    """The options of a table that still matter after the set-up."""

    track: int
    """The last space of the score track, on which the first sack comes to lie."""


class GuatemalaPlayer(msgspec.Struct):
    """What a seat owns. Lists are by colour: sacks in hand, points scored, the cell of the hut or
    NONE, the cells of the workers. An owner's tile lies under the hut, or else the first worker."""

    hand: list[int]
    money: int
    points: list[int] = msgspec.field(default_factory=lambda: [0] * COLOURS)
    huts: list[int] = msgspec.field(default_factory=lambda: [NONE] * COLOURS)
    workers: list[list[int]] = msgspec.field(default_factory=lambda: [[] for _ in range(COLOURS)])


class Placing(msgspec.Struct, tag="place"):
    """The seat to the right of the first player puts the buyer somewhere."""


class Moving(msgspec.Struct, tag="step"):
    """A seat's turn begins: it moves the buyer, or passes."""


class Buying(msgspec.Struct, tag="act"):
    """After the step a seat buys pieces, or takes the sack before it has bought any.

    `emptied` are the spaces of what it has bought, in order. After a block there is no sack to
    take: `blocked` is then true.
    """

    emptied: list[int] = []
    blocked: bool = False


class Blocking(msgspec.Struct, tag="block"):
    """A sack of a colour was taken from a space; the others answer by seat, in secret."""

    space: int
    colour: int
    answers: list[int]


class Refilling(msgspec.Struct, tag="refill"):
    """The seat on turn chooses a sack for the space that it has emptied."""

    space: int


class GuatemalaOver(msgspec.Struct, tag="over"):
    """The game has ended: `met` where a marker met the sacks, `no_sacks`, `no_steps`, `idle`."""

    ending: str


Frame = Placing | Moving | Buying | Blocking | Refilling | GuatemalaOver


class GuatemalaState(msgspec.Struct):
    """The whole table. `production` has a piece by space, or EMPTY; `roads` are the places of
    roads in the order in which they were laid; `ports` list the colours of their ships from the
    cheapest dock on. `taken` has the covered cells, a bit mask a zone: they follow from huts and
    workers. `bag` counts what nobody has seen; `track` are the colours of the sacks on the score
    track, in the order in which they were laid. `idle` and `still` count turns in a row: in which
    no piece or sack was taken, and in which the buyer did not move.
    """

    rules: GuatemalaRules
    players: list[GuatemalaPlayer]
    production: list[int]
    ports: list[list[int]]
    bag: list[int]
    stock: int
    """Roads that are neither on the production board nor laid."""
    first: int
    turn: int
    """Whose turn it is; while the buyer is placed, who places it."""
    frames: list[Frame]
    buyer: int = NONE
    roads: list[int] = []
    taken: list[int] = msgspec.field(default_factory=lambda: [0] * ZONES)
    track: list[int] = []
    gone: list[int] = msgspec.field(default_factory=lambda: [0] * COLOURS)
    """By colour, the ships that have left the game."""
    idle: int = 0
    still: int = 0
    round: int = 0
    decision: int = 0
    """Increases whenever what is asked changes, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return in_short("Guatemala Café", self)

    def __str__(self) -> str:
        """The whole table in words of the notation, secrets included, for debugging."""
        buyer = "-" if self.buyer == NONE else POSITION_NAMES[self.buyer]
        lines = [f"{self!r}, seat {self.turn}, buyer {buyer}, bag {_sacks(self.bag)}"]
        for row in range(SIZE):
            pieces = self.production[SIZE * row : SIZE * (row + 1)]
            lines.append(f"{row + 1}: {listed(map(piece_key, pieces))}")
        board = board_of(self)
        for port, ships in zip(board.ports, self.ports, strict=True):
            lines.append(f"{port.name}: {listed(COLOUR_KEYS[ship] for ship in ships)}")
        lines.append(f"roads: {listed(board.roads[road].name for road in self.roads)}")
        lines.append(f"track: {listed(COLOUR_KEYS[sack] for sack in self.track)}")
        lines += [f"seat {n}: {_player(board, each)}" for n, each in enumerate(self.players)]
        return "\n".join(lines)


def _player(board: PlantationBoard, player: GuatemalaPlayer) -> str:
    plantations = [
        f"{key} {'-' if hut == NONE else board.names[hut]}"
        f" ({listed(board.names[cell] for cell in workers)})"
        for key, hut, workers in zip(COLOUR_KEYS, player.huts, player.workers, strict=True)
        if hut != NONE or workers
    ]
    return (
        f"{sum(player.points)} points, {player.money} centavos, sacks {_sacks(player.hand)};"
        f" {', '.join(plantations) or '-'}"
    )


def _sacks(counts: list[int]) -> str:
    return listed(key for key, n in zip(COLOUR_KEYS, counts, strict=True) for _ in range(n))


def piece_key(piece: int) -> str:
    """A piece in one word: ``red_worker``, ``road``; "" for none."""
    if piece == EMPTY:
        return ""
    if piece == ROAD:
        return KINDS[-1]
    return f"{COLOUR_KEYS[colour_of(piece)]}_{KINDS[kind_of(piece)]}"


def board_of(state: GuatemalaState) -> PlantationBoard:
    """The plantation board of the table."""
    return board_for(len(state.players))


def any_time(state: GuatemalaState, seat: Seat) -> Refusal | None:
    """The gate of an action that can always be taken where it is asked for."""
    return None
