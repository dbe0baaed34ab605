"""A recorded game, drawn step by step."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from bot.game.kogge import GAME
from bot.tables.core.record import Entry, Record, encode
from bot.titles import TITLES
from bot.tools import FAILURE, OK, USAGE, replay
from bot.tools.playing import players, record
from tests.tools.typed import run

PNG = b"\x89PNG\r\n\x1a\n"
KOGGE = TITLES["kogge"]
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
