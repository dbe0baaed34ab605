"""Headless Chromium for tests of the page."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, ViewportSize, async_playwright, expect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP: ViewportSize = {"width": 1400, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}

PHONES: tuple[ViewportSize, ...] = ({"width": 360, "height": 780}, PHONE)
PATIENCE_MS = 30_000
"""Timeout for conditions on a page. A busy machine needs more than five seconds."""
expect.set_options(timeout=PATIENCE_MS)

OpenPage = Callable[..., Coroutine[Any, Any, Page]]
"""Opens the page of the stand-in as the named person, perhaps on a `phone`."""

IN_BROWSER = [
    pytest.mark.browser,
    # CI must have the browser: a skip would hide breakage.
    pytest.mark.skipif(
        CHROMIUM is None and not os.environ.get("CI"),
        reason="no chromium found in PATH; install it to run the page's tests",
    ),
]
"""The marks of a module whose tests need the browser."""


@asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """Run a separate browser. Fails if there is none."""
    assert CHROMIUM is not None, "no chromium found in PATH, and CI needs it"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        await browser.close()
