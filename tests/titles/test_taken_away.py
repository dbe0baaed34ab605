"""Any title can be removed: without its folders and its line the program still runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.titles import NAMES

ROOT = Path(__file__).parents[2]
PACKAGES = ("game", "text", "render", "policy", "titles")
"""Packages of bot/ in which each title has its own folder or module."""


def without(title: str, folder: Path) -> None:
    """Make a checkout without a title."""
    for part in (ROOT / "bot").iterdir():
        copy = folder / "bot" / part.name
        copy.parent.mkdir(exist_ok=True)
        if part.name not in PACKAGES:
            copy.symlink_to(part)
            continue
        copy.mkdir()
        for each in part.iterdir():
            if each.stem not in {title, "__pycache__"}:
                (copy / each.name).symlink_to(each)
    listed = folder / "bot" / "titles" / "__init__.py"
    text = listed.read_text(encoding="utf-8")
    assert text.count(f'    "{title}",\n') == text.count(title) == 1
    listed.unlink()
    listed.write_text(text.replace(f'    "{title}",\n', ""), encoding="utf-8")
    (folder / "data").mkdir()
    for each in (ROOT / "data").iterdir():
        if each.name != title:
            (folder / "data" / each.name).symlink_to(each)


@pytest.mark.slow
def test_the_program_runs_without_any_one_of_its_titles(tmp_path: Path) -> None:
    for title in NAMES:
        runs_without(title, tmp_path / title)


def runs_without(title: str, folder: Path) -> None:
    """Check that the other titles are played, drawn and registered."""
    folder.mkdir()
    without(title, folder)
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("program.py"))],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (title, done.stderr)
    results: dict[str, Any] = json.loads(done.stdout)
    others = {name for name in NAMES if name != title}
    assert Path(results["bot"]).is_relative_to(folder)
    assert set(results["played"]) == others
    assert all(actions > 10 for actions in results["played"].values())
    assert all(size > 1000 for size in results["drawn"].values())
    assert set(results["commands"]) & set(NAMES) == others
    assert {"game", "rules", "table"} <= set(results["commands"])
