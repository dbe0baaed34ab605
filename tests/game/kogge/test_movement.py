"""Phase 3A: steps, fees, hidden routes, own Raids, the secret route, and loading."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bot.game.kogge import GAME
from bot.game.kogge.movement import RouteFailed
from bot.game.kogge.state import Acting
from tests.game.kogge.places import (
    ABO,
    DANZIG,
    ITALIAN,
    KOPENHAGEN,
    LUBECK,
    REVAL,
    RIGA,
    STRALSUND,
    TONSBERG,
)
from tests.game.kogge.positions import asked, goods, hand, kinds, play, refused, table, told, words


def test_a_ship_sails_where_the_routes_of_its_city_lead() -> None:
    """The text's example: from a city with 2 and 5 to Abo or Danzig, near or far."""
    for way, end in (("left", ABO), ("right", DANZIG)):
        state = table(asked="move", routes={REVAL: ("2", "5")})
        play(state, 0, f"sail {way} -")
        assert state.players[0].city == end


def test_the_first_step_is_free_and_each_further_one_costs_a_good_or_a_marker() -> None:
    state = table(asked="move", hands=("of5",))
    reserve, bag = state.reserve[0], state.bag[5]
    assert refused(state, 0, "sail left o").code == "wrong_fee"
    play(state, 0, "sail left -")
    assert refused(state, 0, "sail left -").facts == {"count": 1}
    play(state, 0, "sail left o")
    play(state, 0, "sail left 5")
    assert state.players[0].city == STRALSUND
    assert (state.reserve[0], state.bag[5]) == (reserve + 1, bag + 1)
    assert hand(state, 0) == "f"


def test_a_fee_is_paid_with_what_one_has() -> None:
    state = table(asked="move", hands=("o5",), steps=1)
    assert words(state, 0, "sail left") == ("5", "o")
    assert refused(state, 0, "sail left f").code == "not_in_stock"
    assert refused(state, 0, "sail left oo").facts == {"count": 1}


def test_without_a_good_or_a_marker_there_is_one_step() -> None:
    state = table(asked="move")
    play(state, 0, "sail left -")
    assert kinds(state, 0) == ("stop",)
    assert refused(state, 0, "sail left o").code == "cannot_pay_fee"


def test_a_ship_need_not_move() -> None:
    state = table(asked="move")
    play(state, 0, "stop")
    assert asked(state) == [(0, "act")]


def test_movement_comes_before_actions_and_never_after() -> None:
    state = table(asked="move", hands=("o",), display=("55",))
    assert refused(state, 0, "buy 1 ore").code == "not_now"
    play(state, 0, "stop")
    assert refused(state, 0, "sail left -").code == "not_now"


def test_a_ship_may_come_back_to_where_it_started() -> None:
    """Ruling 17."""
    state = table(asked="move", hands=("o",), routes={RIGA: ("3", "0")})
    play(state, 0, "sail left -")
    play(state, 0, "sail left o")
    play(state, 0, "stop")
    assert state.players[0].city == REVAL
    assert state.frames == [Acting(REVAL)]
    assert refused(state, 0, "trade o f").code == "trade_needs_move"


def test_a_ship_never_sails_into_its_own_raid() -> None:
    """Ruling and text: not even in passing."""
    state = table(asked="move", raids={RIGA: (0,)})
    assert words(state, 0, "sail") == ("right",)
    refusal = refused(state, 0, "sail left -")
    assert (refusal.code, refusal.topic, refusal.facts["city"]) == ("own_raid", "raid", RIGA)


def test_the_raid_of_another_bars_nobody_else() -> None:
    state = table(asked="move", raids={RIGA: (1,)})
    assert words(state, 0, "sail") == ("left", "right")


def test_a_ship_whose_routes_both_end_in_own_raids_stays() -> None:
    """Ruling 20."""
    state = table(asked="move", raids={RIGA: (0,), DANZIG: (0,)}, second_raid=(0,), hands=("oo",))
    assert kinds(state, 0) == ("stop",)
    assert refused(state, 0, "sail left -").code == "no_route_open"


# Hidden routes


def test_a_hidden_route_is_turned_up_only_when_it_is_taken_and_stays_so() -> None:
    state = table(asked="move", routes={REVAL: ("7?", "5")})
    assert GAME.view(state, 0).cities[REVAL].routes[0].marker is None
    play(state, 0, "sail left -")
    assert state.players[0].city == LUBECK
    route = GAME.view(state, 1).cities[REVAL].routes[0]
    assert (route.marker, route.hidden) == (LUBECK, False)


