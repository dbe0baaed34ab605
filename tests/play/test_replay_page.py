"""The HTML replay of a game in a browser without a network."""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace
from PIL import Image, ImageChops
from playwright.async_api import Browser, Page, ViewportSize, expect

from bot.tables.core.record import Record, decode
from bot.text.words import words_for
from bot.titles import TITLES
from bot.titles.replay_page import MAX_BYTES
from tests.chromium import DESKTOP, IN_BROWSER, PHONE
from tests.recorded.results import names, read_record
from tests.titles.pages import drawn, page_of, steps_of

pytestmark = IN_BROWSER

EXAMPLE = decode((Path(__file__).parents[2] / "docs" / "kogge-game.json").read_bytes())
CANVAS = "document.getElementById('canvas').toDataURL()"
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"

OpenFile = Callable[..., Awaitable[Page]]


@pytest_asyncio.fixture(loop_scope="session")
async def open_file(browser: Browser, tmp_path: Path) -> AsyncIterator[OpenFile]:
    """Opens a page offline; fails at the end if it made a request or had an error."""
    problems: list[str] = []
    pages: list[Page] = []

    async def open_file(
        content: bytes, locale: str = "en-US", viewport: ViewportSize = DESKTOP
    ) -> Page:
        file = tmp_path / f"{len(pages)}.html"
        file.write_bytes(content)
        context = await browser.new_context(offline=True, locale=locale, viewport=viewport)
        page = await context.new_page()
        pages.append(page)
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.on(
            "request",
            lambda request: (
                problems.append(request.url)
                if request.url != file.as_uri() and not request.url.startswith("data:")
                else None
            ),
        )
        await page.goto(file.as_uri())
        await expect(page.locator("main")).to_be_visible()
        return page

    yield open_file
    for page in pages:
        await page.context.close()
    assert problems == []


async def check_board(page: Page, record: Record, step: int, locale: str) -> None:
    """Check that the page shows the picture of a step, to the pixel, with its alt text."""
    picture, alt = drawn(record, steps_of(record)[step], words_for(locale))
    await expect(page.locator("#canvas")).to_have_attribute("aria-label", alt)
    shown = b64decode((await page.evaluate(CANVAS)).partition(",")[2])
    with Image.open(io.BytesIO(shown)) as one, Image.open(io.BytesIO(picture)) as other:
        assert one.size == other.size
        assert ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox() is None


async def check_steps(open_file: OpenFile, record: Record) -> None:
    content = page_of(record, steps_of(record))
    assert len(content) <= MAX_BYTES
    page = await open_file(content, "it-IT")
    last = len(steps_of(record)) - 1
    await expect(page.locator("html")).to_have_attribute("lang", "it")
    await check_board(page, record, 0, "it")
    await page.keyboard.press("End")
    await check_board(page, record, last, "it")
    await page.keyboard.press("ArrowLeft")
    await check_board(page, record, last - 1, "it")
    await page.get_by_role("button", name="English").click()
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    await check_board(page, record, last - 1, "en")
    await page.keyboard.press("Home")
    await page.keyboard.press("ArrowRight")
    await check_board(page, record, 1, "en")


@pytest.mark.slow
@pytest.mark.parametrize("name", TITLES)
async def test_the_longest_games_fit_and_keys_show_each_board_to_the_pixel(
    name: str, open_file: OpenFile
) -> None:
    game = TITLES[name].game
    records = [read_record(game, each) for each in names(game)]
    longest = max(records, key=lambda record: (len(record.entries), len(record.seats)))
    await check_steps(open_file, longest)


@pytest.mark.slow
async def test_buttons_the_slider_and_the_log_go_to_a_turn_and_announce_it(
    open_file: OpenFile,
) -> None:
    page = await open_file(page_of(EXAMPLE, steps_of(EXAMPLE)))
    last = len(steps_of(EXAMPLE)) - 1
    place, told = page.locator("#place"), page.locator("[aria-live]")
    board = page.get_by_role("region", name="Board", exact=True)
    await expect(place).to_have_text("Set-up")
    await expect(board.get_by_role("button", name="Back")).to_have_attribute(
        "aria-disabled", "true"
    )
    for _ in range(4):
        await page.keyboard.press("Tab")
    # Two languages come first.
    await expect(board.get_by_role("button", name="Back")).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(place).to_have_text(f"Before round 1 · turn 1 of {last}")
    await page.get_by_role("slider", name="Turn").fill("3")
    await expect(place).to_contain_text("turn 3 of")

    log = page.get_by_role("region", name="Log")
    await log.get_by_role("button").nth(5).click()
    await expect(place).to_contain_text("turn 5 of")
    current = log.locator("[aria-current=step]")
    await expect(current).to_have_count(1)
    assert await told.inner_text() != ""
    lines = await current.locator("span").all_inner_texts()
    assert await told.locator("p").all_inner_texts() == lines
    await expect(page.get_by_role("img", name="Chart: victory points")).to_be_visible()
    await expect(page.get_by_role("table")).to_contain_text("Total")


@pytest.mark.parametrize(
    "width", [390, *(pytest.param(each, marks=pytest.mark.slow) for each in (550, 1280))]
)
async def test_names_stay_text_and_fit_every_screen(width: int, open_file: OpenFile) -> None:
    hostile = ("<img src=x onerror=alert()>*x*", "W" * 32)
    record = replace(EXAMPLE, seats=hostile)
    page = await open_file(
        page_of(record, steps_of(record)[:3]), viewport={**PHONE, "width": width}
    )
    await expect(page.locator("#players li").first).to_contain_text(hostile[0])
    assert await page.title() == f"Kogge: {', '.join(hostile)}"
    assert await page.locator("#players img, #turns img").count() == 0
    assert await page.evaluate(OVERFLOW) <= 0
    await page.get_by_role("button", name="Enlarge the board").click()
    assert await page.evaluate(OVERFLOW) <= 0
