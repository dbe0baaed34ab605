"""Fixtures and hooks for all tests."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from hypothesis import settings

from tests import postgres

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from bot.text.words import Words

# The same examples in every run, without a deadline.
settings.register_profile("tests", deadline=None, derandomize=True, database=None)
settings.load_profile("tests")

LOCAL, PLAY = (Path(__file__).parent / folder for folder in ("local", "play"))
"""Folders of tests that use the browser."""

COMPILED = Path(__file__).parents[1] / ".pytest_cache" / "compiled"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--longest",
        type=float,
        help="Fail each phase of a test that takes more seconds and is not marked slow.",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    longest: float | None = item.config.getoption("--longest")
    slow = item.get_closest_marker("slow") is not None
    if longest is not None and call.duration > longest and report.passed and not slow:
        report.outcome = "failed"
        report.longrepr = (
            f"{call.when} took {call.duration:.1f} s: make it shorter, or mark it slow"
        )
    return report


def pytest_configure(config: pytest.Config) -> None:
    # If bytecode may not be written next to the source, each worker and each of a hundred started
    # processes would compile everything in every run: cache it elsewhere.
    if sys.dont_write_bytecode:
        # Bytecode of deleted copies of the program, made by tests.
        copies = Path(tempfile.gettempdir()).parts[1:]
        shutil.rmtree(COMPILED.joinpath(*copies), ignore_errors=True)
        sys.dont_write_bytecode = False
        sys.pycache_prefix = str(COMPILED)
        os.environ["PYTHONPYCACHEPREFIX"] = str(COMPILED)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

    # Before workers start, so that they inherit it. The server starts when a test needs it.
    session = ExitStack()
    session.enter_context(postgres.of_the_session())
    config.add_cleanup(session.close)


@pytest.fixture(autouse=True)
def _log_level() -> Iterator[None]:
    """Restore the log level, which commands run in this process change."""
    program = logging.getLogger("bot")
    level = program.level
    yield
    program.setLevel(level)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    # Workers wait a quarter of their time: for a browser, a process, or the clock.
    return (os.cpu_count() or 1) * 3 // 2


def pytest_collection_finish() -> None:
    # Loaded modules stay, so the garbage collector can skip them. This and the thresholds save 7 %
    # of the time of tests/cogs.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Slow tests first, so that the run does not end with one. Tests with a browser share its loop.
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        uses_browser = item.path.is_relative_to(LOCAL) or item.path.is_relative_to(PLAY)
        if uses_browser and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Headless Chromium, one for all tests of a process."""
    # Imported only for tests with a browser.
    from tests.chromium import launched

    async with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Words:
    """A language in which every letter of every message is replaced."""
    # Imported only here, as it reads the whole template.
    from bot.text.words import all_words
    from tests.text.pseudo import write_pseudo

    folder = tmp_path_factory.mktemp("locale")
    write_pseudo(folder / "el.po")
    _english, pseudo = all_words(folder)
    return pseudo
