"""The full state of a table of Guatemala Café, secrets included, as plain data.

Pieces, colours, spaces, cells, ports and roads are numbers (see data.py and plantation.py). The bag
has no order: it counts sacks by colour. The top of `GuatemalaState.frames` is the current question.
The sacks in hands and bag and the answers about a block are secret.
"""

from __future__ import annotations

from random import Random
from typing import Annotated

import msgspec

from bot.game.contract import Observer, Seat
from bot.game.frames import listed, state_repr
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    COUNTS,
    POSITION_NAMES,
    SACK,
    SIZE,
    ZONES,
    colour_of,
    kind_of,
    piece_key,
)
from bot.game.guatemala.plantation import PlantationBoard, board_for
from bot.game.hidden import UNSEEN, Hide, Public, PublicStruct, View, no_one, total
from bot.game.sides import clockwise

NONE = -1
"""No cell, no space, no position, no seat."""

UNANSWERED, ALLOWS, BLOCKS = range(3)
"""A seat's answer about a block."""


def _hide_answer(answer: int) -> int:
    return answer if answer == UNANSWERED else UNSEEN


class GuatemalaRules(msgspec.Struct, frozen=True):
    """The options of a table that the rules use after the setup."""

    track: Public[int]
    """The last space of the score track, for the first sack."""


class GuatemalaPlayer(msgspec.Struct):
    """A seat's pieces and points. Lists are by colour: sacks in hand, points, the cell of the hut
    or NONE, the cells of the workers. The owner's tile is under the hut, else under the first
    worker."""

    hand: Annotated[list[int], Hide(total)]
    money: Public[int]
    points: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * COLOURS)
    huts: Public[list[int]] = msgspec.field(default_factory=lambda: [NONE] * COLOURS)
    workers: Public[list[list[int]]] = msgspec.field(
        default_factory=lambda: [[] for _ in range(COLOURS)]
    )

    def cells(self, colour: int) -> list[int]:
        """Return the cells of the plantation of a colour; an empty list without one."""
        hut = self.huts[colour]
        return self.workers[colour] if hut == NONE else [hut, *self.workers[colour]]


class PuttingBuyer(PublicStruct, tag="place"):
    """The seat to the right of the first player places the buyer."""


class Moving(PublicStruct, tag="step"):
    """The start of a turn: the seat moves the buyer, or passes."""


class Buying(PublicStruct, tag="act"):
    """After the move a seat buys pieces, or takes the sack as long as it has bought none.

    `emptied` has the spaces of the bought pieces in order. `blocked` is true after a block, when
    there is no sack to take.
    """

    emptied: list[int] = msgspec.field(default_factory=list)
    blocked: bool = False


class Blocking(msgspec.Struct, tag="block"):
    """A seat took a sack from a space; the others answer in secret whether they block."""

    space: Public[int]
    colour: Public[int]
    answers: Annotated[list[int], Hide(_hide_answer, by_seat=True)]


class Refilling(PublicStruct, tag="refill"):
    """The active seat chooses a sack for the emptied space."""

    space: int


class GuatemalaOver(PublicStruct, tag="over"):
    """The game has ended: `met` (a marker met the sacks), `no_sacks`, `no_steps` or `idle`."""

    ending: str


Frame = PuttingBuyer | Moving | Buying | Blocking | Refilling | GuatemalaOver


