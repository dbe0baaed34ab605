"""Helpers to write positions of Guatemala Café in words.

A piece is two words, ``red worker``; lists of pieces have commas. No piece is lost: pieces on the
plantation board are replaced by roads on the production board, and sacks that a position does not
mention are in the bag.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.game.contract import Event
from bot.game.guatemala import GAME, data
from bot.game.guatemala.buying import occupy
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.state import (
    NONE,
    Buying,
    GuatemalaPlayer,
    GuatemalaRules,
    GuatemalaState,
    Moving,
    PuttingBuyer,
    board_of,
)
from tests.game.lines import Lines

LINES = Lines(GAME)
play, refused, words = LINES.play, LINES.refused, LINES.words
asked, facts, codes = LINES.asked, LINES.facts, LINES.codes

FRAMES: Mapping[str, type[Any]] = {"place": PuttingBuyer, "step": Moving, "act": Buying}
FULL = "black brown red beige white"
"""A hand with a sack of each colour."""


def sacks(colours: str) -> list[int]:
    """Return counts of sacks from a list such as ``red red white``."""
    return [colours.split().count(key) for key in data.COLOUR_KEYS]


PIECES = {data.piece_key(number).replace("_", " "): number for number in range(data.ROAD + 1)}
PIECES["-"] = data.EMPTY
"""Pieces by words: ``red worker``, ``road``, and ``-`` for none."""


def table(
    *,
    seats: int = 2,
    asked: str = "act",
    turn: int = 0,
    first: int = 0,
    buyer: str = "t1",
    line: str = "",
    sack: str = "",
    board_sacks: str = "",
    money: int | Sequence[int] = 15,
    score: Sequence[int] = (0, 0, 0, 0),
    hands: Sequence[str] = ("", "", "", ""),
    bag: str | None = None,
    track: str = "",
    huts: Sequence[Mapping[str, str]] = (),
    workers: Sequence[Mapping[str, str]] = (),
    ships: Mapping[str, str] | None = None,
    roads: str = "",
    stock: int | None = None,
    idle: int = 0,
    still: int = 0,
    last_space: int = 79,
) -> GuatemalaState:
    """Return a table in a seat's turn, before (``step``) or after (``act``) it moved the buyer.

    `line` has the first pieces of the buyer's line, without its sack; the others are as printed.
    `sack` is the colour of its sack, ``-`` for none. Instead, `board_sacks` can list the colours of
    all sacks on the production board from its top. `score` has points of earlier harvests. `huts`
    and `workers` map colours to cells for each seat, `ships` maps ports to colours from the
    cheapest dock on. With a `bag` all sacks not mentioned are on the score track, after those of
    `track`. With a `stock` all other roads are built, from the far end of the board.
    """
    board = board_for(seats)
    amounts = [money] * seats if isinstance(money, int) else [*money]
    state = GuatemalaState(
        rules=GuatemalaRules(last_space),
        players=[
            GuatemalaPlayer(sacks(hands[seat] if seat < len(hands) else ""), amounts[seat])
            for seat in range(seats)
        ],
        production=[*data.PRINTED],
        ports=[[] for _ in board.ports],
        bag=[0] * data.COLOURS,
        stock=data.CONTENT.roads,
        first=first,
        turn=turn,
        frames=[FRAMES[asked]()],
        buyer=NONE if asked == "place" else data.POSITION_OF_NAME[buyer],
        roads=[board.road_of_name[name] for name in roads.split()],
        idle=idle,
        still=still,
        round=3,
    )
    for seat, player in enumerate(state.players):
        player.points[0] = score[seat] if seat < len(score) else 0
        for key, cell in huts[seat].items() if seat < len(huts) else ():
            player.huts[data.COLOUR_OF_KEY[key]] = board.cell_of_name[cell]
        for key, cells in workers[seat].items() if seat < len(workers) else ():
            player.workers[data.COLOUR_OF_KEY[key]] = [board.cell_of_name[c] for c in cells.split()]
        for colour in range(data.COLOURS):
            for number in player.cells(colour):
                occupy(state, number)
    for port, colours in (ships or {}).items():
        state.ports[board.port_of_name[port]] = [data.COLOUR_OF_KEY[key] for key in colours.split()]
    _fill_line(state, [PIECES[word] for word in line.split(", ") if word])
    _place_sacks(state, sack, board_sacks)
    _count_sacks(state, track, bag)
    _count_roads(state, stock)
    assert GAME.invariants(state) == []
    return state


HUT_E2 = {"red": "e2"}
"""A hut that `f1-g1 f1-f2` connect to the port of two players."""


def red_sack_table(seats: int = 2, **position: Any) -> GuatemalaState:
    """Return a table where a seat may take a red sack and no one can block it.

    By default seat 0 has a hut and three workers.
    """
    workers = ({"red": "f2 f3 f4"},)
    default = {"hands": ("white brown",) * seats, "huts": (HUT_E2,), "workers": workers}
    return table(seats=seats, **{"buyer": "t4", "sack": "red", **default, **position})


def _fill_line(state: GuatemalaState, pieces: list[int]) -> None:
    """Replace pieces that are on the plantation board by roads, and put `pieces` into the line."""
    production = state.production
    faced = () if state.buyer == NONE else data.FACED[state.buyer]
    spaces = [space for space in faced if space not in data.FRAMED][: len(pieces)]
    # Pieces are taken as far from the line as possible.
    far = [space for space in data.OTHERS if space not in faced]
    far += [space for space in faced if space in data.OTHERS and space not in spaces]

    def take(number: int) -> int:
        space = next((each for each in far + spaces if production[each] == number), NONE)
        assert space != NONE, f"there is no {data.piece_key(number)} left"
        return space

    for player in state.players:
        for colour in range(data.COLOURS):
            for _ in player.workers[colour]:
                production[take(data.piece(data.WORKER, colour))] = data.ROAD
            if player.huts[colour] != NONE:
                production[take(data.piece(data.HUT, colour))] = data.ROAD
    for ships in state.ports:
        for colour in ships:
            production[take(data.piece(data.SHIP, colour))] = data.ROAD
    for target, number in zip(spaces, pieces, strict=True):
        has_road = data.ROAD in [production[space] for space in far]
        if number in (data.ROAD, data.EMPTY) and not has_road:
            # Replace a ship, as if it had left the game.
            ship = next(space for space in far if data.kind_of(production[space]) == data.SHIP)
            state.gone[data.colour_of(production[ship])] += 1
            production[ship] = data.ROAD
        source = next(
            space
            for space in far + spaces[spaces.index(target) :]
            if production[space] == (data.ROAD if number == data.EMPTY else number)
        )
        production[target], production[source] = production[source], production[target]
        if number == data.EMPTY:
            production[target] = data.EMPTY


def _place_sacks(state: GuatemalaState, sack: str, board_sacks: str) -> None:
    for space, key in zip(sorted(data.FRAMED), board_sacks.split(), strict=bool(board_sacks)):
        state.production[space] = PIECES[key if key == "-" else f"{key} sack"]
    if sack:
        space = data.FRAMED_IN[state.buyer]
        state.production[space] = PIECES[sack if sack == "-" else f"{sack} sack"]


def _count_sacks(state: GuatemalaState, track: str, bag: str | None) -> None:
    state.track = [data.COLOUR_OF_KEY[key] for key in track.split()]
    for colour in range(data.COLOURS):
        left = data.COUNTS[data.SACK] - state.production.count(data.piece(data.SACK, colour))
        left -= sum(player.hand[colour] for player in state.players) + state.track.count(colour)
        state.bag[colour] = left if bag is None else sacks(bag)[colour]
        state.track += [colour] * (left - state.bag[colour])


def _count_roads(state: GuatemalaState, stock: int | None) -> None:
    """Put the remaining roads into the stock; build those beyond `stock` far from the coast."""
    left = data.CONTENT.roads - len(state.roads) - state.production.count(data.ROAD)
    state.stock = left if stock is None else stock
    board = board_of(state)
    free = [
        road
        for road in range(len(board.roads))
        if road not in state.roads and board.open_roads >> road & 1
    ]
    for _ in range(left - state.stock):
        state.roads.append(free.pop())


def harvest(
    state: GuatemalaState, *blockers: int, drawn: Sequence[int] | None = None
) -> list[Event]:
    """Take the sack and answer for the others, clockwise, until one of the `blockers` blocks.

    Return all events. The last answer uses the draws in `drawn`.
    """
    seats, seat = len(state.players), state.turn
    events = play(state, seat, "take")
    for step in range(1, seats):
        other = (seat + step) % seats
        answer = "block yes" if other in blockers else "block no"
        is_last = other in blockers or step == seats - 1
        events += play(state, other, answer, drawn=drawn if is_last else ())
        if is_last:
            break
    return events


# Reading a table in words


def piece_at(state: GuatemalaState, space: str) -> str:
    return data.piece_key(state.production[data.SPACE_OF_NAME[space]])


def empty_spaces(state: GuatemalaState) -> list[str]:
    return [name for name in data.SPACE_NAMES if not piece_at(state, name)]


def position_of_buyer(state: GuatemalaState) -> str:
    return data.POSITION_NAMES[state.buyer]


def money(state: GuatemalaState) -> list[int]:
    return [player.money for player in state.players]


def points(state: GuatemalaState) -> list[int]:
    return [sum(player.points) for player in state.players]


def colours_of(counts: Sequence[int]) -> str:
    """Return the sacks of a hand or the bag as a list of colours."""
    return " ".join(key for key, n in zip(data.COLOUR_KEYS, counts, strict=True) for _ in range(n))


def hand(state: GuatemalaState, seat: int) -> str:
    return colours_of(state.players[seat].hand)


def ships_in(state: GuatemalaState, port: str = "port1") -> list[str]:
    return [data.COLOUR_KEYS[ship] for ship in state.ports[board_of(state).port_of_name[port]]]


def road_names(state: GuatemalaState) -> list[str]:
    return [board_of(state).roads[road].name for road in state.roads]


def cells_of(state: GuatemalaState, seat: int, colour: str) -> list[str]:
    """Return the cells of a plantation, the hut's first."""
    cells = state.players[seat].cells(data.COLOUR_OF_KEY[colour])
    return [board_of(state).names[cell] for cell in cells]
