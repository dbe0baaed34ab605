"""Phase 3A: steps, fees, hidden routes, own Raids, the secret route, and loading."""

from __future__ import annotations

from functools import partial

from bot.game.kogge import GAME
from bot.game.kogge.movement import RouteFailed
from bot.game.kogge.state import Acting
from tests.game.kogge.places import (
    DANZIG,
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
    play,
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


def test_a_fee_is_paid_with_what_one_has() -> None:
    """Without a good or a marker there is one step."""
    state = sailing(hands=("o5",), steps=1)
    assert words(state, 0, "sail left") == ("5", "o")
    check_refused(state, "not_in_stock", "0 sail left f")
    assert refused(state, 0, "sail left oo").facts == {"count": 1}
    state = sailing()
    play(state, 0, "sail left -")
    assert kinds(state, 0) == ("stop",)
    check_refused(state, "cannot_pay_fee", "0 sail left o")


def test_a_ship_need_not_move_and_movement_comes_before_actions_and_never_after() -> None:
    state = sailing(hands=("o",), display=("55",))
    check_refused(state, "not_now", "0 buy 1 ore")
    play(state, 0, "stop")
    assert asked(state) == [(0, "act")]
    check_refused(state, "not_now", "0 sail left -")


def test_a_ship_may_come_back_to_where_it_started() -> None:
    """Ruling 17."""
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


def test_a_ship_whose_routes_both_end_in_own_raids_stays() -> None:
    """Ruling 20."""
    state = sailing(raids={RIGA: (0,), DANZIG: (0,)}, second_raid=(0,), hands=("oo",))
    assert kinds(state, 0) == ("stop",)
    check_refused(state, "no_route_open", "0 sail left -")


# Hidden routes

useless = partial(sailing, routes={REVAL: ("7?", "5")}, raids={LUBECK: (0,)})
"""The route on the left, which lies face down, leads into the ship's own Raid."""


def test_a_hidden_route_is_turned_up_only_when_it_is_taken_and_stays_so() -> None:
    state = sailing(routes={REVAL: ("7?", "5")})
    assert GAME.view(state, 0).cities[REVAL].routes[0].marker is None
    play(state, 0, "sail left -")
    assert state.players[0].city == LUBECK
    route = GAME.view(state, 1).cities[REVAL].routes[0]
    assert (route.marker, route.hidden) == (LUBECK, False)


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


def test_after_a_useless_hidden_route_one_may_stop() -> None:
    """Ruling 19. Ruling 20: when both turn out useless the ship stays."""
    state = useless()
    run(state, "0 sail left -", "0 stop")
    assert asked(state) == [(0, "act")]
    raids = {LUBECK: (0,), DANZIG: (0,)}
    state = useless(hands=("o",), routes={REVAL: ("7?", "5?")}, raids=raids, second_raid=(0,))
    run(state, "0 sail left -", "0 sail right o")
    assert kinds(state, 0) == ("stop",)


def test_a_hidden_route_may_be_taken_even_by_who_knows_it_fails() -> None:
    assert words(useless(routes={REVAL: ("7?0", "5")}), 0, "sail") == ("left", "right")


# Chits


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
    for steps, chits, fee in (
        *((0, ("secret",), 1), (1, ("secret",), 2), (2, ("secret",), 2)),
        *((1, ("secret", "spaces"), 1), (2, ("secret", "spaces"), 2)),
    ):
        state = sailing(hands=("of",), chits={0: chits}, steps=steps)
        assert refused(state, 0, "sail secret -").facts == {"count": fee}, (steps, chits)
        play(state, 0, "sail secret " + "of"[:fee])
        assert state.players[0].city == KOPENHAGEN


def test_the_secret_route_needs_its_chit_and_a_place_to_lead_to() -> None:
    """Ruling 34: nowhere from the guild master's city; never into an own Raid."""
    state = sailing(hands=("of",), chits={0: ("secret",)}, guild=REVAL)
    check_refused(state, "secret_at_guild_master", "0 sail secret o")
    check_refused(sailing(hands=("of",)), "secret_needs_chit", "0 sail secret o")
    state = sailing(hands=("o",), chits={0: ("secret",)}, raids={KOPENHAGEN: (0,)})
    check_refused(state, "own_raid", "0 sail secret o")


def test_the_secret_route_may_be_all_that_is_left_and_who_cannot_pay_is_told_its_price() -> None:
    barred = partial(sailing, raids={RIGA: (0,), DANZIG: (0,)}, second_raid=(0,))
    assert words(barred(hands=("o",), chits={0: ("secret",)}), 0, "sail") == ("secret",)
    state = barred(hands=("o",), chits={0: ("secret",)}, steps=1)
    refusal = refused(state, 0, "sail secret o")
    assert (refusal.code, refusal.facts) == ("cannot_pay_fee", {"count": 2})


# Loading


def test_goods_are_loaded_from_own_offices_in_part_or_whole() -> None:
    """Two own offices in a city are loaded as one."""
    state = sailing(offices={REVAL: [(0, "ff"), (1, "f")]})
    assert words(state, 0, "load") == ("f", "ff")
    run(state, "0 load f", "0 load f")
    assert hand(state, 0) == "ff"
    assert [office.goods for office in state.cities[REVAL].offices] == [goods(""), goods("f")]
    state = sailing(offices={REVAL: [(0, "f"), (0, "ff")]})
    play(state, 0, "load fff")
    assert hand(state, 0) == "fff"


def test_goods_are_loaded_at_the_start_in_passing_and_without_moving() -> None:
    """Difference 8 and ruling 16. Ruling 18: a fee may be paid with goods just loaded."""
    state = sailing(offices={REVAL: [(0, "f")], RIGA: [(0, "ff")]})
    run(state, "0 load f", "0 sail left -", "0 load ff", "0 sail left f")
    assert hand(state, 0) == "ff"
    state = sailing(steps=1, offices={REVAL: [(0, "f")]})
    assert "sail" not in kinds(state, 0)
    run(state, "0 load f", "0 sail left f")
    assert state.players[0].city == RIGA


def test_nothing_is_loaded_from_others_from_empty_offices_or_after_the_movement() -> None:
    state = sailing(offices={REVAL: [(1, "f")], TONSBERG: [(0, "o")]})
    check_refused(state, "nothing_to_load", "0 load f")
    check_refused(sailing(offices={REVAL: [(0, "")]}), "nothing_to_load", "0 load f")
    check_refused(table(offices={REVAL: [(0, "f")]}), "not_now", "0 load f")
    check_refused(sailing(offices={REVAL: [(0, "f")]}), "not_in_stock", "0 load ff")
