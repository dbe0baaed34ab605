"""The built package works without a checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from bot import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the project, without its dependencies."""
    folder = tmp_path_factory.mktemp("site")
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--no-compile")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*pip, *offline, "--target", str(folder), str(ROOT)], check=True)
    return folder


def files(folder: Path) -> set[Path]:
    """Return the relative paths of all files in a folder, except for bytecode."""
    found = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    return {path for path in found if path.suffix != ".pyc"}


def test_the_installed_package_has_all_content_and_is_typed(site: Path) -> None:
    assert files(site / "bot" / "data") == files(ROOT / "data")
    for package in ("bot", "kontor"):
        assert files(ROOT / package) <= files(site / package)
        assert (site / package / "py.typed").is_file()
    assert (site / f"kontor-{__version__}.dist-info").is_dir()


def test_every_example_of_the_library_works_installed(site: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / "kogge-game.json", tmp_path)
    path = os.pathsep.join((str(site), sysconfig.get_path("purelib")))
    done = subprocess.run(
        # Without the `site` module, which would find the checkout.
        [sys.executable, "-S", "-m", "doctest", str(ROOT / "docs" / "library.md")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("", "")
    assert (tmp_path / "board.png").is_file()
