"""Phase 3A: steps, fees, hidden routes, own Raids, the secret route, and loading; changing a route,
and advanced rule D: Memory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.state import Acting, KoggeState, Push
from tests.game.kogge.places import (
    DANZIG,
    ITALIAN,
    LUBECK,
    REVAL,
    RIGA,
)
from tests.game.kogge.positions import (
    asked,
    case,
    follow,
    goods,
    hand,
    kinds,
    known,
    notes,
    play,
    run,
    table,
)

sailing = partial(case, asked="move")
"""The first seat's ship is about to sail from Reval; it leads to Riga and Danzig."""
BARRED: dict[str, Any] = {"raids": {RIGA: (0,), DANZIG: (0,)}, "second_raid": (0,)}
useless = partial(sailing, routes={REVAL: ("7?", "5")}, raids={LUBECK: (0,)})
"""The route on the left, which lies face down, leads into the ship's own Raid."""

CASES = [
    sailing(
        "the first step is free, each further one costs a good or a marker",
        """hands=of5 | 0 sail left o ! wrong_fee; 0 sail left -
        0 sail left - ! wrong_fee count=1; 0 sail left o; 0 sail left 5; at 0 6; hand 0 f""",
    ),
    sailing(
        "what a fee is paid with",
        """hands=o5 steps=1 | 0 sail left ? 5 o; 0 sail left f ! not_in_stock
        0 sail left oo ! wrong_fee count=1""",
    ),
    sailing("a poor ship", "0 sail left -; 0 ? stop; 0 sail left o ! cannot_pay_fee count=1"),
    sailing(
        "a ship need not move",
        """hands=o display=55 | 0 buy 1 ore ! not_now; 0 stop; asked 0 act
        0 sail left - ! not_now""",
    ),
    sailing(
        "ruling 17: back where it began it may not trade",
        """hands=o routes=4:3/0 | 0 sail left -; 0 sail left o; 0 stop; at 0 3
        0 trade o f ! trade_needs_move""",
    ),
    sailing(
        "a ship never sails into its own Raid",
        "raids=4:0 | 0 sail ? right; 0 sail left - ! own_raid city=4",
    ),
    sailing("another's Raid bars nobody else", "raids=4:1 | 0 sail ? left right"),
    sailing(
        "ruling 20: where both routes end in own Raids it stays",
        "hands=oo | 0 ? stop; 0 sail left - ! no_route_open city=3",
        **BARRED,
    ),
    *(
        useless(
            f"difference 5: a useless route, {options}",
            f"0 sail left -; at 0 3; routes 3 7 5; 0 sail right ? {fee}",
            hands=("oo",),
            options=options,
        )
        for options, fee in (
            ({}, "o"),
            ({"edition": "italian", "failed_route": "uses_step"}, "o"),
            (ITALIAN, "-"),
            ({"failed_route": "keeps_step"}, "-"),
        )
    ),
    *(
        useless(
            f"difference 5: its fee is lost, {options}",
            """hands=oo steps=1 | 0 sail left o; told route_failed marker=7 fee=o; hand 0 o
            0 sail right ? o""",
            options=options,
        )
        for options in ({}, ITALIAN)
    ),
    useless("free by chit", "chits=0:spaces | 0 sail left -; 0 sail right ? -"),
    useless("ruling 19: one may stop after it", "0 sail left -; 0 stop; asked 0 act"),
    sailing(
        "ruling 20: both are useless",
        """hands=o routes=3:7?/5? raids=7:0,5:0 second_raid=0 | 0 sail left -; 0 sail right o
        0 ? stop""",
    ),
    sailing("known to its owner", "routes=3:7?0/5 | 0 sail ? left right"),
    sailing("turned up", "routes=3:7?/5 | 0 sail left -; at 0 7; routes 3 7 5"),
    sailing(
        "the spaces chit frees the second step alone",
        """hands=oo chits=0:spaces | 0 sail left -; 0 sail left -
        0 sail left - ! wrong_fee count=1; 0 sail left o; at 0 6""",
    ),
    sailing(
        "ruling 33: two of them free no more",
        "hands=o chits=0:spaces+spaces steps=2 | 0 sail left - ! wrong_fee count=1",
    ),
    *(
        sailing(
            f"difference 26, ruling 35: by the secret route after {steps} steps with {chits}",
            f"0 sail secret - ! wrong_fee count={fee}; 0 sail secret {'of'[:fee]}; at 0 8",
            hands=("of",),
            chits={0: chits},
            steps=steps,
        )
        for steps, chits, fee in (
            *((0, ("secret",), 1), (1, ("secret",), 2), (2, ("secret",), 2)),
            *((1, ("secret", "spaces"), 1), (2, ("secret", "spaces"), 2)),
        )
    ),
    sailing(
        "ruling 34: the secret route leads nowhere from his city",
        "hands=of chits=0:secret guild=3 | 0 sail secret o ! secret_at_guild_master city=3",
    ),
    sailing("it needs its chit", "hands=of | 0 sail secret o ! secret_needs_chit"),
    sailing(
        "and never ends in an own Raid",
        "hands=o chits=0:secret raids=8:0 | 0 sail secret o ! own_raid city=8",
    ),
    sailing("the only route", "hands=o chits=0:secret | 0 sail ? secret", **BARRED),
    sailing(
        "too dear",
        "hands=o chits=0:secret steps=1 | 0 sail secret o ! cannot_pay_fee count=2",
        **BARRED,
    ),
    sailing(
        "goods are loaded from the own offices",
        """offices=3:0ff+1f | 0 load ? f ff; 0 load f; 0 load f; hand 0 ff; offices 3 - f
        0 load f ! nothing_to_load""",
    ),
    sailing("two as one", "offices=3:0f+0ff | 0 load fff; hand 0 fff"),
    sailing(
        "difference 8, ruling 16: on the way",
        "offices=3:0f,4:0ff | 0 load f; 0 sail left -; 0 load ff; 0 sail left f; hand 0 ff",
    ),
    sailing(
        "ruling 18: a fee is paid with goods just loaded",
        """steps=1 offices=3:0f | 0 ? load stop; 0 load ff ! not_in_stock; 0 load f
        0 sail left f; at 0 4""",
    ),
    sailing("not from other offices", "offices=3:1f,0:0o | 0 load f ! nothing_to_load"),
    sailing("nor empty ones", "offices=3:0 | 0 load f ! nothing_to_load"),
    case("nor after it", "offices=3:0f | 0 load f ! not_now"),
    case(
        "a route is exchanged for an own marker and open again once it was sailed",
        """hands=5 ships=3,3 routes=3:7/4 | 0 reroute left 5; hand 0 7; routes 3 5? 4
        told rerouted route=left marker=7; heard 1 rerouted; 0 end
        1 reroute left 5 ! not_now; 1 sail left -; routes 3 5 4""",
    ),
    case(
        "ruling 40: only open routes are changed",
        "hands=5 routes=3:7?/4 | 0 reroute ? right; 0 reroute left 5 ! route_hidden",
    ),
    case("both are hidden", "hands=5 routes=3:7?/4? | 0 reroute left 5 ! route_hidden"),
    case(
        "two may be equal, none leads to its own city",
        """hands=43 routes=3:7/4 | 0 reroute left 3 ! marker_of_city; 0 reroute left 4
        routes 3 4? 4""",
    ),
    case("no marker to lay", "0 reroute left 5 ! no_markers"),
    case("none but the city's", "hands=33 | 0 reroute left 3 ! marker_of_city"),
    case("not in hand", "hands=5 | 0 reroute left 6 ! not_a_choice"),
    case("no Memory", "hands=oo asked=move | 0 peek o ! no_memory; 0 ? sail stop"),
]