def fees_after_a_failed_try(options: Mapping[str, str]) -> tuple[str, ...]:
    """What the other route costs after a free try of a hidden one into an own Raid."""
    state = table(
        asked="move",
        hands=("oo",),
        routes={REVAL: ("7?", "5")},
        raids={LUBECK: (0,)},
        options=options,
    )
    events = play(state, 0, "sail left -")
    assert state.players[0].city == REVAL
    assert not state.cities[REVAL].routes[0].hidden
    assert told(events, RouteFailed) == [
        RouteFailed(seat=0, city=REVAL, marker=LUBECK, route="left", fee="")
    ]
    return words(state, 0, "sail right")


def test_a_useless_hidden_route_uses_up_a_step() -> None:
    """Difference 5: the next try is a further step and costs what that step costs."""
    assert fees_after_a_failed_try({}) == ("o",)
    assert fees_after_a_failed_try({"edition": "italian", "failed_route": "uses_step"}) == ("o",)


def test_a_useless_hidden_route_keeps_the_step_in_the_italian_text() -> None:
    """Difference 5."""
    assert fees_after_a_failed_try(ITALIAN) == ("",)
    assert fees_after_a_failed_try({"failed_route": "keeps_step"}) == ("",)


@pytest.mark.parametrize("options", [{}, ITALIAN])
def test_the_fee_of_a_useless_hidden_route_is_lost(options: dict[str, str]) -> None:
    """Difference 5, both texts."""
    state = table(
        asked="move",
        hands=("oo",),
        steps=1,
        routes={REVAL: ("7?", "5")},
        raids={LUBECK: (0,)},
        options=options,
    )
    play(state, 0, "sail left o")
    assert hand(state, 0) == "o"
    assert words(state, 0, "sail right") == ("o",)


def test_after_a_useless_hidden_route_the_next_step_is_free_by_chit() -> None:
    """Difference 5: free with the 2-spaces chit if it is the second."""
    state = table(
        asked="move",
        chits={0: ("spaces",)},
        routes={REVAL: ("7?", "5")},
        raids={LUBECK: (0,)},
    )
    play(state, 0, "sail left -")
    assert words(state, 0, "sail right") == ("",)


def test_after_a_useless_hidden_route_one_may_stop() -> None:
    """Ruling 19."""
    state = table(asked="move", routes={REVAL: ("7?", "5")}, raids={LUBECK: (0,)})
    play(state, 0, "sail left -")
    assert "stop" in kinds(state, 0)
    play(state, 0, "stop")
    assert asked(state) == [(0, "act")]


def test_a_hidden_route_may_be_taken_even_by_who_knows_it_fails() -> None:
    state = table(asked="move", routes={REVAL: ("7?0", "5")}, raids={LUBECK: (0,)})
    assert words(state, 0, "sail") == ("left", "right")


def test_when_both_routes_turn_out_useless_the_ship_stays() -> None:
    """Ruling 20."""
    state = table(
        asked="move",
        hands=("o",),
        routes={REVAL: ("7?", "5?")},
        raids={LUBECK: (0,), DANZIG: (0,)},
        second_raid=(0,),
    )
    play(state, 0, "sail left -")
    play(state, 0, "sail right o")
    assert kinds(state, 0) == ("stop",)


# Chits


def test_the_spaces_chit_frees_the_second_step_alone() -> None:
    state = table(asked="move", hands=("oo",), chits={0: ("spaces",)})
    play(state, 0, "sail left -")
    play(state, 0, "sail left -")
    assert refused(state, 0, "sail left -").facts == {"count": 1}
    play(state, 0, "sail left o")
    assert state.players[0].city == STRALSUND


def test_two_spaces_chits_free_no_third_step() -> None:
    """Ruling 33: of two alike, only the extra markers add up."""
    state = table(asked="move", hands=("o",), chits={0: ("spaces", "spaces")}, steps=2)
    assert refused(state, 0, "sail left -").facts == {"count": 1}


