"""The page in a real browser: contrast, names, layout, scrolling and fonts on all screens."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import discord
import pytest
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from bot.local import Channel, Person, Standin
from bot.resources import CHECKOUT
from bot.text.markup import keycap
from tests.chromium import DESKTOP, IN_BROWSER, PATIENCE_MS, PHONES, OpenPage
from tests.local.bots import Panel, SampleBot, picture
from tests.local.panels import Go, board, full_panel
from tests.local.test_api import sign

pytestmark = [*IN_BROWSER, pytest.mark.slow]

LOW_CONTRAST = """() => {
  const light = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const paint = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => light(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const style = (node) => getComputedStyle(node);
  const texts = [];
  for (const node of document.querySelectorAll("body *")) {
    const hasText = [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!hasText || node.closest(":disabled")) continue;
    if (!node.checkVisibility({visibilityProperty: true})) continue;
    const under = [];
    for (let at = node; at; at = at.parentElement) under.unshift(style(at).backgroundColor);
    const [one, two] = [paint(under), paint([...under, style(node).color])];
    const ratio = Math.max(one, two) / Math.min(one, two);
    if (ratio < 4.5) texts.push(`${ratio.toFixed(2)} ${node.className} ${node.textContent.trim()}`);
  }
  return texts;
}"""
"""Returns visible texts with a contrast below 4.5."""

NAMELESS = """() => [...document.querySelectorAll("button, input, select, textarea, img, [role]")]
  .filter((node) => node.checkVisibility() && !node.closest("[aria-hidden=true]"))
  .filter((node) => !["separator", "log", "status", "alert", "listbox"].includes(node.role))
  .filter((node) => !node.hasAttribute("alt") || node.alt === null)
  .filter((node) => ![node.ariaLabel, node.textContent, node.title, node.labels?.[0]?.textContent]
    .some((name) => name?.trim()))
  .map((node) => node.outerHTML)"""
"""Returns controls and pictures without a name for screen readers."""

ANIMATED = """() => [...document.querySelectorAll("*")].filter((node) => {
  const style = getComputedStyle(node);
  return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0;
}).length"""

OVERFLOWING = """() => [...document.querySelectorAll("body *")]
  .filter((node) => node.checkVisibility())
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
    || node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX === "auto")
  .map((node) => node.outerHTML.slice(0, 120))"""
"""Returns elements that are wider than the window or scroll horizontally."""

WATCH_HIGHLIGHT = """() => {
  window.highlighted = new Promise((resolve) => {
    const check = () => {
      const message = document.querySelector("[data-testid=message].changed");
      if (message) resolve(message.className);
    };
    const all = { subtree: true, childList: true, attributes: true };
    new MutationObserver(check).observe(document.body, all);
  });
}"""
"""Records the class of a highlighted message in the page, as the highlight is short."""

LANDSCAPE: ViewportSize = {"width": 844, "height": 390}

ONE = "[\u2190-\u21ff\u2300-\u23ff\u2500-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?"
SIGN = re.compile(f"{ONE}(?:\u200d{ONE})*")
"""An emoji, including joined ones."""
TEXT = re.compile("[\u2190-\u21a8\u2500-\u257f\u25a0-\u25b5\u25cf\u2680-\u2685\u2713]")
"""Arrows, lines and pips, which text fonts have."""


async def box(part: Locator) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of a part."""
    bounds = await part.bounding_box()
    assert bounds is not None
    right, bottom = bounds["x"] + bounds["width"], bounds["y"] + bounds["height"]
    return bounds["x"], bounds["y"], right, bottom


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_texts_have_enough_contrast_and_controls_have_names(
    browser: Browser,
    standin: Standin,
    bot: SampleBot,
    anna: Person,
    harbour: Channel,
    scheme: Literal["dark", "light"],
) -> None:
    layout = full_panel("board.png", anna.mention)
    await bot.place(harbour.id).send(view=layout, file=picture(size=(1400, 1000)))
    text = "A panel for <@1> with `code`, **bold** and a [link](https://example.org)\n-# quietly"
    await bot.place(harbour.id).send(text, view=Panel(), file=picture())
    page = await browser.new_page(viewport=DESKTOP, color_scheme=scheme, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(f"{standin.url}/?as=anna")
    shown = page.get_by_role("button", name="Open picture: A blue board")
    await expect(page.get_by_test_id("container")).to_be_visible()
    await expect(shown).to_be_visible()
    assert await page.evaluate(LOW_CONTRAST) == []
    assert await page.evaluate(NAMELESS) == []
    assert await page.evaluate(ANIMATED) == 0
    background = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(17, 22, 28)") == (scheme == "dark")
    # A picture opens and closes by keyboard, and its description is below it.
    await shown.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("lightbox")).to_contain_text("A blue board")
    await page.keyboard.press("Escape")
    await expect(page.get_by_test_id("lightbox")).to_be_hidden()
    await expect(shown).to_be_focused()
    await page.context.close()


