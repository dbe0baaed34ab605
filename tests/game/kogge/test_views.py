"""What each observer sees, and what they cannot know."""

from __future__ import annotations

from random import Random

from bot.game.contract import SPECTATOR, Observer
from bot.game.kogge import GAME
from bot.game.kogge.state import (
    NOWHERE,
    Choosing,
    Conflict,
    Demand,
    Founding,
    KoggeOver,
    KoggeState,
    Offer,
    Push,
    Taxing,
)
from bot.game.kogge.view import OfficeView
from tests.game.kogge.places import (
    HIDDEN,
    ITALIAN,
    KOPENHAGEN,
    LUBECK,
    OPEN,
    REVAL,
    RIGA,
    STOCKHOLM,
    STRALSUND,
    TONSBERG,
)
from tests.game.kogge.positions import hand, play, run, table

OBSERVERS = (SPECTATOR, 0, 1, 2)
HANDS = ("oof55", "s8", "")
CARGO = [(2, 1, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0)]


def test_goods_and_markers_are_seen_as_the_table_plays_with_them() -> None:
    for observer in OBSERVERS:
        view = GAME.view(table(seats=3, hands=HANDS, options=OPEN), observer)
        assert [seat.goods for seat in view.seats] == CARGO
        assert view.seats[0].markers == (0, 0, 0, 0, 0, 2, 0, 0, 0)
        assert view.bag is not None
    # Section 8 of the facts: by default the numbers of markers are secret.
    state = table(seats=3, hands=HANDS)
    for observer in OBSERVERS:
        view = GAME.view(state, observer)
        assert [seat.goods for seat in view.seats] == CARGO
        assert [seat.marker_count for seat in view.seats] == [2, 1, 0]
        for seat, shown in enumerate(view.seats):
            own = tuple(state.players[seat].markers)
            assert shown.markers == (own if seat == observer else None)
        assert view.bag == sum(state.bag)
        assert view.variants == ()
    # Section 8 of the facts: counts included.
    state = table(seats=3, hands=HANDS, options=HIDDEN)
    for observer in OBSERVERS:
        view = GAME.view(state, observer)
        for seat, shown in enumerate(view.seats):
            for known in (shown.goods, shown.markers, shown.marker_count):
                assert (known is not None) == (seat == observer)
        assert view.bag is None
        assert "hidden" in view.variants
    over = table(seats=3, hands=HANDS, options=HIDDEN, asked=KoggeOver("laps"))
    view = GAME.view(over, SPECTATOR)
    assert [seat.goods for seat in view.seats] == CARGO
    assert view.outcome == GAME.outcome(over)


def test_what_lies_on_the_table_and_is_asked_is_shown_to_all() -> None:
    state = table(
        seats=3,
        offices={REVAL: [(2, "f")]},
        raids={LUBECK: (1,)},
        second_raid=(2,),
        display=("87", ""),
        chits={0: ("secret",)},
        city={REVAL: "oos"},
        order=(2, 0, 1),
        at=1,
        laps=1,
        end=STOCKHOLM,
        guild=STRALSUND,
        asked="move",
        steps=1,
        options=ITALIAN,
    )
    for observer in OBSERVERS:
        view = GAME.view(state, observer)
        assert view.cities[REVAL].offices == (OfficeView(2, (0, 1, 0, 0)),)
        assert (view.cities[REVAL].goods, view.cities[LUBECK].raids) == ((2, 0, 0, 1), (1,))
        assert view.cities[REVAL].price == ("oas", "33")
        assert (view.display, view.chits_left) == (("87", ""), (2, 2, 2, 1))
        assert view.reserve == tuple(state.reserve)
        assert (view.order, view.at, view.round, view.laps) == ((2, 0, 1), 1, 1, 1)
        assert (view.guild_city, view.end_city) == (STRALSUND, STOCKHOLM)
        assert view.guild_reach == ((KOPENHAGEN, 0), (TONSBERG, 0))
        assert view.variants == ("either_price", "failed_route_keeps_step")
        assert [seat.city for seat in view.seats] == [REVAL, LUBECK, RIGA]
        assert [seat.offices for seat in view.seats] == [0, 0, 1]
        assert [seat.development_points for seat in view.seats] == [1, 0, 1]
        assert [seat.raids for seat in view.seats] == [1, 0, 2]
        assert [seat.bought_raid for seat in view.seats] == [False, False, True]
        assert (view.phase, view.active, view.start, view.fees) == ("move", (0,), REVAL, (1, 2))
    for frame, field, shown in (
        (Push(2, 1), "pushed", 1),
        (Conflict((2, 0), [None, None]), "conflict", (2, 0)),
        (Demand(0, 1), "conflict", (0, 1)),
    ):
        views = [GAME.view(table(seats=3, asked=frame), observer) for observer in OBSERVERS]
        assert [getattr(view, field) for view in views] == [shown] * 4
        assert [view.stack for view in views] == [(frame,)] * 4
    # Ruling 45: who may swap a good sees the numbers of its colour.
    state = table(hands=("o",), guild=REVAL, bag="22")
    known = [GAME.view(state, observer).seen_in_bag for observer in (SPECTATOR, 0, 1)]
    assert known == [(), ((0, False), (1, False), (2, True)), ()]


