"""Phase 3A: steps, fees, hidden routes, own Raids, the secret route, and loading; changing a route,
and advanced rule D: Memory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.movement import RouteFailed
from bot.game.kogge.raid import PushImpossible
from bot.game.kogge.routes import Rerouted
from bot.game.kogge.state import Acting, KoggeState
from tests.game.kogge.places import (
    DANZIG,
    HIDDEN,
    ITALIAN,
    KOPENHAGEN,
    LUBECK,
    REVAL,
    RIGA,
    STRALSUND,
    TONSBERG,
)
from tests.game.kogge.positions import (
    asked,
    check_refused,
    goods,
    hand,
    kinds,
    known,
    notes,
    play,
    raided,
    refused,
    run,
    table,
    told,
    words,
)

sailing = partial(table, asked="move")
"""The first seat's ship is about to sail from Reval; it leads to Riga and Danzig."""


def test_the_first_step_is_free_and_each_further_one_costs_a_good_or_a_marker() -> None:
    state = sailing(hands=("of5",))
    reserve, bag = state.reserve[0], state.bag[5]
    check_refused(state, "wrong_fee", "0 sail left o")
    play(state, 0, "sail left -")
    assert refused(state, 0, "sail left -").facts == {"count": 1}
    run(state, "0 sail left o", "0 sail left 5")
    assert state.players[0].city == STRALSUND
    assert (state.reserve[0], state.bag[5]) == (reserve + 1, bag + 1)
    assert hand(state, 0) == "f"
    # Without a good or a marker there is one step.
    state = sailing(hands=("o5",), steps=1)
    assert words(state, 0, "sail left") == ("5", "o")
    check_refused(state, "not_in_stock", "0 sail left f")
    assert refused(state, 0, "sail left oo").facts == {"count": 1}
    state = sailing()
    play(state, 0, "sail left -")
    assert kinds(state, 0) == ("stop",)
    check_refused(state, "cannot_pay_fee", "0 sail left o")


def test_a_ship_need_not_move_and_may_come_back_to_where_it_started() -> None:
    state = sailing(hands=("o",), display=("55",))
    check_refused(state, "not_now", "0 buy 1 ore")
    play(state, 0, "stop")
    assert asked(state) == [(0, "act")]
    check_refused(state, "not_now", "0 sail left -")
    # Ruling 17: but then there is no trade.
    state = sailing(hands=("o",), routes={RIGA: ("3", "0")})
    run(state, "0 sail left -", "0 sail left o", "0 stop")
    assert state.players[0].city == REVAL
    assert state.frames == [Acting(REVAL)]
    check_refused(state, "trade_needs_move", "0 trade o f")


def test_a_ship_never_sails_into_its_own_raid() -> None:
    """Ruling and text: not even in passing; another's Raid bars nobody else."""
    state = sailing(raids={RIGA: (0,)})
    assert words(state, 0, "sail") == ("right",)
    refusal = refused(state, 0, "sail left -")
    assert (refusal.code, refusal.topic, refusal.facts["city"]) == ("own_raid", "raid", RIGA)
    assert words(sailing(raids={RIGA: (1,)}), 0, "sail") == ("left", "right")
    # Ruling 20: where both routes end in own Raids it stays.
    state = sailing(raids={RIGA: (0,), DANZIG: (0,)}, second_raid=(0,), hands=("oo",))
    assert kinds(state, 0) == ("stop",)
    check_refused(state, "no_route_open", "0 sail left -")


useless = partial(sailing, routes={REVAL: ("7?", "5")}, raids={LUBECK: (0,)})
"""The route on the left, which lies face down, leads into the ship's own Raid."""


def test_a_useless_hidden_route_uses_up_a_step_or_keeps_it_in_the_italian_text() -> None:
    """Difference 5: the next try is a further step and costs what that step costs."""
    for options, fee in (
        ({}, "o"),
        ({"edition": "italian", "failed_route": "uses_step"}, "o"),
        (ITALIAN, ""),
        ({"failed_route": "keeps_step"}, ""),
    ):
        state = useless(hands=("oo",), options=options)
        events = play(state, 0, "sail left -")
        assert state.players[0].city == REVAL
        assert not state.cities[REVAL].routes[0].hidden
        failed = RouteFailed(seat=0, city=REVAL, marker=LUBECK, route="left", fee="")
        assert told(events, RouteFailed) == [failed]
        assert words(state, 0, "sail right") == (fee,), options


