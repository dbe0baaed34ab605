"""Fixtures that tests of several folders share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Browser


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Headless Chromium."""
    # Tests without a browser need not wait for its library.
    from tests.chromium import launched

    async with launched() as browser:
        yield browser
