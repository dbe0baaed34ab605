"""What each observer knows of a state, and how what they cannot know varies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from bot.game.contract import SPECTATOR, Observer
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.state import (
    NOWHERE,
    SECRET,
    Choosing,
    Conflict,
    Founding,
    KoggeOver,
    KoggeState,
    Offer,
    Taxing,
    markers_in_the_bag,
)
from tests.game.kogge.places import HIDDEN, LUBECK, OPEN, REVAL
from tests.game.kogge.positions import goods, hand, known, markers, notes, play, run, table
from tests.game.kogge.test_routes import remembered

OBSERVERS = (SPECTATOR, 0, 1, 2)
HANDS = ("oof55", "s8", "")


@pytest.mark.parametrize(
    ("options", "shows_goods", "shows_markers", "counted"),
    [({}, True, False, True), (OPEN, True, True, True), (HIDDEN, False, False, False)],
)
def test_goods_and_markers_are_seen_as_the_table_plays_with_them(
    options: Mapping[str, str], shows_goods: bool, shows_markers: bool, counted: bool
) -> None:
    state = table(seats=3, hands=HANDS, options=options)
    for observer in OBSERVERS:
        seen = known(state, observer)
        assert markers_in_the_bag(seen) == (sum(state.bag) if counted else None)
        for seat, (word, player) in enumerate(zip(HANDS, seen.players, strict=True)):
            own = seat == observer
            assert player.goods == (goods(word) if own or shows_goods else [])
            count = [sum(markers(word))] if counted else []
            assert player.markers == (markers(word) if own or shows_markers else count)
    # In the end all is shown.
    over = table(seats=3, hands=HANDS, options=options, asked=KoggeOver("laps"))
    seen = known(over, SPECTATOR)
    assert [player.goods for player in seen.players] == list(map(goods, HANDS))
    assert [player.markers for player in seen.players] == list(map(markers, HANDS))
    assert GAME.outcome(seen) == GAME.outcome(over)


def test_who_may_swap_a_good_sees_the_numbers_of_its_colour_in_the_bag() -> None:
    """Ruling 45."""
    for options, rest in (({}, [0]), (HIDDEN, [])):
        state = table(hands=("o",), guild=REVAL, bag="22", options=options)
        assert known(state, 0).bag == [0, 0, 1, 0, 0, 0, 0, 0, 0, *([1] if rest else [])]
        for observer in (SPECTATOR, 1):
            assert known(state, observer).bag == ([2] if rest else [])


def test_hidden_routes_divided_cargo_and_sealed_choices_are_seen_by_those_concerned() -> None:
    state = table(routes={REVAL: ("7?1", "5?")})
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


def test_bids_and_payments_are_open_and_extra_markers_drawn_unseen() -> None:
    """Also a pair that is bought, and what the guild master swaps."""
    for options in ({}, OPEN, HIDDEN):
        state = table(hands=("o87", "s"), asked="bid", options=options)
        events = play(state, 0, "bid 8")
        assert known(state, SPECTATOR).bids[0] == "8"
        state = table(hands=("oo87", "s"), display=("51",), guild=REVAL, options=options)
        events += run(state, "0 buy 1 ore", "0 swap_marker 8")
        heard = [each for each in events if each.heard_by(SPECTATOR)]
        told = {(e.kind, e.facts.get("pieces", e.facts.get("marker"))) for e in heard}
        assert told >= {("bid", "8"), ("pair_bought", "51"), ("marker_exchanged", 8)}
        state = table(hands=("o8", "s"), chits={0: ("marker",)}, at=1, options=options)
        events = play(state, 1, "end")
        kinds = [event.kind for event in events if event.heard_by(1)]
        assert ("extra_marker" in kinds) is (options == OPEN)
        assert ("extra_marker_secretly" in kinds) is (options != OPEN)
        owner = [event for event in events if event.kind.startswith("extra_marker")]
        assert [event.kind for event in owner if event.heard_by(0)] == ["extra_marker"]


def twins(state: KoggeState, observer: Observer) -> list[KoggeState]:
    """Many states that the observer cannot tell from this one."""
    found = [GAME.resample(state, observer, Random(seed)) for seed in range(60)]
    for twin in found:
        assert known(twin, observer) == known(state, observer)
    return found


THREE = ("oo55", "ooff3344", "aass6677")


@pytest.mark.parametrize("options", [{}, OPEN, HIDDEN])
def test_of_others_hands_just_what_is_secret_varies(options: Mapping[str, str]) -> None:
    state = table(seats=3, hands=THREE, routes={REVAL: ("7?", "4")}, options=options)
    for observer in (SPECTATOR, 0):
        found = twins(state, observer)
        for seat, word in enumerate(THREE):
            there = {hand(twin, seat) for twin in found}
            varies = seat != observer and options != OPEN
            assert len(there) > 20 if varies else there == {hand(state, seat)}
            if options != HIDDEN:
                assert {each.rstrip("012345678") for each in there} == {word.rstrip("012345678")}
                assert set(map(len, there)) == {len(word)}
            elif varies:
                assert len(set(map(len, there))) > 4
                assert len({twin.players[seat].goods[0] for twin in found}) > 1
        bags = {sum(twin.bag) for twin in found}
        assert len(bags) > 4 if options == HIDDEN else bags == {sum(state.bag)}


def test_a_marker_laid_face_down_cannot_be_read_off_from_the_hands_of_before_and_after() -> None:
    """A watcher who keeps every view and every event, and subtracts."""
    state = table(seats=3, hands=("oo578", "ff34", "aa67"), routes={REVAL: ("7", "4")})
    laid = set()
    for seed in range(60):
        for watcher in (SPECTATOR, 1, 2):
            twin = GAME.resample(state, watcher, Random(seed))
            for number in "578":
                if twin.players[0].markers[int(number)]:
                    before = repr(known(twin, watcher).players)
                    then = GAME.decode(GAME.encode(twin))
                    events = play(then, 0, f"reroute left {number}")
                    heard = [event for event in events if event.heard_by(watcher)]
                    after = GAME.encode(known(then, watcher))
                    laid.add((watcher, number, str((before, heard, after))))
    for watcher in (SPECTATOR, 1, 2):
        kept = {number: text for who, number, text in laid if who == watcher}
        assert set(kept) == set("578")
        assert len({text for who, _, text in laid if who == watcher}) == 1


def test_what_others_offer_one_another_varies_as_far_as_it_is_secret() -> None:
    state = table(seats=4, ships=(REVAL,) * 4, hands=("o5", "f66", "a77", "s88"))
    state.offers = [Offer(1, 1, 2, "f66", "a7"), Offer(2, 3, 0, "8", "o")]
    for watcher in (0, SPECTATOR):
        seen = known(state, watcher).offers[0]
        assert (seen.give, seen.take) == ("f??", "a?")
        offers = [twin.offers[0] for twin in twins(state, watcher)]
        assert {(offer.give[0], len(offer.give)) for offer in offers} == {("f", 3)}
        assert {(offer.take[0], len(offer.take)) for offer in offers} == {("a", 2)}
        assert min(len({o.give for o in offers}), len({o.take for o in offers})) > 5
    # What is offered to oneself is known, and that it is held.
    assert {twin.offers[1].give for twin in twins(state, 0)} == {"8"}
    assert all(twin.players[3].markers[8] for twin in twins(state, 0))
    assert (known(state, 1).offers[0].give, known(state, 2).offers[0].take) == ("f66", "a7")
    state = table(seats=4, ships=(REVAL,) * 4, hands=("o5", "f6", "a7", "s8"), options=HIDDEN)
    state.offers = [Offer(1, 1, 2, "f", "a"), Offer(2, 3, 0, "s", "o")]
    assert known(state, 0).offers[0].give == SECRET
    for twin in twins(state, 0):
        assert twin.offers[1] == state.offers[1]
        assert "s" in hand(twin, 3)
    offers = [twin.offers[0] for twin in twins(state, 0)]
    assert min(len({o.give for o in offers}), len({o.take for o in offers})) > 5


def test_hidden_routes_vary_for_those_who_do_not_know_them() -> None:
    """Also to cities with a Raid; only to its own city no route ever leads."""
    for options in ({}, HIDDEN):
        state = table(routes={REVAL: ("7?1", "4")}, raids={LUBECK: (0,)}, options=options)
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
    ships = (NOWHERE,) * 3 if founding else (REVAL,) * 3
    state = table(seats=3, hands=hands, ships=ships, options=HIDDEN, asked=frame)
    seen = {of(twin.frames[-1]) for twin in twins(state, observer)}
    assert seen == found if isinstance(found, set) else len(seen) >= found


def test_with_memory_seats_know_what_they_have_seen_and_whether_it_still_lies_there() -> None:
    state = remembered({}, asked="act")
    play(state, 0, "reroute left 5")
    assert notes(state, 0) == [(REVAL, 0, 5, 1, True)]
    for observer in (SPECTATOR, 1):
        assert notes(state, observer) == []
        assert known(state, observer).sightings[0].marker == UNSEEN
    assert {twin.sightings[0].marker for twin in twins(state, 0)} == {5}
    others = [twin.sightings[0].marker for twin in twins(state, 1)]
    assert len(set(others)) > 4
    state.cities[REVAL].routes[0].known = 0
    assert notes(state, 0) == [(REVAL, 0, 5, 1, False)]
