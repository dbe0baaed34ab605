"""The engine's own checks notice every piece that is made, lost or misplaced."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.game.guatemala import GAME
from bot.game.guatemala.data import EMPTY, ROAD
from bot.game.guatemala.placing import cover
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.production import SPACE_OF_NAME
from bot.game.guatemala.state import Buying, GuatemalaState
from tests.game.guatemala.positions import FULL, read_piece, table

BOARD = board_for(3)


def _cell(name: str) -> int:
    return BOARD.cell_of_name[name]


def _lay(space: str, piece: str) -> Callable[[GuatemalaState], None]:
    def spoil(state: GuatemalaState) -> None:
        state.production[SPACE_OF_NAME[space]] = EMPTY if piece == "-" else read_piece(piece)

    return spoil


def _stand(seat: int, colour: int, cell: str) -> Callable[[GuatemalaState], None]:
    def spoil(state: GuatemalaState) -> None:
        state.players[seat].workers[colour].append(_cell(cell))
        cover(state, _cell(cell))

    return spoil


def _build(cell: str) -> Callable[[GuatemalaState], None]:
    def spoil(state: GuatemalaState) -> None:
        state.players[0].huts[0] = _cell(cell)
        cover(state, _cell(cell))

    return spoil


def _negative_hand(state: GuatemalaState) -> None:
    state.players[0].hand[0] -= 2
    state.players[1].hand[0] += 2


def _swap_sack(state: GuatemalaState) -> None:
    here, there = SPACE_OF_NAME["14"], SPACE_OF_NAME["15"]
    lying = state.production
    lying[here], lying[there] = lying[there], lying[here]


def _two_on_one_road(state: GuatemalaState) -> None:
    state.roads += state.roads[:1]
    state.stock -= 1


def _closed_road(state: GuatemalaState) -> None:
    state.roads.append(BOARD.road_of_name["b1-c1"])
    state.stock -= 1


def _closed_port(state: GuatemalaState) -> None:
    state.ports[0], state.ports[1] = state.ports[1], state.ports[0]


SPOILERS: dict[str, Callable[[GuatemalaState], None]] = {
    "white workers: 8": _lay("11", "-"),
    "red workers: 10": _lay("11", "red worker"),
    "black huts: 4": _lay("11", "black hut"),
    "beige ships: 4": _lay("11", "beige ship"),
    "red ships: 2": lambda state: state.ports[1].remove(2),
    "white sacks: 6": lambda state: state.bag.__setitem__(4, state.bag[4] - 1),
    "black sacks: 8": lambda state: state.track.append(0),
    "fewer sacks than none": _negative_hand,
    "roads: 49": lambda state: state.roads.clear(),
    "roads: 51": lambda state: setattr(state, "stock", state.stock + 1),
    "roads lie on": _two_on_one_road,
    "roads lie on [": _closed_road,
    "port1 holds": _closed_port,
    "centavos": lambda state: setattr(state.players[1], "money", -1),
    "one cell": _stand(1, 4, "f2"),
    "a piece stands": _stand(0, 0, "e5"),
    "stands where it may not": _build("a2"),
    "where it may not": _build("b1"),
    "covered cells": lambda state: state.taken.__setitem__(0, 0),
    "red plantations are joined": _stand(1, 2, "f1"),
    "the red plantation of seat 0 falls apart": _stand(0, 2, "p9"),
    "lies on space 4": _swap_sack,
    "lies on space 3": _swap_sack,
    "4 pieces bought": lambda state: setattr(state, "frames", [Buying([0, 9, 18, 27])]),
}


def sound() -> GuatemalaState:
    return table(
        seats=3,
        hands=(FULL, "red white", ""),
        huts=({"red": "e2"},),
        workers=({"red": "f2"},),
        ships={"port2": "red"},
        roads="f1-g1",
    )


@pytest.mark.parametrize("said", SPOILERS)
def test_what_is_wrong_is_told(said: str) -> None:
    state = sound()
    SPOILERS[said](state)
    assert any(said in line for line in GAME.invariants(state)), GAME.invariants(state)


def test_a_sound_table_has_nothing_to_tell() -> None:
    state = sound()
    assert GAME.invariants(state) == []
    assert ROAD in state.production
