"""Advanced rule D, Memory: sightings of routes."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.state import Acting, KoggeState
from tests.game.kogge.places import ITALIAN, LUBECK, REVAL, RIGA
from tests.game.kogge.positions import asked, follow, goods, hand, known, play, sightings

MEMORY = {"memory": "on"}


def founded_table(options: Mapping[str, str], *cities: int) -> KoggeState:
    """Return a new table after the founding."""
    script = ";".join(f"{seat} found {city}" for seat, city in enumerate(cities))
    return follow(script, GAME.setup(len(cities), options, RandomChance(Random(3))))


def seen(state: KoggeState, observer: int, city: int = REVAL) -> list[int]:
    """Return the markers of a city's routes, as an observer sees them."""
    return [route.marker for route in known(state, observer).cities[city].routes]


def test_all_routes_are_face_down_and_may_be_equal_or_lead_to_their_own_city() -> None:
    """Ruling 55: routes are laid as they are drawn."""
    tables = [GAME.setup(2, MEMORY, RandomChance(Random(seed))) for seed in range(60)]
    for observer in (SPECTATOR, 0):
        assert all(seen(tables[0], observer, city) == [UNSEEN] * 2 for city in range(9))
    routes = [
        (number, *(route.marker for route in city.routes))
        for state in tables
        for number, city in enumerate(state.cities)
    ]
    assert any(left == right for _, left, right in routes)
    assert any(number in (left, right) for number, left, right in routes)


def test_all_players_start_with_two_ore_and_two_or_three_fur() -> None:
    """Ruling 57. With four players and three fur each, the reserve of fur starts empty."""
    for options, start, fur in (
        (MEMORY, "ooff", 4),
        (MEMORY | ITALIAN, "oofff", 0),
        (MEMORY | {"memory_fur": "three"}, "oofff", 0),
        (MEMORY | ITALIAN | {"memory_fur": "two"}, "ooff", 4),
        ({"memory_fur": "three"}, "oof", 8),
    ):
        state = GAME.setup(4, options, RandomChance(Random(1)))
        assert [player.goods for player in state.players] == [goods(start)] * 4, options
        assert state.reserve[1] == fur, options


def test_after_the_founding_each_seat_looks_at_its_city_in_turn_order() -> None:
    """Ruling 55: each may exchange one route. A second seat in the city sees the new route of the
    first, and may take it."""
    state = founded_table(MEMORY, 7, 2, 5)
    for seat in (1, 2, 0):
        assert asked(state) == [(seat, "exchange")]
        city = state.players[seat].city
        assert seen(state, seat, city) == [route.marker for route in state.cities[city].routes]
        assert len(sightings(state, seat)) == 2
        assert [seen(state, other, city)[0] for other in (-1, 0, 1, 2)].count(UNSEEN) == 3
        play(state, seat, "pass")
    assert asked(state) == [(1, "bid")]
    state = founded_table(MEMORY, 4, 4)
    first, second = state.order
    play(state, first, "reroute left 8")
    assert seen(state, second, 4)[0] == seen(state, first, 4)[0] == 8
    play(state, second, "reroute left 7")
    assert hand(state, second).count("8") == 2
    assert seen(state, first, 4)[0] == UNSEEN


def test_deals_are_possible_in_the_opening_exchange() -> None:
    """Ruling 62: a seat may buy a marker and lay it. Offers stay open in the first round."""
    state = founded_table(MEMORY, REVAL, REVAL)
    first, second = state.order
    state.players[first].markers[5] -= 1
    state.bag[5] += 1
    follow(
        f"""{first} offer {second} o 5; {second} accept 1; {first} reroute left 5;
        asked {second} exchange; {first} offer {second} o -; {second} pass; offers 2""",
        state,
    )


def test_sightings_have_a_round_and_may_be_out_of_date() -> None:
    """All players see a revealed route."""
    state = follow("memory routes=3:7?/5? | 0 sail left -")
    for seat in range(2):
        assert seen(state, seat)[0] == LUBECK
        assert sightings(state, seat) == [(REVAL, 0, LUBECK, 1, True)]
    assert (seen(state, SPECTATOR)[0], sightings(state, SPECTATOR)) == (UNSEEN, [])
    state = follow("memory routes=3:7?/5? | 0 peek o")
    assert (seen(state, 0), seen(state, 1)) == ([7, 5], [UNSEEN] * 2)
    state.round = 4
    state.players[1].city = REVAL
    state.at, state.frames = 1, [Acting(RIGA)]
    play(state, 1, "reroute left 6")
    assert sightings(state, 0) == [(REVAL, 0, LUBECK, 1, False), (REVAL, 1, 5, 1, True)]
    assert seen(state, 0)[0] == UNSEEN
    assert sightings(state, 1) == [(REVAL, 0, 6, 4, True)]
