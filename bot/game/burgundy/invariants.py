"""What must hold at a table of Burgundy after every action: no piece is made, lost or misplaced."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.burgundy.boards import AROUND, BOARDS, SPACE_NAMES, SPACES
from bot.game.burgundy.data import BUILDING, COLOUR_OF, CONTENT, SIDES, TILE_KEYS, TILES
from bot.game.burgundy.placing import REPEATS
from bot.game.burgundy.state import NONE, BurgundyPlayer, BurgundyState, knows


def invariants(state: BurgundyState) -> list[str]:
    """Everything wrong with the state, a line each for developers; empty for a sound one."""
    found = [*_tiles(state), *_goods(state), *_track(state)]
    for seat, player in enumerate(state.players):
        found += (f"seat {seat}: {line}" for line in (*_belongings(player), *_estate(player)))
    return found


def _tiles(state: BurgundyState) -> Iterator[str]:
    """The box (section 1.1); a castle still to be placed is nowhere."""
    places = [*state.depots, *(player.storage for player in state.players)]
    places += [[tile for tile in player.estate if tile != NONE] for player in state.players]
    counts = [sum(three) for three in zip(state.stacks, state.black, state.removed, strict=True)]
    if min(*state.stacks, *state.black, *state.removed) < 0:
        yield "a stack holds less than nothing"
    for tiles in places:
        for tile in tiles:
            counts[tile] += 1
    waiting = sum(not player.covered for player in state.players)
    for tile, kind in enumerate(TILES):
        there = counts[tile] + (waiting if kind.key == "castle" else 0)
        if there != kind.coloured + kind.black:
            yield f"{kind.key}: {there}, not {kind.coloured + kind.black}"


def _goods(state: BurgundyState) -> Iterator[str]:
    """Seven of each kind (section 1.2)."""
    for good in range(SIDES):
        places = [
            state.bag[good],
            state.coming.count(good),
            *(there[good] for there in state.goods),
            *(player.goods[good] for player in state.players),
            *(player.sold[good] for player in state.players),
        ]
        if min(places) < 0 or sum(places) != CONTENT.goods_each:
            yield f"goods {good + 1}: {places}"


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
    reached = covered & -covered
    while True:
        wider = reached
        for space in range(len(SPACES)):
            if reached >> space & 1:
                wider |= AROUND[space] & covered
        if wider == reached:
            return reached == covered
        reached = wider
