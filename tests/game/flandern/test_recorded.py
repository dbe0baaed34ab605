"""The recorded games cover every way a game of Flandern 1302 can go."""

from __future__ import annotations

from itertools import product

import pytest

from bot.game.contract import Event
from bot.game.flandern import GAME
from bot.game.flandern.building import QuarterBuilt, SitePut
from bot.game.flandern.cards import GoldenRevealed, Impossible, RoundBegun
from bot.game.flandern.plan import CITIES
from bot.game.flandern.scoring import BonusScored
from bot.tables.core.record import fold
from tests.game.flandern.recorded_games import ENDINGS, dead_shapes, ties
from tests.recorded.results import names, read_record, read_results

Told = dict[str, list[list[Event]]]
"""By name of a recorded game, the events of each of its entries."""

RECORDS = {name: read_record(GAME, name) for name in names(GAME)}
RESULT_OF = read_results(GAME)


@pytest.fixture(scope="module")
def told() -> Told:
    return {
        name: [folded.events for folded in fold(GAME, record)] for name, record in RECORDS.items()
    }


def every_event(told: Told) -> list[tuple[int, Event]]:
    """All of them, each with the number of seats of its game."""
    return [
        (len(RECORDS[name].seats), event)
        for name, entries in told.items()
        for events in entries
        for event in events
    ]


def test_each_way_to_end_is_recorded_at_each_number_of_seats_with_all_options() -> None:
    there = {
        (len(record.seats), RESULT_OF[name].ending, *record.options.values())
        for name, record in RECORDS.items()
    }
    tables = (("chosen", "drawn", "1", "some"), ("drawn", "first_seat", "2", "any"))
    assert len(RECORDS) >= 12
    assert there >= {
        (seats, ending, *table)
        for seats, endings in ENDINGS.items()
        for ending, table in product(endings, tables)
    }


def test_every_kind_of_event_happens(told: Told) -> None:
    """Cards put aside, a deck run out and a deck shuffled among them."""
    assert {event.kind for _, event in every_event(told)} == set(GAME.events)


def test_every_special_quarter_is_built_and_put_up_as_a_site(
    told: Told,
) -> None:
    """A, B, C and D at each number of seats, and in all six cities."""
    church = [
        (seats, event)
        for seats, event in every_event(told)
        if isinstance(event, (QuarterBuilt, SitePut)) and event.tile.startswith("church-")
    ]
    tiles = {f"church-{key}" for key in "abcd"}
    assert {(seats, each.tile[:8]) for seats, each in church} == set(product(GAME.seats, tiles))
    assert {each.tile[:8] for _, each in church if isinstance(each, SitePut)} == tiles
    assert {each.place.partition("-")[0] for _, each in church} == set(CITIES)


def test_plots_of_every_shape_die_in_the_middle_of_games(
    told: Told,
) -> None:
    assert set("".join(map(dead_shapes, told.values()))) == set("tpr")


def test_two_three_and_four_guilds_are_level_in_first_place_and_after_it(
    told: Told,
) -> None:
    found = set[tuple[int, bool]]().union(*map(ties, told.values()))
    assert found >= set(product((2, 3, 4), (True, False)))


def test_all_golden_cards_are_carried_out_and_some_can_do_nothing(
    told: Told,
) -> None:
    events = [event for _, event in every_event(told)]
    golden = {event.card for event in events if isinstance(event, GoldenRevealed)}
    assert golden == {*CITIES, "site", "take", "influence", "cathedral", "leader"}
    assert {event.golden for event in events if isinstance(event, Impossible)} == {0, 1}


def test_the_bonus_goes_to_one_and_to_several(told: Told) -> None:
    """By the option to those without influence cards too."""
    shares = set()
    for entries in told.values():
        bonus = [event for event in entries[-1] if isinstance(event, BonusScored)]
        shares |= {(min(len(bonus), 2), event.cards > 0) for event in bonus}
    assert shares >= {(1, True), (2, True), (2, False)}


def test_every_seat_is_first_player(told: Told) -> None:
    there = {(n, event.first) for n, event in every_event(told) if isinstance(event, RoundBegun)}
    assert there == {(seats, seat) for seats in (3, 4) for seat in range(seats)}
