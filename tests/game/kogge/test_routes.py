"""Changing a route, and advanced rule D: Memory."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

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
    check_refused,
    goods,
    hand,
    kinds,
    play,
    raided,
    run,
    table,
    told,
    words,
)
from tests.game.kogge.random_games import steps


def seen(state: KoggeState, observer: int, city: int = REVAL) -> list[int | None]:
    """The markers of a city's routes, as far as an observer sees them."""
    return [route.marker for route in GAME.view(state, observer).cities[city].routes]


def test_a_route_is_exchanged_for_an_own_marker_laid_face_down() -> None:
    """It is open to all again once it was sailed."""
    state = table(hands=("5", ""), ships=(REVAL, REVAL), routes={REVAL: ("7", "4")})
    events = play(state, 0, "reroute left 5")
    assert hand(state, 0) == "7"
    assert (seen(state, 0), seen(state, 1)) == ([5, 4], [None, 4])
    assert state.cities[REVAL].routes[0].hidden
    assert told(events, Rerouted) == [Rerouted(seat=0, city=REVAL, route="left", marker=7)]
    assert [event.only for event in events if event.kind == "rerouted_with"] == [(0,)]
    play(state, 0, "end")
    check_refused(state, "not_now", "1 reroute left 5")
    play(state, 1, "sail left -")
    assert not state.cities[REVAL].routes[0].hidden


def test_only_open_routes_are_changed() -> None:
    """Ruling 40."""
    state = table(hands=("5",), routes={REVAL: ("7?", "4")})
    assert words(state, 0, "reroute") == ("right",)
    check_refused(state, "route_hidden", "0 reroute left 5")
    state = table(hands=("5",), routes={REVAL: ("7?", "4?")})
    check_refused(state, "route_hidden", "0 reroute left 5")


def test_a_route_never_leads_to_its_own_city_but_may_lead_where_the_other_does() -> None:
    state = table(hands=("43",), routes={REVAL: ("7", "4")})
    check_refused(state, "marker_of_city", "0 reroute left 3")
    play(state, 0, "reroute left 4")
    assert [route.marker for route in state.cities[REVAL].routes] == [RIGA, RIGA]
    check_refused(table(), "no_markers", "0 reroute left 5")
    check_refused(table(hands=("33",)), "marker_of_city", "0 reroute left 3")
    check_refused(table(hands=("5",)), "not_a_choice", "0 reroute left 6")


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


def begun(options: Mapping[str, str], *cities: int) -> KoggeState:
    """A new table after the founding."""
    state = GAME.setup(len(cities), options, RandomChance(Random(3)))
    run(state, *(f"{seat} found {city}" for seat, city in enumerate(cities)))
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


def test_everybody_starts_with_two_ore_and_two_or_three_fur() -> None:
    """Ruling 57: with three and four players the reserve of fur starts empty."""
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


def test_after_the_founding_each_looks_at_the_first_city_in_order_of_play() -> None:
    state = begun(MEMORY, 7, 2, 5)
    assert state.order == [1, 2, 0]
    for seat in (1, 2, 0):
        assert asked(state) == [(seat, "exchange")]
        city = state.players[seat].city
        assert seen(state, seat, city) == [r.marker for r in state.cities[city].routes]
        assert len(GAME.view(state, seat).notes) == 2
        others = [seen(state, other, city)[0] for other in (-1, 0, 1, 2)]
        assert others.count(None) == 3
        play(state, seat, "pass")
    assert asked(state) == [(1, "bid")]
    assert state.round == 1


def test_one_of_the_two_may_be_exchanged_but_not_for_the_citys_own_number() -> None:
    state = begun(MEMORY, 4, 6)
    state.players[0].markers[4] = 1
    state.bag[4] -= 1
    old = state.cities[4].routes[0].marker
    assert "4" not in words(state, 0, "reroute left")
    check_refused(state, "marker_of_city", "0 reroute left 4")
    play(state, 0, "reroute left 8")
    assert state.cities[4].routes[0].marker == 8
    assert str(old) in hand(state, 0)
    assert asked(state) == [(1, "exchange")]


def test_two_in_one_city_exchange_in_order_of_play() -> None:
    """Ruling 55: who comes second sees what the first one has laid, and may take it."""
    state = begun(MEMORY, 4, 4)
    first, second = state.order
    play(state, first, "reroute left 8")
    assert seen(state, second, 4)[0] == seen(state, first, 4)[0] == 8
    play(state, second, "reroute left 7")
    assert hand(state, second).count("8") == 2
    assert seen(state, first, 4)[0] is None


