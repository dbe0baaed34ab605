"""Phase 3B: offices, the guild master's deals, pairs, and new routes."""

from __future__ import annotations

import pytest

from bot.game.kogge import GAME
from tests.game.kogge.positions import (
    ABO,
    ITALIAN,
    LUBECK,
    REVAL,
    RIGA,
    STRALSUND,
    asked,
    facts,
    goods,
    hand,
    kinds,
    play,
    refused,
    table,
    words,
)

SIX_ORE = "oooooo"


def test_each_action_may_be_taken_once_a_turn_in_any_order() -> None:
    """Difference 2."""
    state = table(
        ships=(REVAL, LUBECK),
        hands=("ooooass33355",),
        guild=REVAL,
        display=("44", "66"),
        city={REVAL: "ff"},
        start=LUBECK,
    )
    once = {
        "reroute left 5": "reroute",
        "buy 1 ore": "buy",
        "build both": "build",
        "trade o f": "trade",
        "swap_marker 5": "guild_deals",
    }
    for line, topic in once.items():
        play(state, 0, line)
        refusal = refused(state, 0, line)
        assert refusal.code == "already_done"
        assert refusal.topic == (
            "office" if line.startswith("build") else topic.replace("buy", "buying")
        )
    assert kinds(state, 0) == ("raid_city", "end")


def test_a_turn_may_end_without_any_action() -> None:
    state = table()
    events = play(state, 0, "end")
    assert facts(events, "turn_ended") == [{"seat": 0}]
    assert asked(state) == [(1, "move")]


# a) Offices


def test_an_office_costs_one_of_each_other_good_and_the_citys_marker() -> None:
    """Difference 1, ruling 1: goods and marker."""
    state = table(hands=("oass3",))
    reserve, bag = state.reserve[:], state.bag[REVAL]
    events = play(state, 0, "build both")
    assert hand(state, 0) == "s"
    assert [office.seat for office in state.cities[REVAL].offices] == [0]
    assert [now - then for now, then in zip(state.reserve, reserve, strict=True)] == goods("oas")
    assert state.bag[REVAL] == bag + 1
    assert facts(events, "built") == [{"seat": 0, "city": REVAL, "pieces": "oas3", "points": 1}]


@pytest.mark.parametrize(
    ("held", "code", "fact"),
    [
        ("oafs", "needs_markers", {"city": REVAL, "count": 1, "marker": REVAL}),
        ("oa3", "needs_goods", {"city": REVAL, "pieces": "s"}),
        ("f3", "needs_goods", {"city": REVAL, "pieces": "oas"}),
    ],
)
def test_who_lacks_goods_or_marker_cannot_build(
    held: str, code: str, fact: dict[str, object]
) -> None:
    refusal = refused(table(hands=(held,)), 0, "build both")
    assert (refusal.code, refusal.topic, refusal.facts) == (code, "office", fact)


@pytest.mark.parametrize("owner", [0, 1])
def test_the_second_office_costs_two_markers_whoever_owns_the_first(owner: int) -> None:
    """Ruling 2: it may be one's own."""
    offices = {REVAL: [(owner, "")]}
    refusal = refused(table(hands=("oas3",), offices=offices), 0, "build both")
    assert refusal.facts == {"city": REVAL, "count": 2, "marker": REVAL}
    state = table(hands=("oas33",), offices=offices)
    play(state, 0, "build both")
    assert [office.seat for office in state.cities[REVAL].offices] == [owner, 0]
    assert hand(state, 0) == ""


def test_no_city_has_a_third_office() -> None:
    state = table(hands=("oas33333",), offices={REVAL: [(0, ""), (1, "")]})
    assert refused(state, 0, "build both").code == "city_full"


def test_an_office_costs_goods_or_markers_by_the_italian_text() -> None:
    """Difference 1."""
    for line, left in (("build goods", "3"), ("build markers", "oas")):
        state = table(hands=("oas3",), options=ITALIAN)
        play(state, 0, line)
        assert hand(state, 0) == left


def test_by_the_italian_text_only_what_one_can_pay_is_offered() -> None:
    state = table(hands=("oa33",), offices={REVAL: [(1, "")]}, options={"office_price": "either"})
    assert words(state, 0, "build") == ("markers",)
    assert refused(state, 0, "build goods").code == "needs_goods"
    assert refused(state, 0, "build both").code == "not_a_choice"
    state = table(hands=("oas3",), offices={REVAL: [(1, "")]}, options={"office_price": "either"})
    assert words(state, 0, "build") == ("goods",)
    assert refused(state, 0, "build markers").facts["count"] == 2


