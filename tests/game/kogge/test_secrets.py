"""Views hide the right parts of a state, and resampled states vary in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from bot.game.contract import SPECTATOR, Observer
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.state import (
    SECRET,
    Choosing,
    Conflict,
    Founding,
    KoggeState,
    Offer,
    Taxing,
    markers_in_the_bag,
)
from tests.game.kogge.places import HIDDEN, LUBECK, OPEN, REVAL
from tests.game.kogge.positions import at, follow, goods, hand, known, markers, sightings, table

OBSERVERS = (SPECTATOR, 0, 1, 2)
HANDS = ("oof55", "s8", "")


@pytest.mark.parametrize(
    ("options", "shows_goods", "shows_markers", "shows_counts"),
    [({}, True, False, True), (OPEN, True, True, True), (HIDDEN, False, False, False)],
)
def test_goods_and_markers_are_hidden_by_the_option_goods(
    options: Mapping[str, str], shows_goods: bool, shows_markers: bool, shows_counts: bool
) -> None:
    state = table(seats=3, hands=HANDS, options=options)
    for observer in OBSERVERS:
        seen = known(state, observer)
        assert markers_in_the_bag(seen) == (sum(state.bag) if shows_counts else None)
        for seat, (word, player) in enumerate(zip(HANDS, seen.players, strict=True)):
            own = seat == observer
            assert player.goods == (goods(word) if own or shows_goods else [])
            count = [sum(markers(word))] if shows_counts else []
            assert player.markers == (markers(word) if own or shows_markers else count)
    # After the end everything is shown.
    over = table(seats=3, hands=HANDS, options=options, asked="over")
    assert known(over, SPECTATOR).players == over.players


def test_a_seat_that_may_swap_a_good_sees_the_numbers_of_its_colour_in_the_bag() -> None:
    """Ruling 45."""
    for options, rest in (("markers", [0]), ("hidden", [])):
        state = at(f"hands=o guild=3 bag=22 options=goods:{options}")
        assert known(state, 0).bag == [0, 0, 1, 0, 0, 0, 0, 0, 0, *([1] if rest else [])]
        for observer in (SPECTATOR, 1):
            assert known(state, observer).bag == ([2] if rest else [])


def test_hidden_routes_divided_cargo_and_sealed_choices_are_shown_to_the_right_seats() -> None:
    state = at("routes=3:7?1/5?")
    for observer, left in ((SPECTATOR, UNSEEN), (0, UNSEEN), (1, LUBECK)):
        routes = known(state, observer).cities[REVAL].routes
        assert [route.marker for route in routes] == [left, UNSEEN]
    sealed = [UNSEEN, -1, UNSEEN]
    for frame, options, field, seen in (
        (Choosing(0, 1, ("o", "s")), HIDDEN, "groups", [(SECRET,) * 2, *[("o", "s")] * 2]),
        (Choosing(0, 1, ("o", "s")), {}, "groups", [("o", "s")] * 3),
        (Founding([4, -1, 3], [-1] * 3), {}, "chosen", [sealed, [4, -1, UNSEEN], sealed]),
        (Conflict((1, 0), ["5", None]), HIDDEN, "bids", [[SECRET, None]] * 2 + [["5", None]]),
        (Taxing([0], ["o", None, None]), {}, "chosen", [[SECRET, None, None], ["o", None, None]]),
    ):
        state = table(seats=3, hands=("o", "os"), options=options, asked=frame)
        found = [getattr(known(state, observer).frames[-1], field) for observer in OBSERVERS]
        assert found[: len(seen)] == seen, frame


def twins(state: KoggeState, observer: Observer) -> list[KoggeState]:
    """Return many states that the observer can't tell from this one."""
    found = [GAME.resample(state, observer, Random(seed)) for seed in range(60)]
    assert all(known(twin, observer) == known(state, observer) for twin in found)
    return found


@pytest.mark.parametrize("options", [{}, OPEN, HIDDEN])
def test_only_the_secret_parts_of_other_hands_vary(options: Mapping[str, str]) -> None:
    hands = ("oo55", "ooff3344", "aass6677")
    state = table(seats=3, hands=hands, routes={REVAL: ("7?", "4")}, options=options)
    for observer in (SPECTATOR, 0):
        found = twins(state, observer)
        for seat, word in enumerate(hands):
            found_hands = {hand(twin, seat) for twin in found}
            varies = seat != observer and options != OPEN
            assert len(found_hands) > 20 if varies else found_hands == {hand(state, seat)}
            if options != HIDDEN:
                assert {each.rstrip("012345678") for each in found_hands} == {
                    word.rstrip("012345678")
                }
                assert set(map(len, found_hands)) == {len(word)}
            elif varies:
                assert len(set(map(len, found_hands))) > 4
                assert len({twin.players[seat].goods[0] for twin in found}) > 1
        bags = {sum(twin.bag) for twin in found}
        assert len(bags) > 4 if options == HIDDEN else bags == {sum(state.bag)}


