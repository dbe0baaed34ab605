"""Small parts of all games: events, sides and frames."""

from __future__ import annotations

import msgspec
import pytest

from bot.game.contract import SPECTATOR, Event
from bot.game.events import PairEvent, SeatEvent, SeatsEvent, TurnEnded, event_of, kinds_of
from bot.game.frames import frame_of, in_short, listed, tag_of
from bot.game.sides import Side, letters_of, looks_of, one_each, own_looks


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


def test_an_event_has_its_class_as_kind_and_its_own_fields_as_facts() -> None:
    """Without who hears it."""
    assert TowerBuilt.kind == TowerBuilt(seat=1, height=2).kind == "tower_built"
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


def test_what_is_no_event_of_the_game_is_an_error() -> None:
    wrong: list[tuple[str, dict[str, object]]] = [
        ("snowed", {}),
        ("building", {"seat": 1}),
        ("tower_built", {"seat": 1}),
        ("tower_built", {"seat": 1, "height": "tall"}),
    ]
    for kind, facts in wrong:
        with pytest.raises(msgspec.ValidationError):
            event_of(KINDS, kind, facts)


# Colour belongs to a side: a seat may play for one, for several, or for none that is known


def test_a_seat_has_the_looks_and_letters_of_all_its_sides() -> None:
    """In most games each seat is one side in its own colour."""
    assert own_looks(3) == looks_of(one_each("a view", 3), 3) == ((0,), (1,), (2,))
    guilds = (Side(0, 0), Side(1, 1), Side(0, 2), Side(None, 3))
    looks = looks_of(guilds, 3)
    assert looks == ((0, 2), (1,), ())
    assert [letters_of(each) for each in looks] == ["A+C", "B", ""]


# Frames: what is asked, as a stack; the top one asks


class Rest(msgspec.Struct, tag="rest"):
    """Nothing happens."""


class Storm(msgspec.Struct, tag="storm"):
    """Everything does."""

    force: int


class Weather(msgspec.Struct):
    """A state of frames alone."""

    frames: list[Rest | Storm]
    round: int = 3


def test_the_top_frame_is_the_one_that_asks() -> None:
    weather = Weather([Rest(), Storm(9)])
    assert frame_of(weather, Storm).force == 9
    with pytest.raises(AssertionError):
        frame_of(weather, Rest)
    assert (tag_of(Rest), tag_of(Storm)) == ("rest", "storm")
    assert in_short("Weather", weather) == "<Weather: round 3, storm, then rest>"
    assert (listed(["oof", "", 3]), listed([])) == ("oof - 3", "-")
