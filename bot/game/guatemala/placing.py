"""Where pieces may be placed, and for how much (section 5).

The places of a piece are a bit mask: of cells for workers and huts, of ports for ships, of roads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.game.choices import Grouping, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.grammar import refuse
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    CONTENT,
    HUT,
    KINDS,
    ROAD,
    SHIP,
    WORKER,
    colour_of,
    kind_of,
)
from bot.game.guatemala.plantation import PlantationBoard, board_for, members
from bot.game.guatemala.state import NONE, GuatemalaPlayer, GuatemalaState, board_of

_CACHED = 4096


def cells_of(player: GuatemalaPlayer, colour: int) -> list[int]:
    """The cells of a plantation; none where the player has none of the colour."""
    hut = player.huts[colour]
    return player.workers[colour] if hut == NONE else [hut, *player.workers[colour]]


def covered_cells(state: GuatemalaState, board: PlantationBoard) -> int:
    """The cells with a hut or a worker."""
    return _covered(board.zone_starts, tuple(state.taken))


@lru_cache(_CACHED)
def _covered(starts: tuple[int, ...], zones: tuple[int, ...]) -> int:
    bits = 0
    for start, taken in zip(starts, zones, strict=True):
        bits |= taken << start
    return bits


def cover(state: GuatemalaState, cell: int) -> None:
    """Note that a hut or a worker stands on a cell."""
    board = board_of(state)
    zone = board.zone_of(cell)
    state.taken[zone] |= 1 << cell - board.zone_starts[zone]


def price_of(board: PlantationBoard, kind: int, cell: int) -> int:
    """What a worker or a hut costs on a cell, in centavos."""
    return CONTENT.zones[board.zone_of(cell)].price(kind)


def places(state: GuatemalaState, seat: Seat, piece: int) -> int:
    """Where the seat may place a piece that it could pay, as a bit mask."""
    if piece == ROAD:
        free = board_of(state).open_roads
        for road in state.roads:
            free &= ~(1 << road)
        return free
    if kind_of(piece) == SHIP:
        return _ports(state, state.players[seat].money)
    return _cells(state, seat, kind_of(piece), colour_of(piece))


def can_place(state: GuatemalaState, seat: Seat, piece: int) -> bool:
    """Whether there is any such place."""
    if piece == ROAD:
        return len(state.roads) < board_of(state).open_roads.bit_count()
    return places(state, seat, piece) != 0


def _ports(state: GuatemalaState, money: int) -> int:
    """The open ports whose cheapest free dock can be paid (ruling 24)."""
    board, found = board_of(state), 0
    for port in board.open_ports:
        price = next_dock(board, state.ports, port)
        if price is not None and price <= money:
            found |= 1 << port
    return found


def next_dock(board: PlantationBoard, ships: Sequence[Sequence[object]], port: int) -> int | None:
    """The price of a port's cheapest free dock; None where it is full."""
    prices = board.ports[port].prices
    occupied = len(ships[port])
    return prices[occupied] if occupied < len(prices) else None


def _cells(state: GuatemalaState, seat: Seat, kind: int, colour: int) -> int:
    """The cells on which a worker or a hut joins the seat's plantation of its colour, or begins
    it, and joins nobody else's (rulings 8, 12 to 14 and 16)."""
    player, players = state.players[seat], len(state.players)
    if kind == HUT and player.huts[colour] != NONE:
        return 0
    covered = covered_cells(state, board_for(players))
    free = _affordable(players, kind, player.money) & ~covered
    for other in state.players:
        cells = cells_of(other, colour)
        if not cells:
            continue
        beside = _beside(players, tuple(cells))
        if other is player:
            free &= beside
        else:
            free &= ~beside
    return free


@lru_cache(_CACHED)
def _affordable(players: int, kind: int, money: int) -> int:
    """The cells that a worker or a hut can ever stand on, at a price that can be paid."""
    board = board_for(players)
    free = board.hut_cells if kind == HUT else board.land
    for zone, bits in enumerate(board.zones):
        if money < CONTENT.zones[zone].price(kind):
            free &= ~bits
    return free


@lru_cache(_CACHED)
def _beside(players: int, cells: tuple[int, ...]) -> int:
    """The cells that lie beside any of these."""
    around, beside = board_for(players).around, 0
    for cell in cells:
        beside |= around[cell]
    return beside


@lru_cache(_CACHED)
def _words(players: int, kind: int, bits: int) -> OneOf:
    board = board_for(players)
    names = tuple(board.places[kind])
    grouped = () if kind == SHIP else (Grouping("region", board.region_of),)
    return OneOf("place", tuple([names[place] for place in members(bits)]), grouped)


def place_words(state: GuatemalaState, seat: Seat, piece: int) -> OneOf:
    """The places of a piece by name."""
    return _words(len(state.players), kind_of(piece), places(state, seat, piece))


# Why a piece may not be placed somewhere


def why_not_place(state: GuatemalaState, seat: Seat, piece: int, word: str) -> Refusal | None:
    """What forbids a place; None for a word that names no place of this board."""
    board, kind = board_of(state), kind_of(piece)
    place = board.places[kind].get(word)
    if place is None:
        if not any(word in places for places in board.places):
            return None
        return refuse("wrong_place", f"{KINDS[kind]}s", kind_of_piece=KINDS[kind], place=word)
    if kind == SHIP:
        return _why_not_port(state, seat, board, place, word)
    if piece == ROAD:
        if not board.open_roads >> place & 1:
            return refuse("path_closed", "roads", place=word)
        return refuse("road_there", "roads", place=word)
    return _why_not_cell(state, seat, piece, place, word)


def _why_not_port(
    state: GuatemalaState, seat: Seat, board: PlantationBoard, port: int, word: str
) -> Refusal:
    price = next_dock(board, state.ports, port)
    if port not in board.open_ports:
        return refuse("path_closed", "ships", place=word)
    if price is None:
        return refuse("port_full", "ships", place=word)
    return refuse("too_dear", "ships", place=word, price=price, money=state.players[seat].money)


def _why_not_cell(state: GuatemalaState, seat: Seat, piece: int, cell: int, word: str) -> Refusal:
    board, kind, colour = board_of(state), kind_of(piece), colour_of(piece)
    player, topic, key = state.players[seat], f"{KINDS[kind]}s", COLOUR_KEYS[colour]
    if board.covered >> cell & 1:
        return refuse("path_closed", topic, place=word)
    is_hut_cell = bool(board.hut_cells >> cell & 1)
    if kind == WORKER and is_hut_cell:
        return refuse("hut_cell", topic, place=word)
    if kind == HUT and not is_hut_cell:
        return refuse("no_hut_cell", topic, place=word)
    if covered_cells(state, board) >> cell & 1:
        return refuse("occupied", topic, place=word)
    beside = board.around[cell]
    for other, owner in enumerate(state.players):
        if other != seat and any(beside >> own & 1 for own in cells_of(owner, colour)):
            return refuse("joins_other", topic, place=word, colour=key, other=other)
    own = cells_of(player, colour)
    if own and not any(beside >> each & 1 for each in own):
        return refuse("not_joined", topic, place=word, colour=key)
    price = price_of(board, kind, cell)
    return refuse("too_dear", topic, place=word, price=price, money=player.money)
