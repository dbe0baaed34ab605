"""Phases, rounds and turn order (sections 2, 7.2 and 7.4)."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.state import BurgundyState
from bot.game.chance import RandomChance
from tests.game.burgundy.positions import (
    asked,
    facts,
    finish,
    held,
    lying,
    play,
    refused,
    table,
    words,
)


def begun(seats: int) -> BurgundyState:
    return GAME.setup(seats, {}, RandomChance(Random(seats)))


@pytest.mark.parametrize(("seats", "black"), [(2, 4), (3, 6), (4, 8)])
def test_a_phase_fills_all_depots_and_shows_five_goods(seats: int, black: int) -> None:
    state = begun(seats)
    assert [len(tiles) for tiles in state.depots[:6]] == {
        2: [2, 2, 2, 2, 2, 2],
        3: [3, 3, 3, 3, 3, 3],
        4: [4, 4, 4, 4, 4, 4],
    }[seats]
    assert len(lying(state, "black")) == black
    # One of the five has gone to a depot with the first white die.
    assert len(state.coming) == 4
    assert sum(map(sum, state.goods)) == 1


def test_every_round_all_roll_and_the_white_die_places_the_next_good() -> None:
    state = table(dice=(2, 3), coming="614")
    finish(state, 0)
    events = finish(state, 1, drawn=(0, 5, 2, 3, 4))
    assert facts(events, "round_began") == [{"phase": "A", "round": 2, "seats": (0, 1)}]
    assert facts(events, "rolled") == [
        {"seat": 0, "dice": (1, 6)},
        {"seat": 1, "dice": (3, 4)},
    ]
    assert facts(events, "goods_placed") == [{"depot": "5", "good": "6"}]
    assert state.goods[4] == [0, 0, 0, 0, 0, 1]
    assert state.white == 5
    assert state.coming == [0, 3]


def test_turns_follow_the_order_of_the_track() -> None:
    state = table(seats=4, track=[(2,), (1, 3), (0,)])
    for seat in (0, 3, 1, 2):
        assert asked(state) == [(seat, "turn")]
        finish(state, seat)
    assert state.round == 2


def test_a_ship_changes_the_order_from_the_next_round_on_and_the_last_to_come_is_on_top() -> None:
    """Seat 1 moves onto seat 0's space later in the same round, so it goes first (section 8)."""
    state = table(seats=3, stored="ship", others_stored="ship", dice=(5, 5))
    state.players[1].dice = [5, 5]
    events = play(state, 0, "place 5 ship d5")
    assert facts(events, "moved_ahead") == [{"seat": 0, "count": 2}]
    finish(state, 0)
    assert asked(state) == [(1, "turn")]
    play(state, 1, "place 5 ship d5")
    finish(state, 1)
    finish(state, 2)
    assert state.track[:2] == [[2], [0, 1]]
    assert state.order == [1, 0, 2]


def test_mines_pay_at_the_end_of_each_phase() -> None:
    mined = {"d4": "castle", "e3": "mine", "f2": "mine"}
    state = table(round_=5, coming="", estates=(mined,), silverlings=1)
    finish(state, 0)
    events = finish(state, 1)
    assert facts(events, "mines_paid") == [{"seat": 0, "silverlings": 2, "workers": 0}]
    assert state.players[0].silverlings == 3


def test_a_mine_pays_in_the_phase_in_which_it_was_placed_and_in_the_last_one() -> None:
    state = table(round_=25, coming="", stored="mine", dice=(4, 4))
    play(state, 0, "place 4 mine e3")
    finish(state, 0)
    events = finish(state, 1)
    assert facts(events, "mines_paid") == [{"seat": 0, "silverlings": 1, "workers": 0}]
    assert facts(events, "game_ended")


def test_at_the_end_of_a_phase_tiles_leave_the_depots_but_goods_stay() -> None:
    state = table(
        round_=5, coming="", depots={"3": "cow3 ship", "black": "k7"}, goods_at={"2": "445"}
    )
    finish(state, 0)
    events = finish(state, 1)
    assert facts(events, "depots_cleared") == [{"count": 3}]
    assert sum(state.removed) == 3
    assert state.goods[1][3:5] >= [2, 1]
    assert facts(events, "phase_began")[0]["phase"] == "B"
    assert facts(events, "round_began") == [{"phase": "B", "round": 1, "seats": (0, 1)}]
    assert [len(tiles) for tiles in state.depots] == [2, 2, 2, 2, 2, 2, 4]


def test_goods_and_money_carry_over_to_the_next_phase() -> None:
    state = table(round_=5, coming="", goods_of=("112",), silverlings=2, workers=3)
    finish(state, 0)
    finish(state, 1)
    player = state.players[0]
    assert (held(state, 0), player.silverlings, player.workers) == ("112", 2, 7)


def test_both_dice_must_be_used_before_a_turn_ends() -> None:
    state = table(dice=(2, 5))
    assert refused(state, 0, "end").code == "dice_left"
    play(state, 0, "workers 2")
    assert refused(state, 0, "end").facts == {"count": 1}
    play(state, 0, "workers 5")
    assert words(state, 0) == ("end",)
    play(state, 0, "end")
    assert asked(state) == [(1, "turn")]


def test_after_the_last_turn_nothing_is_asked() -> None:
    state = table(round_=25, coming="")
    finish(state, 0)
    finish(state, 1)
    assert GAME.pending(state) == ()
    assert refused(state, 0, "workers 1").code == "game_over"


def test_nobody_acts_for_another() -> None:
    state = table()
    assert refused(state, 1, "workers 1").code == "not_your_turn"
    assert refused(state, 1, "workers 1").facts == {"kind": "workers", "other": 0}
    assert refused(state, 0, "dance").code == "unknown_kind"
    assert refused(state, 0, "load 1 -").code == "not_now"
    assert refused(state, 0, ()).code == "unknown_kind"