def test_the_fee_of_a_useless_hidden_route_is_lost_and_the_next_step_may_be_free_by_chit() -> None:
    """Difference 5, both texts: free with the 2-spaces chit if it is the second."""
    for options in ({}, ITALIAN):
        state = useless(hands=("oo",), steps=1, options=options)
        play(state, 0, "sail left o")
        assert hand(state, 0) == "o"
        assert words(state, 0, "sail right") == ("o",)
    state = useless(chits={0: ("spaces",)})
    play(state, 0, "sail left -")
    assert words(state, 0, "sail right") == ("",)


def test_a_hidden_route_is_turned_up_as_it_is_taken_and_after_a_useless_one_one_may_stop() -> None:
    """Ruling 19. Ruling 20: when both turn out useless the ship stays."""
    state = useless()
    run(state, "0 sail left -", "0 stop")
    assert asked(state) == [(0, "act")]
    raids = {LUBECK: (0,), DANZIG: (0,)}
    state = useless(hands=("o",), routes={REVAL: ("7?", "5?")}, raids=raids, second_raid=(0,))
    run(state, "0 sail left -", "0 sail right o")
    assert kinds(state, 0) == ("stop",)
    assert words(useless(routes={REVAL: ("7?0", "5")}), 0, "sail") == ("left", "right")
    state = sailing(routes={REVAL: ("7?", "5")})
    assert known(state, 0).cities[REVAL].routes[0].marker == UNSEEN
    play(state, 0, "sail left -")
    assert state.players[0].city == LUBECK
    route = known(state, 1).cities[REVAL].routes[0]
    assert (route.marker, route.hidden) == (LUBECK, False)


def test_the_spaces_chit_frees_the_second_step_alone() -> None:
    """Ruling 33: of two alike, only the extra markers add up."""
    state = sailing(hands=("oo",), chits={0: ("spaces",)})
    run(state, "0 sail left -", "0 sail left -")
    assert refused(state, 0, "sail left -").facts == {"count": 1}
    play(state, 0, "sail left o")
    assert state.players[0].city == STRALSUND
    state = sailing(hands=("o",), chits={0: ("spaces", "spaces")}, steps=2)
    assert refused(state, 0, "sail left -").facts == {"count": 1}


def test_the_secret_route_costs_one_more_whatever_the_spaces_chit_frees() -> None:
    """Difference 26: one extra, two in all from the second step on. Ruling 35."""
    for step, chits, fee in (
        *((0, ("secret",), 1), (1, ("secret",), 2), (2, ("secret",), 2)),
        *((1, ("secret", "spaces"), 1), (2, ("secret", "spaces"), 2)),
    ):
        state = sailing(hands=("of",), chits={0: chits}, steps=step)
        assert refused(state, 0, "sail secret -").facts == {"count": fee}, (step, chits)
        play(state, 0, "sail secret " + "of"[:fee])
        assert state.players[0].city == KOPENHAGEN


def test_the_secret_route_needs_its_chit_and_a_place_to_lead_to() -> None:
    """Ruling 34: nowhere from the guild master's city; never into an own Raid."""
    state = sailing(hands=("of",), chits={0: ("secret",)}, guild=REVAL)
    check_refused(state, "secret_at_guild_master", "0 sail secret o")
    check_refused(sailing(hands=("of",)), "secret_needs_chit", "0 sail secret o")
    state = sailing(hands=("o",), chits={0: ("secret",)}, raids={KOPENHAGEN: (0,)})
    check_refused(state, "own_raid", "0 sail secret o")
    barred = partial(sailing, raids={RIGA: (0,), DANZIG: (0,)}, second_raid=(0,))
    assert words(barred(hands=("o",), chits={0: ("secret",)}), 0, "sail") == ("secret",)
    state = barred(hands=("o",), chits={0: ("secret",)}, steps=1)
    refusal = refused(state, 0, "sail secret o")
    assert (refusal.code, refusal.facts) == ("cannot_pay_fee", {"count": 2})


