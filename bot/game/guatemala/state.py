"""Everything that is true at a table of Guatemala Café, secrets included, as plain data.

Pieces, colours, spaces, cells, ports and roads are numbers (see data.py and plantation.py). The bag
has no order: it counts sacks by colour. What is being asked is the top of `GuatemalaState.frames`.
Secret are the sacks in hands and in the bag, and answers about a block.
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

UNANSWERED, LETS, BLOCKS = range(3)
"""What a seat has answered about a block."""


def _whether_answered(answer: int) -> int:
    return answer if answer == UNANSWERED else UNSEEN


class GuatemalaRules(msgspec.Struct, frozen=True):
    """The options of a table that still matter after the set-up."""

    track: Public[int]
    """The last space of the score track, on which the first sack comes to lie."""


class GuatemalaPlayer(msgspec.Struct):
    """What a seat owns. Lists are by colour: sacks in hand, points scored, the cell of the hut or
    NONE, the cells of the workers. An owner's tile lies under the hut, or else the first worker."""

    hand: Annotated[list[int], Hide(total)]
    money: Public[int]
    points: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * COLOURS)
    huts: Public[list[int]] = msgspec.field(default_factory=lambda: [NONE] * COLOURS)
    workers: Public[list[list[int]]] = msgspec.field(
        default_factory=lambda: [[] for _ in range(COLOURS)]
    )

    def cells(self, colour: int) -> list[int]:
        """The cells of a plantation; none where the player has none of the colour."""
        hut = self.huts[colour]
        return self.workers[colour] if hut == NONE else [hut, *self.workers[colour]]


class PuttingBuyer(PublicStruct, tag="place"):
    """The seat to the right of the first player puts the buyer somewhere."""


class Moving(PublicStruct, tag="step"):
    """A seat's turn begins: it moves the buyer, or passes."""


class Buying(PublicStruct, tag="act"):
    """After the step a seat buys pieces, or takes the sack before it has bought any.

    `emptied` are the spaces of what it has bought, in order. After a block there is no sack to
    take: `blocked` is then true.
    """

    emptied: list[int] = msgspec.field(default_factory=list)
    blocked: bool = False


class Blocking(msgspec.Struct, tag="block"):
    """A sack of a colour was taken from a space; the others answer by seat, in secret."""

    space: Public[int]
    colour: Public[int]
    answers: Annotated[list[int], Hide(_whether_answered, by_seat=True)]


class Refilling(PublicStruct, tag="refill"):
    """The seat on turn chooses a sack for the space that it has emptied."""

    space: int


class GuatemalaOver(PublicStruct, tag="over"):
    """The game has ended: `met` where a marker met the sacks, `no_sacks`, `no_steps`, `idle`."""

    ending: str


Frame = PuttingBuyer | Moving | Buying | Blocking | Refilling | GuatemalaOver


class GuatemalaState(msgspec.Struct):
    """The whole table. Lists that are not said to be in an order are by seat, space, port, zone or
    colour."""

    rules: Public[GuatemalaRules]
    players: Public[list[GuatemalaPlayer]]
    production: Public[list[int]]
    """The pieces, or EMPTY."""
    ports: Public[list[list[int]]]
    """The colours of their ships, from the cheapest dock on."""
    bag: Annotated[list[int], Hide(total, no_one)]
    stock: Public[int]
    """Roads that are neither on the production board nor laid."""
    first: Public[int]
    turn: Public[int]
    """Whose turn it is; before the first, who puts the buyer somewhere."""
    frames: Public[list[Frame]]
    buyer: Public[int] = NONE
    roads: Public[list[int]] = []
    """The places of roads in the order in which they were laid."""
    taken: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * ZONES)
    """The occupied cells of the zones as bit masks: they follow from huts and workers."""
    track: Public[list[int]] = []
    """The colours of the sacks on the score track, in the order in which they were laid."""
    gone: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * COLOURS)
    """The ships that have left the game."""
    idle: Public[int] = 0
    """Turns in a row in which neither a piece nor a sack was taken."""
    still: Public[int] = 0
    """Turns in a row in which the buyer did not move."""
    round: Public[int] = 0
    decision: Public[int] = 0
    """Increases whenever what is asked changes, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return state_repr("Guatemala Café", self)

    def __str__(self) -> str:
        """The whole table in words of the notation, secrets included, for debugging."""
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
    """Sacks by colour; of those that are hidden only their number is known."""
    if len(counts) < COLOURS:
        return str(*counts)
    return listed(key for key, n in zip(COLOUR_KEYS, counts, strict=True) for _ in range(n))


def board_of(state: GuatemalaState) -> PlantationBoard:
    """The plantation board of the table."""
    return board_for(len(state.players))


def asked_about_block(state: GuatemalaState) -> list[Seat]:
    """Every seat but the one on turn, from its left: being asked tells nothing (ruling 32)."""
    return list(clockwise(state.turn, len(state.players))[1:])


def emptied_spaces(state: GuatemalaState) -> list[int]:
    """The spaces that the seat on turn has emptied and nobody has filled yet, in order."""
    frame = state.frames[-1]
    if isinstance(frame, Buying):
        return frame.emptied
    return [frame.space] if isinstance(frame, Blocking | Refilling) else []


def deal(state: GuatemalaState, observer: Observer, rng: Random) -> None:
    """Deal the sacks that the observer does not see to hands and bag, and answer for the others
    about a block: who has answered before everybody after them has let it score, or the game would
    have gone on; the rest are as likely yes as no, with a sack to block with. What else hands can
    be told by, such as a block that somebody could have made and did not, is not looked at."""
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
    let = True
    for seat in asked_about_block(state):
        let = let and frame.answers[seat] != UNANSWERED
        if frame.answers[seat] == UNSEEN:
            blocks = (
                not let and state.players[seat].hand[frame.colour] and rng.choice((False, True))
            )
            frame.answers[seat] = BLOCKS if blocks else LETS
