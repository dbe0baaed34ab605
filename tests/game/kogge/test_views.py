"""What each observer sees, and what nobody but the owner does."""

from __future__ import annotations

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.game.kogge.state import Choosing, Founding, KoggeOver
from tests.game.kogge.places import HIDDEN, ITALIAN, LUBECK, OPEN, REVAL
from tests.game.kogge.positions import play, run, table

OBSERVERS = (SPECTATOR, 0, 1, 2)
HANDS = ("oof55", "s8", "")
CARGO = [(2, 1, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0)]


def test_with_open_goods_everybody_sees_every_hand() -> None:
    for observer in OBSERVERS:
        view = GAME.view(table(seats=3, hands=HANDS, options=OPEN), observer)
        assert [seat.goods for seat in view.seats] == CARGO
        assert view.seats[0].markers == (0, 0, 0, 0, 0, 2, 0, 0, 0)
        assert view.bag is not None


def test_of_secret_markers_all_see_how_many_there_are_and_their_owner_the_numbers() -> None:
    """Section 8 of the facts, and the default."""
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


def test_with_hidden_goods_everybody_sees_only_the_own_hand_until_the_end() -> None:
    """Section 8 of the facts: counts included."""
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


def test_bids_and_payments_are_open_in_every_way_to_play() -> None:
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


def test_an_extra_marker_is_drawn_unseen_unless_hands_are_open() -> None:
    for options, seen in (({}, False), (OPEN, True), (HIDDEN, False)):
        state = table(hands=("o8", "s"), chits={0: ("marker",)}, at=1, options=options)
        events = play(state, 1, "end")
        kinds = [event.kind for event in events if event.heard_by(1)]
        assert ("extra_marker" in kinds) is seen
        assert ("extra_marker_secretly" in kinds) is not seen
        owner = [event for event in events if event.kind.startswith("extra_marker")]
        assert [event.kind for event in owner if event.heard_by(0)] == ["extra_marker"]


def test_a_hidden_route_is_seen_by_those_who_know_it() -> None:
    state = table(routes={REVAL: ("7?1", "5?")})
    seen = {
        observer: [route.marker for route in GAME.view(state, observer).cities[REVAL].routes]
        for observer in (SPECTATOR, 0, 1)
    }
    assert seen == {SPECTATOR: [None, None], 0: [None, None], 1: [LUBECK, None]}


def test_a_divided_cargo_and_a_sealed_choice_are_seen_by_those_concerned() -> None:
    frame = Choosing(0, 1, ("o", "s"))
    hidden = table(seats=3, hands=("", "os"), options=HIDDEN, asked=frame)
    opened = table(seats=3, hands=("", "os"), asked=frame)
    assert [GAME.view(hidden, o).groups for o in OBSERVERS] == [None, *[("o", "s")] * 2, None]
    assert [GAME.view(opened, o).groups for o in OBSERVERS] == [("o", "s")] * 4
    state = table(seats=3, asked=Founding([4, -1, -1], [-1, -1, -1]))
    assert [GAME.view(state, observer).chosen for observer in OBSERVERS] == [None, 4, None, None]


def test_the_view_shows_what_lies_on_the_table_and_who_is_waited_for() -> None:
    state = table(
        seats=3,
        offices={REVAL: [(2, "f")]},
        raids={LUBECK: (1,)},
        display=("87", ""),
        chits={0: ("secret",)},
        order=(2, 0, 1),
        laps=1,
        asked="move",
        options=ITALIAN,
    )
    view = GAME.view(state, 1)
    assert (view.phase, view.active, view.observer) == ("move", (2,), 1)
    (office,) = view.cities[REVAL].offices
    assert (office.seat, office.goods) == (2, (0, 1, 0, 0))
    assert view.cities[LUBECK].raids == (1,)
    assert view.display == ("87", "")
    assert (view.order, view.laps) == ((2, 0, 1), 1)
    assert view.chits_left == (2, 2, 2, 1)
    assert view.variants == ("either_price", "failed_route_keeps_step")
    assert [seat.development_points for seat in view.seats] == [1, 0, 1]
    assert [seat.raids for seat in view.seats] == [1, 0, 1]


def test_a_bid_stays_in_view_until_the_next_round() -> None:
    state = table(hands=("5", "6"), asked="bid")
    play(state, 0, "bid 5")
    assert [seat.bid for seat in GAME.view(state, 1).seats] == ["5", ""]
    play(state, 1, "bid 6")
    assert [seat.bid for seat in GAME.view(state, 0).seats] == ["5", "6"]
