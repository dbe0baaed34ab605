"""The rules play the same whether they are compiled or not.

Not among the tests of `make test`, as it takes minutes to compile them: `make compiled` runs it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.titles import TITLES
from tests.recorded.results import names

ROOT = Path(__file__).parents[2]
TRACES = [sys.executable, "-m", "tests.compiled.traces"]

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what installing the compiled wheel installs of the project itself."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--no-compile")
    compiling = {**os.environ, "HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}
    command = [*pip, *offline, "--target", str(folder), str(ROOT)]
    subprocess.run(command, env=compiling, check=True)
    return folder


def traced(program: Path) -> subprocess.Popen[str]:
    """All recorded games played by the program in that folder."""
    path = {"PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": ""}
    return subprocess.Popen(
        TRACES, cwd=program, env={**os.environ, **path}, stdout=subprocess.PIPE, text=True
    )


def test_log_states_and_pictures_of_every_recorded_game_are_the_same(site: Path) -> None:
    with traced(site) as by_compiled, traced(ROOT) as by_source:
        compiled, *found = by_compiled.communicate()[0].splitlines()
        source, *expected = by_source.communicate()[0].splitlines()

    modules = [each for each in (ROOT / "bot" / "game").rglob("*.py") if each.stem != "__init__"]
    assert (int(compiled), int(source)) == (len(modules), 0)
    assert found == expected
    assert len(found) == sum(len(names(game)) for game in TITLES.games.every)
