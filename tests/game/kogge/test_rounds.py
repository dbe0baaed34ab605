"""Phases 1 and 2: bids and their ranking, the pairs for sale, supply and the order of play; the
guild master's way, its goods, and the laps; and advanced rule A: taxes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from bot.game.events import GameEnded
from bot.game.kogge import GAME
from bot.game.kogge.auction import ExtraMarker, NoBid, PairsLaidOut, Supplied, SupplyShort, rank
from bot.game.kogge.guild_master import (
    Confiscated,
    GuildMasterBrought,
    LapCompleted,
    TaxPaid,
    TaxPaidSecretly,
)
from bot.game.kogge.offers import OfferLapsed
from bot.game.kogge.state import SECRET, GuildMaster
from tests.game.kogge.places import (
    ABO,
    DANZIG,
    HIDDEN,
    KOPENHAGEN,
    LUBECK,
    REVAL,
    RIGA,
    STOCKHOLM,
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
    play,
    refused,
    run,
    table,
    told,
    words,
)

bids = st.lists(st.integers(0, 8), min_size=1, max_size=6).map(
    lambda numbers: "".join(str(n) for n in sorted(numbers, reverse=True))
)


@given(bids, bids, st.integers(0, 8))
def test_the_ranking_is_a_strict_order_and_of_mixed_bids_the_greater_sum_is_better(
    one: str, other: str, number: int
) -> None:
    """Ruling 5."""
    assert (rank(one) == rank(other)) == (one == other)
    longer = "".join(sorted(one + str(number), reverse=True))
    if len(set(longer)) > 1 and (len(one) == 1 or len(set(one)) > 1):
        assert rank(longer) > rank(one)


def test_one_bid_is_better_than_another() -> None:
    """Ruling 5 over the examples of both texts."""
    for better, worse in (
        *(("22", "8"), ("11", "87654321"), ("5", "4")),
        *(("533", "8"), ("33", "533")),  # ruling 6: only identical markers make a set
        ("62", "53"),  # same sum: the highest marker
        ("531", "522"),  # then the next highest
        ("40", "4"),  # then more markers
    ):
        assert rank(better) > rank(worse), (better, worse)


def test_bids_are_made_in_order_of_play_of_own_markers_and_none_twice() -> None:
    """Ruling 3: whoever can bid must."""
    state = table(seats=3, hands=("5", "6", "7"), order=(2, 0, 1), asked="bid")
    assert asked(state) == [(2, "bid")]
    check_refused(state, "not_in_stock", "2 bid 6", "2 bid 77")
    check_refused(state, "too_few", "2 bid -")
    play(state, 2, "bid 7")
    assert asked(state) == [(0, "bid")]
    assert refused(state, 1, "bid 6").facts["other"] == 0
    # Ruling 4: a duplicate is the same markers.
    state = table(hands=("530", "530"), asked="bid")
    play(state, 0, "bid 53")
    refusal = refused(state, 1, "bid 53")
    assert (refusal.code, refusal.topic, refusal.facts["seat"]) == ("bid_taken", "auction", 0)
    play(state, 1, "bid 530")


def test_whoever_has_no_bid_to_make_is_passed_over_and_comes_last() -> None:
    """Without markers, or with none but those already bid."""
    for second in ("", "5"):
        state = table(seats=3, hands=("5", second, "6"), asked="bid")
        assert told(play(state, 0, "bid 5"), NoBid) == [NoBid(seat=1)]
        assert asked(state) == [(2, "bid")]
    state = table(hands=("5", "55"), asked="bid")
    play(state, 0, "bid 5")
    assert asked(state) == [(1, "bid")]
    play(state, 1, "bid 55")
    # Ruling 7: those without a bid come last as they stood.
    state = table(seats=4, hands=("", "3", "", "8"), order=(2, 1, 0, 3), at=1, asked="bid")
    run(state, "1 bid 3", "3 bid 8")
    assert state.order == [3, 1, 2, 0]
    state = table(order=(1, 0), at=1, hands=("o", "o"))
    events = play(state, 0, "end")
    assert told(events, NoBid) == [NoBid(seat=1), NoBid(seat=0)]
    assert isinstance(state.frames[-1], GuildMaster)
    assert state.order == [1, 0]
    assert told(events, Supplied) == []
    # Ruling 47: a bidder who deals her last marker away; another gets a new question.
    state = table(hands=("5", "o6"), ships=(REVAL, REVAL), asked="bid")
    before = GAME.pending(state)[0].id
    events = run(state, "0 offer 1 5 o", "1 accept 1")
    assert told(events, NoBid) == [NoBid(seat=0)]
    assert asked(state) == [(1, "bid")]
    assert GAME.pending(state)[0].id != before


def test_bids_go_back_to_the_bag_and_stay_in_sight() -> None:
    state = table(hands=("5", "6"), asked="bid")
    before = sum(state.bag)
    run(state, "0 bid 5", "1 bid 6")
    assert sum(state.bag) == before + 2
    assert state.bids == ["5", "6"]
    assert asked(state) == [(1, "advance")]


def test_each_office_gets_one_good_and_higher_cities_are_served_first() -> None:
    """Ruling 8; the pairs for sale bring none."""
    offices = {REVAL: [(0, ""), (1, "")]}
    state = table(hands=("33", "3330"), asked="bid", offices=offices, display=("66",))
    events = run(state, "0 bid 33", "1 bid 333")
    assert [office.goods for office in state.cities[REVAL].offices] == [goods("f")] * 2
    assert state.cities[REVAL].goods == goods("f" * 8)
    assert told(events, Supplied) == [Supplied(city=REVAL, good="fur", count=10, seats=(0, 1))]
    # Ruling 9: a city takes what is left.
    state = table(hands=("87", "0"), asked="bid", reserve="sssoo")
    run(state, "0 bid 87", "1 bid 0")
    assert state.cities[KOPENHAGEN].goods == goods("ss")
    assert state.cities[LUBECK].goods == goods("s")


def test_a_short_reserve_serves_offices_first_but_never_one_of_two() -> None:
    for offices, reserve, in_offices, in_city in (
        (1, "", 0, 0),
        (1, "a", 1, 0),  # ruling 10
        (2, "aa", 2, 0),
        (1, "aa", 1, 1),
        (0, "a", 0, 1),
    ):
        state = table(
            hands=("6", "0"),
            asked="bid",
            offices={STRALSUND: [(seat, "") for seat in range(offices)]},
            reserve=reserve + "ooff",
        )
        events = run(state, "0 bid 6", "1 bid 0")
        city = state.cities[STRALSUND]
        assert sum(sum(office.goods) for office in city.offices) == in_offices, (offices, reserve)
        assert city.goods == goods("a" * in_city), (offices, reserve)
        short = 2 - len(reserve)
        assert [event.count for event in told(events, SupplyShort)] == [short] * (short > 0)


def test_a_round_returns_what_was_not_sold_and_lays_out_four_pairs() -> None:
    """Difference 3: first return, then draw. Ruling 44: a short bag gives whole pairs only."""
    state = table(hands=("o5", "o6"), display=("87", "", "55", "10"), at=1)
    before = sum(state.bag)
    events = play(state, 1, "end")
    assert sum(state.bag) == before + 6 - 8
    assert len(state.display) == 4
    assert told(events, PairsLaidOut) == [PairsLaidOut(pairs=tuple(state.display))]
    assert state.round == 2
    for bag, pairs in (("", 0), ("5", 0), ("55", 1), ("5554444", 3), ("55554444", 4)):
        state = table(at=1, bag=bag)
        play(state, 1, "end")
        assert len(state.display) == pairs, bag


def test_the_marker_chit_draws_after_leftovers_return_and_before_pairs_are_laid_out() -> None:
    """Rulings 33, 36 and 44: in order of play, one marker for each chit."""
    chits = {0: ("marker",), 2: ("marker",)}
    state = table(seats=3, at=2, order=(2, 0, 1), chits=chits, display=("55",), bag="")
    drawn = [ExtraMarker(seat=2, marker=5), ExtraMarker(seat=0, marker=5)]
    assert told(play(state, 1, "end"), ExtraMarker) == drawn
    assert state.display == []
    state = table(at=1, chits={0: ("marker", "marker")})
    play(state, 1, "end")
    assert len(hand(state, 0)) == 2
    state = table(at=1, chits={0: ("marker",)}, bag="")
    assert told(play(state, 1, "end"), ExtraMarker) == []


def test_the_first_player_alone_moves_him_one_or_two_cities_in_ring_order() -> None:
    state = table(order=(1, 0), asked="advance", guild=STOCKHOLM)
    assert asked(state) == [(1, "advance")]
    assert words(state, 1, "advance") == ("1", "2")
    check_refused(state, "not_your_turn", "0 advance 1")
    check_refused(state, "not_a_choice", "1 advance 3")
    for start, steps, end in ((KOPENHAGEN, 1, TONSBERG), (LUBECK, 2, TONSBERG)):
        state = table(asked="advance", guild=start)
        play(state, 0, f"advance {steps}")
        assert state.guild_city == end, (start, steps)


def test_he_brings_two_goods_to_the_city_and_none_to_its_offices() -> None:
    """Ruling 14: or what the reserve still has."""
    state = table(asked="advance", guild=ABO, offices={REVAL: [(0, "")]})
    events = play(state, 0, "advance 1")
    assert state.cities[REVAL].goods == goods("ff")
    assert state.cities[REVAL].offices[0].goods == goods("")
    assert told(events, GuildMasterBrought) == [GuildMasterBrought(city=REVAL, good="fur", count=2)]
    assert asked(state) == [(0, "move")]
    for left in ("", "f"):
        state = table(asked="advance", guild=ABO, reserve=left)
        play(state, 0, "advance 1")
        assert state.cities[REVAL].goods == goods(left)


def test_cities_with_any_raid_are_skipped() -> None:
    """Ruling 11: whosever the Raid is; the city it is in never counts."""
    raids: Mapping[int, tuple[int, ...]]
    for raids, steps, end in (
        ({REVAL: (0,)}, 1, RIGA),
        ({REVAL: (0,), RIGA: (1,)}, 1, DANZIG),
        ({RIGA: (0,)}, 2, DANZIG),
        ({REVAL: (0,), DANZIG: (1,)}, 2, STRALSUND),
        ({ABO: (0,)}, 1, REVAL),
    ):
        state = table(asked="advance", guild=ABO, raids=raids)
        play(state, 0, f"advance {steps}")
        assert state.guild_city == end, (raids, steps)


def test_laps_are_counted_and_the_second_ends_the_game_at_once() -> None:
    """Ruling 15."""
    state = table(asked="advance", guild=STOCKHOLM, end=ABO)
    assert told(play(state, 0, "advance 1"), LapCompleted) == [LapCompleted(count=1)]
    assert state.laps == 1
    state = table(asked="advance", guild=ABO, end=ABO)
    play(state, 0, "advance 1")
    assert state.laps == 0
    # Ruling 13: before his goods. Ruling 12: also where he passes it in a raided city.
    raids: Mapping[int, tuple[int, ...]]
    for steps, raids, end in ((1, {}, ABO), (2, {}, REVAL), (1, {ABO: (1,)}, REVAL)):
        state = table(asked="advance", guild=STOCKHOLM, end=ABO, laps=1, raids=raids)
        events = play(state, 0, f"advance {steps}")
        assert told(events, GameEnded) == [GameEnded(ending="laps")], (steps, raids)
        assert told(events, GuildMasterBrought) == []
        assert state.cities[ABO].goods == goods("")
        assert state.guild_city == end
    # Ruling 58: with eight cities raided a step leads around to his own.
    raids = {number: (number // 2,) for number in range(8)}
    raided = partial(table, seats=4, asked="advance", guild=KOPENHAGEN, raids=raids)
    state = raided(second_raid=range(4))
    play(state, 0, "advance 1")
    assert (state.guild_city, state.laps) == (KOPENHAGEN, 1)
    assert state.cities[KOPENHAGEN].goods == goods("ss")
    events = play(raided(second_raid=range(4)), 0, "advance 2")
    assert told(events, GameEnded) == [GameEnded(ending="laps")]


TAXES = {"taxes": "on"}
HIDDEN_TAXES = {**TAXES, **HIDDEN}

before_taxes = partial(table, asked="advance", guild=ABO, options=TAXES)
"""The guild master is about to move, from the city before Reval."""


def test_each_ship_in_his_city_pays_one_good_of_its_owners_choice() -> None:
    """Ruling 48: nobody deals while taxes are chosen."""
    state = before_taxes(seats=3, ships=(REVAL, REVAL, RIGA), hands=("oa", "fss", "as"))
    reserve = state.reserve[:]
    play(state, 0, "advance 1")
    assert asked(state) == [(0, "tax"), (1, "tax")]
    assert words(state, 0, "tax") == ("a", "o")
    check_refused(state, "not_in_stock", "0 tax f")
    check_refused(state, "nothing_asked", "2 tax a")
    check_refused(state, "deals_closed", "0 offer 1 o f")
    assert "offer" not in kinds(state, 0)
    events = run(state, "0 tax a", "1 tax f")
    assert [hand(state, seat) for seat in range(3)] == ["o", "ss", "as"]
    # Two fur were brought, one came back.
    assert [n - m for n, m in zip(state.reserve, reserve, strict=True)] == [0, -1, 1, 0]
    assert told(events, TaxPaid) == [TaxPaid(seat=0, pieces="a"), TaxPaid(seat=1, pieces="f")]
    assert asked(state) == [(0, "move")]
    state = table(ships=(REVAL, REVAL), hands=("oa", "f"), asked="advance", guild=ABO)
    play(state, 0, "advance 1")
    assert asked(state) == [(0, "move")]
    assert hand(state, 1) == "f"
    state = before_taxes(ships=(RIGA, DANZIG), hands=("oa", "oa"), routes={RIGA: ("3", "5")})
    run(state, "0 advance 1", "0 sail left -")
    assert state.players[0].city == state.guild_city == REVAL
    assert hand(state, 0) == "oa"
    state = before_taxes(ships=(REVAL, REVAL), hands=("oa", "oa"), end=REVAL, laps=1)
    play(state, 0, "advance 1")
    assert asked(state) == []
    assert hand(state, 0) == "oa"


def test_with_open_goods_only_those_who_have_a_choice_are_asked() -> None:
    """One kind pays by itself, and an empty ship pays nothing (ruling 38)."""
    state = before_taxes(seats=4, ships=(REVAL,) * 4, hands=("", "oo", "oa", "s"))
    play(state, 0, "advance 1")
    assert asked(state) == [(2, "tax")]
    events = play(state, 2, "tax o")
    assert [hand(state, seat) for seat in range(3)] == ["", "o", "a"]
    assert len(told(events, TaxPaid)) == 4
    state = before_taxes(ships=(REVAL, RIGA), hands=("oo", "oa"))
    events = play(state, 0, "advance 1")
    assert told(events, TaxPaid) == [TaxPaid(seat=0, pieces="o")]
    assert asked(state) == [(0, "move")]
    play(before_taxes(hands=("oa", "oa")), 0, "advance 2")


def test_foreign_goods_in_the_city_go_to_the_reserve_but_not_those_in_offices() -> None:
    state = before_taxes(ships=(RIGA, DANZIG), city={REVAL: "ooffs"}, offices={REVAL: [(1, "oof")]})
    events = play(state, 0, "advance 1")
    assert state.cities[REVAL].goods == goods("ffff")
    assert state.cities[REVAL].offices[0].goods == goods("oof")
    assert told(events, Confiscated) == [Confiscated(city=REVAL, pieces="oos")]
    assert told(play(before_taxes(city={REVAL: "ff"}), 0, "advance 1"), Confiscated) == []


def test_ruling_65_the_guild_masters_goods_are_laid_before_taxes_are_paid() -> None:
    """So the last good of the reserve comes to the city, though a tax of that kind is paid, and
    a fur paid into an empty reserve is not brought to the city at once."""
    state = before_taxes(ships=(REVAL, REVAL), hands=("f", "f"), reserve="f")
    events = play(state, 0, "advance 1")
    told_of = [event.kind for event in events if event.kind != "guild_master_moved"]
    assert told_of == ["guild_master_brought", "tax_paid", "tax_paid"]
    assert told(events, GuildMasterBrought)[0].count == 1
    assert state.reserve[1] == 2
    state = before_taxes(ships=(REVAL, ABO), hands=("f",), reserve="o")
    play(state, 0, "advance 1")
    assert state.cities[REVAL].goods == goods("")
    assert state.reserve == goods("of")


def test_with_hidden_goods_every_ship_there_is_asked() -> None:
    """Ruling 60: also with one kind or none, so that the asking tells nothing."""
    ships, hands = (REVAL, REVAL, REVAL, RIGA), ("", "oo", "oa", "oa")
    state = before_taxes(seats=4, ships=ships, hands=hands, options=HIDDEN_TAXES)
    play(state, 0, "advance 1")
    assert asked(state) == [(0, "tax"), (1, "tax"), (2, "tax")]
    assert words(state, 0, "tax") == ("",)
    assert words(state, 1, "tax") == ("o",)
    events = run(state, "0 tax -", "2 tax a", "1 tax o")
    assert [hand(state, seat) for seat in range(3)] == ["", "o", "o"]
    heard = [event for event in events if event.heard_by(3)]
    assert told(heard, TaxPaid) == []
    assert told(heard, TaxPaidSecretly) == [TaxPaidSecretly(seats=(0, 1, 2), pieces="oa")]
    heard = [event for event in events if event.heard_by(1)]
    assert told(heard, TaxPaid) == [TaxPaid(seat=1, pieces="o")]


def test_a_tax_is_sealed_and_may_be_changed_until_the_last_one() -> None:
    for options in (TAXES, HIDDEN_TAXES):
        state = before_taxes(ships=(REVAL, REVAL), hands=("oa", "oa"), options=options)
        play(state, 0, "advance 1")
        question = {d.id for d in GAME.pending(state)}
        events = play(state, 0, "tax a")
        assert [event.only for event in events] == [(0,)]
        seen = [known(state, seat).frames[-1] for seat in (0, 1)]
        assert [frame.chosen[0] for frame in seen] == ["a", SECRET]  # type: ignore[union-attr]
        assert asked(state) == [(1, "tax")]
        assert {d.id for d in GAME.pending(state)} == question
        run(state, "0 tax o", "1 tax a")
        assert hand(state, 0) == "a"
        assert {d.id for d in GAME.pending(state)} != question


def test_a_good_on_offer_may_be_paid_and_the_offer_falls() -> None:
    """With hidden goods those of all who are taxed, whatever they promise: which of them falls
    would tell what was paid (ruling 61)."""
    state = before_taxes(ships=(REVAL, REVAL), hands=("oa", "o"))
    events = run(state, "0 offer 1 a o", "0 advance 1", "0 tax a")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1)]
    ships, hands = (REVAL,) * 3, ("oa", "of5", "s")
    state = before_taxes(seats=3, ships=ships, hands=hands, options=HIDDEN_TAXES)
    run(state, "0 offer 1 a o", "1 offer 2 5 s", "0 advance 1", "0 tax o", "1 tax f")
    events = play(state, 2, "tax s")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1), OfferLapsed(seat=1, other=2)]
    assert state.offers == []