def test_bids_and_payments_are_open_and_extra_markers_drawn_unseen() -> None:
    """Section 8 of the facts; also a pair that is bought, and what the guild master swaps."""
    for options in ({}, OPEN, HIDDEN):
        state = table(hands=("o87", "s"), asked="bid", options=options)
        events = play(state, 0, "bid 8")
        assert GAME.view(state, SPECTATOR).seats[0].bid == "8"
        state = table(hands=("oo87", "s"), display=("51",), guild=REVAL, options=options)
        events += run(state, "0 buy 1 ore", "0 swap_marker 8")
        heard = [each for each in events if each.heard_by(SPECTATOR)]
        told = {(e.kind, e.facts.get("pieces", e.facts.get("marker"))) for e in heard}
        assert told >= {("bid", "8"), ("pair_bought", "51"), ("marker_exchanged", 8)}
    for options, seen in (({}, False), (OPEN, True), (HIDDEN, False)):
        state = table(hands=("o8", "s"), chits={0: ("marker",)}, at=1, options=options)
        events = play(state, 1, "end")
        kinds = [event.kind for event in events if event.heard_by(1)]
        assert ("extra_marker" in kinds) is seen
        assert ("extra_marker_secretly" in kinds) is not seen
        owner = [event for event in events if event.kind.startswith("extra_marker")]
        assert [event.kind for event in owner if event.heard_by(0)] == ["extra_marker"]


def test_hidden_routes_divided_cargo_and_sealed_choices_are_seen_by_those_concerned() -> None:
    state = table(routes={REVAL: ("7?1", "5?")})
    seen = {
        observer: [route.marker for route in GAME.view(state, observer).cities[REVAL].routes]
        for observer in (SPECTATOR, 0, 1)
    }
    assert seen == {SPECTATOR: [None, None], 0: [None, None], 1: [LUBECK, None]}
    frame = Choosing(0, 1, ("o", "s"))
    hidden = table(seats=3, hands=("", "os"), options=HIDDEN, asked=frame)
    opened = table(seats=3, hands=("", "os"), asked=frame)
    assert [GAME.view(hidden, o).groups for o in OBSERVERS] == [None, *[("o", "s")] * 2, None]
    assert [GAME.view(opened, o).groups for o in OBSERVERS] == [("o", "s")] * 4
    state = table(seats=3, asked=Founding([4, -1, -1], [-1, -1, -1]))
    assert [GAME.view(state, observer).chosen for observer in OBSERVERS] == [None, 4, None, None]


def twins(state: KoggeState, observer: Observer) -> list[KoggeState]:
    """Many states that the observer cannot tell from this one."""
    return [GAME.resample(state, observer, Random(seed)) for seed in range(60)]


THREE = ("oo55", "ooff3344", "aass6677")


def test_hidden_hands_vary_in_what_and_how_much_they_hold() -> None:
    state = table(seats=3, hands=THREE, options=HIDDEN)
    for observer, others in ((SPECTATOR, (0, 1, 2)), (0, (1, 2))):
        imagined = twins(state, observer)
        for seat in others:
            hands = [hand(twin, seat) for twin in imagined]
            assert len(set(hands)) > 20
            assert len({len(pieces) for pieces in hands}) > 4
            assert len({twin.players[seat].goods[0] for twin in imagined}) > 1
    assert {hand(twin, 0) for twin in twins(state, 0)} == {hand(state, 0)}
    assert len({sum(twin.bag) for twin in twins(state, 0)}) > 4


def test_of_secret_markers_only_the_numbers_vary_and_open_hands_do_not() -> None:
    """What is open is the goods and how many markers there are; also in the bag."""
    state = table(seats=3, hands=THREE, routes={REVAL: ("7?", "4")})
    for seat, others in ((SPECTATOR, (0, 1, 2)), (0, (1, 2))):
        for other in others:
            there = [hand(twin, other) for twin in twins(state, seat)]
            cargo = THREE[other].rstrip("012345678")
            assert {word.rstrip("012345678") for word in there} == {cargo}
            assert {len(word) for word in there} == {len(THREE[other])}
            assert len(set(there)) > 20
    assert {hand(twin, 0) for twin in twins(state, 0)} == {"oo55"}
    assert {sum(twin.bag) for twin in twins(state, SPECTATOR)} == {sum(state.bag)}
    state = table(seats=3, hands=THREE, routes={REVAL: ("7?", "4")}, options=OPEN)
    held = [hand(state, seat) for seat in range(3)]
    for twin in twins(state, SPECTATOR):
        assert [hand(twin, seat) for seat in range(3)] == held
        assert sum(twin.bag) == sum(state.bag)


