"""The set-up, the first offices, the pieces and the invariants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import msgspec
import pytest

from bot.game.chance import RandomChance
from bot.game.content import read
from bot.game.kogge import GAME
from bot.game.kogge.data import CITY_GOOD, CONTENT, KoggeContent
from bot.game.kogge.state import KoggeRules, KoggeState, Office
from bot.resources import data
from tests.game.kogge.places import ITALIAN, RIGA
from tests.game.kogge.positions import LINES, follow, hand, refused


def new_table(seats: int, seed: int = 0, options: Mapping[str, str] | None = None) -> KoggeState:
    """Return a table before the founding."""
    return GAME.setup(seats, options or {}, RandomChance(Random(seed)))


def test_the_pieces_have_the_right_counts_and_are_dealt() -> None:
    """The rulebook's total of 80 markers is a misprint."""
    assert CONTENT.markers == (14, 13, 12, 11, 10, 9, 8, 7, 6)
    assert [good.total for good in CONTENT.goods] == [25, 18, 13, 10]
    for seats, reserve in ((2, [12, 10, 7, 4]), (3, [10, 9, 7, 4]), (4, [8, 8, 7, 4])):
        state = new_table(seats)
        for number, city in enumerate(state.cities):
            assert [i for i, count in enumerate(city.goods) if count] == [CITY_GOOD[number]]
            assert city.goods[CITY_GOOD[number]] == 3
        assert state.reserve == reserve
        assert all(hand(state, seat) == "oof876543210" for seat in range(seats))
        assert all(player.raids == 1 for player in state.players)
    # The guild master's marker returns to the bag, and so do those of the first offices.
    state = new_table(4)
    assert sum(state.bag) == 36
    follow("0 found 1; 1 found 2; 2 found 3; 3 found 4", state)
    assert sum(state.bag) + sum(map(len, state.display)) == 40


def test_the_two_routes_of_a_city_differ_and_lead_to_other_cities() -> None:
    """Left routes are a set 0..8, except for redrawn own numbers."""
    states = [new_table(2 + seed % 3, seed) for seed in range(60)]
    for state in states:
        for number, city in enumerate(state.cities):
            assert len({number, *(route.marker for route in city.routes)}) == 3
            assert not any(route.hidden for route in city.routes)
        assert len({city.routes[0].marker for city in state.cities}) >= 4
    assert {state.guild_city for state in states} == set(range(9))
    assert all(state.guild_city == state.end_city for state in states)


def test_inconsistent_content_is_an_error(tmp_path: Path) -> None:
    whole, file = data("kogge", "game.toml").read_text(encoding="utf-8"), tmp_path / "game.toml"
    for part, broken, message in (
        ("markers = [", "markers = [1, ", "9 cities, 10 markers"),
        ('good = "salt"', 'good = "glass"', "a good that is not listed"),
    ):
        file.write_text(whole.replace(part, broken, 1), encoding="utf-8")
        with pytest.raises(msgspec.ValidationError, match=message):
            read(file, KoggeContent)


def test_options_override_the_edition_and_list_their_defaults_first() -> None:
    """Each difference between the editions is an option. Difference 30: conflicts need secret
    hands."""
    for options, rules in (
        ({}, KoggeRules()),
        (ITALIAN, KoggeRules(either_price=True, failed_route_keeps_step=True)),
        (ITALIAN | {"office_price": "both"}, KoggeRules(failed_route_keeps_step=True)),
        (ITALIAN | {"failed_route": "uses_step"}, KoggeRules(either_price=True)),
        ({"office_price": "either"}, KoggeRules(either_price=True)),
        ({"failed_route": "keeps_step"}, KoggeRules(failed_route_keeps_step=True)),
        ({"goods": "hidden"}, KoggeRules(hidden=True)),
        ({"goods": "open", "conflicts": "on"}, KoggeRules(hidden=True, conflicts=True)),
    ):
        assert new_table(2, options=options).rules == rules, options
    defaults = {option.name: option.values[0] for option in GAME.options}
    assert new_table(2, options=defaults).rules == KoggeRules()


@pytest.mark.parametrize(
    ("seats", "script"),
    [
        # An office, a ship and eight markers; the lowest city plays first.
        (2, "0 found 7; 1 found 1; hand 0 oof86543210; at 0 7; owners 7 0; event founded seat=1"),
        (4, "0 found 7; 1 found 1; 2 found 5; 3 found 3; order 1 3 2 0; asked 1 bid"),
        # Ruling 43: only the seats in the crowded city choose again, and only that city is barred.
        # Ruling 31: a city with two offices is barred too.
        (
            4,
            """asked 0 found 1 found 2 found 3 found; 0 found 4; 1 found 6; 2 found 4; 3 found 4;
            event crowded seats=0,2,3 city=4; asked 0 found 2 found 3 found; at 1 6;
            1 found 2 ! nothing_asked; 0 found ? 8 7 6 5 3 2 1 0; 0 found 4 ! city_barred city=4;
            0 found 5; 2 found 6; 3 found 6; asked 2 found 3 found; at 0 5; owners 6 1;
            2 found ? 8 7 5 4 3 2 1 0""",
        ),
    ],
)
def test_founding(seats: int, script: str) -> None:
    follow(script, new_table(seats))


def test_two_seats_in_one_city_are_ordered_by_lot() -> None:
    """Ruling 32."""
    orders = set()
    for seed in range(12):
        state = follow("0 found 4", new_table(2))
        GAME.apply(state, 1, ("found", "4"), RandomChance(Random(seed)))
        orders.add(tuple(state.order))
    assert orders == {(0, 1), (1, 0)}


def test_a_first_office_needs_a_marker_in_hand_and_room_in_the_city() -> None:
    for word in ("9", "-", "", "x", "44", "²", "٣", "9" * 5000):
        assert refused(new_table(2), 0, ("found", word)).code == "not_a_choice", word
    state = new_table(2)
    state.players[0].markers[RIGA] = 0
    assert refused(state, 0, "found 4").code == "no_such_marker"
    # This cannot happen with up to four players.
    state = new_table(4)
    state.cities[RIGA].offices = [Office(2, [0] * 4), Office(3, [0] * 4)]
    follow("0 found ? 8 7 6 5 3 2 1 0; 0 found 4 ! city_full", state)


def founded_table() -> KoggeState:
    """Return a table after the founding."""
    return follow("0 found 3; 1 found 5; 2 found 8", new_table(3, 1))


OFFICES = [Office(0, [0] * 4)] * 4
SPOILERS: dict[str, Callable[[KoggeState], object]] = {
    "markers 0: 13, not 14": lambda state: state.bag.__setitem__(0, state.bag[0] - 1),
    "salt: 11, not 10": lambda state: state.players[1].goods.__setitem__(3, 1),
    "salt: a negative count": lambda state: state.players[0].goods.__setitem__(3, -1),
    "city 3 has 5 offices": lambda state: state.cities[3].offices.extend(OFFICES),
    "seat 0 has 5 offices": lambda state: state.cities[4].offices.extend(OFFICES),
    "chits three: 1, not 2": lambda state: state.chits.__setitem__(0, 1),
    "seat 0 has 2 Raids in hand and 0 laid": lambda state: setattr(state.players[0], "raids", 2),
    "a route of city 4 leads to itself": lambda state: setattr(
        state.cities[RIGA].routes[0], "marker", RIGA
    ),
}


def test_invariants_report_errors() -> None:
    LINES.check_spoiled(founded_table, SPOILERS)
