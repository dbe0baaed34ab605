"""What holds after every action of random games, that its loss would be noticed, and what the
recorded games show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState, Office, no_goods
from tests.game.kogge.random_games import ADVANCED, SAMPLED
from tests.recorded.results import names, read_record, read_results


def play_whole(seats: int, options: Mapping[str, str], seed: int) -> None:
    """A game to its end, with nothing lost on the way."""
    for step in SAMPLED.steps(seats, options, seed):
        assert GAME.invariants(step.state) == []
    assert GAME.invariants(step.state) == []
    result = GAME.outcome(step.state)
    assert result is not None
    assert result.winners
    assert sum(result.scores) == sum(sum(points) for _, points in result.lines)


def test_no_piece_is_lost_and_every_game_ends() -> None:
    for seats, options in SAMPLED.few_tables():
        play_whole(seats, options, 1)


@pytest.mark.slow
def test_no_piece_is_lost_in_many_games() -> None:
    for (seats, options), seed in product(SAMPLED.tables(), (2, 3)):
        play_whole(seats, options, seed)


@contextmanager
def spoiling(said: str) -> Iterator[KoggeState]:
    """A sound table, to be spoiled; then the engine's own checks say what is wrong."""
    chance = RandomChance(Random(1))
    state = GAME.setup(3, {}, chance)
    for seat, city in enumerate("358"):
        GAME.apply(state, seat, ("found", city), chance)
    assert GAME.invariants(state) == []
    yield state
    (line,) = GAME.invariants(state)
    assert line.startswith(said)


def test_what_goes_wrong_is_told() -> None:
    with spoiling("markers 0: 13, not 14") as state:
        state.bag[0] -= 1
    with spoiling("salt: 11, not 10") as state:
        state.players[1].goods[3] += 1
    with spoiling("salt: a negative count") as state:
        state.players[0].goods[3] -= 1
        state.reserve[3] += 1
    with spoiling("city 3 has 3 offices") as state:
        state.cities[3].offices += [Office(1, no_goods()), Office(2, no_goods())]
    with spoiling("seat 0 has 5 offices") as state:
        for number in (0, 1, 2, 4):
            state.cities[number].offices.append(Office(0, no_goods()))
    with spoiling("chits three: 1, not 2") as state:
        state.chits[0] -= 1
    with spoiling("seat 0 has 2 Raids in hand and 0 laid, not 1") as state:
        state.players[0].raids += 1
    with spoiling("a route of city 4 leads to itself") as state:
        route = state.cities[4].routes[0]
        state.bag[4] -= 1
        state.bag[route.marker] += 1
        route.marker = 4


def test_each_way_to_end_and_each_advanced_rule_is_recorded_at_each_number_of_seats() -> None:
    """With all `goods`, by the English and the Italian text; all advanced rules together too."""
    by_table, by_rule, results = set(), set(), read_results(GAME)
    for name in names(GAME):
        record = read_record(GAME, name)
        played, options = (len(record.seats), results[name].ending), record.options
        by_table.add((*played, options["goods"], options["edition"]))
        on = {option for option in ADVANCED if options.get(option) == "on"}
        by_rule |= {(*played, option) for option in on}
        if len(on) == len(ADVANCED):
            by_rule.add((*played, "all"))
    goods = next(option.values for option in GAME.options if option.name == "goods")
    ends = ("laps", "development")
    assert by_table >= set(product(GAME.seats, ends, goods, ("english", "italian")))
    assert by_rule >= set(product(GAME.seats, ends, (*ADVANCED, "all")))
