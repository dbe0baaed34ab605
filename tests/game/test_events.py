"""Small parts of all games: events and sides."""

from __future__ import annotations

import msgspec
import pytest

from bot.game.contract import SPECTATOR, Event
from bot.game.events import SeatEvent, TurnEnded, event_of, kinds_of
from bot.game.sides import Side, letters_of, looks_of, one_each, own_looks
from tests.games import pebbles
from tests.games.pebbles import Accept, Rolled, Took


class Building(SeatEvent, frozen=True):
    """What others are made from is no kind of event."""


class TowerBuilt(Building, frozen=True):
    """A seat has built."""

    height: int


TOLD = (Took(seat=1, count=2), Accept(seat=0, other=2, but=(1,)), Rolled(count=3, seats=(1, 2)))


def test_an_event_knows_whose_doing_it_is_of_whom_it_tells_and_its_own_facts() -> None:
    """Without who hears it."""
    assert [event.by for event in TOLD] == [1, 0, None]
    assert [event.named for event in TOLD] == [(1,), (0, 2), (1, 2)]
    assert list(TOLD[1].facts.items()) == [("seat", 0), ("other", 2)]
    assert TowerBuilt.kind == TowerBuilt(seat=1, height=2).kind == "tower_built"


def test_whom_it_is_for_hears_it_and_whom_it_is_not_for_does_not() -> None:
    def hearers(event: Event) -> list[int]:
        return [observer for observer in (SPECTATOR, 0, 1, 2) if event.heard_by(observer)]

    assert hearers(Took(seat=1, count=2)) == [SPECTATOR, 0, 1, 2]
    assert hearers(Took(seat=1, count=2, only=(0, 2))) == [0, 2]
    assert hearers(Took(seat=1, count=2, but=(0, 2))) == [SPECTATOR, 1]


def test_an_event_is_read_again_from_its_kind_and_facts() -> None:
    kinds = kinds_of(__name__, TurnEnded, Took)
    assert kinds == {"tower_built": TowerBuilt, "turn_ended": TurnEnded, "took": Took}
    assert kinds_of(pebbles.__name__) == pebbles.GAME.events
    for event in (TowerBuilt(seat=1, height=2), TurnEnded(seat=3), Took(seat=1, count=2)):
        assert event_of(kinds, event.kind, event.facts) == event
    wrong: list[tuple[str, dict[str, object]]] = [
        ("snowed", {}),
        ("building", {"seat": 1}),
        ("tower_built", {"seat": 1}),
        ("tower_built", {"seat": 1, "height": "tall"}),
    ]
    for kind, facts in wrong:
        with pytest.raises(msgspec.ValidationError):
            event_of(kinds, kind, facts)


def test_a_seat_has_the_looks_and_letters_of_all_its_sides() -> None:
    """It may play for one, for several, or for none that is known; in most games each seat is one
    side in its own colour."""
    assert own_looks(3) == looks_of(one_each("a view", 3), 3) == ((0,), (1,), (2,))
    looks = looks_of((Side(0, 0), Side(1, 1), Side(0, 2), Side(None, 3)), 3)
    assert looks == ((0, 2), (1,), ())
    assert [letters_of(each) for each in looks] == ["A+C", "B", ""]
