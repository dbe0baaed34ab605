"""Hints in words: what a move is worth, and how much better than another."""

from __future__ import annotations

import pytest

from bot.text import hints
from bot.text.contract import Label
from bot.text.words import words_for

EN, IT = words_for("en"), words_for("it")
MOVE = Label("Ship from depot 1 → *d5*", "🚢")


@pytest.mark.parametrize(
    ("lead", "said"),
    [
        (3.6, "62% to win · likely to finish 4 points ahead"),
        (1.2, "62% to win · likely to finish 1 point ahead"),
        (0.3, "62% to win · likely to finish level"),
        (-0.4, "62% to win · likely to finish level"),
        (-1.0, "62% to win · likely to finish 1 point behind"),
        (-7.7, "62% to win · likely to finish 8 points behind"),
        (None, "62% to win"),
    ],
)
def test_a_move_is_worth_a_chance_and_a_lead_where_that_is_in_points(
    lead: float | None, said: str
) -> None:
    assert hints.worth(EN, 0.618, lead) == said


@pytest.mark.parametrize(
    ("chance", "said"), [(0.0, 1), (0.004, 1), (0.5, 50), (0.999, 99), (1, 99)]
)
def test_nothing_is_certain_before_it_has_come_about(chance: float, said: int) -> None:
    assert hints.percent(chance) == said


def test_the_best_is_said_to_be_better_than_the_next_where_one_can_tell() -> None:
    assert hints.ahead_of_next(EN, 0.62, 0.57) == "5 points better than the next move"
    assert hints.ahead_of_next(EN, 0.62, 0.61) == ""


def test_another_move_is_said_to_be_nearly_as_good_where_it_is() -> None:
    assert hints.beside_best(EN, 0.61, 0.62) == "nearly as good"
    assert hints.beside_best(EN, 0.6, 0.62) == ""
    # By points it may even be the better one.
    assert hints.beside_best(EN, 0.63, 0.62) == "nearly as good"


def test_a_move_is_said_with_its_number_its_reasons_and_what_changes() -> None:
    changes = ["points: 3 → 6", "workers: 1 → 2", "goods: 0 → 1", "storage: 1 → 0"]
    assert hints.move(EN, 2, MOVE, ["62% to win", ""], changes) == [
        r"**2.** 🚢 Ship from depot 1 → \*d5\*",
        "-# 62% to win",
        "> points: 3 → 6 · workers: 1 → 2 · goods: 0 → 1",
    ]


def test_of_a_move_of_which_nothing_is_known_nothing_is_said() -> None:
    assert hints.move(EN, 1, Label("End turn"), [], []) == ["**1.** End turn"]


def test_a_move_is_played_by_the_press_of_its_number() -> None:
    assert hints.play(EN, 2) == Label("Play 2")


def test_a_plan_is_told_what_it_is_worth_and_what_the_best_is() -> None:
    assert hints.plan(EN, 0.5, 2) == ("⚖️ Your plan: 50% to win · likely to finish 2 points ahead.")
    assert hints.beside_plan(EN, 0.5, (0.62, None), MOVE) == (
        r"The strong player's best move: Ship from depot 1 → \*d5\* (62% to win)"
    )


def test_a_plan_that_is_nearly_as_good_is_told_so() -> None:
    said = hints.beside_plan(EN, 0.615, (0.62, 3), MOVE)
    assert said.startswith("Nearly as good as the strong player's best move: Ship")
    assert "%" not in said


def test_hints_are_said_in_italian_too() -> None:
    assert hints.worth(IT, 0.62, 4) == "62% di vincere · probabile vantaggio finale di 4 punti"
