"""Events: what every kind knows of itself, and how one is read again."""

from __future__ import annotations

import msgspec
import pytest

from bot.game.contract import SPECTATOR, Event
from bot.game.events import PairEvent, SeatEvent, SeatsEvent, TurnEnded, event_of, kinds_of


class Building(SeatEvent, frozen=True):
    """A seat builds something."""


class TowerBuilt(Building, frozen=True):
    """A seat has built."""

    height: int


class Sued(PairEvent, frozen=True):
    """A seat has gone to law against another."""

    id: int


class Taxed(SeatsEvent, frozen=True):
    """Some have paid."""


class Rained(Event, frozen=True):
    """Nobody's doing."""


KINDS = kinds_of(__name__, TurnEnded)


def test_a_kind_is_the_name_of_its_class_in_small_letters() -> None:
    assert (TowerBuilt.kind, TowerBuilt(seat=1, height=2).kind) == ("tower_built", "tower_built")


def test_facts_are_the_fields_in_their_order_without_who_hears_it() -> None:
    sued = Sued(id=7, seat=0, other=2, only=(0, 2))
    assert list(sued.facts.items()) == [("seat", 0), ("other", 2), ("id", 7)]


def test_an_event_knows_whose_doing_it_is_and_of_whom_it_tells() -> None:
    events = (TowerBuilt(seat=1, height=2), Sued(id=7, seat=0, other=2), Taxed(seats=(1, 2)))
    assert [event.by for event in (*events, Rained())] == [1, 0, None, None]
    assert [event.named for event in (*events, Rained())] == [(1,), (0, 2), (1, 2), ()]


def test_whom_it_is_for_hears_it_and_whom_it_is_not_for_does_not() -> None:
    def hearers(event: Event) -> list[int]:
        return [observer for observer in (SPECTATOR, 0, 1, 2) if event.heard_by(observer)]

    assert hearers(Rained()) == [SPECTATOR, 0, 1, 2]
    assert hearers(Rained(only=(0, 2))) == [0, 2]
    assert hearers(Rained(but=(0, 2))) == [SPECTATOR, 1]


def test_an_event_is_read_again_from_its_kind_and_facts() -> None:
    for event in (TowerBuilt(seat=1, height=2), Sued(id=7, seat=0, other=2), TurnEnded(seat=3)):
        assert event_of(KINDS, event.kind, event.facts) == event


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("snowed", {}),
        ("building", {"seat": 1}),
        ("tower_built", {"seat": 1}),
        ("tower_built", {"seat": 1, "height": "tall"}),
    ],
)
def test_what_is_no_event_of_the_game_is_an_error(kind: str, facts: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        event_of(KINDS, kind, facts)
