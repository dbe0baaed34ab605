"""The buyer, and buying pieces in the line that it faces (rules: setup, moving, buying).

The places for a piece are a bit mask: of cells for workers and huts, of ports for ships, of roads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.game.bits import mask, members, union
from bot.game.choices import Grouping, OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, refuse_for, rule
from bot.game.guatemala.data import (
    CONTENT,
    EMPTY,
    FACED,
    HUT,
    KINDS,
    POSITION_NAMES,
    POSITION_OF_NAME,
    POSITIONS,
    ROAD,
    ROAD_KIND,
    SACK,
    SHIP,
    SPACE_NAMES,
    SPACE_OF_NAME,
    WORKER,
    colour_key,
    colour_of,
    kind_of,
)
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.state import NONE, Buying, GuatemalaState, Moving, board_of

_CACHED = 4096

STEPS = tuple(map(str, range(1, CONTENT.steps + 2)))
"""The number of spaces that the buyer moves, as words; the last one costs money."""
_ALL, _FREE = OneOf("steps", STEPS), OneOf("steps", STEPS[:-1])
_ANYWHERE = OneOf("position", POSITION_NAMES, (Grouping("edge", lambda position: position[0]),))


class BuyerPlaced(SeatEvent, frozen=True):
    """A seat put the buyer on the first position."""

    position: str


class BuyerMoved(SeatEvent, frozen=True):
    """A seat moved the buyer `steps` spaces to a position; `paid` is in centavos."""

    steps: int
    position: str
    paid: int


class Passed(SeatEvent, frozen=True):
    """A seat did not move the buyer and skipped its turn."""


class PieceBought(SeatEvent, frozen=True):
    """A seat bought a piece from a space and placed it; `colour` is "" for a road."""

    piece: str
    colour: str
    space: str
    place: str
    price: int


class RoadsFilled(Event, frozen=True):
    """Roads from the stock filled these emptied spaces."""

    spaces: tuple[str, ...]


# The buyer


def _put(state: GuatemalaState, seat: Seat, recorder: EventRecorder, position: str) -> None:
    state.buyer, state.turn, state.round = POSITION_OF_NAME[position], state.first, 1
    recorder.record(BuyerPlaced(seat=seat, position=position))
    state.frames = [Moving()]


def step_cost(steps: int) -> int:
    """Return the cost of a move in centavos."""
    return CONTENT.fourth_step if steps > CONTENT.steps else 0


def _steps(state: GuatemalaState, seat: Seat) -> OneOf:
    """Return one to three steps, or four if the seat can pay for the fourth (rulings 3 and 4)."""
    return _ALL if state.players[seat].money >= CONTENT.fourth_step else _FREE


def _why_not_step(state: GuatemalaState, seat: Seat, word: str) -> Refusal:
    return refuse("fourth_step_unpaid", money=state.players[seat].money, price=step_cost(int(word)))


def _move(state: GuatemalaState, seat: Seat, recorder: EventRecorder, word: str) -> None:
    steps, paid = int(word), step_cost(int(word))
    state.players[seat].money -= paid
    state.buyer = (state.buyer + steps) % POSITIONS
    state.still = 0
    state.frames = [Buying()]
    position = POSITION_NAMES[state.buyer]
    recorder.record(BuyerMoved(seat=seat, steps=steps, position=position, paid=paid))


def _pass(state: GuatemalaState, seat: Seat, recorder: EventRecorder) -> None:
    """End the turn, as it needs a step (ruling 3)."""
    recorder.record(Passed(seat=seat))
    state.still += 1
    state.idle += 1
    state.frames = []


PUT: Rule[GuatemalaState] = (
    rule("place", "setup")
    # Any of the 36 positions (ruling 41).
    .word("position", lambda state, seat: _ANYWHERE)
    .does(_put)
)
MOVE: Rule[GuatemalaState] = (
    rule("move", "moving").word("steps", _steps, _why_not_step, STEPS).does(_move)
)
PASS: Rule[GuatemalaState] = rule("pass", "moving", skips=True).does(_pass)


# Places and prices


def occupied_cells(state: GuatemalaState) -> int:
    """Return the cells with a hut or a worker."""
    return _occupied(board_of(state).zone_starts, tuple(state.taken))


@lru_cache(_CACHED)
def _occupied(starts: tuple[int, ...], zones: tuple[int, ...]) -> int:
    return sum([taken << start for start, taken in zip(starts, zones, strict=True)])


def occupy(state: GuatemalaState, cell: int) -> None:
    board = board_of(state)
    zone = board.zone_of(cell)
    state.taken[zone] |= 1 << cell - board.zone_starts[zone]


def next_dock(state: GuatemalaState, port: int) -> int:
    """Return the price of a port's cheapest free dock; 0 if the port is full."""
    prices, ships = board_of(state).ports[port].prices, len(state.ports[port])
    return prices[ships] if ships < len(prices) else 0


