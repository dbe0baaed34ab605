"""An exported game is checked to its last draw, and an invalid file is reported in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.game.chance import commitment
from bot.tables.cup_record import draw_record
from bot.tables.cup_rules import CupStatus
from bot.tools import FAILURE, OK, verify
from tests.tables.test_cup_rules import cup, whole
from tests.tools.typed import run

DOCS = Path(__file__).parents[2] / "docs"
WHOLE = (DOCS / "kogge-game.json").read_bytes()
DRAWN = 2
"""The entry of the example that draws the markers of the first round."""


def test_an_exported_game_gets_a_yes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(verify, str(DOCS / "kogge-game.json")) == OK
    yes, result, key_hash = capsys.readouterr().out.splitlines()
    draws = sum(len(entry.get("drawn", ())) for entry in json.loads(WHOLE)["entries"])
    assert yes.startswith(f"Yes. All {draws} draws ")
    assert result == "The result is right: 4, 5 points by seat."
    assert commitment(bytes(range(32))) in key_hash


def test_an_invalid_or_unfinished_file_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, another = tmp_path / "game.json", json.loads(WHOLE)
    another["entries"][DRAWN]["drawn"][1] = 2
    for content, reason in (
        (
            json.dumps(another).encode(),
            "entry 2: 'found 8' by seat 1: draw 22 ('pair 1'): recorded 2",
        ),
        (b"", "not the record of a game"),
        (WHOLE.replace(b'"drawn":[', b'"drawn":[' + b"9" * 5000 + b",", 1), "No. "),
        (WHOLE.replace(b'"found 1"', b'"' + b"x\\n" * 5000 + b'"', 1), "entry 1: 'x\\nx\\n"),
        (WHOLE.replace(b'"kogge"', b'"chess"', 1), "does not play 'chess'"),
        (WHOLE.replace(b'"version":2', b'"version":7', 1), "rules version 7"),
        (WHOLE.replace(b"game 1", b"game 9", 1), "Its format is 'game 9'"),
        (b" " * (verify.MAX_BYTES + 1), "The file is larger than"),
        ((DOCS / "kogge-seen.json").read_bytes(), "can be checked when the game has ended"),
    ):
        file.write_bytes(content)
        assert run(verify, str(file)) == FAILURE, reason
        out, err = capsys.readouterr()
        assert out == ""
        (line,) = err.splitlines()
        assert line.startswith(f"No. {file}: ")
        assert reason in line
        assert len(line) < 600


def test_a_game_without_a_result_is_checked_as_far_as_it_goes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    for entries, message in ((3, "is not finished"), (None, "has no result")):
        game = json.loads(WHOLE)
        del game["result"]
        game["entries"] = game["entries"][:entries]
        file.write_text(json.dumps(game), encoding="utf-8")
        assert run(verify, str(file)) == OK
        assert message in capsys.readouterr().out


def test_the_file_of_a_cup_is_checked_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, over = tmp_path / "cup.json", replace(whole(cup(9)), status=CupStatus.OVER)
    file.write_bytes(draw_record(over))
    assert run(verify, str(file)) == OK
    assert capsys.readouterr().out.splitlines() == [
        "Yes. All lots of this cup come from its key, and all 3 rounds follow the rules.",
        f"The hash of the key is {over.key_hash}. It must match the hash posted with the sign-up.",
    ]
    file.write_bytes(draw_record(over).replace(b'"lot":1,', b'"lot":2,'))
    assert run(verify, str(file)) == FAILURE
    assert "by the key" in capsys.readouterr().err
