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


def test_each_way_to_end_is_recorded_at_each_number_of_seats_with_all_options() -> None:
    records, results = {name: read_record(GAME, name) for name in names(GAME)}, read_results(GAME)
    there = {
        (len(record.seats), results[name].ending, *record.options.values())
        for name, record in records.items()
    }
    tables = (("chosen", "drawn", "1", "some"), ("drawn", "first_seat", "2", "any"))
    assert there >= {
        (seats, ending, *table)
        for seats, endings in ENDINGS.items()
        for ending, table in product(endings, tables)
    }


Told = list[tuple[int, list[list[Event]]]]
"""By recorded game its number of seats and the events of each of its entries."""


@pytest.fixture(scope="module")
def told() -> Told:
    records = [read_record(GAME, name) for name in names(GAME)]
    return [(len(each.seats), [folded.events for folded in fold(GAME, each)]) for each in records]


def every_event(told: Told) -> list[tuple[int, Event]]:
    """All of them, each with the number of seats of its game."""
    return [(seats, event) for seats, entries in told for events in entries for event in events]


def test_every_kind_of_event_and_every_golden_card_happens(told: Told) -> None:
    """Cards put aside, a deck run out and a deck shuffled among them; some cards can do nothing."""
    events = [event for _, event in every_event(told)]
    assert {event.kind for event in events} == set(GAME.events)
    golden = {event.card for event in events if isinstance(event, GoldenRevealed)}
    assert golden == {*CITIES, "site", "take", "influence", "cathedral", "leader"}
    assert {event.golden for event in events if isinstance(event, Impossible)} == {0, 1}


def test_every_special_quarter_is_built_and_put_up_as_a_site(told: Told) -> None:
    """A, B, C and D at each number of seats, and in all six cities."""
    church = [
        (seats, event)
        for seats, event in every_event(told)
        if isinstance(event, QuarterBuilt | SitePut) and event.tile.startswith("church-")
    ]
    tiles = {f"church-{key}" for key in "abcd"}
    assert {(seats, each.tile[:8]) for seats, each in church} == set(product(GAME.seats, tiles))
    assert {each.tile[:8] for _, each in church if isinstance(each, SitePut)} == tiles
    assert {each.place.partition("-")[0] for _, each in church} == set(CITIES)


def test_plots_of_every_shape_die_guilds_are_level_and_the_bonus_goes_to_one_and_to_several(
    told: Told,
) -> None:
    """Two, three and four guilds in first place and after it; by the option the bonus goes to those
    without influence cards too. Every seat is first player."""
    games = [entries for _, entries in told]
    assert set("".join(map(dead_shapes, games))) == set("tpr")
    found = set[tuple[int, bool]]().union(*map(ties, games))
    assert found >= set(product((2, 3, 4), (True, False)))
    shares = set()
    for entries in games:
        bonus = [event for event in entries[-1] if isinstance(event, BonusScored)]
        shares |= {(min(len(bonus), 2), event.cards > 0) for event in bonus}
    assert shares >= {(1, True), (2, True), (2, False)}
    there = {(n, event.first) for n, event in every_event(told) if isinstance(event, RoundBegun)}
    assert there == {(seats, seat) for seats in (3, 4) for seat in range(seats)}
