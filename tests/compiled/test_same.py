"""The rules play the same whether they are compiled or not.

Not among the tests of `make test`, as it takes minutes to compile them: `make compiled` runs it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from tests.test_installed import installed

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what installing the compiled wheel installs of the project itself."""
    return installed(tmp_path_factory.mktemp("site"), HATCH_BUILD_HOOK_ENABLE_CUSTOM="true")


def modules(program: Path, suffix: str) -> set[Path]:
    """The modules of the rules that have a file of this kind."""
    rules = program / "bot" / "game"
    found = {path.relative_to(rules) for path in rules.rglob(f"*{suffix}")}
    return {each.parent / each.name.removesuffix(suffix) for each in found}


def test_everything_that_is_seen_of_the_recorded_games_is_the_same(site: Path) -> None:
    written = {each for each in modules(ROOT, ".py") if each.name != "__init__"}
    assert modules(site, EXTENSION_SUFFIXES[0]) == written

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "", "GOLDEN": ""}
    compared = subprocess.run(
        [sys.executable, "-m", "tests.same"],
        cwd=site,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (compared.returncode, compared.stderr) == (0, "")
