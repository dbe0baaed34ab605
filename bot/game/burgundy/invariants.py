"""What must hold at a table of Burgundy after every action: no piece is made, lost or misplaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from bot.game.burgundy.boards import AROUND, BOARDS, SPACE_NAMES, members
from bot.game.burgundy.data import (
    BUILDING,
    CASTLE_TILE,
    COLOUR_OF,
    CONTENT,
    GOODS_LETTERS,
    SIDES,
    TILE_KEYS,
    TILES,
)
from bot.game.burgundy.placing import REPEATS
from bot.game.burgundy.state import NONE, BurgundyPlayer, BurgundyState, knows
from bot.game.invariants import conserved


def invariants(state: BurgundyState) -> list[str]:
    """Everything wrong with the state, a line each for developers; empty for a sound one."""
    found = [*_tiles(state), *_goods(state), *_track(state)]
    for seat, player in enumerate(state.players):
        found += (f"seat {seat}: {line}" for line in (*_belongings(player), *_estate(player)))
    return found


def _tiles(state: BurgundyState) -> Iterator[str]:
    """The box (section 1.1); a castle still to be placed is nowhere."""
    lying = Counter(chain(*state.depots))
    for player in state.players:
        lying.update([*player.storage, *player.estate])
    lying[CASTLE_TILE] += sum(not player.covered for player in state.players)
    tiles = range(len(TILES))
    stocks = [state.stacks, state.black, state.removed, [lying[tile] for tile in tiles]]
    yield from conserved(stocks, TILE_KEYS, [kind.coloured + kind.black for kind in TILES])


def _goods(state: BurgundyState) -> Iterator[str]:
    """Seven of each kind (section 1.2)."""
    stocks = [state.bag, [state.coming.count(good) for good in range(SIDES)], *state.goods]
    for player in state.players:
        stocks += [player.goods, player.sold]
    names = [f"goods {letter}" for letter in GOODS_LETTERS]
    yield from conserved(stocks, names, [CONTENT.goods_each] * SIDES)


def _track(state: BurgundyState) -> Iterator[str]:
    seats = list(range(len(state.players)))
    if sorted(seat for space in state.track for seat in space) != seats:
        yield f"on the track are {state.track}"
    if sorted(state.order) != seats:
        yield f"the order is {state.order}"


def _belongings(player: BurgundyPlayer) -> Iterator[str]:
    if len(player.storage) > CONTENT.storage_spaces:
        yield f"stores {player.storage}"
    if sum(map(bool, player.goods)) > CONTENT.goods_spaces:
        yield f"has goods {player.goods}"
    if min(player.silverlings, player.workers) < 0:
        yield f"has {player.silverlings} silverlings and {player.workers} workers"


def _estate(player: BurgundyPlayer) -> Iterator[str]:
    """Every tile lies on its colour and is connected to the others; derived fields match the
    estate; no building is twice in a city (sections 5 and 7.3)."""
    covered = border = known = 0
    for space, tile in enumerate(player.estate):
        if tile != NONE:
            covered |= 1 << space
            border |= AROUND[space]
            if BOARDS[player.board].colours[space] != COLOUR_OF[tile]:
                yield f"{TILE_KEYS[tile]} lies on {SPACE_NAMES[space]}"
            if TILES[tile].colour == "knowledge":
                known |= 1 << int(TILE_KEYS[tile][1:])
    if (covered, border & ~covered, known) != (player.covered, player.border, player.knowledge):
        yield "what follows from the estate does not fit it"
    if covered and not _hangs_together(covered):
        yield f"the estate falls apart: {covered:b}"
    if covered and not knows(player, REPEATS):
        for region in BOARDS[player.board].regions:
            tiles = [player.estate[s] for s in region.spaces if player.estate[s] != NONE]
            if region.colour == BUILDING and len(set(tiles)) < len(tiles):
                yield f"a city has {tiles}"


def _hangs_together(covered: int) -> bool:
    reached, wider = 0, covered & -covered
    while wider != reached:
        reached = wider
        for space in members(reached):
            wider |= AROUND[space] & covered
    return reached == covered
