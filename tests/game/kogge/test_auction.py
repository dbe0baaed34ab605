"""Phase 1: bids and their ranking, the pairs for sale, supply and the order of play."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.game.kogge import GAME
from bot.game.kogge.auction import ExtraMarker, NoBid, PairsLaidOut, Supplied, SupplyShort, rank
from bot.game.kogge.state import GuildMaster
from tests.game.kogge.places import HIDDEN, KOPENHAGEN, LUBECK, REVAL, STRALSUND
from tests.game.kogge.positions import (
    asked,
    check_refused,
    goods,
    hand,
    play,
    refused,
    run,
    table,
    told,
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
    # Ruling 7.
    state = table(seats=4, hands=("", "3", "", "8"), order=(2, 1, 0, 3), at=1, asked="bid")
    run(state, "1 bid 3", "3 bid 8")
    assert state.order == [3, 1, 2, 0]
    state = table(order=(1, 0), at=1, hands=("o", "o"))
    events = play(state, 0, "end")
    assert told(events, NoBid) == [NoBid(seat=1), NoBid(seat=0)]
    assert isinstance(state.frames[-1], GuildMaster)
    assert state.order == [1, 0]
    assert told(events, Supplied) == []
    # Ruling 47; whoever is asked instead gets a new question.
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
        (2, "a", 0, 1),  # both texts; ruling 9
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
    state = table(at=1, chits={0: ("marker",)}, options=HIDDEN)
    events = play(state, 1, "end")
    assert [event.only for event in events if event.kind == "extra_marker"] == [(0,)]
    assert [event.but for event in events if event.kind == "extra_marker_secretly"] == [(0,)]
