"""The strong player of Kogge does what is evident."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.contract import Action
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState, Movement
from bot.policy.kogge.strong import MIND
from bot.policy.search import strong
from tests.game.kogge.places import ABO, DANZIG, LUBECK, REVAL, RIGA, TONSBERG
from tests.game.kogge.positions import table

SEATS = (2, 4)
FOUR = {TONSBERG: [(0, "")], RIGA: [(0, "")], DANZIG: [(0, "")], LUBECK: [(0, ""), (1, "")]}
"""Offices that make four development points of the first seat."""


def action(state: KoggeState) -> Action:
    """What the first seat does, which is asked."""
    decision = next(each for each in GAME.pending(state) if each.seat == 0)
    return strong(MIND, 150)(GAME.view(state, 0), decision, GAME.walk(state, 0), Random(1))


@pytest.mark.parametrize("seats", SEATS)
def test_it_builds_the_office_that_wins(seats: int) -> None:
    hands = ["oas33", *["of7"] * (seats - 1)]
    assert action(table(seats=seats, hands=hands, offices=FOUR))[0] == "build"


@pytest.mark.parametrize("seats", SEATS)
def test_it_sails_to_where_it_can_build_the_office_that_wins(seats: int) -> None:
    state = table(
        seats=seats,
        ships=(ABO, LUBECK, RIGA, ABO),
        hands=["oas33", *["of7"] * (seats - 1)],
        routes={ABO: ("8", "3")},
        offices=FOUR,
        asked=Movement(ABO),
    )
    assert action(state)[:2] == ("sail", "right")


@pytest.mark.parametrize("seats", SEATS)
def test_it_sells_six_goods_for_a_chit_that_wins(seats: int) -> None:
    state = table(seats=seats, hands=["oooooo", *["of7"] * (seats - 1)], offices=FOUR, guild=REVAL)
    assert action(state)[0] == "sell_six"