def test_goods_are_loaded_from_own_offices_on_the_way() -> None:
    """Two own offices in a city are loaded as one."""
    state = sailing(offices={REVAL: [(0, "ff"), (1, "f")]})
    assert words(state, 0, "load") == ("f", "ff")
    run(state, "0 load f", "0 load f")
    assert hand(state, 0) == "ff"
    assert [office.goods for office in state.cities[REVAL].offices] == [goods(""), goods("f")]
    state = sailing(offices={REVAL: [(0, "f"), (0, "ff")]})
    play(state, 0, "load fff")
    assert hand(state, 0) == "fff"
    # Difference 8 and ruling 16. Ruling 18: a fee may be paid with goods just loaded.
    state = sailing(offices={REVAL: [(0, "f")], RIGA: [(0, "ff")]})
    run(state, "0 load f", "0 sail left -", "0 load ff", "0 sail left f")
    assert hand(state, 0) == "ff"
    state = sailing(steps=1, offices={REVAL: [(0, "f")]})
    assert "sail" not in kinds(state, 0)
    run(state, "0 load f", "0 sail left f")
    assert state.players[0].city == RIGA
    state = sailing(offices={REVAL: [(1, "f")], TONSBERG: [(0, "o")]})
    check_refused(state, "nothing_to_load", "0 load f")
    check_refused(sailing(offices={REVAL: [(0, "")]}), "nothing_to_load", "0 load f")
    check_refused(table(offices={REVAL: [(0, "f")]}), "not_now", "0 load f")
    check_refused(sailing(offices={REVAL: [(0, "f")]}), "not_in_stock", "0 load ff")


def seen(state: KoggeState, observer: int, city: int = REVAL) -> list[int | None]:
    """The markers of a city's routes, as far as an observer sees them."""
    routes = known(state, observer).cities[city].routes
    return [None if route.marker == UNSEEN else route.marker for route in routes]


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
    # Ruling 40: only open routes are changed.
    state = table(hands=("5",), routes={REVAL: ("7?", "4")})
    assert words(state, 0, "reroute") == ("right",)
    check_refused(state, "route_hidden", "0 reroute left 5")
    state = table(hands=("5",), routes={REVAL: ("7?", "4?")})
    check_refused(state, "route_hidden", "0 reroute left 5")
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


def test_all_markers_lie_face_down_and_may_be_equal_or_lead_to_their_own_city() -> None:
    state = GAME.setup(4, MEMORY, RandomChance(Random(1)))
    for observer in (SPECTATOR, 0, 3):
        there = known(state, observer)
        assert all(r.hidden and r.marker == UNSEEN for city in there.cities for r in city.routes)
        assert notes(state, observer) == []
    # Ruling 55: routes are laid as they are drawn.
    tables = [GAME.setup(2, MEMORY, RandomChance(Random(seed))) for seed in range(60)]
    laid = [
        (number, *(route.marker for route in city.routes))
        for state in tables
        for number, city in enumerate(state.cities)
    ]
    assert any(left == right for _, left, right in laid)
    assert any(number in (left, right) for number, left, right in laid)


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
        assert len(notes(state, seat)) == 2
        others = [seen(state, other, city)[0] for other in (-1, 0, 1, 2)]
        assert others.count(None) == 3
        play(state, seat, "pass")
    assert asked(state) == [(1, "bid")]
    assert state.round == 1


def test_each_may_exchange_one_of_the_two_in_order_of_play() -> None:
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
    # Ruling 55: who comes second sees what the first one has laid, and may take it.
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


def test_a_route_is_turned_for_the_move_and_back_again_and_not_tried_twice() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    play(state, 0, "sail left -")
    assert state.players[0].city == LUBECK
    assert state.cities[REVAL].routes[0].hidden
    for seat in range(2):
        assert seen(state, seat)[0] == LUBECK
        assert notes(state, seat) == [(REVAL, 0, LUBECK, 1, True)]
    assert seen(state, SPECTATOR)[0] is None
    assert notes(state, SPECTATOR) == []
    # Ruling 56: a failed route is not tried again before the ship has moved.
    state = remembered({REVAL: ("3?", "4?"), RIGA: ("3?", "5?")})
    events = play(state, 0, "sail left -")
    assert told(events, RouteFailed)[0].marker == REVAL
    assert state.cities[REVAL].routes[0].hidden
    assert words(state, 0, "sail") == ("right",)
    check_refused(state, "route_has_failed", "0 sail left o")
    run(state, "0 sail right o", "0 sail left o")
    assert state.players[0].city == REVAL
    assert words(state, 0, "sail") == ("left", "right")
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
    assert notes(state, 0) == [(REVAL, 0, LUBECK, 1, False), (REVAL, 1, 5, 1, True)]
    assert seen(state, 0)[0] is None
    assert notes(state, 1) == [(REVAL, 0, STRALSUND, 4, True)]


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