@pytest.mark.parametrize(("position", "script"), CASES)
def test_movement_and_routes(position: dict[str, Any], script: str) -> None:
    follow(table(**position), script)


MEMORY = {"memory": "on"}
DOWN = dict.fromkeys(range(2, 9), ("0?", "1?")) | {0: ("1?", "2?"), 1: ("0?", "2?")}


def remembered(
    routes: Mapping[int, tuple[str, str]],
    *,
    asked: str = "move",
    hands: tuple[str, ...] = ("oo55", "ff66"),
    options: Mapping[str, str] = MEMORY,
    **position: Any,
) -> KoggeState:
    """Two ships, in Reval and Riga; all markers lie face down."""
    laid = {**DOWN, **routes}
    ships = (REVAL, RIGA)
    return table(ships=ships, hands=hands, routes=laid, asked=asked, options=options, **position)


@pytest.mark.parametrize(
    ("position", "script"),
    [
        case(
            "a route is turned for the move and back again",
            "routes=3:7?/5? | 0 sail left -; at 0 7; routes 3 7? 5?",
        ),
        case(
            "ruling 56: a failed route is not tried again before the ship has moved",
            """routes=3:3?/4?,4:3?/5? | 0 sail left -; told route_failed marker=3
            routes 3 3? 4?; 0 sail ? right; 0 sail left o ! route_has_failed; 0 sail right o
            0 sail left o; at 0 3; 0 sail ? left right""",
        ),
        case(
            "both fail",
            """routes=3:3?/7? raids=7:0 | 0 sail left -; 0 sail right o
            0 sail left o ! no_route_open""",
        ),
        case(
            "a pushed ship tries both and stays",
            """routes=3:3?/7? raids=7:0 | 1 push left; 1 push ? right; 1 push right
            told push_impossible other=0 city=3""",
            asked=Push(1, 0),
        ),
        case(
            "hidden routes may be exchanged, also those just laid",
            """routes=3:7?1/5? asked=act | 0 reroute ? left right; 0 reroute left 5
            told rerouted route=left marker=7; hand 0 oo75""",
        ),
        case(
            "what was taken up only its new owner learns",
            """routes=3:7?/5? asked=act options=memory:on,goods:hidden | 0 reroute left 5
            heard 0 rerouted rerouted_with; heard 1 rerouted_secretly""",
        ),
        case(
            "a look costs one piece once a turn",
            """routes=3:7?/5? | 0 peek oo ! too_many; 0 peek - ! too_few; 0 peek 5; hand 0 oo5
            told saw city=3 left=7 right=5; heard 1 looked; 0 peek o ! already_done""",
        ),
        case("who has nothing", "hands=-,f6 | 0 peek o ! cannot_pay_peek", routes={}),
        case("too late", "routes=3:7?/5? | 0 sail left -; 0 peek o ! peek_too_late"),
        case(
            "too late, though no step is used",
            """routes=3:3?/5? options=memory:on,edition:italian | 0 sail left -
            0 peek o ! peek_too_late""",
        ),
    ],
)
def test_with_memory(position: dict[str, Any], script: str) -> None:
    follow(remembered(**position), script)


