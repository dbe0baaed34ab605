"""What must hold at a table of Guatemala Café after every action: no piece is lost or misplaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bot.game.guatemala.buying import cells_beside, occupied_cells
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    CONTENT,
    COUNTS,
    FRAMED,
    HUT,
    ROAD,
    SACK,
    SHIP,
    WORKER,
    kind_of,
    piece,
    piece_key,
)
from bot.game.guatemala.plantation import mask
from bot.game.guatemala.state import NONE, Buying, GuatemalaState, board_of


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
    found = Counter(state.production)
    found[ROAD] += state.stock + len(state.roads)
    for colour in range(COLOURS):
        for player in state.players:
            found[piece(WORKER, colour)] += len(player.workers[colour])
            found[piece(HUT, colour)] += player.huts[colour] != NONE
            found[piece(SACK, colour)] += player.hand[colour]
        lying = sum(ships.count(colour) for ships in state.ports)
        found[piece(SHIP, colour)] += lying + state.gone[colour]
        found[piece(SACK, colour)] += state.bag[colour] + state.track.count(colour)
    for each in range(ROAD + 1):
        total = CONTENT.roads if each == ROAD else COUNTS[kind_of(each)]
        if found[each] != total:
            yield f"{piece_key(each)}: {found[each]}, not {total}"
    hands = [count for player in state.players for count in player.hand]
    if min(state.stock, *state.bag, *state.gone, *hands) < 0:
        yield "fewer pieces than none"


def _places(state: GuatemalaState) -> Iterator[str]:
    """Everything stands where it may, on a place of its own; plantations hang together, and none
    joins another player's of its colour (rulings 14 and 16)."""
    board, players = board_of(state), len(state.players)
    if mask(state.roads).bit_count() != len(state.roads) or mask(state.roads) & ~board.open_roads:
        yield f"roads lie on {state.roads}"
    for number, ships in enumerate(state.ports):
        if len(ships) > len(board.ports[number].prices) * (number in board.open_ports):
            yield f"{board.ports[number].name} holds {ships}"
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
            joined, apart = [*cells[:1]], {*cells[1:]}
            for cell in joined:
                near = {other for other in apart if board.around[cell] >> other & 1}
                joined += near
                apart -= near
            if apart:
                yield f"the {key} plantation of seat {seat} falls apart"
            beside = cells_beside(players, cells)
            if any(beside & mask(others) for others in owned[seat + 1 :]):
                yield f"{key} plantations are joined"
