"""Phase 3B e: new routes."""

from __future__ import annotations

from bot.game.kogge import GAME
from bot.game.kogge.events import Rerouted
from tests.game.kogge.positions import REVAL, RIGA, hand, play, refused, table, told, words


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
