"""Mirrored games, between players of whom it is known who is the stronger."""

from __future__ import annotations

import argparse
import json
from typing import Any

import msgspec
import pytest

from bot.tools import OK, USAGE, arena
from bot.tools.arena import one_game, wilson
from tests.games.pebbles_titles import BEFORE, FIRST


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    arena.add_arguments(parser)
    return arena.run(parser.parse_args((*words, "--jobs", "1")), BEFORE)


def summary(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(*words, "--json") == OK
    (line,) = capsys.readouterr().out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_the_sensible_player_beats_chance_in_every_seat(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("burgundy", "--policy", "normal", "--against", "random", "--games", "6")
    found = summary(capsys, *words, "--players", "3")
    assert found["games"] == found["wins"] == 6
    assert found["share"] == 1
    assert found["share_low"] == pytest.approx(0.6097, abs=1e-4)
    assert found["mean_points"] > found["mean_points_against"]
    assert found["mean_lead"] > 0
    assert found["nodes"] is None


def test_the_other_way_round_chance_loses_as_often(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("burgundy", "--policy", "random", "--against", "normal", "--games", "4")
    found = summary(capsys, *words, "--players", "2")
    assert found["wins"] == 0
    assert found["share_low"] == pytest.approx(0, abs=1e-9)
    assert found["mean_lead"] < 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_player_that_draws_no_lots_wins_exactly_its_part_against_itself(
    capsys: pytest.CaptureFixture[str], players: int
) -> None:
    words = ("burgundy", "--policy", "normal", "--against", "normal", "--games", str(2 * players))
    found = summary(capsys, *words, "--players", str(players))
    assert found["games"] == 2 * players
    assert found["share"] == pytest.approx(1 / players, abs=1e-4)


def test_games_come_in_whole_rounds_of_seats(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("pebbles", "--policy", "normal", "--against", "random", "--games", "4")
    assert summary(capsys, *words, "--players", "3")["games"] == 6


def test_a_game_is_the_same_when_it_is_played_again() -> None:
    games = [one_game(FIRST, 2, "random", "normal", {}, None, "deal", 1) for _ in range(2)]
    one, again = (msgspec.structs.replace(game, cpu_ms=()) for game in games)
    assert one == again
    assert one.seat == 1


def test_the_strong_player_thinks_within_the_budget_that_is_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("pebbles", "--policy", "strong", "--against", "random", "--games", "2")
    found = summary(capsys, *words, "--nodes", "50")
    assert found["nodes"] == 50
    assert found["decisions"] > 4
    assert 0 < found["cpu_ms_p50"] <= found["cpu_ms_p99"]


def test_the_interval_is_that_of_the_textbook() -> None:
    low, high = wilson(81, 100)
    assert (round(low, 4), round(high, 4)) == (0.7222, 0.8749)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("chess",), "There is no game 'chess'"),
        (("kogge", "--players", "9"), "kogge is for 2, 3, 4 players, not 9"),
        (("kogge", "--policy", "genius"), "random, easy, normal, strong"),
        (("kogge", "--games", "0"), "counted from one"),
        (("kogge", "--nodes", "0"), "counted from one"),
    ],
)
def test_what_cannot_be_played_is_explained(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    assert run(*words) == USAGE
    assert told in capsys.readouterr().err
