"""The page for those who see little, press keys only, or hear it read aloud."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.async_api import Browser, Page, expect

from bot.local import Channel, Standin
from tests.chromium import DESKTOP, IN_BROWSER, PATIENCE_MS
from tests.local.bots import Panel, SampleBot, picture

pytestmark = IN_BROWSER

FAINT = """() => {
  const light = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const paint = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => light(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const style = (node) => getComputedStyle(node);
  const found = [];
  for (const node of document.querySelectorAll("body *")) {
    const said = [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!said || node.closest(":disabled")) continue;
    if (!node.checkVisibility({visibilityProperty: true})) continue;
    const under = [];
    for (let at = node; at; at = at.parentElement) under.unshift(style(at).backgroundColor);
    const [one, two] = [paint(under), paint([...under, style(node).color])];
    const ratio = Math.max(one, two) / Math.min(one, two);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${node.className} ${node.textContent.trim()}`);
  }
  return found;
}"""
"""Text whose contrast is less than 4.5, as the page is shown."""

NAMELESS = """() => [...document.querySelectorAll("button, input, select, textarea, img, [role]")]
  .filter((node) => node.checkVisibility() && !node.closest("[aria-hidden=true]"))
  .filter((node) => !["separator", "log", "status", "alert", "listbox"].includes(node.role))
  .filter((node) => !node.hasAttribute("alt") || node.alt === null)
  .filter((node) => ![node.ariaLabel, node.textContent, node.title, node.labels?.[0]?.textContent]
    .some((name) => name?.trim()))
  .map((node) => node.outerHTML)"""
"""What is operated, or seen, without a name to be read aloud."""

MOVING = """() => [...document.querySelectorAll("*")].filter((node) => {
  const style = getComputedStyle(node);
  return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0;
}).length"""


async def opened(
    browser: Browser, standin: Standin, scheme: Literal["dark", "light"], **wishes: Any
) -> Page:
    """The page as Anna sees it."""
    page = await browser.new_page(viewport=DESKTOP, color_scheme=scheme, **wishes)
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(f"{standin.url}/?as=anna")
    await expect(page.get_by_test_id("bot-state")).to_have_text("The bot is here")
    return page


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_all_text_can_be_read_and_all_controls_have_names(
    browser: Browser,
    standin: Standin,
    bot: SampleBot,
    harbour: Channel,
    scheme: Literal["dark", "light"],
) -> None:
    await bot.place(harbour.id).send(
        "A panel for <@1> with `code`, **bold** and a [link](https://example.org)\n-# quietly",
        view=Panel(),
        file=picture(),
    )
    page = await opened(browser, standin, scheme, reduced_motion="reduce")
    await expect(page.get_by_test_id("picture")).to_be_visible()

    assert await page.evaluate(FAINT) == []
    assert await page.evaluate(NAMELESS) == []
    assert await page.evaluate(MOVING) == 0
    ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(17, 22, 28)") == (scheme == "dark")


async def test_a_picture_is_opened_and_left_by_keys_and_its_words_stand_under_it(
    browser: Browser, standin: Standin, bot: SampleBot, harbour: Channel
) -> None:
    await bot.place(harbour.id).send("panel", file=picture())
    page = await opened(browser, standin, "dark")
    shown = page.get_by_test_id("picture")
    await shown.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("lightbox")).to_be_visible()
    alt = await shown.get_by_role("img").get_attribute("alt")
    assert alt
    await expect(page.get_by_test_id("lightbox")).to_contain_text(alt)
    await page.keyboard.press("Escape")
    await expect(page.get_by_test_id("lightbox")).to_be_hidden()
    await expect(shown).to_be_focused()
