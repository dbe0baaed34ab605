"""What must hold at a table of Guatemala Café after every action: no piece is lost or misplaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bot.game.guatemala.buying import occupied_cells
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    CONTENT,
    COUNTS,
    FRAMED,
    KINDS,
    ROAD,
    SACK,
    piece,
)
from bot.game.guatemala.plantation import mask, members
from bot.game.guatemala.state import NONE, Buying, GuatemalaState, board_of
from bot.game.invariants import conserved


def invariants(state: GuatemalaState) -> list[str]:
    """What is wrong with a state, for developers; empty for a sound one."""
    found = [*_pieces(state), *_roads(state), *_cells(state), *_production(state)]
    for seat, player in enumerate(state.players):
        if player.money < 0:
            found.append(f"seat {seat} has {player.money} centavos")
        for colour, key in enumerate(COLOUR_KEYS):
            if not _hangs_together(state, player.cells(colour)):
                found.append(f"the {key} plantation of seat {seat} falls apart")
    return found


def _pieces(state: GuatemalaState) -> Iterator[str]:
    """Workers, huts, ships and sacks of each colour (rules: setup)."""
    lying = Counter(state.production)
    players = state.players
    colours = range(COLOURS)
    placed = (
        [sum(len(player.workers[colour]) for player in players) for colour in colours],
        [sum(player.huts[colour] != NONE for player in players) for colour in colours],
        [sum(ships.count(colour) for ships in state.ports) for colour in colours],
        [state.track.count(colour) for colour in colours],
    )
    hidden = [sum(stock) for stock in zip(state.bag, *(p.hand for p in players), strict=True)]
    elsewhere = ([0] * COLOURS, [0] * COLOURS, state.gone, hidden)
    for kind, total in enumerate(COUNTS):
        on_board = [lying[piece(kind, colour)] for colour in colours]
        names = [f"{key} {KINDS[kind]}s" for key in COLOUR_KEYS]
        stocks = [on_board, placed[kind], elsewhere[kind]]
        yield from conserved(stocks, names, [total] * COLOURS)
    if min(state.bag + [n for player in players for n in player.hand]) < 0:
        yield "fewer sacks than none"


def _roads(state: GuatemalaState) -> Iterator[str]:
    stocks = [[state.stock], [state.production.count(ROAD)], [len(state.roads)]]
    yield from conserved(stocks, ["roads"], [CONTENT.roads])
    board = board_of(state)
    if mask(state.roads).bit_count() != len(state.roads) or mask(state.roads) & ~board.open_roads:
        yield f"roads lie on {state.roads}"
    for port, ships in enumerate(state.ports):
        if len(ships) > len(board.ports[port].prices) * (port in board.open_ports):
            yield f"{board.ports[port].name} holds {ships}"


def _cells(state: GuatemalaState) -> Iterator[str]:
    """Huts and workers stand on cells of their own, and nothing joins two owners (ruling 16)."""
    board = board_of(state)
    huts = [hut for player in state.players for hut in player.huts if hut != NONE]
    workers = [cell for player in state.players for cells in player.workers for cell in cells]
    if len({*huts, *workers}) != len(huts) + len(workers):
        yield "two pieces stand on one cell"
    if mask(huts) & ~board.hut_cells or mask(workers) & ~board.land:
        yield "a piece stands where it may not"
    if mask(huts + workers) != occupied_cells(state):
        yield "the occupied cells do not fit the pieces"
    for colour, key in enumerate(COLOUR_KEYS):
        owned = [mask(player.cells(colour)) for player in state.players]
        for seat, cells in enumerate(owned):
            beside = 0
            for cell in members(cells):
                beside |= board.around[cell]
            if any(beside & other for other in owned[seat + 1 :]):
                yield f"{key} plantations are joined"


def _hangs_together(state: GuatemalaState, cells: list[int]) -> bool:
    around = board_of(state).around
    left, reached = set(cells[1:]), cells[:1]
    for cell in reached:
        joined = {other for other in left if around[cell] >> other & 1}
        reached += joined
        left -= joined
    return not left


def _production(state: GuatemalaState) -> Iterator[str]:
    """Sacks lie on framed spaces and nothing else does (rules: setup)."""
    for space, lying in enumerate(state.production):
        is_sack = piece(SACK, 0) <= lying < ROAD
        if lying >= 0 and is_sack != (space in FRAMED):
            yield f"piece {lying} lies on space {space}"
    frame = state.frames[-1]
    if isinstance(frame, Buying) and len(frame.emptied) > CONTENT.pieces:
        yield f"{len(frame.emptied)} pieces bought in a turn"
