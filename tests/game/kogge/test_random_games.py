"""What holds after every action of random games, that its loss would be noticed, and what the
recorded games show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.kogge import GAME
from bot.game.kogge.data import CITIES
from bot.game.kogge.state import Auction, KoggeOver, KoggeState, Office, no_goods
from tests.game.kogge.random_games import ADVANCED, OPTION_SETS, SAMPLED, SEATS, steps
from tests.recorded.results import names, read_record, read_results


def pieces_are_all_there(state: KoggeState) -> None:
    """The counts of the box, written here once more and apart from the engine's own check."""
    markers = sum(state.bag) + len("".join(state.display)) + 2 * CITIES
    markers += sum(sum(player.markers) for player in state.players)
    if isinstance(state.frames[0], Auction):
        markers += len("".join(state.bids))
    assert markers == 90
    for good, total in enumerate((25, 18, 13, 10)):
        in_cities = sum(
            city.goods[good] + sum(office.goods[good] for office in city.offices)
            for city in state.cities
        )
        held = sum(player.goods[good] for player in state.players)
        assert state.reserve[good] + in_cities + held == total
    assert all(len(city.offices) <= 2 for city in state.cities)
    most = 5 if isinstance(state.frames[-1], KoggeOver) else 4
    for seat in range(len(state.players)):
        owned = sum(office.seat == seat for city in state.cities for office in city.offices)
        assert owned <= most


def play_whole(seats: int, options: Mapping[str, str], seed: int) -> None:
    """A game to its end."""
    for step in steps(seats, options, seed):
        state = step.state
        pieces_are_all_there(state)
    pieces_are_all_there(state)
    assert GAME.invariants(state) == []
    result = GAME.outcome(state)
    assert result is not None
    assert result.winners
    assert sum(result.scores) == sum(sum(points) for _, points in result.lines)


def test_no_piece_is_lost_and_every_game_ends() -> None:
    for seats, options in SAMPLED.few_tables():
        play_whole(seats, options, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_no_piece_is_lost_in_many_games(seats: int) -> None:
    for options, seed in product(OPTION_SETS, (2, 3)):
        play_whole(seats, options, seed)


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


HARM: Mapping[str, Callable[[KoggeState], None]] = {
    "markers 0: 13, not 14": _lose_marker,
    "salt: 11, not 10": _make_good,
    "salt: a negative count": _owe_good,
    "city 3 has 3 offices": _third_office,
    "seat 0 has 5 offices": _fifth_office,
    "chits three: 1, not 2": _lose_chit,
    "seat 0 has 2 Raids in hand and 0 laid, not 1": _gain_raid,
    "a route of city 4 leads to itself": _route_home,
}


def test_what_goes_wrong_is_told_and_nothing_of_a_game_that_has_begun() -> None:
    chance = RandomChance(Random(1))
    state = GAME.setup(3, {}, chance)
    for seat, city in enumerate("358"):
        GAME.apply(state, seat, ("found", city), chance)
    assert GAME.invariants(state) == []
    data = GAME.encode(state)
    for said, harm in HARM.items():
        state = GAME.decode(data)
        harm(state)
        (line,) = GAME.invariants(state)
        assert line.startswith(said)


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
