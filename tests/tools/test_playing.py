"""Tools that have games played: `simulate`, `arena`, `fit`, `tune` and `replay`, and what all tools
say in one line to what they cannot use."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from bot.game.kogge import GAME
from bot.game.kogge.game import Kogge
from bot.game.kogge.state import KoggeState
from bot.policy.burgundy.weights import NORMAL, BurgundyWeights
from bot.policy.guatemala.weights import GuatemalaRating
from bot.policy.tuning import size
from bot.tables.core.record import Entry, Record, encode, fold
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import FAILURE, OK, USAGE, arena, bench, fit, leaks, replay, simulate, tune, verify
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


@pytest.mark.slow
def test_what_is_fitted_is_a_table_of_what_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(fit, "guatemala", "--games", "1", "--jobs", "1") == OK
    said = capsys.readouterr().out
    (found,) = tomllib.loads(said)[fit.FITTED]
    rating = msgspec.convert(found, GuatemalaRating)
    assert min(msgspec.structs.astuple(rating)) >= 0
    assert any(msgspec.structs.astuple(rating))
    assert "games of 2:" in said.splitlines()[0]


def test_what_leads_to_more_is_told_from_what_does_harm_and_from_what_a_seat_has_anyhow() -> None:
    rng = Random(1)
    found = []
    for _ in range(50):
        anyhow = rng.gauss(0, 100)
        rows = []
        for _ in range(4):
            good, harm = rng.gauss(0, 1), rng.gauss(0, 1)
            rows.append((3 * good - harm + 2 * anyhow, good, harm, anyhow))
        found.append(rows)
    good, harm, anyhow = fit.fitted(np, found)
    assert good == pytest.approx(3, abs=0.3)
    assert harm == anyhow == 0


@pytest.mark.slow
def test_what_is_tuned_is_a_table_of_weights(capsys: pytest.CaptureFixture[str]) -> None:
    brief = ("--seconds", "0.1", "--deals", "1", "--check", "1", "--jobs", "1")
    assert run(tune, "burgundy", *brief) == OK
    said = capsys.readouterr()
    found = tomllib.loads(said.out)[tune.TUNED]
    weights = msgspec.convert(found, BurgundyWeights)
    assert weights != NORMAL
    assert "of 2," in said.out.splitlines()[0]
    assert said.err.startswith("1: ")


def test_better_weights_are_told_from_worse_ones() -> None:
    # Whoever takes nothing to be worth anything does not even build.
    numbers = size(NORMAL)
    spoiled, same = (
        tune._worth(TITLES["burgundy"], 2, NORMAL, ["1", "2"], [weight] * numbers)
        for weight in (-5.0, 0.0)
    )
    assert spoiled < same


PNG = b"\x89PNG\r\n\x1a\n"
STEPS = 12


@pytest.fixture(scope="module")
def short() -> Record:
    return record(GAME, players(KOGGE, ["normal"], 2), {"goods": "hidden"}, Random(1), STEPS)


def test_each_entry_becomes_a_picture_and_a_line_always_the_same(
    short: Record, tmp_path: Path
) -> None:
    file, out, again = tmp_path / "game.json", tmp_path / "new" / "folder", tmp_path / "again"
    resigned = msgspec.structs.replace(short, entries=(*short.entries, Entry(0, "@resign")))
    file.write_bytes(encode(resigned))
    assert run(replay, str(file), "--out", str(out)) == OK
    pictures = sorted(out.glob("*.png"))
    assert [picture.name for picture in pictures] == [f"{n:04}.png" for n in range(STEPS + 1)]
    assert all(picture.read_bytes().startswith(PNG) for picture in pictures)
    lines = (out / "index.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == STEPS + 1
    assert lines[0].startswith("0000.png  kogge: ")
    # A sealed choice is not told before it is revealed.
    assert short.entries[1].action.startswith("found")
    assert lines[1] == "0001.png  Player 1: -"
    bids = [n for n, entry in enumerate(short.entries) if entry.action.startswith("bid")]
    assert " bids " in lines[bids[0]]

    again.mkdir()
    replay.replay(KOGGE, resigned, again)
    assert {each.name: each.read_bytes() for each in out.iterdir()} == {
        each.name: each.read_bytes() for each in again.iterdir()
    }


def test_what_cannot_be_drawn_is_told(
    capsys: pytest.CaptureFixture[str], short: Record, tmp_path: Path
) -> None:
    file, out = tmp_path / "file.json", tmp_path / "out"
    another = msgspec.structs.replace(short, game="chess")
    cheat = msgspec.structs.replace(short, entries=(short.entries[0], Entry(0, "build both")))
    for content, into, status, said in (
        (another, out, USAGE, "'chess'"),
        (short, file, USAGE, "cannot be made"),
        (cheat, out, FAILURE, "entry 1"),
    ):
        file.write_bytes(encode(content))
        assert run(replay, str(file), "--out", str(into)) == status, said
        assert said in capsys.readouterr().err


NOT_A_GAME = "There is no game 'chess'"
UNUSABLE = (
    (arena, "chess", NOT_A_GAME),
    (arena, "kogge --players 9", "kogge is for 2, 3, 4 players, not 9"),
    (arena, "kogge --policy genius", "random, easy, normal, strong"),
    (arena, "kogge --games 0", "counted from one"),
    (arena, "kogge --nodes 0", "counted from one"),
    (bench, "chess", NOT_A_GAME),
    (bench, "kogge --only speed", "There is no"),
    (fit, "kogge", "kogge"),
    (fit, "guatemala --players 7", "7"),
    (fit, "guatemala --games 0", ""),
    (leaks, "chess", "no game 'chess'"),
    (leaks, "--checks 0", "at least 1"),
    (simulate, "kogge --players 5", "2, 3, 4 players, not 5"),
    (simulate, "kogge --games 0", "At least one game"),
    (simulate, "kogge --option goods", "name=value"),
    (simulate, "kogge --option weather=fair", "no option 'weather'"),
    (simulate, "kogge --option goods=secret", "open, hidden"),
    (tune, "burgundy --begin mine", "mine"),
)


def test_what_makes_no_sense_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for tool, words, said in UNUSABLE:
        status, (out, err) = run(tool, *words.split()), capsys.readouterr()
        assert (status, out, err.count("\n")) == (USAGE, "", 1), (tool, words, err)
        assert said in err, (tool, words)


def test_a_file_or_folder_that_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    contents = {
        "none": None,
        "words": b"this is no record",
        "half": b'{"game":"kogge"}',
    }
    for name, content in contents.items():
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        assert run(replay, str(file), "--out", str(tmp_path / "out")) == USAGE
        (line,) = capsys.readouterr().err.splitlines()
        assert str(file) in line
        assert ("cannot be read" if content is None else "not the record of a game") in line
    for unreadable in (tmp_path / "none", tmp_path):
        assert run(verify, str(unreadable)) == USAGE
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"{unreadable} cannot be read: ")
