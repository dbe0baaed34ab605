"""A new stand-in for each test, and the sample bot connected to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import aiohttp
import pytest
import pytest_asyncio

from bot.local import Channel, Person, Standin
from bot.text.words import words_for
from tests.local.bots import PATIENCE_S, SampleBot, running

if TYPE_CHECKING:
    from playwright.async_api import Browser, ConsoleMessage, Page

    from tests.chromium import OpenPage


@pytest_asyncio.fixture(loop_scope="session")
async def standin() -> AsyncIterator[Standin]:
    """In memory, on a free port."""
    async with Standin(
        acknowledge_s=PATIENCE_S, page_words=lambda locale: words_for(locale).page
    ) as standin:
        yield standin


@pytest_asyncio.fixture(loop_scope="session")
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest_asyncio.fixture(loop_scope="session")
async def bot(standin: Standin) -> AsyncIterator[SampleBot]:
    async with running(SampleBot(), standin) as bot:
        yield bot


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, standin: Standin, bot: SampleBot) -> AsyncIterator[OpenPage]:
    """Opens pages as named people; fails at the end if one had errors."""
    # Imported late: tests without a browser should not wait for it.
    from playwright.async_api import expect

    from tests.chromium import DESKTOP, PATIENCE_MS, PHONE

    pages: list[Page] = []
    problems: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(f"{message.text} {message.location}")

    async def open_page(
        person: str, *, phone: bool = False, bot_state: str = "The bot is online"
    ) -> Page:
        size = PHONE if phone else DESKTOP
        page = await browser.new_page(viewport=size, has_touch=phone)
        pages.append(page)
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", on_console)
        await page.goto(f"{standin.url}/?as={person}")
        await expect(page.get_by_test_id("bot-state")).to_have_text(bot_state)
        return page

    yield open_page
    for page in pages:
        await page.context.close()
    assert problems == []


@pytest.fixture
def anna(standin: Standin) -> Person:
    """The owner of the server."""
    return standin.person("Anna")


@pytest.fixture
def bert(standin: Standin) -> Person:
    return standin.person("Bert")


@pytest.fixture
def harbour(standin: Standin) -> Channel:
    return standin.channel("the-harbour")