def test_the_secret_parts_of_offers_between_others_vary() -> None:
    """The receiver of an offer knows its terms, and that its maker has the pieces."""
    for options, hands, seen in (
        ("markers", "o5,f66,a77,s88", ("f??", "a?")),
        ("hidden", "o5,f66,a77,s88", (SECRET, SECRET)),
    ):
        state = at(f"seats=4 ships=3,3,3,3 hands={hands} options=goods:{options}")
        state.offers = [Offer(1, 1, 2, "f66", "a7"), Offer(2, 3, 0, "s8", "o")]
        for observer in (0, SPECTATOR):
            first = known(state, observer).offers[0]
            assert (first.give, first.take) == seen
            offers = [twin.offers[0] for twin in twins(state, observer)]
            assert min(len({o.give for o in offers}), len({o.take for o in offers})) > 5
            if options == "markers":
                assert {(o.give[0], len(o.give), o.take[0]) for o in offers} == {("f", 3, "a")}
        for twin in twins(state, 0):
            assert twin.offers[1] == state.offers[1]
            assert {"s", "8"} <= set(hand(twin, 3))
        assert (known(state, 1).offers[0].give, known(state, 2).offers[0].take) == ("f66", "a7")


def test_goods_promised_from_an_office_are_not_on_the_ship() -> None:
    state = at("office options=goods:hidden")
    state.offers = [Offer(1, 1, 0, "ff3", "o", office=1, city=REVAL)]
    gives = {twin.offers[0].give for twin in twins(state, 2)}
    assert len(gives) > 5
    assert {letter for give in gives for letter in give} - set("0123456789") == {"f"}
    for twin in twins(state, 0):
        assert twin.players[1].markers[3] >= 1
        assert twin.offers == state.offers


def test_hidden_routes_vary_for_seats_that_do_not_know_them() -> None:
    """They may lead to a city with a Raid, but never to their own city."""
    for options in ("markers", "hidden"):
        state = at(f"routes=3:7?1/4 raids=7:0 options=goods:{options}")
        for observer in (SPECTATOR, 0):
            ends = {twin.cities[REVAL].routes[0].marker for twin in twins(state, observer)}
            assert len(ends) > 6
            assert REVAL not in ends
        assert {twin.cities[REVAL].routes[0].marker for twin in twins(state, 1)} == {LUBECK}
        assert {twin.cities[REVAL].routes[1].marker for twin in twins(state, 0)} == {4}


@pytest.mark.parametrize(
    ("frame", "of", "observer", "found"),
    [
        (Founding([4, 4, -1], [-1, 2, -1]), lambda f: f.chosen[1], 0, {0, 1, 3, 4, 5, 6, 7, 8}),
        (Founding([4, 4, -1], [-1, 2, -1]), lambda f: (f.chosen[0], f.chosen[2]), 0, {(4, -1)}),
        (Conflict((0, 1), ["84", "55"]), lambda f: f.bids[0], 0, {"84"}),
        (Conflict((0, 1), ["84", "55"]), lambda f: f.bids[1], 0, 5),
        (Taxing([0, 1], ["o", "a", None]), lambda f: f.chosen[0], 0, {"o"}),
        (Taxing([0, 1], ["o", "a", None]), lambda f: f.chosen[1], 0, 3),
        (Choosing(0, 1, ("oof", "afss")), lambda f: f.groups, 2, 9),
        (Choosing(0, 1, ("oof", "afss")), lambda f: f.groups, 0, {("oof", "afss")}),
    ],
)
def test_sealed_choices_and_a_divided_cargo_vary_for_others(
    frame: Any, of: Callable[[Any], object], observer: int, found: Any
) -> None:
    founding = isinstance(frame, Founding)
    hands = ("876543210",) * 3 if founding else ("oa84", "ooffass556", "aaoo")
    ships = (-1,) * 3 if founding else (REVAL,) * 3
    state = table(seats=3, hands=hands, ships=ships, options=HIDDEN, asked=frame)
    seen = {of(twin.frames[-1]) for twin in twins(state, observer)}
    assert seen == found if isinstance(found, set) else len(seen) >= found


def test_with_memory_seats_know_their_sightings_and_whether_they_are_current() -> None:
    state = follow("memory asked=act | 0 reroute left 5")
    assert sightings(state, 0) == [(REVAL, 0, 5, 1, True)]
    for observer in (SPECTATOR, 1):
        assert sightings(state, observer) == []
        assert known(state, observer).sightings[0].marker == UNSEEN
    assert {twin.sightings[0].marker for twin in twins(state, 0)} == {5}
    others = twins(state, 1)
    assert len({twin.sightings[0].marker for twin in others}) > 4
    assert all(t.sightings[0].marker == t.cities[REVAL].routes[0].marker for t in others)
    # A route from the set-up may lead to its own city.
    ends = {twin.cities[REVAL].routes[1].marker for twin in others}
    assert REVAL in ends
    assert len(ends) > 5
    state.cities[REVAL].routes[0].known = 0
    assert sightings(state, 0) == [(REVAL, 0, 5, 1, False)]
