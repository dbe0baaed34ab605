"""Phase 1: bids and their ranking, the pairs for sale, supply and the order of play."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.kogge import GAME
from bot.game.kogge.auction import ExtraMarker, NoBid, PairsLaidOut, Supplied, SupplyShort, rank
from bot.game.kogge.state import GuildMaster
from tests.game.kogge.places import HIDDEN, KOPENHAGEN, LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import asked, goods, hand, play, refused, table, told

bids = st.lists(st.integers(0, 8), min_size=1, max_size=6).map(
    lambda numbers: "".join(str(n) for n in sorted(numbers, reverse=True))
)


@given(bids, bids)
def test_two_bids_are_never_equally_good_unless_they_are_the_same(one: str, other: str) -> None:
    """Ruling 5: the ranking is a strict order."""
    assert (rank(one) == rank(other)) == (one == other)


@given(bids, st.integers(0, 8))
def test_of_bids_that_are_not_alike_the_greater_sum_is_better(bid: str, number: int) -> None:
    longer = "".join(sorted(bid + str(number), reverse=True))
    if len(set(longer)) > 1 and (len(bid) == 1 or len(set(bid)) > 1):
        assert rank(longer) > rank(bid)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("22", "8"),
        ("00", "8"),
        ("000", "88"),
        ("33", "22"),
        ("11", "87654321"),
        ("533", "8"),  # ruling 6: only identical markers make a set
        ("33", "533"),
        ("43", "6"),
        ("7", "43"),
        ("62", "53"),  # same sum: the highest marker
        ("531", "522"),  # then the next highest
        ("40", "4"),  # then more markers
        ("5", "4"),
    ],
)
def test_one_bid_is_better_than_another(better: str, worse: str) -> None:
    """Ruling 5 over the examples of both texts."""
    assert rank(better) > rank(worse)


def test_bids_are_made_in_order_of_play() -> None:
    state = table(seats=3, hands=("5", "6", "7"), order=(2, 0, 1), asked="bid")
    assert asked(state) == [(2, "bid")]
    play(state, 2, "bid 7")
    assert asked(state) == [(0, "bid")]
    assert refused(state, 1, "bid 6").facts["other"] == 0


def test_a_bid_needs_a_marker() -> None:
    """Ruling 3: whoever can bid must."""
    state = table(hands=("5", "6"), asked="bid")
    assert refused(state, 0, "bid -").code == "too_few"


def test_a_bid_is_of_own_markers() -> None:
    state = table(hands=("5", "6"), asked="bid")
    assert refused(state, 0, "bid 6").code == "not_in_stock"
    assert refused(state, 0, "bid 55").code == "not_in_stock"
    assert refused(state, 0, "bid o").code == "not_a_choice"


def test_no_bid_is_made_twice() -> None:
    """Ruling 4: a duplicate is the same markers."""
    state = table(hands=("530", "530"), asked="bid")
    play(state, 0, "bid 53")
    refusal = refused(state, 1, "bid 53")
    assert (refusal.code, refusal.topic, refusal.facts["seat"]) == ("bid_taken", "auction", 0)
    play(state, 1, "bid 530")


def test_a_seat_without_markers_is_passed_over_and_announced() -> None:
    state = table(seats=3, hands=("5", "", "6"), asked="bid")
    events = play(state, 0, "bid 5")
    assert told(events, NoBid) == [NoBid(seat=1)]
    assert asked(state) == [(2, "bid")]


def test_a_seat_that_could_only_repeat_a_bid_is_passed_over() -> None:
    state = table(seats=3, hands=("5", "5", "6"), asked="bid")
    assert told(play(state, 0, "bid 5"), NoBid) == [NoBid(seat=1)]


def test_a_seat_with_one_bid_taken_but_another_left_is_asked() -> None:
    state = table(hands=("5", "55"), asked="bid")
    play(state, 0, "bid 5")
    assert asked(state) == [(1, "bid")]
    play(state, 1, "bid 55")


def test_those_without_a_bid_come_last_as_they_stood() -> None:
    """Ruling 7."""
    state = table(seats=4, hands=("", "3", "", "8"), order=(2, 1, 0, 3), at=1, asked="bid")
    play(state, 1, "bid 3")
    play(state, 3, "bid 8")
    assert state.order == [3, 1, 2, 0]


def test_bids_go_back_to_the_bag_and_stay_in_sight() -> None:
    state = table(hands=("5", "6"), asked="bid")
    before = sum(state.bag)
    play(state, 0, "bid 5")
    play(state, 1, "bid 6")
    assert sum(state.bag) == before + 2
    assert state.bids == ["5", "6"]
    assert asked(state) == [(1, "advance")]


def test_each_office_gets_one_good_however_many_markers_were_played() -> None:
    """Ruling 8."""
    state = table(hands=("33", "3330"), asked="bid", offices={REVAL: [(0, ""), (1, "")]})
    play(state, 0, "bid 33")
    events = play(state, 1, "bid 333")
    assert [office.goods for office in state.cities[REVAL].offices] == [goods("f")] * 2
    assert state.cities[REVAL].goods == goods("f" * 8)
    assert told(events, Supplied) == [Supplied(city=REVAL, good="fur", count=10, seats=(0, 1))]


@pytest.mark.parametrize(
    ("offices", "reserve", "in_offices", "in_city"),
    [
        (1, "", 0, 0),
        (1, "a", 1, 0),  # ruling 10
        (2, "a", 0, 1),  # both texts; ruling 9
        (2, "aa", 2, 0),
        (1, "aa", 1, 1),
        (0, "a", 0, 1),
    ],
)
def test_a_short_reserve_serves_offices_first_but_never_one_of_two(
    offices: int, reserve: str, in_offices: int, in_city: int
) -> None:
    state = table(
        hands=("6", "0"),
        asked="bid",
        offices={STRALSUND: [(seat, "") for seat in range(offices)]},
        reserve=reserve + "ooff",
    )
    play(state, 0, "bid 6")
    events = play(state, 1, "bid 0")
    city = state.cities[STRALSUND]
    assert sum(sum(office.goods) for office in city.offices) == in_offices
    assert city.goods == goods("a" * in_city)
    short = 2 - len(reserve)
    assert [event.count for event in told(events, SupplyShort)] == [short] * (short > 0)


def test_higher_cities_are_served_before_lower_ones() -> None:
    """Ruling 9: a city takes what is left."""
    state = table(hands=("87", "0"), asked="bid", reserve="sssoo")
    play(state, 0, "bid 87")
    play(state, 1, "bid 0")
    assert state.cities[KOPENHAGEN].goods == goods("ss")
    assert state.cities[LUBECK].goods == goods("s")


def test_a_round_returns_what_was_not_sold_and_lays_out_four_pairs() -> None:
    """Difference 3: first return, then draw."""
    state = table(hands=("o5", "o6"), display=("87", "", "55", "10"), at=1)
    before = sum(state.bag)
    events = play(state, 1, "end")
    assert sum(state.bag) == before + 6 - 8
    assert len(state.display) == 4
    assert told(events, PairsLaidOut) == [PairsLaidOut(pairs=tuple(state.display))]
    assert state.round == 2


@pytest.mark.parametrize(
    ("bag", "pairs"), [("", 0), ("5", 0), ("55", 1), ("5554444", 3), ("55554444", 4)]
)
def test_a_short_bag_gives_whole_pairs_only(bag: str, pairs: int) -> None:
    """Ruling 44."""
    state = table(at=1, bag=bag)
    play(state, 1, "end")
    assert len(state.display) == pairs


def test_the_marker_chit_draws_after_leftovers_return_and_before_pairs_are_laid_out() -> None:
    """Rulings 33, 36 and 44: in order of play, one marker for each chit."""
    state = table(
        seats=3,
        at=2,
        order=(2, 0, 1),
        chits={0: ("marker",), 2: ("marker",)},
        display=("55",),
        bag="",
    )
    events = play(state, 1, "end")
    assert told(events, ExtraMarker) == [
        ExtraMarker(seat=2, marker=5),
        ExtraMarker(seat=0, marker=5),
    ]
    assert state.display == []


def test_two_marker_chits_draw_two_markers() -> None:
    """Ruling 33."""
    state = table(at=1, chits={0: ("marker", "marker")})
    play(state, 1, "end")
    assert len(hand(state, 0)) == 2


def test_an_empty_bag_has_no_extra_marker() -> None:
    state = table(at=1, chits={0: ("marker",)}, bag="")
    assert told(play(state, 1, "end"), ExtraMarker) == []


def test_only_its_owner_sees_an_extra_marker_where_goods_are_hidden() -> None:
    state = table(at=1, chits={0: ("marker",)}, options=HIDDEN)
    events = play(state, 1, "end")
    assert [event.only for event in events if event.kind == "extra_marker"] == [(0,)]
    assert [event.but for event in events if event.kind == "extra_marker_secretly"] == [(0,)]


def test_a_bidder_who_deals_her_last_marker_away_is_passed_over() -> None:
    """Ruling 47; whoever is asked instead gets a new question."""
    state = table(hands=("5", "o6"), ships=(REVAL, REVAL), asked="bid")
    before = GAME.pending(state)[0].id
    play(state, 0, "offer 1 5 o")
    events = play(state, 1, "accept 1")
    assert told(events, NoBid) == [NoBid(seat=0)]
    assert asked(state) == [(1, "bid")]
    assert GAME.pending(state)[0].id != before


def test_a_round_without_any_bid_goes_on_in_the_old_order() -> None:
    state = table(order=(1, 0), at=1, hands=("o", "o"))
    events = play(state, 0, "end")
    assert told(events, NoBid) == [NoBid(seat=1), NoBid(seat=0)]
    assert isinstance(state.frames[-1], GuildMaster)
    assert state.order == [1, 0]
    assert told(events, Supplied) == []


def test_supply_goes_to_the_cities_of_all_bids_and_the_pairs_for_sale_bring_none() -> None:
    state = table(hands=("4", "7"), display=("66",), asked="bid")
    play(state, 0, "bid 4")
    events = play(state, 1, "bid 7")
    assert [event.city for event in told(events, Supplied)] == [LUBECK, RIGA]
