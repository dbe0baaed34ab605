"""Setting up, and founding the first offices."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.chance import RandomChance
from bot.game.contract import Option
from bot.game.kogge import GAME
from bot.game.kogge.data import CITY_GOOD, CONTENT
from bot.game.kogge.setup import Founded
from bot.game.kogge.state import Auction, KoggeRules, KoggeState, Office, no_goods
from tests.game.kogge.places import DANZIG, LUBECK, REVAL, RIGA, STOCKHOLM, STRALSUND
from tests.game.kogge.positions import asked, hand, play, refused, told, words
from tests.game.kogge.random_games import ADVANCED


def new(seats: int, seed: int = 0, options: Mapping[str, str] | None = None) -> KoggeState:
    """A table before the founding."""
    return GAME.setup(seats, options or {}, RandomChance(Random(seed)))


def found(state: KoggeState, *numbers: int) -> list[str]:
    """All seats choose in order; the kinds of what happened."""
    return [
        event.kind
        for seat, number in enumerate(numbers)
        for event in play(state, seat, f"found {number}")
    ]


def test_the_box_holds_ninety_markers_and_sixty_six_goods() -> None:
    """Game components; ruling on the misprinted total of 80."""
    assert sum(CONTENT.markers) == 90
    assert [good.total for good in CONTENT.goods] == [25, 18, 13, 10]
    assert CONTENT.markers == (14, 13, 12, 11, 10, 9, 8, 7, 6)


@pytest.mark.parametrize(
    ("seats", "reserve"), [(2, [12, 10, 7, 4]), (3, [10, 9, 7, 4]), (4, [8, 8, 7, 4])]
)
def test_goods_lie_in_the_cities_and_hands_and_the_rest_in_the_reserve(
    seats: int, reserve: list[int]
) -> None:
    state = new(seats)
    for number, city in enumerate(state.cities):
        assert [i for i, count in enumerate(city.goods) if count] == [CITY_GOOD[number]]
        assert city.goods[CITY_GOOD[number]] == 3
    assert state.reserve == reserve
    assert all(hand(state, seat) == "oof876543210" for seat in range(seats))
    assert all(player.raids == 1 for player in state.players)


@given(st.sampled_from((2, 3, 4)), st.integers())
def test_the_two_routes_of_a_city_differ_from_it_and_from_each_other(seats: int, seed: int) -> None:
    state = new(seats, seed)
    for number, city in enumerate(state.cities):
        left, right = (route.marker for route in city.routes)
        assert len({number, left, right}) == 3
        assert not any(route.hidden for route in city.routes)
    assert GAME.invariants(state) == []


@given(st.integers())
def test_one_route_of_each_city_comes_from_a_whole_set(seed: int) -> None:
    """The mixed set 0..8 is laid once; only own numbers of it are drawn anew."""
    lefts = [city.routes[0].marker for city in new(4, seed).cities]
    assert len(set(lefts)) >= 4


def test_four_players_leave_forty_markers_in_the_bag() -> None:
    """Section 3 of the facts: the guild master's marker is back, and four founders' as well."""
    state = new(4)
    assert sum(state.bag) == 36
    found(state, 1, 2, 3, 4)
    assert sum(state.bag) + sum(map(len, state.display)) == 40


def test_the_guild_master_starts_where_the_end_marker_lies() -> None:
    starts = {new(2, seed).guild_city for seed in range(60)}
    assert all(new(2, seed).guild_city == new(2, seed).end_city for seed in range(9))
    assert starts == set(range(9))


def test_all_choose_at_once_and_secretly() -> None:
    state = new(3)
    assert asked(state) == [(0, "found"), (1, "found"), (2, "found")]
    events = play(state, 1, "found 5")
    assert asked(state) == [(0, "found"), (2, "found")]
    assert [event.only for event in events] == [(1,)]
    assert GAME.view(state, 1).chosen == DANZIG
    assert GAME.view(state, 0).chosen is None


def test_a_sealed_choice_may_be_changed_until_the_last_is_in() -> None:
    state = new(2)
    play(state, 0, "found 5")
    assert [d.optional for d in GAME.pending(state) if d.seat == 0] == [True]
    play(state, 0, "found 7")
    events = play(state, 1, "found 1")
    assert told(events, Founded) == [
        Founded(seat=1, city=STOCKHOLM),
        Founded(seat=0, city=LUBECK),
    ]


def test_a_sealed_choice_leaves_the_questions_of_others_as_they_were() -> None:
    state = new(3)
    before = {decision.seat: decision.id for decision in GAME.pending(state)}
    play(state, 0, "found 5")
    assert {decision.seat: decision.id for decision in GAME.pending(state)} == before


def test_a_founder_has_an_office_a_ship_and_eight_markers() -> None:
    state = new(2)
    found(state, REVAL, LUBECK)
    assert [office.seat for office in state.cities[REVAL].offices] == [0]
    assert state.players[0].city == REVAL
    assert hand(state, 0) == "oof87654210"


def test_two_may_found_in_one_city() -> None:
    state = new(2)
    assert "crowded" not in found(state, RIGA, RIGA)
    assert [office.seat for office in state.cities[RIGA].offices] == [0, 1]


def test_three_in_one_city_all_choose_again_and_not_that_city() -> None:
    """Start position; ruling 31."""
    state = new(3)
    found(state, RIGA, RIGA, RIGA)
    assert asked(state) == [(0, "found"), (1, "found"), (2, "found")]
    assert hand(state, 0) == "oof876543210"
    assert str(RIGA) not in words(state, 0, "found")
    assert refused(state, 0, "found 4").code == "city_barred"


def test_only_those_in_the_crowded_city_choose_again() -> None:
    """Ruling 43: settled players keep theirs, and only the city just refused is barred."""
    state = new(4)
    found(state, RIGA, STRALSUND, RIGA, RIGA)
    assert asked(state) == [(0, "found"), (2, "found"), (3, "found")]
    assert state.players[1].city == STRALSUND
    assert refused(state, 1, "found 2").code == "nothing_asked"
    assert words(state, 0, "found") == ("8", "7", "6", "5", "3", "2", "1", "0")


def test_a_choice_that_would_make_a_third_office_is_made_again() -> None:
    """Ruling 31: also where the other office stands already."""
    state = new(4)
    found(state, RIGA, STRALSUND, RIGA, RIGA)
    for seat in (0, 2, 3):
        play(state, seat, f"found {STRALSUND if seat else DANZIG}")
    assert asked(state) == [(2, "found"), (3, "found")]
    assert state.players[0].city == DANZIG
    assert [office.seat for office in state.cities[STRALSUND].offices] == [1]
    # The first refusal is forgotten: only the latest city is barred (ruling 43).
    assert "4" in words(state, 2, "found")
    assert "6" not in words(state, 2, "found")


def test_a_city_with_two_offices_takes_no_founder() -> None:
    """Only a table of more than four could come to that; the rule is kept all the same."""
    state = new(4)
    state.cities[RIGA].offices = [Office(2, no_goods()), Office(3, no_goods())]
    assert "4" not in words(state, 0, "found")
    assert refused(state, 0, "found 4").code == "city_full"


def test_the_auction_begins_when_all_have_founded() -> None:
    state = new(4)
    kinds = found(state, RIGA, RIGA, STRALSUND, STRALSUND)
    assert isinstance(state.frames[-1], Auction)
    assert kinds[-3:] == ["order_set", "round_began", "pairs_laid_out"]


def test_the_lowest_city_plays_first() -> None:
    state = new(4)
    found(state, LUBECK, STOCKHOLM, DANZIG, REVAL)
    assert state.order == [1, 3, 2, 0]
    assert asked(state) == [(1, "bid")]


def test_two_in_one_city_are_ordered_by_lot() -> None:
    """Start position; ruling 32."""
    orders = set()
    for seed in range(12):
        state = new(2)
        play(state, 0, "found 4")
        GAME.apply(state, 1, ("found", "4"), RandomChance(Random(seed)))
        orders.add(tuple(state.order))
    assert orders == {(0, 1), (1, 0)}


@pytest.mark.parametrize("word", ["9", "-", "", "x", "44", "²", "٣", "9" * 5000])
def test_only_a_number_of_a_city_can_be_founded_in(word: str) -> None:
    assert refused(new(2), 0, ("found", word)).code == "not_a_choice"


def test_a_city_is_chosen_by_a_marker_in_hand() -> None:
    state = new(2)
    state.players[0].markers[RIGA] = 0
    assert refused(state, 0, "found 4").facts == {"marker": RIGA}


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_kogge_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 4"):
        new(seats)


@pytest.mark.parametrize(("name", "value"), [("colour", "red"), ("edition", "german")])
def test_an_unknown_option_is_refused(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        new(2, options={name: value})


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({}, KoggeRules()),
        ({"edition": "italian"}, KoggeRules(either_price=True, failed_route_keeps_step=True)),
        ({"edition": "italian", "office_price": "both"}, KoggeRules(failed_route_keeps_step=True)),
        ({"edition": "italian", "failed_route": "uses_step"}, KoggeRules(either_price=True)),
        ({"office_price": "either"}, KoggeRules(either_price=True)),
        ({"failed_route": "keeps_step"}, KoggeRules(failed_route_keeps_step=True)),
        ({"goods": "hidden"}, KoggeRules(hidden=True)),
    ],
)
def test_an_option_of_its_own_outranks_the_edition(
    options: dict[str, str], rules: KoggeRules
) -> None:
    """Section 8 of the facts: each difference is an option, and the edition sets them all."""
    assert new(2, options=options).rules == rules


def test_each_option_says_its_default_first() -> None:
    assert GAME.options == (
        Option("edition", ("english", "italian")),
        Option("office_price", ("edition", "both", "either")),
        Option("failed_route", ("edition", "uses_step", "keeps_step")),
        Option("goods", ("markers", "open", "hidden")),
        *(Option(name, ("off", "on")) for name in ADVANCED),
        Option("memory_fur", ("edition", "two", "three")),
    )
