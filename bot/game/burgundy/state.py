"""Everything that is true at a table of Burgundy, secrets included, as plain data.

Tiles and spaces are numbers (see data.py and boards.py), sets of spaces bit masks. Undrawn stacks
have no order: they are counts by tile. What is being asked is the top of `State.frames`; what a
placed tile does is put on top of the turn it was placed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from random import Random
from typing import Annotated

import msgspec

from bot.game.bits import members
from bot.game.burgundy.data import (
    BOARDS,
    CASTLE,
    CASTLE_TILE,
    COLOURS,
    CONTENT,
    DEPOT_WORDS,
    DEPOTS,
    KINDS,
    SIDES,
    SPACES,
    TILE_COUNTS,
    TILE_KEYS,
    TILES,
    TILES_OF,
)
from bot.game.contract import Observer, Seat
from bot.game.frames import listed, state_repr
from bot.game.hidden import (
    UNSEEN,
    Field,
    Hide,
    Public,
    PublicStruct,
    View,
    face_down,
    no_one,
    owner,
    total,
)

NONE = -1
"""No tile, no space, no depot."""

POINTS = (
    *("regions", "phases", "colours", "animals", "goods", "watchtowers"),
    *("left_goods", "silverlings", "workers", "knowledge"),
)
"""Where points come from: the first six during the game, the others at its end."""
REGIONS, PHASE, COLOUR, FLOCKS, SALES, WATCHTOWERS, LEFT, MONEY, HANDS, WISDOM = range(len(POINTS))


class BurgundyRules(msgspec.Struct, frozen=True):
    """The options of a table that still matter after the set-up, resolved for the rules."""

    emptiest: Public[bool] = False
    """With equal points, more empty spaces win, then the position further back."""
    hidden: Public[bool] = False
    """The kinds of others' sold goods are secret; their number is not."""


def _sold_shown(field: Field) -> bool:
    """Once the game is over everything that scored is shown."""
    is_over = isinstance(field.state.frames[-1], BurgundyOver)
    return not field.state.rules.hidden or is_over or owner(field)


def _by_colour(stacks: Sequence[int]) -> list[int]:
    return [sum(stacks[tile] for tile in tiles) for tiles in TILES_OF]


class BurgundyPlayer(msgspec.Struct):
    """What a seat owns. `estate` has a tile by space, or NONE; `goods` and `sold` count by kind.

    `covered` and `border` follow from the estate: its covered spaces, and the empty ones beside
    them. So do the bits of `knowledge`, one for the number of each knowledge tile in it.
    `points` follows POINTS.
    """

    goods: Public[list[int]]
    sold: Annotated[list[int], Hide(total, _sold_shown)]
    silverlings: Public[int]
    workers: Public[int]
    board: Public[int] = 0
    estate: Public[list[int]] = msgspec.field(default_factory=lambda: [NONE] * len(SPACES))
    covered: Public[int] = 0
    border: Public[int] = 0
    knowledge: Public[int] = 0
    storage: Public[list[int]] = []
    dice: Public[list[int]] = []
    points: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * len(POINTS))


class Boards(PublicStruct, tag="board"):
    """The seats choose their boards in turn order."""


class Castles(msgspec.Struct, tag="castle"):
    """The sealed choice of the starting castle's space; `chosen` by seat, NONE for none yet."""

    chosen: Annotated[list[int], Hide(face_down, by_seat=True)]


class Roll(PublicStruct, tag="roll"):
    """The start player of the next round is to roll, for all; the order is that of the last one."""


class Turn(PublicStruct, tag="turn"):
    """A seat's turn: the dice it has not used yet, and whether it has bought a tile."""

    left: list[int]
    bought: bool = False


class Extra(PublicStruct, tag="extra"):
    """A castle's action, with a die of any value."""


class Effect(PublicStruct, tag="effect"):
    """What a building lets its owner do or decline: take a tile, place one, or sell goods."""

    building: int


class Load(PublicStruct, tag="load"):
    """A ship loads goods from a depot; with knowledge tile 5 it may load from a neighbour of
    `first` as well."""

    first: int = NONE


class BurgundyOver(PublicStruct, tag="over"):
    """The game has ended; what decided it: `points`, `estate` or `order`."""

    ending: str


Frame = Boards | Castles | Roll | Turn | Extra | Effect | Load | BurgundyOver


