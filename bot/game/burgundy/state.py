"""Everything that is true at a table of Burgundy, secrets included, as plain data.

Tiles and spaces are numbers (see data.py and boards.py), sets of spaces bit masks. Undrawn stacks
have no order: they are counts by tile. What is being asked is the top of `State.frames`; what a
placed tile does is put on top of the turn it was placed in.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from bot.game.burgundy.boards import BOARDS, SPACES
from bot.game.burgundy.data import (
    COLOURS,
    CONTENT,
    DEPOT_WORDS,
    DEPOTS,
    GOODS_LETTERS,
    SIDES,
    TILE_KEYS,
    TILES,
    knowledge,
)
from bot.game.contract import Refusal, Seat
from bot.game.frames import in_short, listed

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

    emptiest: bool = False
    """With equal points, more empty spaces win, then the position further back."""
    hidden: bool = False
    """The kinds of others' sold goods are secret; their number is not."""


class BurgundyPlayer(msgspec.Struct):
    """What a seat owns. `estate` has a tile by space, or NONE; `goods` and `sold` count by kind.

    `covered` and `border` follow from the estate: its covered spaces, and the empty ones beside
    them. So do the bits of `knowledge`, one for the number of each knowledge tile in it.
    `points` follows POINTS.
    """

    goods: list[int]
    sold: list[int]
    silverlings: int
    workers: int
    board: int = 0
    estate: list[int] = msgspec.field(default_factory=lambda: [NONE] * len(SPACES))
    covered: int = 0
    border: int = 0
    knowledge: int = 0
    storage: list[int] = []
    dice: list[int] = []
    points: list[int] = msgspec.field(default_factory=lambda: [0] * len(POINTS))


class Boards(msgspec.Struct, tag="board"):
    """The seats choose their boards in turn order."""


class Castles(msgspec.Struct, tag="castle"):
    """The sealed choice of the starting castle's space; `chosen` by seat, NONE for none yet."""

    chosen: list[int]


class Roll(msgspec.Struct, tag="roll"):
    """The start player of the next round is to roll, for all; the order is that of the last one."""


class Turn(msgspec.Struct, tag="turn"):
    """A seat's turn: the dice it has not used yet, and whether it has bought a tile."""

    left: list[int]
    bought: bool = False


class Extra(msgspec.Struct, tag="extra"):
    """A castle's action, with a die of any value."""


class Effect(msgspec.Struct, tag="effect"):
    """What a building lets its owner do or decline: take a tile, place one, or sell goods."""

    building: int


class Load(msgspec.Struct, tag="load"):
    """A ship loads goods from a depot; with knowledge tile 5 it may load from a neighbour of
    `first` as well."""

    first: int = NONE


class BurgundyOver(msgspec.Struct, tag="over"):
    """The game has ended; what decided it: `points`, `estate` or `order`."""

    ending: str


Frame = Boards | Castles | Roll | Turn | Extra | Effect | Load | BurgundyOver


class BurgundyState(msgspec.Struct):
    """The whole table. `order` lists the seats in the order of this round, `at` whose turn it is.

    `stacks` (tiles with coloured backs), `black` (with black backs) and `removed` count by tile,
    `bag` counts the goods that nobody has seen by kind. `depots` are the six numbered ones and
    the black one, each a list of tiles; `goods` counts the goods on the numbered ones by kind.
    """

    rules: BurgundyRules
    players: list[BurgundyPlayer]
    stacks: list[int]
    black: list[int]
    bag: list[int]
    order: list[int]
    track: list[list[int]]
    """By space of the turn track, the seats on it from the bottom to the top."""
    frames: list[Frame]
    removed: list[int] = msgspec.field(default_factory=lambda: [0] * len(TILES))
    depots: list[list[int]] = msgspec.field(default_factory=lambda: [[] for _ in range(DEPOTS + 1)])
    goods: list[list[int]] = msgspec.field(
        default_factory=lambda: [[0] * SIDES for _ in range(DEPOTS)]
    )
    coming: list[int] = []
    """The goods still to come in this phase, the next one first."""
    completed: list[list[int]] = msgspec.field(default_factory=lambda: [[] for _ in range(COLOURS)])
    """By colour, the seats that cover all of its spaces, in the order in which they did."""
    at: int = 0
    round: int = 0
    """Counts from 1 to 25 over all phases; 0 during the set-up."""
    white: int = 0
    decision: int = 0
    """Increases whenever what is asked changes, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return in_short("Burgundy", self)

    def __str__(self) -> str:
        """The whole table in words of the notation, secrets included, for debugging.

        An estate is its rows of colour letters; covered spaces are capitals.
        """
        lines = [f"{self!r}, order {listed(self.order)}, white die {self.white}"]
        goods = [*map(_goods, self.goods), "-"]
        for word, tiles, lying in zip(DEPOT_WORDS, self.depots, goods, strict=True):
            lines.append(f"depot {word}: {_tiles(tiles)}, goods {lying}")
        lines += [f"seat {seat}: {_player(player)}" for seat, player in enumerate(self.players)]
        return "\n".join(lines)


def _player(player: BurgundyPlayer) -> str:
    return (
        f"{sum(player.points)} points, dice {listed(player.dice)},"
        f" workers {player.workers}, silverlings {player.silverlings},"
        f" storage {_tiles(player.storage)}, goods {_goods(player.goods)},"
        f" sold {_goods(player.sold)}\n  estate {_estate(player)}"
    )


def _estate(player: BurgundyPlayer) -> str:
    if player.board not in BOARDS:
        return "-"
    colours = BOARDS[player.board].colours
    letters = [CONTENT.colours[colour].letter for colour in colours]
    rows: dict[int, str] = {}
    for space, letter, tile in zip(SPACES, letters, player.estate, strict=True):
        seen = letter.lower() if tile == NONE else letter
        rows[space.row] = rows.get(space.row, "") + seen
    return " ".join(rows.values())


def _tiles(tiles: Iterable[int]) -> str:
    return listed(TILE_KEYS[tile] for tile in tiles)


def _goods(counts: Iterable[int]) -> str:
    return "".join(a * n for a, n in zip(GOODS_LETTERS, counts, strict=True)) or "-"


def any_time(state: BurgundyState, seat: Seat) -> Refusal | None:
    """The gate of an action that can always be taken where it is asked for."""
    return None


def knows(player: BurgundyPlayer, number: int) -> bool:
    """Whether the knowledge tile of this number lies in the estate; in storage it does nothing
    (section 6)."""
    return bool(player.knowledge >> number & 1)


def brings(player: BurgundyPlayer, number: int, otherwise: int = 0) -> int:
    """The amount on the knowledge tile of this number, where it lies in the estate."""
    return knowledge(number).amount if knows(player, number) else otherwise


def phase_of(state: BurgundyState) -> int:
    """The phase, counted from 0."""
    return max(0, state.round - 1) // CONTENT.rounds
