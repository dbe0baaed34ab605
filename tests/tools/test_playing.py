"""Tools that play or replay games: `simulate`, `arena` and `replay`, and their errors."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from signal import SIGINT, SIGTERM, Signals, raise_signal

import msgspec
import pytest

from bot.game.contract import Chance
from bot.game.kogge import GAME
from bot.game.kogge.game import Kogge
from bot.game.kogge.state import KoggeState
from bot.game.log import RecordedEntry
from bot.tables.core.record import Record, encode, fold
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import FAILURE, OK, arena, replay, simulate, verify
from bot.tools.playing import play, players, record
from tests.tools.typed import UNUSABLE, printed, run

KOGGE = TITLES["kogge"]


def test_simulate_prints_one_object_about_its_games(capsys: pytest.CaptureFixture[str]) -> None:
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
    *_, (_, state) = fold(GAME, record(GAME, seated, {}, Random(5)))
    assert GAME.encode(state) == GAME.encode(last.state)
    assert len(record(GAME, seated, {}, Random(5), 20).entries) == 20


ONE_JOB = ("--jobs", "1")


def test_the_normal_player_beats_the_random_one_in_every_seat(
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


@pytest.mark.parametrize("how", [SIGTERM, pytest.param(SIGINT, marks=pytest.mark.slow)])
async def test_an_arena_reports_each_deal_and_the_total_when_it_is_stopped(
    how: Signals,
) -> None:
    players = ("--policy", "normal", "--against", "random")
    words = ("burgundy", *players, "--games", "10000", "--jobs", "2", "--json")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "arena", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    first = (await process.stderr.readline()).decode()
    assert first.startswith("deal 1 of 5000: won 2 of 2, 100.0% (95 %: ")
    if how is SIGINT:
        # Ctrl+C in a terminal reaches all its processes.
        os.killpg(process.pid, how)
    else:
        process.send_signal(how)
    out, err = (message.decode() for message in await process.communicate())
    assert process.returncode == OK
    *deals, last = err.splitlines()
    assert all(line.startswith("deal ") for line in deals)
    (found,) = map(json.loads, out.splitlines())
    assert found["games"] == 2 * (1 + len(deals))
    assert last == f"Stopped after {found['games']} of 10000 games."


def test_a_stopped_simulation_counts_the_games_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Stopped(Kogge):
        left = 0

        def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> KoggeState:
            if self.left == 0:
                raise_signal(SIGTERM)
            self.left -= 1
            return super().setup(seats, options, chance)

    game = Stopped()
    titles = Titles((replace(KOGGE, game=game),))
    words = ("kogge", "--players", "2", "--json")
    game.left = 2
    assert run(simulate, *words, titles=titles) == OK
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 2
    assert err == "Stopped after 2 of 100 games.\n"
    for tool, more, games in ((simulate, (), 100), (arena, ONE_JOB, 200)):
        assert run(tool, *words, *more, titles=titles) == FAILURE
        assert capsys.readouterr() == ("", f"Stopped after 0 of {games} games.\n")


PNG = b"\x89PNG\r\n\x1a\n"
STEPS = 12


@pytest.fixture(scope="module")
def short() -> Record:
    return record(GAME, players(KOGGE, ["normal"], 2), {"goods": "hidden"}, Random(1), STEPS)


def test_each_entry_always_becomes_the_same_picture_and_line(short: Record, tmp_path: Path) -> None:
    file, out, again = tmp_path / "game.json", tmp_path / "new" / "folder", tmp_path / "again"
    resigned = msgspec.structs.replace(short, entries=(*short.entries, RecordedEntry(0, "@resign")))
    file.write_bytes(encode(resigned))
    assert run(replay, str(file), "--out", str(out)) == OK
    pictures = sorted(out.glob("*.png"))
    assert [picture.name for picture in pictures] == [f"{n:04}.png" for n in range(STEPS + 1)]
    assert all(picture.read_bytes().startswith(PNG) for picture in pictures)
    lines = (out / "index.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == STEPS + 1
    assert lines[0].startswith("0000.png  kogge: ")
    # A secret choice is not shown before it is revealed.
    assert short.entries[1].action.startswith("found")
    assert lines[1] == "0001.png  Player 1: -"
    bids = [n for n, entry in enumerate(short.entries) if entry.action.startswith("bid")]
    assert " bids " in lines[bids[0]]

    again.mkdir()
    replay.replay(KOGGE, resigned, again)
    assert {each.name: each.read_bytes() for each in out.iterdir()} == {
        each.name: each.read_bytes() for each in again.iterdir()
    }


def test_a_record_that_cannot_be_drawn_is_reported(
    capsys: pytest.CaptureFixture[str], short: Record, tmp_path: Path
) -> None:
    file, out = tmp_path / "file.json", tmp_path / "out"
    another = msgspec.structs.replace(short, game="chess")
    cheat = msgspec.structs.replace(
        short, entries=(short.entries[0], RecordedEntry(0, "build both"))
    )
    for content, into, status, message in (
        (another, out, UNUSABLE, "'chess'"),
        (short, file, UNUSABLE, "Cannot create"),
        (cheat, out, FAILURE, "entry 1"),
    ):
        file.write_bytes(encode(content))
        assert run(replay, str(file), "--out", str(into)) == status, message
        assert message in capsys.readouterr().err


NOT_A_GAME = "There is no game 'chess'"
NO_SENSE = (
    (arena, "chess", NOT_A_GAME),
    (arena, "kogge --players 9", "kogge is for 2, 3, 4 players, not 9"),
    (arena, "kogge --policy genius", "random, easy, normal, strong"),
    (arena, "kogge --games 0", "--games must be at least 1"),
    (arena, "kogge --nodes 0", "must be at least 1"),
    (simulate, "kogge --players 5", "2, 3, 4 players, not 5"),
    (simulate, "kogge --games 0", "--games must be at least 1"),
    (simulate, "kogge --option goods", "NAME=VALUE"),
    (simulate, "kogge --option weather=fair", "no option 'weather'"),
    (simulate, "kogge --option goods=secret", "open, hidden"),
)


def test_invalid_arguments_are_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for tool, words, message in NO_SENSE:
        status, (out, err) = run(tool, *words.split()), capsys.readouterr()
        assert (status, out, err.count("\n")) == (UNUSABLE, "", 1), (tool, words, err)
        assert message in err, (tool, words)


def test_an_unusable_file_or_folder_is_named(
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
        assert run(replay, str(file), "--out", str(tmp_path / "out")) == UNUSABLE
        (line,) = capsys.readouterr().err.splitlines()
        assert str(file) in line
        assert ("Cannot read" if content is None else "not the record of a game") in line
    for unreadable in (tmp_path / "none", tmp_path):
        assert run(verify, str(unreadable)) == UNUSABLE
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"Cannot read {unreadable}: ")
