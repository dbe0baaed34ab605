"""Dice and workers (sections 7.3 and 8)."""

from __future__ import annotations

import pytest

from tests.game.burgundy.positions import facts, play, refused, stored, table, words

FULL = {str(number): "mine" for number in range(1, 7)}


def test_the_same_action_with_both_dice() -> None:
    state = table(dice=(2, 3), depots=FULL)
    play(state, 0, "take 2 2 mine -")
    play(state, 0, "take 3 3 mine -")
    assert stored(state, 0) == ["mine", "mine"]


def test_two_equal_dice_are_one_word_and_two_actions() -> None:
    state = table(dice=(4, 4))
    assert words(state, 0, "workers") == ("4",)
    play(state, 0, "workers 4")
    play(state, 0, "workers 4")
    assert state.players[0].workers == 4
    assert refused(state, 0, "workers 4").code == "dice_used"


def test_a_die_for_two_workers() -> None:
    state = table(dice=(2, 5), workers=1)
    events = play(state, 0, "workers 5")
    assert facts(events, "workers_taken") == [
        {"seat": 0, "die": "5", "workers": 2, "silverlings": 0}
    ]
    assert state.players[0].workers == 3
    assert words(state, 0, "workers") == ("2",)


@pytest.mark.parametrize(
    ("workers", "depots"),
    [(0, "6"), (1, "1 5 6"), (2, "1 2 4 5 6"), (3, "1 2 3 4 5 6"), (9, "1 2 3 4 5 6")],
)
def test_each_worker_shifts_a_die_by_one_and_six_and_one_adjoin(workers: int, depots: str) -> None:
    state = table(dice=(6, 6), workers=workers, depots=FULL)
    assert words(state, 0, "take 6") == tuple(depots.split())


def test_workers_are_bought_for_each_die_apart_and_no_more_than_it_takes() -> None:
    state = table(dice=(6, 6), workers=3, depots=FULL)
    events = play(state, 0, "take 6 2 mine -")
    assert facts(events, "taken")[0]["spent"] == 2
    assert words(state, 0, "take 6") == ("1", "5", "6")
    events = play(state, 0, "take 6 6 mine -")
    assert facts(events, "taken")[0]["spent"] == 0
    assert state.players[0].workers == 1


def test_what_is_too_far_is_refused_with_the_workers_it_would_take() -> None:
    state = table(dice=(6, 5), workers=1, depots=FULL)
    refusal = refused(state, 0, "take 6 3 mine -")
    assert refusal.code == "needs_workers"
    assert refusal.facts == {"die": "6", "number": 3, "count": 3, "workers": 1}


def test_dice_that_are_not_there_or_useless_are_told_apart() -> None:
    state = table(dice=(6, 2), depots={"2": "ship"})
    assert refused(state, 0, "take 6 2 ship -").code == "die_useless"
    assert refused(state, 0, "take 4 2 ship -").code == "no_such_die"
    assert refused(state, 0, "take nine 2 ship -").code == "not_a_choice"
    assert refused(state, 0, "workers any").code == "no_such_die"
