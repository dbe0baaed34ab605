"""Fixtures that tests of several folders share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from bot.text.words import Words

# The same examples in every run, and no deadline, whichever folder is collected first.
settings.register_profile("tests", deadline=None, derandomize=True, database=None)
settings.load_profile("tests")


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Headless Chromium."""
    # Tests without a browser need not wait for its library.
    from tests.chromium import launched

    async with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Words:
    """A language in which every letter of every message is another one."""
    # Nor without words for the whole template.
    from bot.text.words import Catalogues
    from tests.text.pseudo import write_pseudo

    folder = tmp_path_factory.mktemp("locale")
    write_pseudo(folder / "el.po")
    return Catalogues(folder).words_for("el")
