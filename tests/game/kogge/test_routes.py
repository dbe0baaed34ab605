"""Changing a route, and advanced rule D: Memory."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.game.kogge.movement import RouteFailed
from bot.game.kogge.raid import PushImpossible
from bot.game.kogge.routes import Rerouted
from bot.game.kogge.state import Acting, Exchange, KoggeState
from bot.game.kogge.view import NoteView
from tests.game.kogge.places import HIDDEN, ITALIAN, LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import (
    asked,
    goods,
    hand,
    kinds,
    play,
    raided,
    refused,
    table,
    told,
    words,
)
from tests.game.kogge.random_games import steps


def test_a_route_is_exchanged_for_an_own_marker_laid_face_down() -> None:
    state = table(hands=("5",), routes={REVAL: ("7", "4")})
    events = play(state, 0, "reroute left 5")
    assert hand(state, 0) == "7"
    mine = GAME.view(state, 0).cities[REVAL].routes[0]
    theirs = GAME.view(state, 1).cities[REVAL].routes[0]
    assert (mine.marker, mine.hidden) == (5, True)
    assert (theirs.marker, theirs.hidden) == (None, True)
    assert told(events, Rerouted) == [Rerouted(seat=0, city=REVAL, route="left", marker=7)]
    assert [event.only for event in events if event.kind == "rerouted_with"] == [(0,)]


def test_only_open_routes_are_changed() -> None:
    """Ruling 40."""
    state = table(hands=("5",), routes={REVAL: ("7?", "4")})
    assert words(state, 0, "reroute") == ("right",)
    assert refused(state, 0, "reroute left 5").code == "route_hidden"
    state = table(hands=("5",), routes={REVAL: ("7?", "4?")})
    assert refused(state, 0, "reroute left 5").code == "route_hidden"


def test_a_route_never_leads_to_its_own_city_but_may_lead_where_the_other_does() -> None:
    state = table(hands=("43",), routes={REVAL: ("7", "4")})
    assert refused(state, 0, "reroute left 3").code == "marker_of_city"
    play(state, 0, "reroute left 4")
    assert [route.marker for route in state.cities[REVAL].routes] == [RIGA, RIGA]


def test_a_route_needs_a_marker_to_lay() -> None:
    assert refused(table(), 0, "reroute left 5").code == "no_markers"
    assert refused(table(hands=("33",)), 0, "reroute left 3").code == "marker_of_city"
    assert refused(table(hands=("5",)), 0, "reroute left 6").code == "not_a_choice"


def test_a_new_route_is_open_to_all_again_once_it_was_sailed() -> None:
    state = table(hands=("5", ""), ships=(REVAL, REVAL), routes={REVAL: ("7", "4")})
    play(state, 0, "reroute left 5")
    play(state, 0, "end")
    assert refused(state, 1, "reroute left 5").code == "not_now"
    play(state, 1, "sail left -")
    assert not state.cities[REVAL].routes[0].hidden


MEMORY = {"memory": "on"}
DOWN = dict.fromkeys(range(2, 9), ("0?", "1?")) | {0: ("1?", "2?"), 1: ("0?", "2?")}


def remembered(
    routes: Mapping[int, tuple[str, str]],
    *,
    asked: str = "move",
    hands: tuple[str, ...] = ("oo55", "ff66"),
    raids: Mapping[int, tuple[int, ...]] | None = None,
    options: Mapping[str, str] = MEMORY,
    start: int = -1,
) -> KoggeState:
    """Two ships, in Reval and Riga; all markers lie face down."""
    return table(
        ships=(REVAL, RIGA),
        hands=hands,
        routes={**DOWN, **routes},
        raids=raids,
        asked=asked,
        options=options,
        start=start,
    )


def begun(seats: int, options: Mapping[str, str], cities: tuple[int, ...]) -> KoggeState:
    """A new table after the founding."""
    state = GAME.setup(seats, options, RandomChance(Random(3)))
    for seat, city in enumerate(cities):
        play(state, seat, f"found {city}")
    return state


def test_all_markers_lie_face_down_from_the_start() -> None:
    state = GAME.setup(4, MEMORY, RandomChance(Random(1)))
    for observer in (SPECTATOR, 0, 3):
        view = GAME.view(state, observer)
        assert all(r.hidden and r.marker is None for city in view.cities for r in city.routes)
        assert view.notes == ()


def test_routes_may_be_equal_and_may_lead_to_their_own_city() -> None:
    """Ruling 55; they are laid as they are drawn."""
    equal = own = False
    for seed in range(60):
        state = GAME.setup(2, MEMORY, RandomChance(Random(seed)))
        for number, city in enumerate(state.cities):
            left, right = (route.marker for route in city.routes)
            equal = equal or left == right
            own = own or number in (left, right)
    assert equal
    assert own


@pytest.mark.parametrize(
    ("options", "start", "fur"),
    [
        (MEMORY, "ooff", 4),
        (MEMORY | ITALIAN, "oofff", 0),
        (MEMORY | {"memory_fur": "three"}, "oofff", 0),
        (MEMORY | ITALIAN | {"memory_fur": "two"}, "ooff", 4),
        ({"memory_fur": "three"}, "oof", 8),
    ],
)
def test_everybody_starts_with_two_ore_and_two_or_three_fur(
    options: Mapping[str, str], start: str, fur: int
) -> None:
    """Ruling 57: with three and four players the reserve of fur starts empty."""
    state = GAME.setup(4, options, RandomChance(Random(1)))
    assert [player.goods for player in state.players] == [goods(start)] * 4
    assert state.reserve[1] == fur


def test_after_the_founding_each_looks_at_the_first_city_in_order_of_play() -> None:
    state = begun(3, MEMORY, (7, 2, 5))
    assert state.order == [1, 2, 0]
    for seat in (1, 2, 0):
        assert asked(state) == [(seat, "exchange")]
        city = state.players[seat].city
        seen = GAME.view(state, seat).cities[city].routes
        assert [r.marker for r in seen] == [r.marker for r in state.cities[city].routes]
        assert len(GAME.view(state, seat).notes) == 2
        others = [GAME.view(state, other).cities[city].routes[0].marker for other in (-1, 0, 1, 2)]
        assert others.count(None) == 3
        play(state, seat, "pass")
    assert asked(state) == [(1, "bid")]
    assert state.round == 1


def test_one_of_the_two_may_be_exchanged_but_not_for_the_citys_own_number() -> None:
    state = begun(2, MEMORY, (4, 6))
    state.players[0].markers[4] = 1
    state.bag[4] -= 1
    old = state.cities[4].routes[0].marker
    assert "4" not in words(state, 0, "reroute left")
    assert refused(state, 0, "reroute left 4").code == "marker_of_city"
    play(state, 0, "reroute left 8")
    assert state.cities[4].routes[0].marker == 8
    assert str(old) in hand(state, 0)
    assert asked(state) == [(1, "exchange")]


def test_two_in_one_city_exchange_in_order_of_play() -> None:
    """Ruling 55: who comes second sees what the first one has laid, and may take it."""
    state = begun(2, MEMORY, (4, 4))
    first, second = state.order
    play(state, first, "reroute left 8")
    assert GAME.view(state, second).cities[4].routes[0].marker == 8
    assert GAME.view(state, first).cities[4].routes[0].marker == 8
    play(state, second, "reroute left 7")
    assert hand(state, second).count("8") == 2
    assert GAME.view(state, first).cities[4].routes[0].marker is None


def test_a_route_is_turned_for_the_move_and_back_again() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    play(state, 0, "sail left -")
    assert state.players[0].city == LUBECK
    assert state.cities[REVAL].routes[0].hidden
    for seat in range(2):
        view = GAME.view(state, seat)
        assert view.cities[REVAL].routes[0].marker == LUBECK
        assert view.notes == (NoteView(REVAL, "left", LUBECK, 1, True),)
    assert GAME.view(state, SPECTATOR).cities[REVAL].routes[0].marker is None
    assert GAME.view(state, SPECTATOR).notes == ()


def test_a_route_that_failed_is_not_tried_again_before_the_ship_has_moved() -> None:
    """Ruling 56; the try is a step, as in the base game."""
    state = remembered({REVAL: ("3?", "4?"), RIGA: ("3?", "5?")})
    events = play(state, 0, "sail left -")
    assert told(events, RouteFailed)[0].marker == REVAL
    assert state.cities[REVAL].routes[0].hidden
    assert words(state, 0, "sail") == ("right",)
    assert refused(state, 0, "sail left o").code == "route_has_failed"
    play(state, 0, "sail right o")
    play(state, 0, "sail left o")
    assert state.players[0].city == REVAL
    assert words(state, 0, "sail") == ("left", "right")


def test_where_both_routes_fail_the_ship_stays() -> None:
    state = remembered({REVAL: ("3?", "7?")}, raids={LUBECK: (0,)})
    play(state, 0, "sail left -")
    play(state, 0, "sail right o")
    assert refused(state, 0, "sail left o").code == "no_route_open"
    assert kinds(state, 0)[:1] == ("stop",)


def test_a_forced_move_tries_each_way_once() -> None:
    state = raided(remembered({REVAL: ("3?", "7?")}, raids={LUBECK: (0,)}), 0)
    play(state, 1, "push left")
    assert words(state, 1, "push") == ("right",)
    events = play(state, 1, "push right")
    assert told(events, PushImpossible) == [PushImpossible(other=0, city=REVAL)]


def test_hidden_routes_may_be_exchanged_also_those_just_laid() -> None:
    """Rule 3e is changed; the marker taken shows in an open hand."""
    state = remembered({REVAL: ("7?1", "5?")}, asked="act")
    assert words(state, 0, "reroute") == ("left", "right")
    events = play(state, 0, "reroute left 5")
    assert told(events, Rerouted) == [Rerouted(seat=0, city=REVAL, route="left", marker=LUBECK)]
    assert hand(state, 0) == "oo75"
    assert state.cities[REVAL].routes[0].laid


def test_with_hidden_hands_only_its_new_owner_learns_which_marker_was_taken() -> None:
    state = remembered({REVAL: ("7?", "5?")}, asked="act", options=MEMORY | HIDDEN)
    events = play(state, 0, "reroute left 5")
    heard = [event for event in events if event.heard_by(1)]
    assert [event.kind for event in heard] == ["rerouted_secretly"]
    heard = [event for event in events if event.heard_by(0)]
    assert [event.kind for event in heard] == ["rerouted", "rerouted_with"]


def test_a_look_before_moving_costs_one_piece_once_a_turn() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    events = play(state, 0, "peek 5")
    assert hand(state, 0) == "oo5"
    saw = next(event for event in events if event.kind == "saw")
    assert (saw.only, dict(saw.facts)) == ((0,), {"city": REVAL, "left": 7, "right": 5})
    assert [r.marker for r in GAME.view(state, 0).cities[REVAL].routes] == [7, 5]
    assert [r.marker for r in GAME.view(state, 1).cities[REVAL].routes] == [None, None]
    assert refused(state, 0, "peek o").code == "already_done"


def test_no_look_after_a_step_or_a_try() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    play(state, 0, "sail left -")
    assert refused(state, 0, "peek o").code == "peek_too_late"
    state = remembered({REVAL: ("3?", "5?")}, options=MEMORY | ITALIAN)
    play(state, 0, "sail left -")
    assert refused(state, 0, "peek o").code == "peek_too_late"


def test_a_look_is_paid_with_exactly_one_piece() -> None:
    assert refused(remembered({}), 0, "peek oo").code == "too_many"
    assert refused(remembered({}), 0, "peek -").code == "too_few"
    assert refused(remembered({}, hands=("", "f6")), 0, "peek o").code == "cannot_pay_peek"


def test_without_the_option_there_is_nothing_to_look_at() -> None:
    state = table(hands=("oo", "ff"), asked="move")
    assert "peek" not in kinds(state, 0)
    assert refused(state, 0, "peek o").code == "no_memory"


def test_notes_say_when_something_was_seen_and_that_it_may_be_out_of_date() -> None:
    state = remembered({REVAL: ("7?", "5?")}, hands=("oo55", "ff66"))
    play(state, 0, "peek o")
    state.round = 4
    state.players[1].city = REVAL
    state.at, state.frames = 1, [Acting(RIGA)]
    play(state, 1, "reroute left 6")
    assert GAME.view(state, 0).notes == (
        NoteView(REVAL, "left", LUBECK, 1, False),
        NoteView(REVAL, "right", 5, 1, True),
    )
    assert GAME.view(state, 0).cities[REVAL].routes[0].marker is None
    assert GAME.view(state, 1).notes == (NoteView(REVAL, "left", STRALSUND, 4, True),)


def test_routes_and_the_notes_of_others_vary_and_ones_own_do_not() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    play(state, 0, "peek o")
    twins = [GAME.resample(state, 1, Random(seed)) for seed in range(60)]
    ends = {twin.cities[REVAL].routes[0].marker for twin in twins}
    assert REVAL in ends
    assert len(ends) > 5
    for twin in twins:
        assert GAME.invariants(twin) == []
        assert twin.sightings[0].marker == twin.cities[REVAL].routes[0].marker
    own = [GAME.resample(state, 0, Random(seed)) for seed in range(20)]
    assert {twin.cities[REVAL].routes[0].marker for twin in own} == {LUBECK}


def test_no_marker_stays_open_in_random_games() -> None:
    taken = set()
    for step in steps(4, MEMORY, 2):
        taken.add(step.action[0])
        assert all(route.hidden for city in step.state.cities for route in city.routes)
        assert isinstance(step.state.frames[-1], Exchange) == (
            step.state.round == 0 and bool(step.state.order)
        )
    assert {"peek", "pass", "reroute"} <= taken


def test_ruling_62_deals_are_made_in_the_opening_exchange() -> None:
    """Both texts allow deals at any time; so a marker may be bought to be laid at once."""
    state = begun(2, MEMORY, (REVAL, REVAL))
    first, second = state.order
    assert asked(state) == [(first, "exchange")]
    state.players[first].markers[5] -= 1
    state.bag[5] += 1
    play(state, first, f"offer {second} o 5")
    assert "accept" in kinds(state, second)
    play(state, second, "accept 1")
    assert asked(state) == [(first, "exchange")]
    play(state, first, "reroute left 5")
    assert asked(state) == [(second, "exchange")]


def test_ruling_62_offers_made_before_the_first_round_stand_in_it() -> None:
    state = begun(2, MEMORY, (REVAL, REVAL))
    first, second = state.order
    play(state, second, f"offer {first} o f")
    play(state, first, "pass")
    play(state, second, "pass")
    assert [offer.id for offer in state.offers] == [1]
    assert asked(state) == [(first, "bid")]