def test_by_the_italian_text_who_has_neither_is_told_both_prices() -> None:
    refusal = refused(table(hands=("oa",), options=ITALIAN), 0, "build goods")
    assert refusal.code == "needs_either"
    assert refusal.facts == {"city": REVAL, "pieces": "s", "count": 1, "marker": REVAL}


# b) The guild master


@pytest.mark.parametrize(
    "line", ["buy_raid 5", "sell_six ore three", "swap_good ore 2", "swap_marker 5"]
)
def test_the_guild_master_deals_only_where_he_is(line: str) -> None:
    """Difference 13."""
    state = table(hands=(SIX_ORE + "555",), guild=LUBECK)
    refusal = refused(state, 0, line)
    assert (refusal.code, refusal.facts) == ("no_guild_master", {"city": LUBECK})


def test_there_is_one_deal_a_turn_with_the_guild_master() -> None:
    """Ruling 22."""
    state = table(hands=(SIX_ORE + "f5552",), guild=REVAL)
    play(state, 0, "swap_marker 2")
    for line in ("buy_raid 5", "sell_six ore three", "swap_good ore 2", "swap_marker 5"):
        assert refused(state, 0, line).code == "already_done"


def test_three_equal_markers_buy_the_second_raid_once() -> None:
    state = table(hands=("5555552",), guild=REVAL)
    assert words(state, 0, "buy_raid") == ("5",)
    assert refused(state, 0, "buy_raid 2").code == "needs_three_alike"
    events = play(state, 0, "buy_raid 5")
    assert (state.players[0].raids, hand(state, 0)) == (2, "5552")
    assert facts(events, "raid_marker_bought") == [{"seat": 0, "pieces": "555"}]
    state.frames[-1].used.clear()  # type: ignore[union-attr]
    assert refused(state, 0, "buy_raid 5").code == "raid_already_bought"


def test_a_raid_costs_three_of_one_number() -> None:
    assert refused(table(hands=("5544",), guild=REVAL), 0, "buy_raid 5").code == "needs_three_alike"


@pytest.mark.parametrize(
    ("letter", "good"), [("o", "ore"), ("f", "fur"), ("a", "amber"), ("s", "salt")]
)
def test_six_equal_goods_buy_a_chit_of_choice(letter: str, good: str) -> None:
    state = table(hands=(letter * 7,), guild=REVAL)
    events = play(state, 0, f"sell_six {good} spaces")
    assert hand(state, 0) == letter
    assert GAME.view(state, 1).seats[0].chits == ("spaces",)
    assert GAME.view(state, 1).seats[0].development_points == 1
    assert facts(events, "chit_bought") == [
        {"seat": 0, "chit": "spaces", "pieces": letter * 6, "points": 1}
    ]


def test_a_chit_costs_six_of_one_good() -> None:
    state = table(hands=("ooooofffff",), guild=REVAL)
    assert refused(state, 0, "sell_six ore three").code == "needs_six_alike"
    state = table(hands=("oooooof",), guild=REVAL)
    assert refused(state, 0, "sell_six fur three").code == "needs_six_alike"


def test_of_each_chit_there_are_two_and_one_may_own_both() -> None:
    """Ruling 33."""
    state = table(hands=(SIX_ORE,), guild=REVAL, chits={0: ("three",), 1: ("secret", "secret")})
    assert words(state, 0, "sell_six ore") == ("three", "marker", "spaces")
    refusal = refused(state, 0, "sell_six ore secret")
    assert (refusal.code, refusal.facts) == ("chits_gone", {"chit": "secret"})
    play(state, 0, "sell_six ore three")
    assert GAME.view(state, 0).seats[0].chits == ("three", "three")


def test_when_all_chits_are_sold_nobody_can_sell_six() -> None:
    state = table(
        seats=4,
        hands=(SIX_ORE,),
        guild=REVAL,
        chits={
            1: ("three", "three"),
            2: ("marker", "marker", "spaces"),
            3: ("spaces", "secret", "secret"),
        },
    )
    assert "sell_six" not in kinds(state, 0)
    assert refused(state, 0, "sell_six ore three").code == "all_chits_gone"


def test_a_good_is_exchanged_for_a_marker_of_its_colour_of_choice() -> None:
    """Difference 14; ruling 45: the buyer sees the numbers that the bag holds."""
    state = table(hands=("of",), guild=REVAL, bag="2203")
    assert words(state, 0, "swap_good") == ("ore", "fur")
    assert words(state, 0, "swap_good ore") == ("0", "2")
    assert refused(state, 0, "swap_good ore 1").code == "bag_lacks_marker"
    assert refused(state, 0, "swap_good ore 3").code == "wrong_colour"
    for line in ("swap_good ore 9", "swap_good ore x", "swap_good 2 2", "swap_good salt 8"):
        assert refused(state, 0, line).code == "not_a_choice"
    events = play(state, 0, "swap_good ore 2")
    assert hand(state, 0) == "f2"
    assert state.bag[2] == 1
    assert facts(events, "good_exchanged") == [{"seat": 0, "good": "ore", "marker": 2}]