@pytest.mark.parametrize(("steps", "fee"), [(0, 1), (1, 2), (2, 2)])
def test_the_secret_route_costs_one_more(steps: int, fee: int) -> None:
    """Difference 26: one extra, two in all from the second step on."""
    state = table(asked="move", hands=("of",), chits={0: ("secret",)}, steps=steps)
    assert refused(state, 0, "sail secret -").facts == {"count": fee}
    play(state, 0, "sail secret " + "of"[:fee])
    assert state.players[0].city == KOPENHAGEN


@pytest.mark.parametrize(("steps", "fee"), [(1, 1), (2, 2)])
def test_the_spaces_chit_leaves_the_secret_routes_extra_fee(steps: int, fee: int) -> None:
    """Ruling 35."""
    state = table(asked="move", hands=("of",), chits={0: ("secret", "spaces")}, steps=steps)
    assert refused(state, 0, "sail secret -").facts == {"count": fee}


def test_the_secret_route_leads_nowhere_from_the_guild_masters_city() -> None:
    """Ruling 34."""
    state = table(asked="move", hands=("of",), chits={0: ("secret",)}, guild=REVAL)
    assert refused(state, 0, "sail secret o").code == "secret_at_guild_master"


def test_the_secret_route_needs_its_chit() -> None:
    state = table(asked="move", hands=("of",))
    assert refused(state, 0, "sail secret o").code == "secret_needs_chit"


def test_the_secret_route_never_leads_into_an_own_raid() -> None:
    state = table(asked="move", hands=("o",), chits={0: ("secret",)}, raids={KOPENHAGEN: (0,)})
    assert refused(state, 0, "sail secret o").code == "own_raid"


def test_the_secret_route_may_be_all_that_is_left() -> None:
    state = table(
        asked="move",
        hands=("o",),
        chits={0: ("secret",)},
        raids={RIGA: (0,), DANZIG: (0,)},
        second_raid=(0,),
    )
    assert words(state, 0, "sail") == ("secret",)


def test_who_cannot_pay_for_the_only_way_is_told_its_price() -> None:
    state = table(
        asked="move",
        hands=("o",),
        steps=1,
        chits={0: ("secret",)},
        raids={RIGA: (0,), DANZIG: (0,)},
        second_raid=(0,),
    )
    refusal = refused(state, 0, "sail secret o")
    assert (refusal.code, refusal.facts) == ("cannot_pay_fee", {"count": 2})


# Loading


def test_goods_are_loaded_from_own_offices_in_part_or_whole() -> None:
    state = table(asked="move", offices={REVAL: [(0, "ff"), (1, "f")]})
    assert words(state, 0, "load") == ("f", "ff")
    play(state, 0, "load f")
    play(state, 0, "load f")
    assert hand(state, 0) == "ff"
    assert [office.goods for office in state.cities[REVAL].offices] == [goods(""), goods("f")]


def test_two_own_offices_in_a_city_are_loaded_as_one() -> None:
    state = table(asked="move", offices={REVAL: [(0, "f"), (0, "ff")]})
    play(state, 0, "load fff")
    assert hand(state, 0) == "fff"


def test_goods_are_loaded_at_the_start_in_passing_and_without_moving() -> None:
    """Difference 8 and ruling 16."""
    state = table(asked="move", offices={REVAL: [(0, "f")], RIGA: [(0, "ff")]})
    play(state, 0, "load f")
    play(state, 0, "sail left -")
    play(state, 0, "load ff")
    play(state, 0, "sail left f")
    assert hand(state, 0) == "ff"


def test_a_fee_may_be_paid_with_goods_just_loaded() -> None:
    """Ruling 18."""
    state = table(asked="move", steps=1, offices={REVAL: [(0, "f")]})
    assert "sail" not in kinds(state, 0)
    play(state, 0, "load f")
    play(state, 0, "sail left f")
    assert state.players[0].city == RIGA


def test_nothing_is_loaded_from_others_from_empty_offices_or_after_the_movement() -> None:
    state = table(asked="move", offices={REVAL: [(1, "f")], TONSBERG: [(0, "o")]})
    assert refused(state, 0, "load f").code == "nothing_to_load"
    state = table(asked="move", offices={REVAL: [(0, "")]})
    assert refused(state, 0, "load f").code == "nothing_to_load"
    state = table(offices={REVAL: [(0, "f")]})
    assert refused(state, 0, "load f").code == "not_now"


def test_no_more_is_loaded_than_lies_there() -> None:
    state = table(asked="move", offices={REVAL: [(0, "f")]})
    assert refused(state, 0, "load ff").code == "not_in_stock"
