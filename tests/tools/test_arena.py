"""Mirrored games, between players of whom it is known who is the stronger."""

from __future__ import annotations

import msgspec
import pytest

from bot.tools import arena
from bot.tools.arena import one_game, wilson
from tests.games.pebbles_titles import BEFORE, FIRST
from tests.tools.typed import printed

ONE_JOB = ("--jobs", "1")


def test_the_sensible_player_beats_chance_in_every_seat_and_not_the_other_way_round(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("burgundy", "--games", "3", *ONE_JOB, "--players", "3")
    found = printed(capsys, arena, *words, "--policy", "normal", "--against", "random")
    assert found["games"] == found["wins"] == 3
    assert found["share"] == 1
    assert found["share_low"] == pytest.approx(0.4385, abs=1e-4)
    assert found["mean_points"] > found["mean_points_against"]
    assert found["mean_lead"] > 0
    assert found["nodes"] is None
    words = ("burgundy", "--games", "2", *ONE_JOB, "--players", "2")
    found = printed(capsys, arena, *words, "--policy", "random", "--against", "normal")
    assert found["wins"] == 0
    assert found["share_low"] == pytest.approx(0, abs=1e-9)
    assert found["mean_lead"] < 0


def test_a_player_that_draws_no_lots_wins_exactly_its_part_against_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("burgundy", "--policy", "normal", "--against", "normal", "--games", "4", *ONE_JOB)
    found = printed(capsys, arena, *words, "--players", "3")
    # Whole rounds of seats.
    assert found["games"] == 6
    assert found["share"] == pytest.approx(1 / 3, abs=1e-4)


def test_a_game_is_the_same_when_it_is_played_again() -> None:
    games = [one_game(FIRST, 2, "random", "normal", {}, None, "deal", 1) for _ in range(2)]
    one, again = (msgspec.structs.replace(game, cpu_ms=()) for game in games)
    assert one == again
    assert one.seat == 1


def test_the_strong_player_thinks_within_the_budget_that_is_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("pebbles", "--policy", "strong", "--against", "random", "--games", "2", *ONE_JOB)
    found = printed(capsys, arena, *words, "--nodes", "50", titles=BEFORE)
    assert found["nodes"] == 50
    assert found["decisions"] > 4
    assert 0 < found["cpu_ms_p50"] <= found["cpu_ms_p99"]


def test_the_interval_is_that_of_the_textbook() -> None:
    low, high = wilson(81, 100)
    assert (round(low, 4), round(high, 4)) == (0.7222, 0.8749)
