"""What must hold at a table of Guatemala Café after every action: no piece is lost or misplaced."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.guatemala.buying import cells_beside, occupied_cells
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    CONTENT,
    COUNTS,
    FRAMED,
    ROAD,
    SACK,
    kind_of,
    piece_key,
)
from bot.game.guatemala.plantation import mask, members
from bot.game.guatemala.state import NONE, Buying, GuatemalaState, board_of
from bot.game.invariants import conserved


def invariants(state: GuatemalaState) -> list[str]:
    """What is wrong with a state, for developers; empty for a sound one."""
    found = [*_pieces(state), *_places(state)]
    for seat, player in enumerate(state.players):
        if player.money < 0:
            found.append(f"seat {seat} has {player.money} centavos")
    for space, each in enumerate(state.production):
        if each >= 0 and (kind_of(each) == SACK) != (space in FRAMED):
            found.append(f"piece {each} lies on space {space}")
    frame = state.frames[-1]
    if isinstance(frame, Buying) and len(frame.emptied) > CONTENT.pieces:
        found.append(f"{len(frame.emptied)} pieces bought in a turn")
    return found


def _pieces(state: GuatemalaState) -> Iterator[str]:
    """All of each kind and colour are somewhere (rules: setup)."""
    colours, players = range(COLOURS), state.players
    placed = [
        *(sum(len(player.workers[colour]) for player in players) for colour in colours),
        *(sum(player.huts[colour] != NONE for player in players) for colour in colours),
        *(sum(ships.count(colour) for ships in state.ports) for colour in colours),
        *(state.track.count(colour) for colour in colours),
        len(state.roads),
    ]
    kinds, nothing = range(ROAD + 1), [0] * COLOURS
    stocks = [
        [state.production.count(each) for each in kinds],
        placed,
        [*nothing, *nothing, *state.gone, *state.bag, state.stock],
        *([*nothing, *nothing, *nothing, *player.hand, 0] for player in players),
    ]
    totals = [count for count in COUNTS for _ in colours]
    yield from conserved(stocks, [*map(piece_key, kinds)], [*totals, CONTENT.roads])


def _places(state: GuatemalaState) -> Iterator[str]:
    """Everything stands where it may, on a place of its own; plantations hang together, and none
    joins another player's of its colour (rulings 14 and 16)."""
    board, players = board_of(state), len(state.players)
    if mask(state.roads).bit_count() != len(state.roads) or mask(state.roads) & ~board.open_roads:
        yield f"roads lie on {state.roads}"
    for number, (port, ships) in enumerate(zip(board.ports, state.ports, strict=True)):
        if len(ships) > len(port.prices) * (number in board.open_ports):
            yield f"{port.name} holds {ships}"
    huts = [hut for player in state.players for hut in player.huts if hut != NONE]
    workers = [cell for player in state.players for cells in player.workers for cell in cells]
    if len({*huts, *workers}) != len(huts) + len(workers):
        yield "two pieces stand on one cell"
    if mask(huts) & ~board.hut_cells or mask(workers) & ~board.land:
        yield "a piece stands where it may not"
    if mask(huts + workers) != occupied_cells(state):
        yield "the occupied cells do not fit the pieces"
    for colour, key in enumerate(COLOUR_KEYS):
        owned = [tuple(player.cells(colour)) for player in state.players]
        for seat, cells in enumerate(owned):
            joined, wider = 0, mask(cells[:1])
            while joined != wider:
                joined = wider
                wider |= cells_beside(players, tuple(members(joined))) & mask(cells)
            if joined != mask(cells):
                yield f"the {key} plantation of seat {seat} falls apart"
            beside = cells_beside(players, cells)
            if any(beside & mask(others) for others in owned[seat + 1 :]):
                yield f"{key} plantations are joined"
