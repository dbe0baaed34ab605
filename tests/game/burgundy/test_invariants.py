"""The engine's own checks notice every piece that is made, lost or misplaced."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.boards import SPACE_OF_NAME
from bot.game.burgundy.data import TILE_OF_KEY
from bot.game.burgundy.state import BurgundyState
from tests.game.burgundy.positions import table

SHIP = TILE_OF_KEY["ship"]


def _second_bank(state: BurgundyState) -> None:
    bank = TILE_OF_KEY["bank"]
    state.players[0].storage.append(bank)


def _ship_on_a_wrong_space(state: BurgundyState) -> None:
    state.players[0].estate[0] = SHIP


def _twice_in_a_city(state: BurgundyState) -> None:
    player = state.players[0]
    for space in ("e4", "e5"):
        player.estate[SPACE_OF_NAME[space]] = TILE_OF_KEY["bank"]


SPOILERS: dict[str, Callable[[BurgundyState], None]] = {
    "bank: 8": _second_bank,
    "a negative count": lambda state: state.removed.__setitem__(0, -1),
    "goods 1": lambda state: state.players[0].goods.__setitem__(0, 2),
    "on the track": lambda state: state.track[0].clear(),
    "the order": lambda state: state.order.append(1),
    "stores": lambda state: state.players[0].storage.extend([SHIP] * 4),
    "has goods": lambda state: state.players[0].goods.__setitem__(slice(0, 4), [1] * 4),
    "silverlings": lambda state: setattr(state.players[0], "silverlings", -1),
    "lies on": _ship_on_a_wrong_space,
    "does not fit": lambda state: setattr(state.players[0], "knowledge", 2),
    "falls apart": _ship_on_a_wrong_space,
    "a city has": _twice_in_a_city,
}


@pytest.mark.parametrize("said", SPOILERS)
def test_what_is_wrong_is_told(said: str) -> None:
    state = table()
    SPOILERS[said](state)
    assert any(said in line for line in GAME.invariants(state)), GAME.invariants(state)


def test_a_sound_table_has_nothing_to_tell() -> None:
    assert GAME.invariants(table(seats=4, stored="ship bank", goods_of=("112", "3"))) == []
