"""Any title can be taken away: its folders and its line go, and the program runs with the rest."""

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
FLOORS = ("game", "text", "render", "policy", "titles")
"""Parts of bot/ in which a title has a folder or a module of its own."""


def without(title: str, folder: Path) -> None:
    """A checkout that never had that title."""
    for part in (ROOT / "bot").iterdir():
        there = folder / "bot" / part.name
        there.parent.mkdir(exist_ok=True)
        if part.name not in FLOORS:
            there.symlink_to(part)
            continue
        there.mkdir()
        for each in part.iterdir():
            if each.stem not in {title, "__pycache__"}:
                (there / each.name).symlink_to(each)
    listed = folder / "bot" / "titles" / "__init__.py"
    told = listed.read_text(encoding="utf-8")
    assert told.count(f'    "{title}",\n') == told.count(title) == 1
    listed.unlink()
    listed.write_text(told.replace(f'    "{title}",\n', ""), encoding="utf-8")
    (folder / "data").mkdir()
    for each in (ROOT / "data").iterdir():
        if each.name != title:
            (folder / "data" / each.name).symlink_to(each)


@pytest.mark.slow
def test_the_program_runs_without_any_one_of_its_titles(tmp_path: Path) -> None:
    for title in NAMES:
        runs_without(title, tmp_path / title)


def runs_without(title: str, folder: Path) -> None:
    """A game is played, drawn and offered by the others alone."""
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
    found: dict[str, Any] = json.loads(done.stdout)
    others = {name for name in NAMES if name != title}
    assert Path(found["bot"]).is_relative_to(folder)
    assert set(found["played"]) == others
    assert all(actions > 10 for actions in found["played"].values())
    assert all(size > 1000 for size in found["drawn"].values())
    assert set(found["commands"]) & set(NAMES) == others
    assert {"game", "rules", "table"} <= set(found["commands"])
