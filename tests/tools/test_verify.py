"""An exported game is checked to its last draw, and anything else is reported in a line."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from bot.game.chance import commitment
from bot.tools import FAILURE, OK, verify
from tests.tools.typed import run

DOCS = Path(__file__).parents[2] / "docs"
WHOLE = (DOCS / "kogge-game.json").read_bytes()
OTHER_KEY = bytes(32)
DRAWN = 2
"""The entry of the example in which the markers of the first round are drawn."""

Change = Callable[[dict[str, Any]], None]


def test_an_exported_game_gets_a_yes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(verify, str(DOCS / "kogge-game.json")) == OK
    yes, result, print_of_key = capsys.readouterr().out.splitlines()
    draws = sum(len(entry.get("drawn", ())) for entry in json.loads(WHOLE)["entries"])
    assert yes.startswith(f"Yes. All {draws} draws ")
    assert result == "Its result is right: 4, 5 points by seat."
    assert commitment(bytes(range(32))) in print_of_key


def draw_another(game: dict[str, Any]) -> None:
    game["entries"][DRAWN]["drawn"][1] = 2


def exchange_key_and_print(game: dict[str, Any]) -> None:
    game["key"], game["key_hash"] = OTHER_KEY.hex(), commitment(OTHER_KEY)


def reveal_a_key_of_another_size(game: dict[str, Any]) -> None:
    key = bytes(65)
    print_of_key = blake2b(key, digest_size=16, person=b"table key").hexdigest()
    game["key"], game["key_hash"] = key.hex(), print_of_key


def rename_a_line(game: dict[str, Any]) -> None:
    game["result"]["lines"][0][0] = "loot"


CHANGES: tuple[tuple[Change, str], ...] = (
    (draw_another, "entry 2: 'found 8' by seat 1: draw 22 ('pair 1'): recorded 2, the key "),
    (exchange_key_and_print, "entry 0: 'setup 0 1' by seat -1: draw 0 ('seat'): recorded 0"),
    (reveal_a_key_of_another_size, "The key is not the one"),
    (rename_a_line, "The result has lines (('loot', "),
)


def check_refused(capsys: pytest.CaptureFixture[str], file: Path, reason: str) -> None:
    assert run(verify, str(file)) == FAILURE, reason
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith(f"No. {file}: ")
    assert reason in line
    assert len(line) < 600


def test_the_first_thing_that_is_wrong_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    for change, reason in CHANGES:
        game = json.loads(WHOLE)
        change(game)
        file.write_text(json.dumps(game), encoding="utf-8")
        check_refused(capsys, file, reason)


def test_what_is_no_whole_game_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    for content, reason in (
        (b"", "not the record of a game"),
        (WHOLE.replace(b'"drawn":[', b'"drawn":[' + b"9" * 5000 + b",", 1), "No. "),
        (WHOLE.replace(b'"found 1"', b'"' + b"x\\n" * 5000 + b'"', 1), "entry 1: 'x\\nx\\n"),
        (WHOLE.replace(b'"kogge"', b'"chess"', 1), "does not play 'chess'"),
        (WHOLE.replace(b'"version":2', b'"version":7', 1), "rules version 7"),
        (WHOLE.replace(b"game 1", b"game 9", 1), "Its format is 'game 9'"),
        (b" " * (verify.MOST_BYTES + 1), "A game takes less than"),
        ((DOCS / "kogge-seen.json").read_bytes(), "can be checked when the game has ended"),
    ):
        file.write_bytes(content)
        check_refused(capsys, file, reason)


def test_a_game_without_a_result_is_checked_as_far_as_it_goes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    for entries, said in ((3, "not played to its end"), (None, "says nothing of the result")):
        game = json.loads(WHOLE)
        del game["result"]
        game["entries"] = game["entries"][:entries]
        file.write_text(json.dumps(game), encoding="utf-8")
        assert run(verify, str(file)) == OK
        assert said in capsys.readouterr().out
