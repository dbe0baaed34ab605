"""Mirrored games, between players of whom it is known who is the stronger."""

from __future__ import annotations

import msgspec
import pytest

from bot.tools import arena
from bot.tools.arena import one_game, wilson
from tests.games.pebbles_titles import FIRST
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


def test_a_game_is_the_same_when_it_is_played_again() -> None:
    games = [one_game(FIRST, 2, "random", "normal", {}, None, "deal", 1) for _ in range(2)]
    one, again = (msgspec.structs.replace(game, cpu_ms=()) for game in games)
    assert one == again
    assert one.seat == 1


def test_the_interval_is_that_of_the_textbook() -> None:
    low, high = wilson(81, 100)
    assert (round(low, 4), round(high, 4)) == (0.7222, 0.8749)