class BurgundyState(msgspec.Struct):
    """The whole table. `order` lists the seats in the order of this round, `at` whose turn it is.

    `stacks` (tiles with coloured backs), `black` (with black backs) and `removed` count by tile,
    `bag` counts the goods that nobody has seen by kind. `depots` are the six numbered ones and
    the black one, each a list of tiles; `goods` counts the goods on the numbered ones by kind.
    """

    rules: Public[BurgundyRules]
    players: Public[list[BurgundyPlayer]]
    stacks: Annotated[list[int], Hide(_by_colour, no_one)]
    black: Annotated[list[int], Hide(total, no_one)]
    bag: Annotated[list[int], Hide(total, no_one)]
    order: Public[list[int]]
    track: Public[list[list[int]]]
    """By space of the turn track, the seats on it from the bottom to the top."""
    frames: Public[list[Frame]]
    removed: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * len(TILES))
    depots: Public[list[list[int]]] = msgspec.field(
        default_factory=lambda: [[] for _ in range(DEPOTS + 1)]
    )
    goods: Public[list[list[int]]] = msgspec.field(
        default_factory=lambda: [[0] * SIDES for _ in range(DEPOTS)]
    )
    coming: Public[list[int]] = []
    """The goods still to come in this phase, the next one first."""
    completed: Public[list[list[int]]] = msgspec.field(
        default_factory=lambda: [[] for _ in range(COLOURS)]
    )
    """By colour, the seats that cover all of its spaces, in the order in which they did."""
    at: Public[int] = 0
    round: Public[int] = 0
    """Counts from 1 to 25 over all phases; 0 during the set-up."""
    white: Public[int] = 0
    decision: Public[int] = 0
    """Increases whenever what is asked changes, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return state_repr("Burgundy", self)

    def __str__(self) -> str:
        """The whole table in words of the notation, with all that is in it, for debugging."""
        return "\n".join(
            [
                f"{self!r}, order {listed(self.order)}, white die {self.white}",
                *(
                    f"depot {word}: {_tiles(tiles)}, goods {listed(goods)}"
                    for word, tiles, goods in zip(
                        DEPOT_WORDS, self.depots, [*self.goods, ()], strict=True
                    )
                ),
                *(
                    f"seat {seat}: {sum(player.points)} points, dice {listed(player.dice)},"
                    f" workers {player.workers}, silverlings {player.silverlings},"
                    f" storage {_tiles(player.storage)}, goods {listed(player.goods)},"
                    f" sold {listed(player.sold)}, estate {_tiles(player.estate)}"
                    for seat, player in enumerate(self.players)
                ),
            ]
        )


def _tiles(tiles: Iterable[int]) -> str:
    return listed(TILE_KEYS[tile] if tile != NONE else "-" for tile in tiles)


def knows(player: BurgundyPlayer, number: int) -> bool:
    """Whether the knowledge tile of this number lies in the estate; in storage it does nothing
    (ruling 26)."""
    return bool(player.knowledge >> number & 1)


def brings(player: BurgundyPlayer, number: int, otherwise: int = 0) -> int:
    """The amount on the knowledge tile of this number, where it lies in the estate."""
    return KINDS[f"k{number}"].amount if knows(player, number) else otherwise


def phase_of(state: BurgundyState) -> int:
    """The phase, counted from 0."""
    return max(0, state.round - 1) // CONTENT.rounds


def phase_letter(state: BurgundyState) -> str:
    """The phase, ``A`` to ``E``; empty during the set-up."""
    return CONTENT.phases[phase_of(state)] if state.round else ""


def round_of_phase(state: BurgundyState) -> int:
    """The round of the phase, 1 to 5; 0 during the set-up."""
    return (state.round - 1) % CONTENT.rounds + 1 if state.round else 0


def turn_of(state: BurgundyState) -> Turn | None:
    """The turn that goes on now, under whatever its tiles do; None outside turns."""
    turn = state.frames[0]
    return turn if isinstance(turn, Turn) else None


def on_turn(state: BurgundyState) -> Seat | None:
    """Whose turn it is; None outside turns."""
    return state.order[state.at] if turn_of(state) is not None else None


def castle_spaces(player: BurgundyPlayer) -> list[int]:
    """The spaces of the seat's board on which its first castle may lie."""
    return members(BOARDS[player.board].of_colour[CASTLE])


def knows_sold(player: BurgundyPlayer) -> bool:
    """Whether the kinds of the sold goods are known, and not their number alone."""
    return len(player.sold) == SIDES


# What is hidden

BurgundyView = View[BurgundyState]
"""Of the stacks an observer knows how many tiles of each colour there are, in `black` and `bag`
how many pieces in all."""


def lying_tiles(state: BurgundyState) -> list[list[int]]:
    """How many of each tile have left the game, and how many lie in it for all to see."""
    # First castles that are still to be placed are in nobody's estate, but in no stack either.
    lying = Counter({CASTLE_TILE: sum(not player.covered for player in state.players)})
    lying.update(chain(*state.depots, *((*each.storage, *each.estate) for each in state.players)))
    return [state.removed, [lying[tile] for tile in range(len(TILES))]]


def lying_goods(state: BurgundyState) -> list[list[int]]:
    """The piles of goods that have left the bag, by kind, without those of an unknown kind."""
    sold = [player.sold for player in state.players if knows_sold(player)]
    held = [player.goods for player in state.players]
    return [[state.coming.count(good) for good in range(SIDES)], *state.goods, *held, *sold]


def deal(state: BurgundyState, observer: Observer, rng: Random) -> None:
    """Put something equally possible in place of what is hidden.

    Nobody remembers which back a tile had that has been turned up, so any of the unseen ones may
    lie in either stack.
    """
    lying = zip(*lying_tiles(state), strict=True)
    tiles = [count - sum(seen) for count, seen in zip(TILE_COUNTS, lying, strict=True)]
    coloured = [0] * len(TILES)
    for tiles_of, count in zip(TILES_OF, state.stacks, strict=True):
        unseen = [tile for tile in tiles_of for _ in range(tiles[tile])]
        for tile in rng.sample(unseen, count):
            coloured[tile] += 1
    state.stacks = coloured
    state.black = [count - stack for count, stack in zip(tiles, coloured, strict=True)]

    piles = zip(*lying_goods(state), strict=True)
    goods = [good for good, seen in enumerate(piles) for _ in range(CONTENT.goods_each - sum(seen))]
    hidden = [player for player in state.players if not knows_sold(player)]
    if hidden:
        rng.shuffle(goods)
    for player in hidden:
        count = sum(player.sold)
        player.sold = [goods[:count].count(good) for good in range(SIDES)]
        del goods[:count]
    state.bag = [goods.count(good) for good in range(SIDES)]

    frame = state.frames[0]
    if isinstance(frame, Castles):
        frame.chosen = [
            rng.choice(castle_spaces(player)) if chosen == UNSEEN else chosen
            for player, chosen in zip(state.players, frame.chosen, strict=True)
        ]
