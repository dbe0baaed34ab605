"""What people type that a tool cannot use is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.tools import USAGE, arena, bench, fit, leaks, replay, simulate, tune, verify
from tests.tools.typed import run

NOT_A_GAME = "There is no game 'chess'"
UNUSABLE = (
    (arena, "chess", NOT_A_GAME),
    (arena, "kogge --players 9", "kogge is for 2, 3, 4 players, not 9"),
    (arena, "kogge --policy genius", "random, easy, normal, strong"),
    (arena, "kogge --games 0", "counted from one"),
    (arena, "kogge --nodes 0", "counted from one"),
    (bench, "chess", NOT_A_GAME),
    (bench, "kogge --only speed", "There is no"),
    (fit, "chess", NOT_A_GAME),
    (fit, "kogge", "kogge"),
    (fit, "guatemala --players 7", "7"),
    (fit, "guatemala --games 0", ""),
    (leaks, "chess", "no game 'chess'"),
    (leaks, "--checks 0", "at least 1"),
    (simulate, "chess", NOT_A_GAME),
    (simulate, "kogge --players 5", "2, 3, 4 players, not 5"),
    (simulate, "kogge --games 0", "At least one game"),
    (simulate, "kogge --option goods", "name=value"),
    (simulate, "kogge --option weather=fair", "no option 'weather'"),
    (simulate, "kogge --option goods=secret", "open, hidden"),
    (simulate, "kogge --policy genius", "random, easy, normal, strong"),
    (tune, "chess", NOT_A_GAME),
    (tune, "burgundy --begin mine", "mine"),
    (tune, "burgundy --players 7", "7"),
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
