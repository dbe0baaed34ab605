"""Fixtures that tests of several folders share."""

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

# The same examples in every run, and no deadline, whichever folder is collected first.
settings.register_profile("tests", deadline=None, derandomize=True, database=None)
settings.load_profile("tests")

LOCAL, PLAY = (Path(__file__).parent / folder for folder in ("local", "play"))
"""Tests of the page are there, and tests that share fixtures with them."""

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
    """Where nothing may be compiled beside the source, every worker would rewrite all tests and
    each of a hundred processes that are started would compile the whole program, in every run:
    what they compile is kept elsewhere, for the next run as well."""
    if sys.dont_write_bytecode:
        # Copies of the program that tests have made and thrown away.
        copies = Path(tempfile.gettempdir()).parts[1:]
        shutil.rmtree(COMPILED.joinpath(*copies), ignore_errors=True)
        sys.dont_write_bytecode = False
        sys.pycache_prefix = str(COMPILED)
        os.environ["PYTHONPYCACHEPREFIX"] = str(COMPILED)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

    # Before workers begin, which then know of it. Nothing is started until a test needs it.
    session = ExitStack()
    session.enter_context(postgres.of_the_session())
    config.add_cleanup(session.close)


@pytest.fixture(autouse=True)
def _logs_as_it_did() -> Iterator[None]:
    """Commands that a test runs in this process set how much is logged."""
    program = logging.getLogger("bot")
    level = program.level
    yield
    program.setLevel(level)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as there are processors: a quarter of the time of a worker is
    spent waiting, for a browser, for a process that starts, or for the clock."""
    return (os.cpu_count() or 1) * 3 // 2


def pytest_collection_finish() -> None:
    """What has been loaded by now stays to the end, so the garbage collector need not go through
    it again and again, nor start after every 700 objects: 7 % of the time of tests/cogs."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones first, so that nobody waits for one in the end; what shares the browser shares
    its loop."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        here = item.path.is_relative_to(LOCAL) or item.path.is_relative_to(PLAY)
        if here and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Headless Chromium, one for all tests of a process; each has pages of its own."""
    # Tests without a browser need not wait for its library.
    from tests.chromium import launched

    async with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Words:
    """A language in which every letter of every message is another one."""
    # Nor without words for the whole template.
    from bot.text.words import all_words
    from tests.text.pseudo import write_pseudo

    folder = tmp_path_factory.mktemp("locale")
    write_pseudo(folder / "el.po")
    _english, pseudo = all_words(folder)
    return pseudo
