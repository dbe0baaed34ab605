"""Setting up and founding the first offices; the box, and what must always hold."""

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


def new(seats: int, seed: int = 0, options: Mapping[str, str] | None = None) -> KoggeState:
    """A table before the founding."""
    return GAME.setup(seats, options or {}, RandomChance(Random(seed)))


def test_the_box_is_what_the_rules_count_and_is_dealt_out() -> None:
    """Section 3; ruling on the misprinted total of 80."""
    assert CONTENT.markers == (14, 13, 12, 11, 10, 9, 8, 7, 6)
    assert [good.total for good in CONTENT.goods] == [25, 18, 13, 10]
    for seats, reserve in ((2, [12, 10, 7, 4]), (3, [10, 9, 7, 4]), (4, [8, 8, 7, 4])):
        state = new(seats)
        for number, city in enumerate(state.cities):
            assert [i for i, count in enumerate(city.goods) if count] == [CITY_GOOD[number]]
            assert city.goods[CITY_GOOD[number]] == 3
        assert state.reserve == reserve
        assert all(hand(state, seat) == "oof876543210" for seat in range(seats))
        assert all(player.raids == 1 for player in state.players)
    # Section 3 of the facts: the guild master's marker is back, and four founders' as well.
    state = new(4)
    assert sum(state.bag) == 36
    follow("0 found 1; 1 found 2; 2 found 3; 3 found 4", state)
    assert sum(state.bag) + sum(map(len, state.display)) == 40


def test_the_two_routes_of_a_city_differ_from_it_and_from_each_other() -> None:
    """One of each comes from a whole set 0..8, of which only own numbers are drawn anew."""
    states = [new(2 + seed % 3, seed) for seed in range(60)]
    for state in states:
        for number, city in enumerate(state.cities):
            assert len({number, *(route.marker for route in city.routes)}) == 3
            assert not any(route.hidden for route in city.routes)
        assert len({city.routes[0].marker for city in state.cities}) >= 4
    assert {state.guild_city for state in states} == set(range(9))
    assert all(state.guild_city == state.end_city for state in states)


def test_content_that_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    whole, file = data("kogge", "game.toml").read_text(encoding="utf-8"), tmp_path / "game.toml"
    for part, spoiled, said in (
        ("markers = [", "markers = [1, ", "9 cities, 10 markers"),
        ('good = "salt"', 'good = "glass"', "a good that is not listed"),
    ):
        file.write_text(whole.replace(part, spoiled, 1), encoding="utf-8")
        with pytest.raises(msgspec.ValidationError, match=said):
            read(file, KoggeContent)


def test_options_outrank_the_edition_and_say_their_defaults_first() -> None:
    """Section 8 of the facts: each difference is an option, and the edition sets them all.
    Difference 30: hands are secret where conflicts are played."""
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
        assert new(2, options=options).rules == rules, options
    defaults = {option.name: option.values[0] for option in GAME.options}
    assert new(2, options=defaults).rules == KoggeRules()


@pytest.mark.parametrize(
    ("seats", "script"),
    [
        # An office, a ship and eight markers; the lowest city plays first.
        (2, "0 found 7; 1 found 1; hand 0 oof86543210; at 0 7; owners 7 0; told founded seat=1"),
        (4, "0 found 7; 1 found 1; 2 found 5; 3 found 3; order 1 3 2 0; asked 1 bid"),
        # Ruling 43: only those in the crowded city choose again; only the city just refused is
        # barred. Ruling 31: so is a choice that would make a third office.
        (
            4,
            """asked 0 found 1 found 2 found 3 found; 0 found 4; 1 found 6; 2 found 4; 3 found 4;
            told crowded seats=0,2,3 city=4; asked 0 found 2 found 3 found; at 1 6;
            1 found 2 ! nothing_asked; 0 found ? 8 7 6 5 3 2 1 0; 0 found 4 ! city_barred city=4;
            0 found 5; 2 found 6; 3 found 6; asked 2 found 3 found; at 0 5; owners 6 1;
            2 found ? 8 7 5 4 3 2 1 0""",
        ),
    ],
)
def test_founding(seats: int, script: str) -> None:
    follow(script, new(seats))


def test_two_in_one_city_are_ordered_by_lot() -> None:
    """Ruling 32."""
    orders = set()
    for seed in range(12):
        state = follow("0 found 4", new(2))
        GAME.apply(state, 1, ("found", "4"), RandomChance(Random(seed)))
        orders.add(tuple(state.order))
    assert orders == {(0, 1), (1, 0)}


def test_a_city_is_founded_by_a_marker_in_hand_where_there_is_room() -> None:
    for word in ("9", "-", "", "x", "44", "²", "٣", "9" * 5000):
        assert refused(new(2), 0, ("found", word)).code == "not_a_choice", word
    state = new(2)
    state.players[0].markers[RIGA] = 0
    assert refused(state, 0, "found 4").code == "no_such_marker"
    # Only a table of more than four could come to that; the rule is kept all the same.
    state = new(4)
    state.cities[RIGA].offices = [Office(2, [0] * 4), Office(3, [0] * 4)]
    follow("0 found ? 8 7 6 5 3 2 1 0; 0 found 4 ! city_full", state)


def sound() -> KoggeState:
    """A table after the founding."""
    return follow("0 found 3; 1 found 5; 2 found 8", new(3, 1))


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


def test_what_goes_wrong_is_told() -> None:
    LINES.check_spoiled(sound, SPOILERS)
