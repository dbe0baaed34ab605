"""The step of the buyer, with which a turn begins (section 4.1, rulings 1 to 4)."""

from __future__ import annotations

import pytest

from bot.game.guatemala import GAME
from bot.game.guatemala.production import POSITION_NAMES
from tests.game.guatemala.positions import (
    asked,
    faced,
    facts,
    money,
    play,
    refused,
    table,
    words,
)


@pytest.mark.parametrize(("steps", "position"), [(1, "t3"), (2, "t4"), (3, "t5")])
def test_the_buyer_moves_one_to_three_positions_free(steps: int, position: str) -> None:
    state = table(asked="step", buyer="t2")
    events = play(state, 0, f"move {steps}")
    assert faced(state) == position
    assert money(state) == [15, 15]
    assert facts(events, "buyer_moved") == [
        {"seat": 0, "steps": steps, "position": position, "paid": 0}
    ]


def test_four_positions_cost_two_centavos() -> None:
    state = table(asked="step", buyer="t2", money=(2, 0))
    events = play(state, 0, "move 4")
    assert faced(state) == "t6"
    assert money(state) == [0, 0]
    assert facts(events, "buyer_moved")[0]["paid"] == 2


@pytest.mark.parametrize("left", [0, 1])
def test_who_cannot_pay_moves_three_at_most(left: int) -> None:
    state = table(asked="step", money=(left, 15))
    assert words(state, 0, "move") == ("1", "2", "3")
    refusal = refused(state, 0, "move 4")
    assert (refusal.code, refusal.facts["money"]) == ("fourth_step_unpaid", left)


@pytest.mark.parametrize("steps", ["0", "5", "-1", "36", "all"])
def test_there_is_no_fifth_step_and_no_step_back(steps: str) -> None:
    """Ruling 4; and a step of none is to pass (ruling 3)."""
    state = table(asked="step", money=99)
    assert words(state, 0, "move") == ("1", "2", "3", "4")
    assert refused(state, 0, f"move {steps}").code == "not_a_choice"


@pytest.mark.parametrize(
    ("before", "after"), [("t9", "r1"), ("r9", "b9"), ("b1", "l9"), ("l1", "t1")]
)
def test_the_buyer_turns_each_corner_clockwise(before: str, after: str) -> None:
    """Ruling 2: there are no corner positions."""
    state = table(asked="step", buyer=before)
    play(state, 0, "move 1")
    assert faced(state) == after


def test_twelve_times_three_steps_lead_once_round_the_board() -> None:
    state, seen = table(asked="step", buyer="t2", money=99), []
    for seat in [0, 1] * 6:
        play(state, seat, "move 3")
        seen.append(faced(state))
        play(state, seat, "end")
        state.idle = 0
    assert seen == [POSITION_NAMES[(1 + 3 * n) % 36] for n in range(1, 13)]
    assert seen[-1] == "t2"


def test_after_the_step_the_seat_acts_and_cannot_move_again() -> None:
    state = table(asked="step")
    play(state, 0, "move 1")
    assert asked(state) == [(0, "act")]
    assert refused(state, 0, "move 1").code == "not_now"
    assert refused(state, 0, "pass").code == "not_now"


@pytest.mark.parametrize("line", ["buy 11 a2", "take", "end"])
def test_nothing_is_bought_or_taken_before_the_step(line: str) -> None:
    """Section 4: first the step, then one of the two actions."""
    state = table(asked="step", buyer="t4")
    assert refused(state, 0, line).code == "not_now"


def test_who_does_not_move_the_buyer_gives_up_the_whole_turn() -> None:
    """Ruling 3."""
    state = table(asked="step", buyer="t4", seats=3)
    events = play(state, 0, "pass")
    assert [event.kind for event in events] == ["passed", "turn_ended"]
    assert faced(state) == "t4"
    assert money(state) == [15, 15, 15]
    assert asked(state) == [(1, "step")]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_go_clockwise_and_a_round_begins_with_the_first_player(seats: int) -> None:
    state = table(asked="step", seats=seats, turn=1, first=1)
    order, rounds = [], []
    for _ in range(2 * seats + 1):
        ((seat, _),) = asked(state)
        order.append(seat)
        rounds.append(GAME.round(state))
        play(state, seat, "move 1")
        assert facts(play(state, seat, "end"), "turn_ended") == [{"seat": seat}]
    assert order == [(1 + n) % seats for n in range(2 * seats + 1)]
    assert rounds == [3 + n // seats for n in range(2 * seats + 1)]


def test_only_the_seat_on_turn_moves_the_buyer() -> None:
    state = table(asked="step", seats=3, turn=1)
    assert asked(state) == [(1, "step")]
    for seat in (0, 2):
        assert refused(state, seat, "move 1").code == "not_your_turn"
        assert refused(state, seat, "pass").code == "not_your_turn"