class GuatemalaState(msgspec.Struct):
    """The table. Lists are by seat, space, port, zone or colour unless noted."""

    rules: Public[GuatemalaRules]
    players: Public[list[GuatemalaPlayer]]
    production: Public[list[int]]
    """The pieces, or EMPTY."""
    ports: Public[list[list[int]]]
    """The colours of the ships in each port, from the cheapest dock on."""
    bag: Annotated[list[int], Hide(total, no_one)]
    stock: Public[int]
    """Roads neither on the production board nor built."""
    first: Public[int]
    turn: Public[int]
    """The active seat; before the first turn, the seat that places the buyer."""
    frames: Public[list[Frame]]
    buyer: Public[int] = NONE
    roads: Public[list[int]] = []
    """The places of built roads, oldest first."""
    taken: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * ZONES)
    """The occupied cells of each zone as a bit mask, derived from huts and workers."""
    track: Public[list[int]] = []
    """The colours of the sacks on the score track, oldest first."""
    gone: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * COLOURS)
    """The number of ships that have left the game."""
    idle: Public[int] = 0
    """Turns in a row without a bought piece or a taken sack."""
    still: Public[int] = 0
    """Turns in a row without a move of the buyer."""
    round: Public[int] = 0
    decision: Public[int] = 0
    """Increases whenever the question changes, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return state_repr("Guatemala Café", self)

    def __str__(self) -> str:
        """Return the full state in words of the notation, secrets included, for debugging."""
        buyer, board = "-" if self.buyer == NONE else POSITION_NAMES[self.buyer], board_of(self)
        pieces = [*map(piece_key, self.production)]
        lines = [
            f"{self!r}, seat {self.turn}, buyer {buyer}, bag {_sacks(self.bag)}",
            *(f"{row + 1}: {listed(pieces[SIZE * row : SIZE * (row + 1)])}" for row in range(SIZE)),
            *(
                f"{port.name}: {listed(COLOUR_KEYS[ship] for ship in ships)}"
                for port, ships in zip(board.ports, self.ports, strict=True)
            ),
            f"roads: {listed(board.roads[road].name for road in self.roads)}",
            f"track: {listed(COLOUR_KEYS[sack] for sack in self.track)}",
            *(f"seat {n}: {_player(board, each)}" for n, each in enumerate(self.players)),
        ]
        return "\n".join(lines)


GuatemalaView = View[GuatemalaState]


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
    """Return sacks by colour; only the number of hidden ones."""
    if len(counts) < COLOURS:
        return str(*counts)
    return listed(key for key, n in zip(COLOUR_KEYS, counts, strict=True) for _ in range(n))


def board_of(state: GuatemalaState) -> PlantationBoard:
    return board_for(len(state.players))


def block_order(state: GuatemalaState) -> list[Seat]:
    """Return the seats asked about a block: all but the active one, from its left.

    Seats that can't block are asked too, so the question reveals nothing (ruling 32).
    """
    return list(clockwise(state.turn, len(state.players))[1:])


def emptied_spaces(state: GuatemalaState) -> list[int]:
    """Return the spaces that the active seat has emptied, in order, until they are filled."""
    frame = state.frames[-1]
    if isinstance(frame, Buying):
        return frame.emptied
    return [frame.space] if isinstance(frame, Blocking | Refilling) else []


def deal(state: GuatemalaState, observer: Observer, rng: Random) -> None:
    """Deal the hidden sacks to hands and bag, and choose the hidden answers about a block.

    If all seats up to one have answered, these answers are no: a yes would have decided the block.
    Any other hidden answer is yes or no with equal chances if the seat has a fitting sack. The deal
    ignores other clues, such as a block that a seat could have made and did not.
    """
    seen = [colour_of(each) for each in state.production if kind_of(each) == SACK] + state.track
    hands = {seat: player.hand for seat, player in enumerate(state.players)}
    own = hands.pop(observer, [0] * COLOURS)
    pool = [
        colour
        for colour in range(COLOURS)
        for _ in range(COUNTS[SACK] - seen.count(colour) - own[colour])
    ]
    rng.shuffle(pool)
    for sacks in (*hands.values(), state.bag):
        dealt, pool = pool[: sum(sacks)], pool[sum(sacks) :]
        sacks[:] = [dealt.count(colour) for colour in range(COLOURS)]
    frame = state.frames[-1]
    if not isinstance(frame, Blocking):
        return
    all_answered = True
    for seat in block_order(state):
        all_answered = all_answered and frame.answers[seat] != UNANSWERED
        if frame.answers[seat] == UNSEEN:
            has_sack = state.players[seat].hand[frame.colour]
            blocks = not all_answered and has_sack and rng.choice((False, True))
            frame.answers[seat] = BLOCKS if blocks else ALLOWS
