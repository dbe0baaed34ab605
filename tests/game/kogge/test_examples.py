"""Every worked example of the English (EN) and the Italian (IT) rule text."""

from __future__ import annotations

from bot.game.chance import RecordedChance
from bot.game.kogge import GAME
from bot.game.kogge.auction import Supplied, rank
from bot.game.kogge.data import CITY_NAMES, CONTENT
from bot.game.kogge.state import KoggeState
from tests.game.kogge.places import ABO, DANZIG, ITALIAN, LUBECK, REVAL, RIGA, STOCKHOLM, STRALSUND
from tests.game.kogge.positions import (
    asked,
    check_refused,
    goods,
    hand,
    markers,
    play,
    refused,
    run,
    table,
    told,
    words,
)

NEW_TABLE = [0, *range(1, 9), 0, *((number + 2) % 9 for number in range(9))]
"""The guild master at 0, first routes 1..8 and 0, second routes two further on."""


def test_reval_is_number_three_and_produces_fur_and_riga_begins_with_three_fur() -> None:
    """EN and IT, the board and set-up."""
    assert (CITY_NAMES[REVAL], CONTENT.cities[REVAL].good) == ("Reval", "fur")
    state = GAME.setup(2, {}, RecordedChance(NEW_TABLE))
    assert (CITY_NAMES[RIGA], state.cities[RIGA].goods) == ("Riga", goods("fff"))


def test_founding_three_of_one_choice_take_back_their_markers_and_choose_another() -> None:
    """EN and IT, start position."""
    state = GAME.setup(3, {}, RecordedChance(NEW_TABLE))
    run(state, "0 found 4", "1 found 4", "2 found 4")
    assert [hand(state, seat) for seat in range(3)] == ["oof876543210"] * 3
    check_refused(state, "city_barred", "0 found 4", "1 found 4")
    run(state, "0 found 7", "1 found 1", "2 found 3")
    # The lowest city moves first; each has eight markers left.
    assert state.order == [1, 2, 0]
    assert [len(hand(state, seat)) for seat in range(3)] == [3 + 8] * 3


def test_duplicate_bids_a_single_5_bars_another_5_but_not_5_and_0_or_3_and_2() -> None:
    """EN and IT, the auction."""
    for bid in ("50", "32"):
        state = table(hands=("5", "5032"), asked="bid")
        play(state, 0, "bid 5")
        check_refused(state, "bid_taken", "1 bid 5")
        play(state, 1, f"bid {bid}")


def test_supply_with_two_3s_three_4s_and_a_6() -> None:
    """EN and IT, supplies: a green office in 3, a red and a yellow one in 6."""
    offices = {REVAL: [(0, "")], STRALSUND: [(1, ""), (2, "")]}
    state = table(seats=3, hands=("33", "444", "6"), offices=offices, asked="bid")
    run(state, "0 bid 33", "1 bid 444", "2 bid 6")
    assert state.cities[STRALSUND].goods == goods("")
    assert [office.goods for office in state.cities[STRALSUND].offices] == [goods("a")] * 2
    assert state.cities[RIGA].goods == goods("ffffff")
    assert state.cities[REVAL].goods == goods("fff")
    assert [office.goods for office in state.cities[REVAL].offices] == [goods("f")]


def test_supply_of_one_good_for_two_offices_goes_to_the_city() -> None:
    """EN and IT, supplies."""
    offices = {STRALSUND: [(0, ""), (1, "")]}
    state = table(hands=("6", "0"), offices=offices, reserve="aoo", asked="bid")
    run(state, "0 bid 6", "1 bid 0")
    assert state.cities[STRALSUND].goods == goods("a")
    assert [office.goods for office in state.cities[STRALSUND].offices] == [goods("")] * 2


def test_two_0s_beat_an_8_and_a_7_with_a_5_two_3s_beat_two_2s_and_three_equal_beat_two() -> None:
    """EN and IT, order of play."""
    assert rank("00") > rank("8")
    assert rank("00") > rank("75")
    # EN and IT, order of play.
    assert rank("33") > rank("22")
    assert rank("000") > rank("88")


def test_3_and_4_lose_to_7_and_win_against_6_and_4_and_0_are_worth_more_than_a_4() -> None:
    """EN (the first half) and IT (both halves); difference 10."""
    assert rank("7") > rank("43") > rank("6")
    assert rank("40") > rank("4")


def test_a_0_is_better_than_no_bid() -> None:
    """EN and IT, order of play; difference 11."""
    state = table(hands=("", "0"), asked="bid", at=1)
    play(state, 1, "bid 0")
    assert state.order == [1, 0]


def test_the_auction_of_7_and_43_and_4_and_22() -> None:
    """EN and IT: D is first, then A, B and C, and four cities are supplied."""
    state = table(seats=4, hands=("7", "43", "4", "22"), asked="bid")
    events = run(state, "0 bid 7", "1 bid 43", "2 bid 4", "3 bid 22")
    assert state.order == [3, 0, 1, 2]
    assert state.cities[LUBECK].goods == goods("ss")
    assert state.cities[RIGA].goods == goods("ffff")
    assert state.cities[REVAL].goods == goods("ff")
    assert state.cities[ABO].goods == goods("oooo")
    assert [event.city for event in told(events, Supplied)] == [LUBECK, RIGA, REVAL, ABO]


def test_the_guild_master_walks_from_stockholm_to_abo_to_reval() -> None:
    """EN and IT, guild master phase: over land, in ring order."""
    for steps, end in ((1, ABO), (2, REVAL)):
        state = table(guild=STOCKHOLM, asked="advance")
        play(state, 0, f"advance {steps}")
        assert state.guild_city == end