def price_of(state: GuatemalaState, kind: int, place: int) -> int:
    """Return the price of a piece on one of its places, in centavos (ruling 11)."""
    if kind == ROAD_KIND:
        return 0
    if kind == SHIP:
        return next_dock(state, place)
    return CONTENT.zones[board_of(state).zone_of(place)].price(kind)


def places(state: GuatemalaState, seat: Seat, piece: int) -> int:
    """Return a bit mask of the places where the seat may place a piece and can pay for it."""
    kind, board, player = kind_of(piece), board_of(state), state.players[seat]
    if kind == ROAD_KIND:
        return board.open_roads & ~mask(state.roads)
    if kind == SHIP:
        docks = ((port, next_dock(state, port)) for port in board.open_ports)
        return mask(port for port, price in docks if price and price <= player.money)
    # A worker or a hut starts or joins the seat's plantation of its colour, and never joins another
    # player's (rulings 8, 12 to 14 and 16).
    colour, players = colour_of(piece), len(state.players)
    if kind == HUT and player.huts[colour] != NONE:
        return 0
    free = _affordable(players, kind, player.money) & ~occupied_cells(state)
    for other in state.players:
        cells = other.cells(colour)
        if cells:
            adjacent = adjacent_cells(players, tuple(cells))
            free &= adjacent if other is player else ~adjacent
    return free


@lru_cache(_CACHED)
def _affordable(players: int, kind: int, money: int) -> int:
    """Return the cells for workers or huts with a price of at most `money`."""
    board = board_for(players)
    zones = zip(CONTENT.zones, board.zones, strict=True)
    too_dear = union([bits for zone, bits in zones if money < zone.price(kind)])
    return (board.hut_cells if kind == HUT else board.land) & ~too_dear


@lru_cache(_CACHED)
def adjacent_cells(players: int, cells: tuple[int, ...]) -> int:
    return union([board_for(players).around[cell] for cell in cells])


@lru_cache(_CACHED)
def _place_words(players: int, kind: int, bits: int) -> OneOf:
    board = board_for(players)
    names = tuple(board.places[kind])
    grouped = () if kind == SHIP else (Grouping("region", board.region_of),)
    return OneOf("place", tuple([names[place] for place in members(bits)]), grouped)


# Buying


def buyable(state: GuatemalaState, seat: Seat) -> Iterator[str]:
    """Yield the spaces of the line with a piece that the seat can place and pay for (rulings 7
    and 9)."""
    can_buy = {EMPTY: False, ROAD: len(state.roads) < board_of(state).open_roads.bit_count()}
    for space in FACED[state.buyer]:
        piece = state.production[space]
        if piece not in can_buy:
            can_buy[piece] = kind_of(piece) != SACK and places(state, seat, piece) != 0
        if can_buy[piece]:
            yield SPACE_NAMES[space]


def _gate(state: GuatemalaState, seat: Seat) -> Refusal | None:
    if len(frame_of(state, Buying).emptied) == CONTENT.pieces:
        return refuse("enough_pieces", count=CONTENT.pieces)
    return refuse("nothing_to_buy") if next(buyable(state, seat), None) is None else None


def _pieces(state: GuatemalaState, seat: Seat) -> OneOf:
    return OneOf("piece", tuple(buyable(state, seat)))


def _why_not_piece(state: GuatemalaState, seat: Seat, word: str) -> Refusal:
    piece, huts = state.production[SPACE_OF_NAME[word]], state.players[seat].huts
    kind, key = kind_of(piece), colour_key(piece)
    reasons = {
        "not_in_line": SPACE_OF_NAME[word] not in FACED[state.buyer],
        "no_piece": piece == EMPTY,
    }
    has_hut = {"hut_built": kind == HUT and huts[colour_of(piece)] != NONE}
    return (
        refuse_for(reasons, space=word)
        or refuse_for({"sacks_not_bought": kind == SACK}, "sacks", space=word)
        or refuse_for(has_hut, "huts", colour=key)
        or refuse("cannot_place", f"{KINDS[kind]}s", piece=KINDS[kind], colour=key)
    )