def test_the_pairs_for_sale_are_not_in_the_bag() -> None:
    """Ruling 45."""
    state = table(hands=("f",), guild=REVAL, bag="3", display=("44",))
    assert words(state, 0, "swap_good fur") == ("3",)


def test_no_good_is_exchanged_where_the_bag_lacks_its_colour() -> None:
    """Difference 15."""
    state = table(hands=("fa",), guild=REVAL, bag="3")
    assert words(state, 0, "swap_good") == ("fur",)
    assert refused(state, 0, "swap_good amber 5").facts == {"good": "amber"}
    state = table(hands=("a",), guild=REVAL, bag="3")
    assert refused(state, 0, "swap_good amber 5").code == "bag_short"
    state = table(guild=REVAL)
    assert refused(state, 0, "swap_good ore 2").code == "nothing_to_pay"


def test_a_marker_is_exchanged_for_a_good_of_its_colour() -> None:
    state = table(hands=("84",), guild=REVAL)
    events = play(state, 0, "swap_marker 8")
    assert hand(state, 0) == "s4"
    assert facts(events, "marker_exchanged") == [{"seat": 0, "marker": 8, "good": "salt"}]


def test_no_marker_is_exchanged_where_the_reserve_lacks_its_good() -> None:
    """Difference 15."""
    state = table(hands=("84",), guild=REVAL, reserve="f")
    assert words(state, 0, "swap_marker") == ("4",)
    assert refused(state, 0, "swap_marker 8").facts == {"good": "salt"}
    assert refused(state, 0, "swap_marker 3").code == "not_a_choice"
    state = table(hands=("8",), guild=REVAL, reserve="f")
    assert refused(state, 0, "swap_marker 8").code == "reserve_short"
    assert refused(table(guild=REVAL), 0, "swap_marker 8").code == "no_markers"


# c) Pairs of markers


def test_one_good_of_any_kind_buys_one_pair_of_choice() -> None:
    """Difference 39."""
    state = table(hands=("os",), display=("87", "55", "40", "21"))
    events = play(state, 0, "buy 3 salt")
    assert hand(state, 0) == "o40"
    assert state.display == ["87", "55", "", "21"]
    assert facts(events, "pair_bought") == [{"seat": 0, "pieces": "40", "good": "salt"}]


def test_later_players_find_fewer_pairs() -> None:
    state = table(hands=("o",), display=("", "87", "40", ""))
    assert words(state, 0, "buy") == ("2", "3")
    for pair in (1, 4):
        refusal = refused(state, 0, f"buy {pair} ore")
        assert (refusal.code, refusal.facts) == ("pair_sold", {"count": pair})
    assert refused(state, 0, "buy 0 ore").code == "not_a_choice"
    assert refused(state, 0, "buy 5 ore").code == "not_a_choice"
    assert refused(state, 0, "buy 2 fur").code == "not_a_choice"
    assert refused(table(hands=("o",), display=("", "")), 0, "buy 1 ore").code == "pairs_gone"


def test_a_pair_is_paid_with_a_good_and_no_marker() -> None:
    assert refused(table(hands=("5",), display=("87",)), 0, "buy 1 ore").code == "nothing_to_pay"


# e) Routes


def test_a_route_is_exchanged_for_an_own_marker_laid_face_down() -> None:
    state = table(hands=("5",), routes={REVAL: ("7", "4")})
    events = play(state, 0, "reroute left 5")
    assert hand(state, 0) == "7"
    mine = GAME.view(state, 0).cities[REVAL].routes[0]
    theirs = GAME.view(state, 1).cities[REVAL].routes[0]
    assert (mine.marker, mine.hidden) == (5, True)
    assert (theirs.marker, theirs.hidden) == (None, True)
    assert facts(events, "rerouted") == [{"seat": 0, "city": REVAL, "route": "left", "marker": 7}]
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


def test_actions_happen_where_the_ship_ended_its_movement() -> None:
    """Difference 40."""
    state = table(asked="move", hands=("oas",), offices={STRALSUND: [(0, "")], ABO: [(0, "")]})
    play(state, 0, "sail left -")
    play(state, 0, "stop")
    assert refused(state, 0, "build both").facts["city"] == RIGA
