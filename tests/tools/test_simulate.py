"""Whole games in process, by the command line's `simulate`."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import Any

import pytest

from bot.game.kogge.game import Kogge
from bot.game.kogge.state import KoggeState
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import FAILURE, OK, USAGE, simulate


def run(*words: str, titles: Titles = TITLES) -> int:
    parser = argparse.ArgumentParser()
    simulate.add_arguments(parser)
    return simulate.run(parser.parse_args(words), titles)


def summary(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(*words, "--json") == OK
    (line,) = capsys.readouterr().out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_prints_one_object_about_its_games(
    capsys: pytest.CaptureFixture[str], players: int
) -> None:
    found = summary(capsys, "kogge", "--players", str(players), "--games", "5", "--seed", "3")
    assert found["games"] == 5
    assert found["endings"] == {"laps": 5}
    assert found["invariant_failures"] == 0
    assert [len(scores) for scores in found["final_scores"]] == [players] * 5
    assert found["mean_decisions"] == found["actions"] / 5
    assert found["actions_per_second"] > 0
    assert sum(found["wins"]) >= 5


def test_the_seed_decides_all_but_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    def told(seed: str) -> dict[str, Any]:
        found = summary(capsys, "kogge", "--games", "2", "--seed", seed)
        del found["actions_per_second"], found["seed"]
        return found

    assert told("1") == told("1")
    assert told("1") != told("2")


def test_options_and_players_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    found = summary(
        capsys,
        *("kogge", "--players", "2", "--games", "4", "--option", "edition=italian"),
        *("--option", "goods=hidden", "--policy", "normal", "--policy", "random"),
    )
    assert found["endings"] == {"development": 4}
    assert found["wins"] == [4, 0]


def test_without_json_it_says_the_same_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("kogge", "--games", "2") == OK
    assert "2 games of kogge with 4 players" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess",), "There is no game 'chess'"),
        (("kogge", "--players", "5"), "2, 3, 4 players, not 5"),
        (("kogge", "--games", "0"), "At least one game"),
        (("kogge", "--option", "goods"), "name=value"),
        (("kogge", "--option", "weather=fair"), "no option 'weather'"),
        (("kogge", "--option", "goods=secret"), "open, hidden"),
        (("kogge", "--policy", "genius"), "random, easy, normal, strong"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert run(*words) == USAGE
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert said in line


def test_a_broken_invariant_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    class Leaky(Kogge):
        def invariants(self, state: KoggeState) -> list[str]:
            return ["a marker was lost"] if state.round == 2 else []

    leaky = Titles((replace(TITLES["kogge"], game=Leaky()),))
    assert run("kogge", "--games", "1", "--json", titles=leaky) == FAILURE
    printed = capsys.readouterr()
    assert json.loads(printed.out)["invariant_failures"] > 0
    assert "game 0, action" in printed.err
    assert "a marker was lost" in printed.err
