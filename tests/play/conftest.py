"""People at their screens, before the real program."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import pytest_asyncio
from playwright.async_api import Browser

from tests.chromium import DESKTOP, PHONE
from tests.play.screen import Screen

SEED = 7

SitDown = Callable[..., Awaitable[Screen]]


@pytest_asyncio.fixture(loop_scope="session")
async def sit_down(browser: Browser, tmp_path: Path) -> AsyncIterator[SitDown]:
    """Opens a tab for somebody; in the end nothing may have gone wrong in any of them."""
    screens: list[Screen] = []

    async def sit_down(address: str, name: str, *, phone: bool = False) -> Screen:
        page = await browser.new_page(
            viewport=PHONE if phone else DESKTOP, has_touch=phone, reduced_motion="reduce"
        )
        screen = Screen(page, name, Random(f"{SEED} {name}"))
        screens.append(screen)
        await screen.open(address)
        return screen

    try:
        yield sit_down
    finally:
        # Above all after a failure one wants to see what was on the screens.
        for screen in screens:
            await screen.page.screenshot(path=tmp_path / f"{screen.name.lower()}.png")
            await screen.page.context.close()
    assert [problem for screen in screens for problem in screen.problems] == []
