"""What positions of Kogge are taken to promise."""

from __future__ import annotations

import pytest

from bot.game.kogge.state import KoggeState
from bot.policy.kogge.promise import promised
from bot.policy.kogge.strong import MIND
from tests.game.kogge.places import DANZIG, KOPENHAGEN, LUBECK, REVAL, RIGA, TONSBERG
from tests.game.kogge.positions import table

SEATS = (2, 3, 4)
OFFICES = (TONSBERG, REVAL, RIGA, LUBECK)
DEVELOPED = (1, 2, 3, 4)


def ahead(state: KoggeState) -> float:
    """How much more is promised to the first seat than to the second."""
    first, second, *_ = promised(state)
    return first - second


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("laps", [0, 1])
def test_every_development_point_promises_more(seats: int, laps: int) -> None:
    leads = [
        ahead(
            table(
                seats=seats,
                hands=["o"] * seats,
                laps=laps,
                offices={city: [(0, "")] for city in OFFICES[:points]} | {DANZIG: [(1, "")]},
            )
        )
        for points in DEVELOPED
    ]
    assert leads[0] == pytest.approx(0)
    assert leads == sorted(set(leads))


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("more", ["o", "f", "s", "o8", "88"])
def test_holding_more_promises_more(seats: int, more: str) -> None:
    def with_hand(hand: str) -> float:
        return ahead(table(seats=seats, hands=[hand, *["of7"] * (seats - 1)]))

    assert with_hand("of7" + more) > with_hand("of7")


@pytest.mark.parametrize("seats", SEATS)
def test_a_chit_promises_more_than_an_office_alone(seats: int) -> None:
    office = table(seats=seats, offices={REVAL: [(0, "")], RIGA: [(0, "")], DANZIG: [(1, "")]})
    chit = table(seats=seats, chits={0: ["three"]}, offices={REVAL: [(0, "")], DANZIG: [(1, "")]})
    assert ahead(chit) > ahead(office)


@pytest.mark.parametrize("seats", SEATS)
def test_goods_in_an_own_office_promise_something(seats: int) -> None:
    empty, full = (
        ahead(table(seats=seats, offices={REVAL: [(0, goods)], DANZIG: [(1, "")]}))
        for goods in ("", "ff")
    )
    assert full > empty


@pytest.mark.parametrize("seats", SEATS)
def test_a_raid_in_hand_promises_more_the_nearer_the_end_is(seats: int) -> None:
    early, late = (
        ahead(table(seats=seats, hands=["o"] * seats, laps=laps, raids={RIGA: [1]}, end=DANZIG))
        for laps in (0, 1)
    )
    assert late > early >= 0


@pytest.mark.parametrize("seats", SEATS)
def test_who_has_more_of_everything_is_likely_to_win(seats: int) -> None:
    state = table(
        seats=seats,
        hands=["oofas886", *["o"] * (seats - 1)],
        offices={REVAL: [(0, "")], RIGA: [(0, "")], KOPENHAGEN: [(0, "")]},
    )
    chances = MIND.chances(state)
    assert sum(chances) == pytest.approx(1)
    assert chances[0] > 0.9
    assert chances[1] < 0.1
