"""The full state of a table of Burgundy, secrets included, as plain data.

Tiles and spaces are numbers (see data.py), sets of spaces are bit masks. Undrawn stacks have no
order: they are counts by tile. The top of `BurgundyState.frames` is the current question; the
effect of a placed tile is pushed on top of its turn.
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
"""The sources of points: the first six score during the game, the others at its end."""
(
    REGION_ROW,
    PHASE_ROW,
    COLOUR_ROW,
    ANIMAL_ROW,
    SALE_ROW,
    WATCHTOWER_ROW,
    LEFT_GOODS_ROW,
    SILVERLINGS_ROW,
    WORKERS_ROW,
    KNOWLEDGE_ROW,
) = range(len(POINTS))


class BurgundyRules(msgspec.Struct, frozen=True):
    """The options of a table that the rules use after the setup."""

    emptiest: Public[bool] = False
    """With equal points, more empty spaces win, then the later position in turn order."""
    hidden: Public[bool] = False
    """The kinds of others' sold goods are secret; their number is not."""


def _sold_shown(field: Field) -> bool:
    is_over = isinstance(field.state.frames[-1], BurgundyOver)
    return not field.state.rules.hidden or is_over or owner(field)


def _by_colour(stacks: Sequence[int]) -> list[int]:
    return [sum(stacks[tile] for tile in tiles) for tiles in TILES_OF]


class BurgundyPlayer(msgspec.Struct):
    """A seat's pieces and points. `estate` has the tile of each space, or NONE; `goods` and `sold`
    count by kind.

    Three fields are derived from the estate: `covered` (its covered spaces), `border` (the empty
    spaces next to them) and `knowledge` (a bit for the number of each knowledge tile in it).
    `points` has the rows of POINTS.
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
    """The sealed choice of the first castle's space; `chosen` by seat, NONE for none yet."""

    chosen: Annotated[list[int], Hide(face_down, by_seat=True)]


class Roll(PublicStruct, tag="roll"):
    """The start player of the next round rolls for all; `order` is still that of the last one."""


class Turn(PublicStruct, tag="turn"):
    """A seat's turn: its unused dice, and whether it has bought a tile."""

    left: list[int]
    bought: bool = False


class Extra(PublicStruct, tag="extra"):
    """A castle's free action, with a die of any value."""


class Effect(PublicStruct, tag="effect"):
    """A building's optional effect: take a tile, place one, or sell goods."""

    building: int


class Load(PublicStruct, tag="load"):
    """A ship loads goods from a depot; the second load of knowledge tile 5 is from a neighbour of
    `first`."""

    first: int = NONE


class BurgundyOver(PublicStruct, tag="over"):
    """The game has ended; `points`, `estate` or `order` decided it."""

    ending: str


Frame = Boards | Castles | Roll | Turn | Extra | Effect | Load | BurgundyOver


class BurgundyState(msgspec.Struct):
    """The table. `order` lists the seats in this round's turn order; `at` is an index in it.

    `stacks` (tiles with coloured backs), `black` (with black backs) and `removed` count by tile,
    `bag` counts the undrawn goods by kind. `depots` are the six numbered ones and the black one,
    each a list of tiles; `goods` counts the goods at the numbered ones by kind.
    """

    rules: Public[BurgundyRules]
    players: Public[list[BurgundyPlayer]]
    stacks: Annotated[list[int], Hide(_by_colour, no_one)]
    black: Annotated[list[int], Hide(total, no_one)]
    bag: Annotated[list[int], Hide(total, no_one)]
    order: Public[list[int]]
    track: Public[list[list[int]]]
    """The seats on each space of the turn track, from the bottom to the top."""
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
    """By colour, the seats that covered all its spaces, the first one first."""
    at: Public[int] = 0
    round: Public[int] = 0
    """1 to 25 over all phases; 0 during the setup."""
    white: Public[int] = 0
    decision: Public[int] = 0
    """Increases whenever the question changes, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return state_repr("Burgundy", self)

    def __str__(self) -> str:
        """Return the full state in words of the notation, for debugging."""
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


def has_knowledge(player: BurgundyPlayer, number: int) -> bool:
    """Return whether the knowledge tile is in the estate; in storage it has no effect (ruling
    26)."""
    return bool(player.knowledge >> number & 1)


def knowledge_amount(player: BurgundyPlayer, number: int, default: int = 0) -> int:
    """Return the amount of the knowledge tile if it is in the estate, else `default`."""
    return KINDS[f"k{number}"].amount if has_knowledge(player, number) else default


def phase_of(state: BurgundyState) -> int:
    """Return the phase, counted from 0."""
    return max(0, state.round - 1) // CONTENT.rounds


def phase_letter(state: BurgundyState) -> str:
    """Return the phase, ``A`` to ``E``; empty during the setup."""
    return CONTENT.phases[phase_of(state)] if state.round else ""


def round_of_phase(state: BurgundyState) -> int:
    """Return the round of the phase, 1 to 5; 0 during the setup."""
    return (state.round - 1) % CONTENT.rounds + 1 if state.round else 0


def turn_of(state: BurgundyState) -> Turn | None:
    """Return the current turn, also during the effects of its tiles; None outside turns."""
    turn = state.frames[0]
    return turn if isinstance(turn, Turn) else None


def on_turn(state: BurgundyState) -> Seat | None:
    """Return the seat whose turn it is; None outside turns."""
    return state.order[state.at] if turn_of(state) is not None else None


def castle_spaces(player: BurgundyPlayer) -> list[int]:
    """Return the spaces of the player's board where the first castle may go."""
    return members(BOARDS[player.board].of_colour[CASTLE])


def knows_sold(player: BurgundyPlayer) -> bool:
    """Return whether the kinds of the sold goods are known, not only their number."""
    return len(player.sold) == SIDES


# Hidden information

BurgundyView = View[BurgundyState]
"""An observer knows the number of tiles by colour in `stacks`, and the total in `black` and
`bag`."""


def visible_tiles(state: BurgundyState) -> list[list[int]]:
    """Return the counts by tile of those removed from the game, and of those visible in it."""
    # First castles that are not yet placed are in no estate, but in no stack either.
    visible = Counter({CASTLE_TILE: sum(not player.covered for player in state.players)})
    visible.update(chain(*state.depots, *((*each.storage, *each.estate) for each in state.players)))
    return [state.removed, [visible[tile] for tile in range(len(TILES))]]


def visible_goods(state: BurgundyState) -> list[list[int]]:
    """Return the counts by kind of each pile of goods outside the bag whose kinds are known."""
    sold = [player.sold for player in state.players if knows_sold(player)]
    held = [player.goods for player in state.players]
    return [[state.coming.count(good) for good in range(SIDES)], *state.goods, *held, *sold]


def deal(state: BurgundyState, observer: Observer, rng: Random) -> None:
    """Replace hidden information with an equally likely deal.

    The state does not record which back a revealed tile had: an unseen tile may be in any stack.
    """
    visible = zip(*visible_tiles(state), strict=True)
    tiles = [count - sum(seen) for count, seen in zip(TILE_COUNTS, visible, strict=True)]
    coloured = [0] * len(TILES)
    for tiles_of, count in zip(TILES_OF, state.stacks, strict=True):
        unseen = [tile for tile in tiles_of for _ in range(tiles[tile])]
        for tile in rng.sample(unseen, count):
            coloured[tile] += 1
    state.stacks = coloured
    state.black = [count - stack for count, stack in zip(tiles, coloured, strict=True)]

    piles = zip(*visible_goods(state), strict=True)
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