def _places(state: GuatemalaState, seat: Seat, word: str) -> OneOf:
    piece = state.production[SPACE_OF_NAME[word]]
    return _place_words(len(state.players), kind_of(piece), places(state, seat, piece))


def _why_not_place(state: GuatemalaState, seat: Seat, word: str, place: str) -> Refusal | None:
    """Return why a piece may not be placed there; None for a word that is no place of this
    board."""
    board, piece, players = board_of(state), state.production[SPACE_OF_NAME[word]], state.players
    kind, colour, key = kind_of(piece), colour_of(piece), colour_key(piece)
    topic, at = f"{KINDS[kind]}s", board.places[kind].get(place)
    if at is None:
        is_wrong = {"wrong_place": any(place in names for names in board.places)}
        return refuse_for(is_wrong, topic, kind_of_piece=KINDS[kind], place=place)
    price, on_land = price_of(state, kind, at), kind in (WORKER, HUT)
    is_hut_cell = on_land and board.hut_cells >> at & 1
    reasons = {
        "road_there": kind == ROAD_KIND and board.open_roads >> at & 1,
        "path_closed": kind == ROAD_KIND
        or (kind == SHIP and at not in board.open_ports)
        or (on_land and board.closed_huts >> at & 1),
        "port_full": kind == SHIP and not price,
        "hut_cell": kind == WORKER and is_hut_cell,
        "no_hut_cell": kind == HUT and not is_hut_cell,
        "occupied": on_land and occupied_cells(state) >> at & 1,
    }
    joined = [
        owner
        for owner, each in enumerate(players)
        if on_land and adjacent_cells(len(players), tuple(each.cells(colour))) >> at & 1
    ]
    others = [owner for owner in joined if owner != seat]
    is_apart = {"not_joined": on_land and players[seat].cells(colour) and not joined}
    return (
        refuse_for(reasons, topic, place=place)
        or (others and refuse("joins_other", topic, place=place, colour=key, other=others[0]))
        or refuse_for(is_apart, topic, place=place, colour=key)
        or refuse("too_dear", topic, place=place, price=price, money=players[seat].money)
    )


def _buy(state: GuatemalaState, seat: Seat, recorder: EventRecorder, word: str, place: str) -> None:
    space, player = SPACE_OF_NAME[word], state.players[seat]
    piece = state.production[space]
    kind, colour = kind_of(piece), colour_of(piece)
    at = board_of(state).places[kind][place]
    price = price_of(state, kind, at)
    player.money -= price
    state.production[space] = EMPTY
    frame_of(state, Buying).emptied.append(space)
    if kind == ROAD_KIND:
        state.roads.append(at)
    elif kind == SHIP:
        state.ports[at].append(colour)
    else:
        occupy(state, at)
        if kind == HUT:
            player.huts[colour] = at
        else:
            player.workers[colour].append(at)
    recorder.record(
        PieceBought(
            seat=seat,
            piece=KINDS[kind],
            colour=colour_key(piece),
            space=word,
            place=place,
            price=price,
        )
    )


BUY: Rule[GuatemalaState] = (
    rule("buy", "buying", _gate)
    .word("piece", _pieces, _why_not_piece, SPACE_OF_NAME)
    .word("place", _places, _why_not_place)
    .does(_buy)
)


def _end(state: GuatemalaState, seat: Seat, recorder: EventRecorder) -> None:
    """Fill the emptied spaces with roads, in order, while the stock lasts (ruling 30)."""
    frame = frame_of(state, Buying)
    spaces = frame.emptied[: state.stock]
    state.stock -= len(spaces)
    for space in spaces:
        state.production[space] = ROAD
    if spaces:
        recorder.record(RoadsFilled(spaces=tuple(SPACE_NAMES[space] for space in spaces)))
    state.idle = 0 if frame.emptied or frame.blocked else state.idle + 1
    state.frames = []


END: Rule[GuatemalaState] = rule("end", "buying").does(_end)
