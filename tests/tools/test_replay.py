"""A recorded game, drawn step by step."""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

import msgspec
import pytest

from bot.game.kogge import GAME
from bot.tables.core.record import Entry, Record, encode
from bot.titles import TITLES
from bot.tools import FAILURE, OK, USAGE, replay
from bot.tools.playing import players, record

PNG = b"\x89PNG\r\n\x1a\n"
KOGGE = TITLES["kogge"]
STEPS = 12


@pytest.fixture
def short() -> Record:
    return record(GAME, players(KOGGE, ["normal"], 2), {"goods": "hidden"}, Random(1), STEPS)


def run(file: Path, out: Path) -> int:
    parser = argparse.ArgumentParser()
    replay.add_arguments(parser)
    return replay.run(parser.parse_args([str(file), "--out", str(out)]))


def test_each_entry_becomes_a_picture_and_a_line(short: Record, tmp_path: Path) -> None:
    file, out = tmp_path / "game.json", tmp_path / "new" / "folder"
    file.write_bytes(encode(short))
    assert run(file, out) == OK
    pictures = sorted(out.glob("*.png"))
    assert [picture.name for picture in pictures] == [f"{n:04}.png" for n in range(STEPS)]
    assert all(picture.read_bytes().startswith(PNG) for picture in pictures)
    lines = (out / "index.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == STEPS
    assert lines[0].startswith("0000.png  kogge: ")
    bids = [n for n, entry in enumerate(short.entries) if entry.action.startswith("bid")]
    assert " bids " in lines[bids[0]]


def test_a_sealed_choice_is_not_told_before_it_is_revealed(short: Record, tmp_path: Path) -> None:
    assert short.entries[1].action.startswith("found")
    replay.replay(KOGGE, short, tmp_path)
    lines = (tmp_path / "index.txt").read_text(encoding="utf-8").splitlines()
    assert lines[1] == "0001.png  Player 1: -"


def test_the_same_record_gives_the_same_files(short: Record, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        replay.replay(KOGGE, short, tmp_path / name)
    for file in sorted((tmp_path / "one").iterdir()):
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_a_seat_that_is_given_up_is_a_step_like_others(short: Record, tmp_path: Path) -> None:
    resigned = msgspec.structs.replace(short, entries=(*short.entries, Entry(0, "@resign")))
    assert replay.replay(KOGGE, resigned, tmp_path) == STEPS + 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read"),
        (b"this is no record", "not the record of a game"),
        (b'{"game":"kogge"}', "not the record of a game"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None, said: str
) -> None:
    file = tmp_path / "file.json"
    if content is not None:
        file.write_bytes(content)
    assert run(file, tmp_path / "out") == USAGE
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert str(file) in line


def test_a_record_of_another_game_is_told(
    capsys: pytest.CaptureFixture[str], short: Record, tmp_path: Path
) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(encode(msgspec.structs.replace(short, game="chess")))
    assert run(file, tmp_path / "out") == USAGE
    assert "'chess'" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_told(
    capsys: pytest.CaptureFixture[str], short: Record, tmp_path: Path
) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(encode(short))
    assert run(file, file) == USAGE
    assert "cannot be made" in capsys.readouterr().err


def test_a_record_that_breaks_the_rules_is_a_failure(
    capsys: pytest.CaptureFixture[str], short: Record, tmp_path: Path
) -> None:
    file = tmp_path / "file.json"
    cheat = Entry(0, "build both")
    file.write_bytes(encode(msgspec.structs.replace(short, entries=(short.entries[0], cheat))))
    assert run(file, tmp_path / "out") == FAILURE
    assert "entry 1" in capsys.readouterr().err