async def test_the_parts_of_a_layout_are_in_order_from_top_to_bottom(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    view = full_panel("board.png", anna.mention)
    await bot.place(harbour.id).send(view=view, file=picture(size=(1400, 1000)))
    for size in (DESKTOP, *PHONES):
        page = await open_page("anna", phone=size is not DESKTOP)
        await page.set_viewport_size(size)
        container = page.get_by_test_id("container")
        parts = [
            container.get_by_role("button", name="Open picture: The estate of Anna"),
            container.get_by_role("heading", name="Round 3"),
            container.get_by_text("The six newest of eleven"),
            container.get_by_text("what do you do with die 4?"),
            container.get_by_role("button", name="Ship from depot 1"),
            container.get_by_test_id("select"),
            container.get_by_role("button", name="My hand"),
        ]
        boxes = [await box(each) for each in parts]
        assert boxes == sorted(boxes, key=lambda each: each[1])
        # The picture fills the column of a phone, and a section's button is next to its text.
        left, top, right, bottom = boxes[0]
        column = await box(container)
        assert right - left >= min(550, column[2] - column[0] - 6)
        assert (right - left) / (bottom - top) == pytest.approx(1.4, rel=0.02)
        button = await box(container.get_by_role("button", name="Go 0"))
        assert button[0] >= boxes[3][2]
        bar = "getComputedStyle(document.querySelector('.container')).borderLeftColor"
        assert await page.evaluate(bar) == "rgb(229, 181, 103)"
        assert await page.evaluate(OVERFLOWING) == []


class Whisper(discord.ui.Button[discord.ui.LayoutView]):
    """A button that answers with a private panel and deletes the previous one."""

    previous: discord.Interaction | None = None

    async def callback(self, interaction: discord.Interaction) -> None:
        view = full_panel("own.png", interaction.user.mention)
        await interaction.response.send_message(
            view=view, file=picture("own.png", size=(1100, 1000)), ephemeral=True
        )
        if self.previous is not None:
            await self.previous.delete_original_response()
        self.previous = interaction


async def test_a_select_next_to_the_picture_of_a_private_panel_opens_in_full(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    button = Whisper(label="Whisper", custom_id="whisper")
    await bot.place(harbour.id).send(view=board("ready", button=button))
    page = await open_page("anna")
    await page.get_by_role("button", name="Whisper").click()
    panel = page.locator("[data-private=true]")
    assert (await box(panel.locator("[data-custom-id=more]")))[0] > DESKTOP["width"] / 2
    await panel.locator("[data-custom-id=more]").click()
    for option in await panel.get_by_role("option").all():
        await option.click(trial=True)


async def test_a_panel_stays_in_view_if_one_above_it_is_deleted(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    button = Whisper(label="Whisper", custom_id="whisper")
    await bot.place(harbour.id).send(view=board("ready", button=button))
    page = await open_page("anna", phone=True)
    panel = page.locator("[data-private=true]")
    for _ in range(2):
        await page.get_by_role("button", name="Whisper").click()
        await expect(panel).to_have_count(1)
        await page.wait_for_timeout(300)
        top = (await box(page.locator("#scroll")))[1]
        assert (await box(panel.get_by_test_id("picture").first))[1] >= top


async def test_layouts_keep_the_focus_and_show_application_emoji(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    place = bot.place(harbour.id)
    await place.send(view=board("ready", button=Go()))
    page = await open_page("anna")
    await page.get_by_role("button", name="Go 0").press("Enter")
    await expect(page.get_by_test_id("content").first).to_have_text("pressed 0")
    await expect(page.get_by_role("button", name="Go 1")).to_be_focused()
    await expect(page.get_by_test_id("message")).to_contain_text("(edited)")
    # A classic message becomes a layout.
    posted = await place.send("Round 1", file=picture("one.png"))
    await expect(page.get_by_test_id("content").last).to_have_text("Round 1")
    view = board("Round 2", filename="two.png")
    await posted.edit(content=None, view=view, attachments=[picture("two.png")])
    await expect(page.get_by_role("button", name="Open picture: A board")).to_be_visible()
    await expect(page.get_by_test_id("picture")).to_have_count(1)
    # Application emoji and keycaps.
    emoji = await bot.create_application_emoji(name="kogge_salt_0a1b2c3d", image=sign())
    option = discord.SelectOption(label="All", emoji=emoji)
    view = (
        discord.ui.LayoutView()
        .add_item(discord.ui.TextDisplay(f"sells 2 {emoji} in Visby for {keycap(1)}"))
        .add_item(discord.ui.ActionRow(discord.ui.Button(label="Sell", emoji=emoji)))
        .add_item(discord.ui.ActionRow(discord.ui.Button(label="Bid", emoji=keycap(3))))
        .add_item(discord.ui.ActionRow(discord.ui.Select(options=[option])))
    )
    await place.send(view=view)
    await expect(page.get_by_role("img", name="kogge salt")).to_be_visible()
    await page.get_by_test_id("select").click()
    drawn = page.locator("img.sign:visible")
    await expect(drawn).to_have_count(3)
    assert await drawn.evaluate_all("(signs) => signs.every((each) => each.naturalWidth === 8)")
    await expect(page.locator(".keycap")).to_have_text(["1", "3"])
    await expect(page.get_by_role("button", name="Bid")).to_have_text("3Bid")


async def test_the_picture_viewer_never_covers_the_picture(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    shown = picture(size=(1400, 1000))
    shown.description = "A board: " + "four estates, twelve depots and six dice; " * 12
    await bot.place(harbour.id).send("board", file=shown)
    for size in (DESKTOP, *PHONES, LANDSCAPE):
        page = await open_page("anna")
        await page.set_viewport_size(size)
        await page.get_by_test_id("picture").click()
        viewer = page.get_by_test_id("lightbox")
        drawn = viewer.get_by_role("img")
        await expect(drawn).to_be_visible()
        await page.wait_for_function(
            "() => document.querySelector('.stage img').naturalWidth === 1400"
        )
        left, top, right, bottom = await box(drawn)
        assert (right - left) / (bottom - top) == pytest.approx(1.4, rel=0.02)
        assert right - left > min(size["width"] - 30, 1.4 * (size["height"] - 130)) * 0.75
        stage = await box(viewer.locator(".stage"))
        assert stage[0] <= left
        assert stage[1] <= top
        assert stage[2] >= right
        assert stage[3] >= bottom
        for control in await viewer.locator(".lightbox-foot > *, .icon-button").all():
            bounds = await box(control)
            assert bounds[0] >= stage[2] or bounds[1] >= stage[3], await control.inner_text()
            assert bounds[2] <= size["width"]
            assert bounds[3] <= size["height"]


async def is_in_view(page: Page, part: Locator) -> bool:
    """Return whether all of a part is in view in the list of messages."""
    _, top, _, bottom = await box(page.locator("#scroll"))
    _, upper, _, lower = await box(part)
    return upper >= top - 1 and lower <= bottom + 1


async def test_a_changed_panel_out_of_view_is_announced_or_scrolled_to(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    await anna.slash(harbour, "paint", colour="red")
    interaction = bot.seen[-1]
    for number in range(40):
        await bot.place(harbour.id).send(f"turn {number}")
    await bot.place(harbour.id).send("panel", view=Panel())
    page = await open_page("anna")
    to_the_end = "(it) => it.scrollTo(0, it.scrollHeight)"
    # The page opens at the first unread message.
    await page.locator("#scroll").evaluate(to_the_end)
    panel, announcement = page.locator("[data-private=true]"), page.get_by_test_id("changed")
    await expect(panel).not_to_be_in_viewport()
    # A change by the bot is only announced.
    await page.evaluate("new Promise(requestAnimationFrame)")
    await page.locator("#scroll").evaluate("(it) => it.scrollBy(0, -200)")
    await interaction.edit_original_response(content="another question")
    await expect(announcement).to_have_text("Your panel has changed ↑")
    await expect(panel).not_to_be_in_viewport()
    await announcement.click()
    await expect(panel).to_contain_text("another question")
    assert await is_in_view(page, panel)
    await expect(announcement).to_be_hidden()
    # A change after the person's own action is scrolled to and highlighted.
    await expect(panel).to_have_class("message lead private")
    await page.locator("#scroll").evaluate(to_the_end)
    await expect(panel).not_to_be_in_viewport()
    await page.evaluate(WATCH_HIGHLIGHT)
    await page.locator("[data-custom-id=silence]").click()
    await bot.until(lambda: bot.seen[-1] is not interaction)
    await interaction.edit_original_response(content="a third question")
    await expect(panel).to_contain_text("a third question")
    assert await page.evaluate("highlighted") == "message lead private changed"
    assert await is_in_view(page, panel)
    await expect(panel).to_have_class("message lead private")


def signs() -> list[str]:
    """Return all emoji in the bot's code, data and translations."""
    files = [
        path
        for folder in ("bot", "data")
        for path in (CHECKOUT / folder).rglob("*")
        if path.suffix in (".py", ".toml", ".po", ".js")
    ]
    unique = {sign for path in files for sign in SIGN.findall(Path(path).read_text("utf-8"))}
    return sorted(sign for sign in unique if not TEXT.match(sign))


async def fonts_of(page: Page, selector: str) -> list[tuple[str, int]]:
    """Return the fonts that draw a part of the page, with their numbers of glyphs."""
    client = await page.context.new_cdp_session(page)
    await client.send("DOM.enable")
    await client.send("CSS.enable")
    root = await client.send("DOM.getDocument")
    query = {"nodeId": root["root"]["nodeId"], "selector": selector}
    node = await client.send("DOM.querySelector", query)
    used = await client.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})
    await client.detach()
    return [(font["familyName"], font["glyphCount"]) for font in used["fonts"]]


async def test_the_pages_font_draws_all_emoji_of_the_bot(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    emoji = signs()
    assert len(emoji) > 60
    half = len(emoji) // 2
    for part in (emoji[:half], emoji[half:]):
        await bot.place(harbour.id).send("".join(part))
    page = await open_page("anna")
    await page.evaluate("document.fonts.ready")
    for number, part in enumerate((emoji[:half], emoji[half:])):
        # One glyph each, also for joined emoji, and none from a font of the machine.
        used = await fonts_of(page, f"article:nth-of-type({number + 1}) [data-testid=content] p")
        assert used == [("Twemoji Mozilla", len(part))], part