def test_a_marker_laid_face_down_cannot_be_read_off_from_the_hands_of_before_and_after() -> None:
    """A watcher who keeps every view and every event, and subtracts."""
    state = table(seats=3, hands=("oo578", "ff34", "aa67"), routes={REVAL: ("7", "4")})
    laid = set()
    for seed in range(60):
        for watcher in (SPECTATOR, 1, 2):
            twin = GAME.resample(state, watcher, Random(seed))
            for number in "578":
                if twin.players[0].markers[int(number)]:
                    before = GAME.view(twin, watcher)
                    then = GAME.decode(GAME.encode(twin))
                    events = play(then, 0, f"reroute left {number}")
                    heard = [event for event in events if event.heard_by(watcher)]
                    laid.add((watcher, number, str((before, heard, GAME.view(then, watcher)))))
    for watcher in (SPECTATOR, 1, 2):
        kept = {number: text for who, number, text in laid if who == watcher}
        assert set(kept) == set("578")
        assert len({text for who, _, text in laid if who == watcher}) == 1


def test_what_others_offer_one_another_varies_as_far_as_it_is_secret() -> None:
    state = table(seats=4, ships=(REVAL,) * 4, hands=("o5", "f66", "a77", "s88"))
    state.offers = [Offer(1, 1, 2, "f66", "a7"), Offer(2, 3, 0, "8", "o")]
    for watcher in (0, SPECTATOR):
        assert GAME.view(state, watcher).offers[0].give == "f??"
        assert GAME.view(state, watcher).offers[0].take == "a?"
        offers = [twin.offers[0] for twin in twins(state, watcher)]
        assert {(offer.give[0], len(offer.give)) for offer in offers} == {("f", 3)}
        assert {(offer.take[0], len(offer.take)) for offer in offers} == {("a", 2)}
        assert len({offer.give for offer in offers}) > 5
        assert len({offer.take for offer in offers}) > 5
    assert {twin.offers[1].give for twin in twins(state, 0)} == {"8"}
    assert GAME.view(state, 1).offers[0].give == "f66"
    assert GAME.view(state, 2).offers[0].take == "a7"
    state = table(seats=4, ships=(REVAL,) * 4, hands=("o5", "f6", "a7", "s8"), options=HIDDEN)
    state.offers = [Offer(1, 1, 2, "f", "a"), Offer(2, 3, 0, "s", "o")]
    for twin in twins(state, 0):
        assert twin.offers[1] == state.offers[1]
        assert "s" in hand(twin, 3)
    assert len({twin.offers[0].give for twin in twins(state, 0)}) > 5
    assert len({twin.offers[0].take for twin in twins(state, 0)}) > 5


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


def test_sealed_choices_and_a_divided_cargo_vary_for_others() -> None:
    frame = Founding([4, 4, -1], [-1, 2, -1])
    state = table(seats=3, hands=("876543210",) * 3, ships=(NOWHERE,) * 3, asked=frame)
    chosen = [twin.frames[-1].chosen for twin in twins(state, 0)]  # type: ignore[union-attr]
    assert {choice[0] for choice in chosen} == {4}
    assert {choice[1] for choice in chosen} == {0, 1, 3, 4, 5, 6, 7, 8}
    assert {choice[2] for choice in chosen} == {-1}
    for sealed, name in (
        (Conflict((0, 1), ["84", "55"]), "bids"),
        (Taxing([0, 1], ["o", "a"]), "chosen"),
    ):
        state = table(hands=("oa84", "ooffaa5566"), options=HIDDEN, asked=sealed)
        words = [getattr(twin.frames[-1], name) for twin in twins(state, 0)]
        assert len({own for own, _ in words}) == 1, name
        assert len({other for _, other in words}) > 2, name
    cargo = Choosing(0, 1, ("oo", "ff"))
    state = table(seats=4, hands=("", "ooff", "aass", "aass"), options=HIDDEN, asked=cargo)
    assert len({str(twin.frames[-1]) for twin in twins(state, 2)}) > 9
    assert {str(twin.frames[-1]) for twin in twins(state, 0)} == {str(cargo)}
    assert {hand(twin, 1)[:4] for twin in twins(state, 0)} == {"ooff"}