def test_ruling_62_deals_are_made_in_the_opening_exchange() -> None:
    """Both texts allow deals at any time; so a marker may be bought to be laid at once. Offers made
    before the first round stand in it."""
    state = begun(MEMORY, REVAL, REVAL)
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
    state = begun(MEMORY, REVAL, REVAL)
    run(state, f"{second} offer {first} o f", f"{first} pass", f"{second} pass")
    assert [offer.id for offer in state.offers] == [1]
    assert asked(state) == [(first, "bid")]


def test_a_route_is_turned_for_the_move_and_back_again() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    play(state, 0, "sail left -")
    assert state.players[0].city == LUBECK
    assert state.cities[REVAL].routes[0].hidden
    for seat in range(2):
        assert seen(state, seat)[0] == LUBECK
        assert GAME.view(state, seat).notes == (NoteView(REVAL, "left", LUBECK, 1, True),)
    assert seen(state, SPECTATOR)[0] is None
    assert GAME.view(state, SPECTATOR).notes == ()


def test_a_route_that_failed_is_not_tried_again_before_the_ship_has_moved() -> None:
    """Ruling 56; the try is a step, as in the base game."""
    state = remembered({REVAL: ("3?", "4?"), RIGA: ("3?", "5?")})
    events = play(state, 0, "sail left -")
    assert told(events, RouteFailed)[0].marker == REVAL
    assert state.cities[REVAL].routes[0].hidden
    assert words(state, 0, "sail") == ("right",)
    check_refused(state, "route_has_failed", "0 sail left o")
    run(state, "0 sail right o", "0 sail left o")
    assert state.players[0].city == REVAL
    assert words(state, 0, "sail") == ("left", "right")


def test_where_both_routes_fail_the_ship_stays_and_a_forced_move_tries_each_way_once() -> None:
    state = remembered({REVAL: ("3?", "7?")}, raids={LUBECK: (0,)})
    run(state, "0 sail left -", "0 sail right o")
    check_refused(state, "no_route_open", "0 sail left o")
    assert kinds(state, 0)[:1] == ("stop",)
    state = raided(remembered({REVAL: ("3?", "7?")}, raids={LUBECK: (0,)}), 0)
    play(state, 1, "push left")
    assert words(state, 1, "push") == ("right",)
    events = play(state, 1, "push right")
    assert told(events, PushImpossible) == [PushImpossible(other=0, city=REVAL)]


def test_hidden_routes_may_be_exchanged_also_those_just_laid() -> None:
    """Rule 3e is changed; the marker taken shows in an open hand, otherwise only its new owner
    learns which it was."""
    state = remembered({REVAL: ("7?1", "5?")}, asked="act")
    assert words(state, 0, "reroute") == ("left", "right")
    events = play(state, 0, "reroute left 5")
    assert told(events, Rerouted) == [Rerouted(seat=0, city=REVAL, route="left", marker=LUBECK)]
    assert hand(state, 0) == "oo75"
    assert state.cities[REVAL].routes[0].laid
    state = remembered({REVAL: ("7?", "5?")}, asked="act", options=MEMORY | HIDDEN)
    events = play(state, 0, "reroute left 5")
    heard = {seat: [event.kind for event in events if event.heard_by(seat)] for seat in (0, 1)}
    assert heard == {0: ["rerouted", "rerouted_with"], 1: ["rerouted_secretly"]}


def test_a_look_before_moving_costs_one_piece_once_a_turn() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    events = play(state, 0, "peek 5")
    assert hand(state, 0) == "oo5"
    saw = next(event for event in events if event.kind == "saw")
    assert (saw.only, dict(saw.facts)) == ((0,), {"city": REVAL, "left": 7, "right": 5})
    assert (seen(state, 0), seen(state, 1)) == ([7, 5], [None, None])
    check_refused(state, "already_done", "0 peek o")
    check_refused(remembered({}), "too_many", "0 peek oo")
    check_refused(remembered({}), "too_few", "0 peek -")
    check_refused(remembered({}, hands=("", "f6")), "cannot_pay_peek", "0 peek o")


def test_no_look_after_a_step_or_a_try_or_without_the_option() -> None:
    for left, options in (("7?", MEMORY), ("3?", MEMORY | ITALIAN)):
        state = remembered({REVAL: (left, "5?")}, options=options)
        play(state, 0, "sail left -")
        check_refused(state, "peek_too_late", "0 peek o")
    state = table(hands=("oo", "ff"), asked="move")
    assert "peek" not in kinds(state, 0)
    check_refused(state, "no_memory", "0 peek o")


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
    assert seen(state, 0)[0] is None
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
    for step in steps(4, MEMORY, 2):
        assert all(route.hidden for city in step.state.cities for route in city.routes)
        assert isinstance(step.state.frames[-1], Exchange) == (
            step.state.round == 0 and bool(step.state.order)
        )
