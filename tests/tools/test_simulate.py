"""Whole games in process, their records, and the command line's `simulate`."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from bot.game.kogge import GAME
from bot.game.kogge.game import Kogge
from bot.game.kogge.state import KoggeState
from bot.tables.core.record import fold
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import FAILURE, OK, simulate
from bot.tools.playing import play, players, record
from tests.tools.typed import printed, run

KOGGE = TITLES["kogge"]


def test_it_prints_one_object_about_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    for seats in (2, 4):
        words = ("kogge", "--players", str(seats), "--games", "3", "--seed", "3")
        found = printed(capsys, simulate, *words)
        assert found["games"] == 3
        assert found["endings"] == {"laps": 3}
        assert found["invariant_failures"] == 0
        assert [len(scores) for scores in found["final_scores"]] == [seats] * 3
        assert found["mean_decisions"] == pytest.approx(found["actions"] / 3, abs=0.1)
        assert found["actions_per_second"] > 0
        assert sum(found["wins"]) >= 3
    assert run(simulate, "kogge", "--games", "1") == OK
    assert "1 games of kogge with 4 players" in capsys.readouterr().out


def test_the_seed_decides_all_but_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    def told(seed: str) -> dict[str, object]:
        found = printed(capsys, simulate, "kogge", "--games", "1", "--seed", seed)
        del found["actions_per_second"], found["seed"]
        return found

    assert told("1") == told("1")
    assert told("1") != told("2")


def test_a_broken_invariant_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    class Leaky(Kogge):
        def invariants(self, state: KoggeState) -> list[str]:
            return ["a marker was lost"] if state.round == 2 else []

    leaky = Titles((replace(KOGGE, game=Leaky()),))
    assert run(simulate, "kogge", "--games", "1", "--json", titles=leaky) == FAILURE
    out, err = capsys.readouterr()
    assert json.loads(out)["invariant_failures"] > 0
    assert "game 0, action" in err
    assert "a marker was lost" in err


def test_a_record_of_a_played_game_folds_to_the_same_state_and_may_stop_early() -> None:
    seated = players(KOGGE, ["random"], 3)
    *_, last = play(GAME, seated, {}, Random(5))
    *_, folded = fold(GAME, record(GAME, seated, {}, Random(5)))
    assert GAME.encode(folded.state) == GAME.encode(last.state)
    assert len(record(GAME, seated, {}, Random(5), 20).entries) == 20
