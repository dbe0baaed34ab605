"""Browser tabs of people who use the real program."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import pytest_asyncio
from playwright.async_api import Browser

from tests.chromium import DESKTOP, PHONE
from tests.play.screen import Screen

SEED = 7

OpenScreen = Callable[..., Awaitable[Screen]]


@pytest_asyncio.fixture(loop_scope="session")
async def open_screen(browser: Browser, tmp_path: Path) -> AsyncIterator[OpenScreen]:
    """Opens tabs for people by name; fails at the end if a tab had errors."""
    screens: list[Screen] = []

    async def open_screen(address: str, name: str, *, phone: bool = False) -> Screen:
        page = await browser.new_page(
            viewport=PHONE if phone else DESKTOP, has_touch=phone, reduced_motion="reduce"
        )
        screen = Screen(page, name, Random(f"{SEED} {name}"))
        screens.append(screen)
        await screen.open(address)
        return screen

    try:
        yield open_screen
    finally:
        # The screenshots help to understand a failure.
        for screen in screens:
            await screen.page.screenshot(path=tmp_path / f"{screen.name.lower()}.png")
            await screen.page.context.close()
    assert [problem for screen in screens for problem in screen.problems] == []
