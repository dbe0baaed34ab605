"""The built package does all its work where no checkout is in reach."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path
from urllib.request import urlopen

import pytest

from bot import __version__
from bot.config import Settings

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
DEPENDENCIES = sysconfig.get_path("purelib")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what `pip install .` installs of the project itself, built on the spot."""
    folder = tmp_path_factory.mktemp("site")
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--no-compile")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*pip, *offline, "--target", str(folder), str(ROOT)], check=True)
    return folder


def command(site: Path, *words: str) -> list[str]:
    """`kontor` with these words; without the `site` module, which would find the checkout."""
    return [sys.executable, "-S", str(site / "bin" / "kontor"), *words]


def files(folder: Path) -> set[Path]:
    """What lies in a folder, by its path in it."""
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def surroundings(site: Path) -> dict[str, str]:
    """What such a command is run with: the installed program, and the libraries it asks for."""
    clean = {k: v for k, v in os.environ.items() if k.lower() not in Settings.__struct_fields__}
    return {**clean, "PYTHONPATH": os.pathsep.join((str(site), DEPENDENCIES))}


def test_it_carries_all_content_and_says_that_it_is_typed(site: Path) -> None:
    assert files(site / "bot" / "data") == files(ROOT / "data")
    assert (site / "bot" / "py.typed").is_file()
    assert (site / "kontor" / "py.typed").is_file()
    assert (site / f"kontor-{__version__}.dist-info").is_dir()


def test_every_example_of_the_library_works_there(site: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / "kogge-game.json", tmp_path)
    done = subprocess.run(
        [sys.executable, "-S", "-m", "doctest", str(ROOT / "docs" / "library.md")],
        cwd=tmp_path,
        env=surroundings(site),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("", "")
    assert (tmp_path / "board.png").is_file()


def test_a_game_can_be_played_on_its_page(site: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        command(site, "play", "--port", "0", "--no-browser"),
        cwd=tmp_path,
        env=surroundings(site),
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            assert running.stdout is not None
            (address,) = re.findall(r"Play at (\S+)", running.stdout.readline())
            with urlopen(address) as page, urlopen(f"{address}page/static/app.js") as script:
                assert b"page/static/app.js" in page.read()
                assert script.read() == (ROOT / "bot" / "local" / "page" / "app.js").read_bytes()
        finally:
            running.send_signal(signal.SIGTERM)
    assert running.returncode == 0
    assert (tmp_path / "var" / "play" / "tables.sqlite").is_file()
