"""The conservation of pieces, and that its loss would be noticed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState, Office, no_goods


def _settled() -> KoggeState:
    chance = RandomChance(Random(1))
    state = GAME.setup(3, {}, chance)
    for seat, city in enumerate("358"):
        GAME.apply(state, seat, ("found", city), chance)
    return state


def _lose_marker(state: KoggeState) -> None:
    state.bag[0] -= 1


def _make_good(state: KoggeState) -> None:
    state.players[1].goods[3] += 1


def _owe_good(state: KoggeState) -> None:
    state.players[0].goods[3] -= 1
    state.reserve[3] += 1


def _third_office(state: KoggeState) -> None:
    state.cities[3].offices += [Office(1, no_goods()), Office(2, no_goods())]


def _fifth_office(state: KoggeState) -> None:
    for number in (0, 1, 2, 4):
        state.cities[number].offices.append(Office(0, no_goods()))


def _lose_chit(state: KoggeState) -> None:
    state.chits[0] -= 1


def _gain_raid(state: KoggeState) -> None:
    state.players[0].raids += 1


def _route_home(state: KoggeState) -> None:
    number = state.cities[4].routes[0].marker
    state.cities[4].routes[0].marker = 4
    state.bag[4] -= 1
    state.bag[number] += 1


def test_a_game_that_has_begun_is_sound() -> None:
    assert GAME.invariants(_settled()) == []


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_lose_marker, "markers 0: 13, not 14"),
        (_make_good, "salt: 11, not 10"),
        (_owe_good, "salt: a negative count"),
        (_third_office, "city 3 has 3 offices"),
        (_fifth_office, "seat 0 has 5 offices"),
        (_lose_chit, "chits three: 1, not 2"),
        (_gain_raid, "seat 0 has 2 Raids in hand and 0 laid, not 1"),
        (_route_home, "a route of city 4 leads to itself"),
    ],
)
def test_what_goes_wrong_is_told(harm: Callable[[KoggeState], None], said: str) -> None:
    state = _settled()
    harm(state)
    (line,) = GAME.invariants(state)
    assert line.startswith(said)
