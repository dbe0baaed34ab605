"""Helpers to write positions of Burgundy in words.

Pieces that a position does not mention are in the stacks or the bag, so no piece is lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.burgundy import GAME
from bot.game.burgundy.data import (
    COLOUR_KEYS,
    CONTENT,
    DEPOT_WORDS,
    GOODS_LETTERS,
    SIDES,
    SPACE_OF_NAME,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
)
from bot.game.burgundy.placing import cover
from bot.game.burgundy.rounds import begin_turn
from bot.game.burgundy.state import POINTS, BurgundyPlayer, BurgundyRules, BurgundyState, Roll, Turn
from bot.game.contract import Event
from tests.game.lines import Lines

LINES = Lines(GAME)
play, refused, words = LINES.play, LINES.refused, LINES.words
asked, facts = LINES.asked, LINES.facts

CENTRE = {"d4": "castle"}
"""The first castle of all players on board 1."""


def goods(word: str) -> list[int]:
    """Return counts of goods from a word such as ``1123``."""
    return [word.count(letter) for letter in GOODS_LETTERS]


def table(
    *,
    seats: int = 2,
    boards: Sequence[int] = (1, 1, 1, 1),
    estates: Sequence[Mapping[str, str]] = (),
    stored: str = "",
    others_stored: str = "",
    goods_of: Sequence[str] = (),
    sold: Sequence[str] = (),
    silverlings: int = 0,
    workers: int = 0,
    dice: tuple[int, int] = (1, 4),
    left: Sequence[int] | None = None,
    bought: bool = False,
    depots: Mapping[str, str] | None = None,
    goods_at: Mapping[str, str] | None = None,
    coming: str = "12345",
    track: Sequence[Sequence[int]] = (),
    at: int = 0,
    round_: int = 1,
    completed: Mapping[str, Sequence[int]] | None = None,
    options: Mapping[str, str] | None = None,
) -> BurgundyState:
    """Return a table in a turn of the seat at index `at` of the turn order.

    `estates` map spaces to tiles for each seat, by default only the centre castle. `stored`,
    `silverlings`, `workers` and `dice` are the active seat's; `left` has its unused dice. `depots`
    have lists of tiles, `goods_at` words of goods. `track` lists the seats by space from the bottom
    to the top; by default all are on the first space, seat 0 on top.
    """
    stacks = [*track] or [tuple(reversed(range(seats)))]
    order = [seat for space in reversed(stacks) for seat in reversed(space)]
    seat = order[at]
    state = BurgundyState(
        rules=BurgundyRules(
            emptiest=(options or {}).get("ties") == "emptiest",
            hidden=(options or {}).get("sold_goods") == "hidden",
        ),
        players=[
            BurgundyPlayer(
                goods([*goods_of, "", "", "", ""][number]),
                goods([*sold, "", "", "", ""][number]),
                silverlings=silverlings if number == seat else 0,
                workers=workers if number == seat else 0,
                board=boards[number],
                dice=list(dice) if number == seat else [1, 1],
                storage=tiles(stored if number == seat else others_stored),
            )
            for number in range(seats)
        ],
        stacks=[kind.coloured for kind in TILES],
        black=[kind.black for kind in TILES],
        bag=[CONTENT.goods_each] * SIDES,
        order=order,
        track=[list(space) for space in [*stacks, *[()] * CONTENT.track_spaces]][
            : CONTENT.track_spaces
        ],
        frames=[],
        at=at,
        round=round_,
        white=1,
        coming=[GOODS_LETTERS.index(letter) for letter in coming],
    )
    for player, estate in zip(state.players, [*estates, *[CENTRE] * seats], strict=False):
        for name, tile in estate.items():
            cover(player, TILE_OF_KEY[tile], SPACE_OF_NAME[name])
    for word, keys in (depots or {}).items():
        state.depots[DEPOT_WORDS.index(word)] = tiles(keys)
    for word, pieces in (goods_at or {}).items():
        state.goods[DEPOT_WORDS.index(word)] = goods(pieces)
    for colour, seats_done in (completed or {}).items():
        state.completed[COLOUR_KEYS.index(colour)] = list(seats_done)
    _fill(state)
    begin_turn(state)
    turn = state.frames[0]
    assert isinstance(turn, Turn)
    turn.left, turn.bought = list(dice if left is None else left), bought
    assert GAME.invariants(state) == []
    return state


def tiles(keys: str) -> list[int]:
    """Return the tiles of a list such as ``ship cow3``."""
    return [TILE_OF_KEY[word] for word in keys.split()]


def _fill(state: BurgundyState) -> None:
    """Remove the pieces in play from bag and stacks, first from those with coloured backs."""
    in_play = [tile for depot in state.depots for tile in depot]
    for player in state.players:
        in_play += player.storage
        in_play += [tile for tile in player.estate if tile >= 0]
    for tile in in_play:
        stack = state.stacks if state.stacks[tile] else state.black
        stack[tile] -= 1
    for good in range(SIDES):
        state.bag[good] -= state.coming.count(good) + sum(counts[good] for counts in state.goods)
        state.bag[good] -= sum(p.goods[good] + p.sold[good] for p in state.players)


def finish(state: BurgundyState, seat: int, *, drawn: Sequence[int] | None = None) -> list[Event]:
    """Use the remaining dice for workers and end the turn; return the events of its end."""
    while "workers" in words(state, seat):
        play(state, seat, f"workers {words(state, seat, 'workers')[0]}")
    events = play(state, seat, "end", drawn=())
    if isinstance(state.frames[-1], Roll):
        (start,) = (asked.seat for asked in GAME.pending(state))
        events += play(state, start, "roll", drawn=drawn)
    return events


def points(state: BurgundyState, seat: int) -> dict[str, int]:
    """Return the seat's points by source, without zeros."""
    return {
        name: count for name, count in zip(POINTS, state.players[seat].points, strict=True) if count
    }


def stored(state: BurgundyState, seat: int) -> list[str]:
    """Return the tiles in a seat's storage."""
    return [TILE_KEYS[tile] for tile in state.players[seat].storage]


def goods_held(state: BurgundyState, seat: int) -> str:
    """Return a seat's goods as a word."""
    return "".join(
        letter * count
        for letter, count in zip(GOODS_LETTERS, state.players[seat].goods, strict=True)
    )


def tiles_in(state: BurgundyState, depot: str) -> list[str]:
    """Return the tiles in a depot."""
    return [TILE_KEYS[tile] for tile in state.depots[DEPOT_WORDS.index(depot)]]
