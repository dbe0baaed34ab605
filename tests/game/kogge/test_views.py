"""What each observer sees, and what nobody but the owner does."""

from __future__ import annotations

import pytest

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.game.kogge.state import Choosing, Founding, KoggeOver
from tests.game.kogge.places import HIDDEN, ITALIAN, LUBECK, OPEN, REVAL
from tests.game.kogge.positions import play, table

OBSERVERS = (SPECTATOR, 0, 1, 2)


@pytest.mark.parametrize("observer", OBSERVERS)
def test_with_open_goods_everybody_sees_every_hand(observer: int) -> None:
    view = GAME.view(table(seats=3, hands=("oof5", "s8", ""), options=OPEN), observer)
    assert [seat.goods for seat in view.seats] == [(2, 1, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0)]
    assert view.seats[0].markers == (0, 0, 0, 0, 0, 1, 0, 0, 0)
    assert view.bag is not None


@pytest.mark.parametrize("observer", OBSERVERS)
def test_of_secret_markers_all_see_how_many_there_are_and_their_owner_the_numbers(
    observer: int,
) -> None:
    """Section 8 of the facts, and the default."""
    state = table(seats=3, hands=("oof55", "s8", ""))
    view = GAME.view(state, observer)
    assert [seat.goods for seat in view.seats] == [(2, 1, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0)]
    assert [seat.marker_count for seat in view.seats] == [2, 1, 0]
    for seat, shown in enumerate(view.seats):
        own = tuple(state.players[seat].markers)
        assert shown.markers == (own if seat == observer else None)
    assert view.bag == sum(state.bag)
    assert view.variants == ()


def test_bids_and_payments_are_open_in_every_way_to_play() -> None:
    """Section 8 of the facts; also a pair that is bought, and what the guild master swaps."""
    for options in ({}, OPEN, HIDDEN):
        heard = []
        state = table(hands=("o87", "s"), asked="bid", options=options)
        heard += [e for e in play(state, 0, "bid 8") if e.heard_by(SPECTATOR)]
        assert GAME.view(state, SPECTATOR).seats[0].bid == "8"
        state = table(hands=("oo87", "s"), display=("51",), guild=REVAL, options=options)
        heard += [e for e in play(state, 0, "buy 1 ore") if e.heard_by(SPECTATOR)]
        heard += [e for e in play(state, 0, "swap_marker 8") if e.heard_by(SPECTATOR)]
        told = {(e.kind, e.facts.get("pieces", e.facts.get("marker"))) for e in heard}
        assert told >= {("bid", "8"), ("pair_bought", "51"), ("marker_exchanged", 8)}


def test_an_extra_marker_is_drawn_unseen_unless_hands_are_open() -> None:
    for options, seen in (({}, False), (OPEN, True), (HIDDEN, False)):
        state = table(hands=("o8", "s"), chits={0: ("marker",)}, at=1, options=options)
        events = play(state, 1, "end")
        kinds = [event.kind for event in events if event.heard_by(1)]
        assert ("extra_marker" in kinds) is seen
        assert ("extra_marker_secretly" in kinds) is not seen
        assert "extra_marker" in [event.kind for event in events if event.heard_by(0)]


@pytest.mark.parametrize("observer", OBSERVERS)
def test_with_hidden_goods_everybody_sees_only_the_own_hand(observer: int) -> None:
    """Section 8 of the facts: counts included."""
    state = table(seats=3, hands=("oof5", "s8", ""), options=HIDDEN)
    view = GAME.view(state, observer)
    for seat, shown in enumerate(view.seats):
        assert (shown.goods is not None) == (seat == observer)
        assert (shown.markers is not None) == (seat == observer)
        assert (shown.marker_count is not None) == (seat == observer)
    assert view.bag is None
    assert "hidden" in view.variants


def test_at_the_end_all_hands_are_shown() -> None:
    state = table(hands=("oof5", "s8"), options=HIDDEN, asked=KoggeOver("laps"))
    view = GAME.view(state, SPECTATOR)
    assert [seat.goods for seat in view.seats] == [(2, 1, 0, 0), (0, 0, 0, 1)]
    assert view.outcome == GAME.outcome(state)


def test_a_hidden_route_is_seen_by_those_who_know_it() -> None:
    state = table(routes={REVAL: ("7?1", "5?")})
    seen = {
        observer: [route.marker for route in GAME.view(state, observer).cities[REVAL].routes]
        for observer in (SPECTATOR, 0, 1)
    }
    assert seen == {SPECTATOR: [None, None], 0: [None, None], 1: [LUBECK, None]}


def test_the_divided_cargo_is_seen_by_the_two_concerned() -> None:
    frame = Choosing(0, 1, ("o", "s"))
    hidden = table(seats=3, hands=("", "os"), options=HIDDEN, asked=frame)
    opened = table(seats=3, hands=("", "os"), asked=frame)
    assert [GAME.view(hidden, o).groups for o in OBSERVERS] == [None, *[("o", "s")] * 2, None]
    assert [GAME.view(opened, o).groups for o in OBSERVERS] == [("o", "s")] * 4


def test_a_sealed_choice_is_seen_by_its_maker_alone() -> None:
    state = table(seats=3, asked=Founding([4, -1, -1], [-1, -1, -1]))
    assert [GAME.view(state, observer).chosen for observer in OBSERVERS] == [None, 4, None, None]


def test_the_view_names_who_is_waited_for_and_what_for() -> None:
    view = GAME.view(table(asked="move"), 1)
    assert (view.phase, view.active, view.observer) == ("move", (0,), 1)


def test_the_view_shows_what_lies_on_the_table() -> None:
    state = table(
        seats=3,
        offices={REVAL: [(2, "f")]},
        raids={LUBECK: (1,)},
        display=("87", ""),
        chits={0: ("secret",)},
        order=(2, 0, 1),
        laps=1,
        options=ITALIAN,
    )
    view = GAME.view(state, SPECTATOR)
    assert [(office.seat, office.goods) for office in view.cities[REVAL].offices] == [
        (2, (0, 1, 0, 0))
    ]
    assert view.cities[LUBECK].raids == (1,)
    assert view.display == ("87", "")
    assert view.order == (2, 0, 1)
    assert view.laps == 1
    assert view.chits_left == (2, 2, 2, 1)
    assert view.variants == ("either_price", "failed_route_keeps_step")
    assert [seat.development_points for seat in view.seats] == [1, 0, 1]
    assert [seat.raids for seat in view.seats] == [1, 0, 1]


def test_a_view_never_changes_the_table() -> None:
    state = table(seats=3)
    before = GAME.encode(state)
    for observer in OBSERVERS:
        GAME.view(state, observer)
    assert GAME.encode(state) == before


def test_a_bid_stays_in_view_until_the_next_round() -> None:
    state = table(hands=("5", "6"), asked="bid")
    play(state, 0, "bid 5")
    assert [seat.bid for seat in GAME.view(state, 1).seats] == ["5", ""]
    play(state, 1, "bid 6")
    assert [seat.bid for seat in GAME.view(state, 0).seats] == ["5", "6"]
