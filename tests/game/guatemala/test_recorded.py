"""The recorded games cover every way a game of Guatemala Café can go."""

from __future__ import annotations

from itertools import product

import pytest

from bot.game.contract import Event
from bot.game.guatemala import GAME
from bot.game.guatemala.sacks import Blocked
from bot.tables.core.record import fold
from tests.recorded.results import names, read_record, read_results

RECORDS = {name: read_record(GAME, name) for name in names(GAME)}
RESULT_OF = read_results(GAME)


@pytest.fixture(scope="module")
def told() -> list[tuple[int, Event]]:
    """All events of all recorded games, each with the number of seats of its game."""
    return [
        (len(record.seats), event)
        for record in RECORDS.values()
        for folded in fold(GAME, record)
        for event in folded.events
    ]


def test_there_are_at_least_twelve_games() -> None:
    assert len(RECORDS) >= 12


def test_each_way_to_end_is_recorded_at_each_number_of_seats() -> None:
    there = {(len(record.seats), RESULT_OF[name].ending) for name, record in RECORDS.items()}
    assert there == set(product(GAME.seats, ("met", "no_sacks", "no_steps", "idle")))


def test_every_set_up_is_recorded_with_both_tracks_at_each_number_of_seats() -> None:
    there = {
        (
            len(record.seats),
            record.options.get("setup", "printed"),
            record.options.get("track", "79"),
        )
        for record in RECORDS.values()
    }
    assert there == set(product(GAME.seats, ("printed", "random"), ("79", "99")))


def test_every_seat_blocks_at_each_number_of_seats(told: list[tuple[int, Event]]) -> None:
    there = {(seats, event.seat) for seats, event in told if isinstance(event, Blocked)}
    assert there == {(seats, seat) for seats in GAME.seats for seat in range(seats)}


def test_every_kind_of_event_happens(told: list[tuple[int, Event]]) -> None:
    """An empty hand and an empty bag among them."""
    assert {event.kind for _, event in told} == set(GAME.events)


def test_in_some_game_no_road_is_left() -> None:
    """So that spaces stay empty."""
    stocks = []
    for record in RECORDS.values():
        *_, last = fold(GAME, record)
        stocks.append((last.state.stock, -1 in last.state.production))
    assert (0, True) in stocks
