"""What README and CONTRIBUTING tell people to type is there and works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

MAKE_TARGETS = sorted(set(re.findall(r"(?:^|`)make ([a-z]+)", README + CONTRIBUTING, re.MULTILINE)))
COMMANDS = sorted(set(re.findall(r"`python -m bot ?([^`]*)`", README)))


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """A command in the project's folder, by this Python."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("target", MAKE_TARGETS)
def test_a_make_target_that_is_named_exists(target: str) -> None:
    subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_named_explains_itself(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command.split()[:1], "--help"])
    assert stop.value.code == 0
    assert "usage: python -m bot" in capsys.readouterr().out


def test_the_simulation_of_the_readme_runs() -> None:
    (command,) = [each for each in COMMANDS if each.startswith("simulate")]
    words = command.split()
    words[words.index("--games") + 1] = "2"
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 2


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_files_and_folders_that_are_named_exist(text: str) -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", text)
    quoted = re.findall(r"`((?:bot|data|tests|docs)/[\w./]+)`", text)
    assert linked + quoted
    for name in linked + quoted:
        assert (ROOT / name).exists(), name


def test_windows_is_told_the_same_commands() -> None:
    (block,) = re.findall(r"```powershell\n(.*?)```", README, re.DOTALL)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in ("-m bot play", "-m pytest -n auto"):
        assert words in block
        assert words in makefile
