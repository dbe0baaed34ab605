"""What README and CONTRIBUTING tell people to type is there and works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.__main__ import COMMANDS, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"(?:^|`)make ([a-z]+)", README + CONTRIBUTING, re.MULTILINE))
    assert len(targets) > 3
    subprocess.run(["make", "--dry-run", *targets], cwd=ROOT, check=True, capture_output=True)


def test_every_command_that_is_named_exists_and_the_simulation_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = set(re.findall(r"`python -m bot ?([^`]*)`", README))
    assert {each.split()[0] for each in named if each} <= {each.name for each in COMMANDS}
    (simulation,) = [each for each in named if each.startswith("simulate")]
    words = simulation.split()
    words[words.index("--games") + 1] = "2"
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2


def test_files_and_folders_that_are_named_exist() -> None:
    for text in (README, CONTRIBUTING):
        linked = re.findall(r"\]\(([^)#:]+)\)", text)
        quoted = re.findall(r"`((?:bot|data|tests|docs)/[\w./]+)`", text)
        assert linked + quoted
        assert [name for name in linked + quoted if not (ROOT / name).exists()] == []


def test_windows_is_told_the_same_commands() -> None:
    (block,) = re.findall(r"```powershell\n(.*?)```", README, re.DOTALL)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in ("-m bot play", "-m pytest -n auto"):
        assert words in block
        assert words in makefile
