"""The pages of the project agree with the program."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.config import Settings
from bot.game.log import RecordedEntry
from bot.store.rows import KINDS
from bot.tables.core import record
from bot.tables.export import PartialEntry, PartialExport, Report
from bot.titles import TITLES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DOCS = ROOT / "docs"
GUIDE = (DOCS / "guide.md").read_text(encoding="utf-8")
HOSTING = (DOCS / "hosting.md").read_text(encoding="utf-8")
TEXT = (DOCS / "record.md").read_text(encoding="utf-8")
EXAMPLE = DOCS / "kogge-game.json"
GAME: dict[str, Any] = json.loads(EXAMPLE.read_bytes())
EXAMPLES = re.findall(
    r"^\| `(\d+:\d+:[^`]+)` \| `(\w+)` \| ([\d ]+) \| (\d+) \| (\d+) \|$", TEXT, re.M
)
(PROGRAM,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def check(file: Path) -> subprocess.CompletedProcess[str]:
    """Run the program in the text on a file, without access to the bot."""
    command = [sys.executable, "-I", "-c", PROGRAM, str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=DOCS)


def test_the_example_is_right_to_its_result() -> None:
    example = record.decode(EXAMPLE.read_bytes())
    assert record.verify(TITLES.games["kogge"], example) == example.result
    assert example.result is not None


def test_the_worked_draws_can_be_recomputed_by_hand() -> None:
    key = bytes.fromhex(GAME["key"])
    key_hash = blake2b(key, digest_size=16, person=b"table key").hexdigest()
    assert f"`{key_hash}`" in TEXT
    assert key_hash == GAME["key_hash"]
    assert len(EXAMPLES) == 2
    first = GAME["entries"][0]
    for number, (message, digest, weights, remainder, outcome) in enumerate(EXAMPLES):
        label, asked = first["asked"][number]
        assert message == f"{number}:0:{label}"
        assert blake2b(message.encode(), key=key, digest_size=8).hexdigest() == digest
        assert [int(weight) for weight in weights.split()] == asked
        assert int(digest, 16) < 2**64 // sum(asked) * sum(asked)
        assert int(digest, 16) % sum(asked) == int(remainder)
        place = int(outcome)
        assert sum(asked[:place]) <= int(remainder) < sum(asked[: place + 1])
        assert first["drawn"][number] == place


def test_the_program_of_the_text_recomputes_every_draw_also_after_undo_and_import(
    tmp_path: Path,
) -> None:
    file, entries = tmp_path / "game.json", GAME["entries"]

    def draws(some: list[Any]) -> str:
        return f"{sum(len(entry.get('drawn', ())) for entry in some)} draws\n"

    def verified(**changed: object) -> Any:
        game = {**GAME, **changed}
        file.write_text(json.dumps({k: v for k, v in game.items() if v is not None}))
        found = record.decode(file.read_bytes())
        return found, record.verify(TITLES.games["kogge"], found)

    assert check(EXAMPLE).stdout == draws(entries)
    file.write_bytes(EXAMPLE.read_bytes().replace(b'"drawn":[0,3,7', b'"drawn":[0,4,7', 1))
    assert check(file).stderr == "entry 2: pair 1\n"
    # After an undo, draws are repeated.
    again = [*entries[:60], {"seat": 0, "action": "@undo 20"}, *entries[21:]]
    assert verified(entries=again)[1] is not None
    assert check(file).stdout == draws(entries)
    assert draws(entries[21:60]) != "0 draws\n"
    # An imported game is checked with all its keys.
    key = bytes(32)
    key_hash = blake2b(key, digest_size=16, person=b"table key").hexdigest()
    moved = [*entries[:60], {"seat": -1, "action": f"@import {GAME['key']}"}]
    found, result = verified(entries=moved, key=key.hex(), key_hash=key_hash, result=None)
    assert result is None
    assert record.key_hashes(found) == (GAME["key_hash"], key_hash)
    assert check(file).stdout == draws(entries[:60])


def test_every_field_is_explained_and_shown() -> None:
    seen = json.loads((DOCS / "kogge-seen.json").read_bytes())
    named = set(re.findall(r"`(\w+)`", TEXT))
    shown = {"format", *record.Record.__struct_fields__}
    assert set(GAME) == shown
    assert set(seen) == {"format", *PartialExport.__struct_fields__}
    assert {field for line in seen["lines"] for field in line} == set(
        PartialEntry.__struct_fields__
    )
    fields = {*shown, *seen, *RecordedEntry.__struct_fields__, *PartialEntry.__struct_fields__}
    assert fields | set(GAME["result"]) <= named
    assert f'"format": "{record.WHOLE}"' in TEXT
    assert f'"format": "{record.PARTIAL}"' in TEXT
    assert set(Report.__struct_encode_fields__) <= named
    assert f'"format": "{record.REPORT}"' in TEXT


def test_every_action_of_a_game_is_listed_with_its_words() -> None:
    for game in TITLES.games.values():
        for kind, move in game.moves.items():
            assert f"`{' '.join((kind, *(param.upper() for param in move.params)))}`" in TEXT


def test_the_privacy_page_names_all_stored_data_and_the_defaults() -> None:
    text = (DOCS / "privacy.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|(?!---)(?! what).*\|([^|]+)\|$", text, re.M)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]

    assert sorted(named) == sorted([*(kind.TABLE for kind in KINDS), "members"])
    assert f"after {Settings().left_servers_days} days" in text
    assert f"{Settings().backup_keep} nights" in text


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_every_make_target_that_is_named_exists() -> None:
    targets = set(
        re.findall(r"(?:^|`)make ([a-z]+)", README + GUIDE + HOSTING + CONTRIBUTING, re.MULTILINE)
    )
    assert len(targets) > 3
    subprocess.run(["make", "--dry-run", *targets], cwd=ROOT, check=True, capture_output=True)


def test_every_command_that_is_named_exists_and_the_simulation_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = set(re.findall(r"`python -m bot(?: ([^`]*))?`", HOSTING + CONTRIBUTING))
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
    assert {each.split()[0] for each in named if each} <= set(listed)
    (simulation,) = [each for each in named if each.startswith("simulate ") and "--games" in each]
    words = simulation.split()
    words[words.index("--games") + 1] = "2"
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2


def test_named_files_and_folders_exist() -> None:
    named = re.findall(
        r"`((?:bot|data|tests|docs)/[\w./]+)`", README + CONTRIBUTING + GUIDE + HOSTING
    )
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_first_screen_of_the_readme_is_short() -> None:
    first, _, rest = README.partition("## What you get")
    first = re.sub(r"\]\([^)]*\)|\[!\[[^\]]*", "", first)
    assert rest
    assert len(first.split()) <= 250
    assert len(README.split()) <= 900


def test_windows_has_the_same_commands() -> None:
    (block,) = re.findall(r"```powershell\n(.*?)```", GUIDE, re.DOTALL)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in ("-m bot play", "-m pytest -n auto"):
        assert words in block
        assert words in makefile