def begun(options: Mapping[str, str], *cities: int) -> KoggeState:
    """A new table after the founding."""
    state = GAME.setup(len(cities), options, RandomChance(Random(3)))
    run(state, *(f"{seat} found {city}" for seat, city in enumerate(cities)))
    return state


def seen(state: KoggeState, observer: int, city: int = REVAL) -> list[int]:
    """The markers of a city's routes, as far as an observer sees them."""
    return [route.marker for route in known(state, observer).cities[city].routes]


def test_all_markers_lie_face_down_and_may_be_equal_or_lead_to_their_own_city() -> None:
    """Ruling 55: routes are laid as they are drawn."""
    tables = [GAME.setup(2, MEMORY, RandomChance(Random(seed))) for seed in range(60)]
    for observer in (SPECTATOR, 0):
        assert all(seen(tables[0], observer, city) == [UNSEEN] * 2 for city in range(9))
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
    for seat in (1, 2, 0):
        assert asked(state) == [(seat, "exchange")]
        city = state.players[seat].city
        assert seen(state, seat, city) == [route.marker for route in state.cities[city].routes]
        assert len(notes(state, seat)) == 2
        assert [seen(state, other, city)[0] for other in (-1, 0, 1, 2)].count(UNSEEN) == 3
        play(state, seat, "pass")
    assert asked(state) == [(1, "bid")]


def test_each_may_exchange_one_of_the_two() -> None:
    """Ruling 55: who comes second sees what the first one has laid, and may take it."""
    state = begun(MEMORY, 4, 4)
    first, second = state.order
    play(state, first, "reroute left 8")
    assert seen(state, second, 4)[0] == seen(state, first, 4)[0] == 8
    play(state, second, "reroute left 7")
    assert hand(state, second).count("8") == 2
    assert seen(state, first, 4)[0] == UNSEEN


def test_ruling_62_deals_are_made_in_the_opening_exchange() -> None:
    """Both texts allow deals at any time; so a marker may be bought to be laid at once. Offers made
    before the first round stand in it."""
    state = begun(MEMORY, REVAL, REVAL)
    first, second = state.order
    state.players[first].markers[5] -= 1
    state.bag[5] += 1
    run(state, f"{first} offer {second} o 5", f"{second} accept 1", f"{first} reroute left 5")
    assert asked(state) == [(second, "exchange")]
    state = begun(MEMORY, REVAL, REVAL)
    run(state, f"{second} offer {first} o f", f"{first} pass", f"{second} pass")
    assert [offer.id for offer in state.offers] == [1]
    assert "accept" in kinds(state, first)


def test_all_who_play_see_a_route_that_is_turned() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    play(state, 0, "sail left -")
    for seat in range(2):
        assert seen(state, seat)[0] == LUBECK
        assert notes(state, seat) == [(REVAL, 0, LUBECK, 1, True)]
    assert (seen(state, SPECTATOR)[0], notes(state, SPECTATOR)) == (UNSEEN, [])


def test_notes_say_when_something_was_seen_and_that_it_may_be_out_of_date() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    play(state, 0, "peek o")
    assert (seen(state, 0), seen(state, 1)) == ([7, 5], [UNSEEN] * 2)
    state.round = 4
    state.players[1].city = REVAL
    state.at, state.frames = 1, [Acting(RIGA)]
    play(state, 1, "reroute left 6")
    assert notes(state, 0) == [(REVAL, 0, LUBECK, 1, False), (REVAL, 1, 5, 1, True)]
    assert seen(state, 0)[0] == UNSEEN
    assert notes(state, 1) == [(REVAL, 0, 6, 4, True)]


def test_routes_and_the_notes_of_others_vary_and_ones_own_do_not() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    play(state, 0, "peek o")
    twins = [GAME.resample(state, 1, Random(seed)) for seed in range(60)]
    ends = {twin.cities[REVAL].routes[0].marker for twin in twins}
    assert REVAL in ends
    assert len(ends) > 5
    assert all(t.sightings[0].marker == t.cities[REVAL].routes[0].marker for t in twins)
    own = [GAME.resample(state, 0, Random(seed)) for seed in range(20)]
    assert {twin.cities[REVAL].routes[0].marker for twin in own} == {LUBECK}