def test_from_a_city_with_2_and_5_a_ship_sails_to_abo_or_danzig() -> None:
    """EN and IT, movement: near or far."""
    for way, end in (("left", ABO), ("right", DANZIG)):
        state = table(ships=(LUBECK, REVAL), routes={LUBECK: ("2", "5")}, asked="move")
        play(state, 0, f"sail {way} -")
        assert state.players[0].city == end


def red_at_stralsund() -> KoggeState:
    """Red's ship in Stralsund, an office with two goods in Reval, a Raid in Riga."""
    state = table(
        ships=(STRALSUND, LUBECK),
        hands=("oo",),
        routes={STRALSUND: ("3", "7"), REVAL: ("4", "6?")},
        offices={REVAL: [(0, "ff")]},
        raids={RIGA: (0,)},
        asked="move",
    )
    assert words(state, 0, "sail") == ("left", "right")
    play(state, 0, "sail left -")
    assert state.players[0].city == REVAL
    play(state, 0, "load ff")
    assert hand(state, 0) == "ooff"
    # Riga is barred by the own Raid: only the hidden route is left, for a fee.
    assert words(state, 0, "sail") == ("right",)
    assert refused(state, 0, "sail right -").facts == {"count": 1}
    play(state, 0, "sail right o")
    assert state.players[0].city == STRALSUND
    assert not state.cities[REVAL].routes[1].hidden
    return state


def test_the_movement_example_ending_in_lubeck_or_in_stralsund() -> None:
    """EN: a second payment takes Red on."""
    state = red_at_stralsund()
    play(state, 0, "sail right f")
    assert state.players[0].city == LUBECK
    assert hand(state, 0) == "of"
    # IT: Red could pay on, and need not; difference 6.
    state = red_at_stralsund()
    assert words(state, 0, "sail") == ("left", "right")
    play(state, 0, "stop")
    assert asked(state) == [(0, "act")]


def test_an_office_in_riga_costs_salt_ore_amber_and_a_4_or_in_italian_one_of_both() -> None:
    """EN and IT, building; difference 1."""
    for held, line, options, left in (
        ("oas4", "build both", {}, ""),
        ("oas4", "build goods", ITALIAN, "4"),
        ("oas4", "build markers", ITALIAN, "oas"),
    ):
        state = table(ships=(RIGA, LUBECK), hands=(held,), options=options)
        play(state, 0, line)
        assert hand(state, 0) == left, line


def test_one_ore_buys_a_2_and_one_amber_a_6_three_4s_the_second_raid_and_six_ore_a_chit() -> None:
    """EN, the guild master; difference 14."""
    for good, marker in (("ore", 2), ("amber", 6)):
        state = table(hands=("oa",), guild=REVAL)
        play(state, 0, f"swap_good {good} {marker}")
        assert state.players[0].markers == markers(str(marker))
    # EN and IT, the guild master.
    state = table(hands=("444",), guild=REVAL)
    play(state, 0, "buy_raid 4")
    assert state.players[0].raids == 2
    state = table(hands=("oooooo",), guild=REVAL)
    play(state, 0, "sell_six ore three")
    assert state.players[0].chits == [1, 0, 0, 0]


def test_green_may_trade_in_reval_and_trades_two_salt_for_four_ore() -> None:
    """EN and IT: six ore and two salt lie there, Green comes with four salt, two fur and an amber.
    The four trades that the example lists, one that it bars, and (EN, difference 18) its result."""
    state = table(hands=("ffassss",), city={REVAL: "oooooo" + "ss"})
    refusal = refused(state, 0, "trade s ss")
    assert (refusal.code, refusal.topic) == ("trade_for_itself", "trade")
    for give, take, cargo, lying in (
        ("ffs", "oooooo", "ooooooasss", "ffsss"),
        ("ff", "ooos", "oooasssss", "oooffs"),
        ("a", "os", "offsssss", "oooooas"),
        ("as", "oooo", "ooooffsss", "ooasss"),
        ("ss", "oooo", "ooooffass", "oossss"),
    ):
        state = table(hands=("ffassss",), city={REVAL: "oooooo" + "ss"})
        play(state, 0, f"trade {give} {take}")
        assert (hand(state, 0), state.cities[REVAL].goods) == (cargo, goods(lying)), give


def test_one_for_one_where_a_single_good_is_left_and_three_for_one_by_chit() -> None:
    """EN and IT, trade."""
    state = table(hands=("ss",), city={REVAL: "f"})
    play(state, 0, "trade s f")
    assert hand(state, 0) == "fs"
    # EN and IT, the 3:1 chit.
    for give, take in (("a", "off"), ("oa", "ffffff")):
        state = table(hands=(give,), city={REVAL: take}, chits={0: ("three",)})
        play(state, 0, f"trade {give} {take}")
        assert hand(state, 0) == take


def test_yellow_lays_a_hidden_5_over_the_7_of_reval() -> None:
    """EN, changing routes; difference 19."""
    state = table(hands=("5",), routes={REVAL: ("7", "4")})
    play(state, 0, "reroute left 5")
    assert hand(state, 0) == "7"
    routes = [(route.marker, route.hidden) for route in state.cities[REVAL].routes]
    assert routes == [(DANZIG, True), (RIGA, False)]


def test_a_promise_may_be_paid_for() -> None:
    """EN, trade among players: for moving the guild master on, or leaving a route alone.

    Ruling 39: what was promised for it is not enforced.
    """
    state = table(ships=(REVAL, REVAL), hands=("o", ""), asked="advance", order=(1, 0))
    run(state, "0 offer 1 o -", "1 accept 1")
    assert hand(state, 1) == "o"
    assert asked(state) == [(1, "advance")]
