"""The page in a real browser: what it draws can be read, reached and seen, on every screen."""

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
from tests.local.panels import Go, board, whole_panel
from tests.local.test_api import sign

pytestmark = [*IN_BROWSER, pytest.mark.slow]

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

WIDER = """() => [...document.querySelectorAll("body *")].filter((node) => node.checkVisibility())
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
    || node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX === "auto")
  .map((node) => node.outerHTML.slice(0, 120))"""
"""What reaches beyond the window, or has to be scrolled sideways."""

MARKED = """() => {
  window.marked = new Promise((resolve) => {
    const look = () => {
      const found = document.querySelector("[data-testid=message].changed");
      if (found) resolve(found.className);
    };
    const all = { subtree: true, childList: true, attributes: true };
    new MutationObserver(look).observe(document.body, all);
  });
}"""
"""Remembers in the page how a message is marked: nobody may look there before it is over."""

LOW: ViewportSize = {"width": 844, "height": 390}

ONE = "[\u2190-\u21ff\u2300-\u23ff\u2500-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?"
SIGN = re.compile(f"{ONE}(?:\u200d{ONE})*")
"""A sign, with what is joined to it."""
TEXT = re.compile("[\u2190-\u21a8\u2500-\u257f\u25a0-\u25b5\u25cf\u2680-\u2685\u2713]")
"""Arrows, lines and pips, which every font for text has."""


async def box(part: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is shown."""
    found = await part.bounding_box()
    assert found is not None
    right, bottom = found["x"] + found["width"], found["y"] + found["height"]
    return found["x"], found["y"], right, bottom


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_all_text_can_be_read_and_all_controls_have_names(
    browser: Browser,
    standin: Standin,
    bot: SampleBot,
    anna: Person,
    harbour: Channel,
    scheme: Literal["dark", "light"],
) -> None:
    layout = whole_panel("board.png", anna.mention)
    await bot.place(harbour.id).send(view=layout, file=picture(size=(1400, 1000)))
    words = "A panel for <@1> with `code`, **bold** and a [link](https://example.org)\n-# quietly"
    await bot.place(harbour.id).send(words, view=Panel(), file=picture())
    page = await browser.new_page(viewport=DESKTOP, color_scheme=scheme, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(f"{standin.url}/?as=anna")
    shown = page.get_by_role("button", name="Open picture: A blue board")
    await expect(page.get_by_test_id("container")).to_be_visible()
    await expect(shown).to_be_visible()
    assert await page.evaluate(FAINT) == []
    assert await page.evaluate(NAMELESS) == []
    assert await page.evaluate(MOVING) == 0
    ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(17, 22, 28)") == (scheme == "dark")
    # A picture is opened and left by keys, and its words stand under it.
    await shown.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("lightbox")).to_contain_text("A blue board")
    await page.keyboard.press("Escape")
    await expect(page.get_by_test_id("lightbox")).to_be_hidden()
    await expect(shown).to_be_focused()
    await page.context.close()


async def test_a_layout_is_read_from_top_to_bottom(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    view = whole_panel("board.png", anna.mention)
    await bot.place(harbour.id).send(view=view, file=picture(size=(1400, 1000)))
    for size in (DESKTOP, *PHONES):
        page = await open_page("anna", phone=size is not DESKTOP)
        await page.set_viewport_size(size)
        container = page.get_by_test_id("container")
        below = [
            container.get_by_role("button", name="Open picture: The estate of Anna"),
            container.get_by_role("heading", name="Round 3"),
            container.get_by_text("The six newest of eleven"),
            container.get_by_text("what do you do with die 4?"),
            container.get_by_role("button", name="Ship from depot 1"),
            container.get_by_test_id("select"),
            container.get_by_role("button", name="My hand"),
        ]
        boxes = [await box(each) for each in below]
        assert boxes == sorted(boxes, key=lambda each: each[1])
        # The picture fills the column of a phone, and a section's button is beside its line.
        left, top, right, bottom = boxes[0]
        column = await box(container)
        assert right - left >= min(550, column[2] - column[0] - 6)
        assert (right - left) / (bottom - top) == pytest.approx(1.4, rel=0.02)
        beside = await box(container.get_by_role("button", name="Go 0"))
        assert beside[0] >= boxes[3][2]
        bar = "getComputedStyle(document.querySelector('.container')).borderLeftColor"
        assert await page.evaluate(bar) == "rgb(229, 181, 103)"
        assert await page.evaluate(WIDER) == []


class Whisper(discord.ui.Button[discord.ui.LayoutView]):
    """Answers with a panel in private, and removes the one before."""

    before: discord.Interaction | None = None

    async def callback(self, interaction: discord.Interaction) -> None:
        view = whole_panel("own.png", interaction.user.mention)
        await interaction.response.send_message(
            view=view, file=picture("own.png", size=(1100, 1000)), ephemeral=True
        )
        if self.before is not None:
            await self.before.delete_original_response()
        self.before = interaction


async def test_a_select_beside_the_picture_of_a_private_panel_opens_in_full(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    beside = Whisper(label="Whisper", custom_id="whisper")
    await bot.place(harbour.id).send(view=board("ready", beside=beside))
    page = await open_page("anna")
    await page.get_by_role("button", name="Whisper").click()
    panel = page.locator("[data-private=true]")
    assert (await box(panel.locator("[data-custom-id=more]")))[0] > DESKTOP["width"] / 2
    await panel.locator("[data-custom-id=more]").click()
    for option in await panel.get_by_role("option").all():
        await option.click(trial=True)


async def test_a_panel_stays_in_sight_where_one_above_it_goes(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    beside = Whisper(label="Whisper", custom_id="whisper")
    await bot.place(harbour.id).send(view=board("ready", beside=beside))
    page = await open_page("anna", phone=True)
    panel = page.locator("[data-private=true]")
    for _again in range(2):
        await page.get_by_role("button", name="Whisper").click()
        await expect(panel).to_have_count(1)
        await page.wait_for_timeout(300)
        _, top, _, _ = await box(page.locator("#scroll"))
        assert (await box(panel.get_by_test_id("picture").first))[1] >= top


async def test_layouts_change_under_the_keyboard_and_draw_the_bots_own_emoji(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    place = bot.place(harbour.id)
    await place.send(view=board("ready", beside=Go()))
    page = await open_page("anna")
    await page.get_by_role("button", name="Go 0").press("Enter")
    await expect(page.get_by_test_id("content").first).to_have_text("pressed 0")
    await expect(page.get_by_role("button", name="Go 1")).to_be_focused()
    await expect(page.get_by_test_id("message")).to_contain_text("(edited)")
    # A classic message becomes a layout.
    posted = await place.send("Round 1", file=picture("one.png"))
    await expect(page.get_by_test_id("content").last).to_have_text("Round 1")
    view = board("Round 2", shown="two.png")
    await posted.edit(content=None, view=view, attachments=[picture("two.png")])
    await expect(page.get_by_role("button", name="Open picture: A board")).to_be_visible()
    await expect(page.get_by_test_id("picture")).to_have_count(1)
    # Own emoji, and keycaps.
    made = await bot.create_application_emoji(name="kogge_salt_0a1b2c3d", image=sign())
    option = discord.SelectOption(label="All of it", emoji=made)
    view = (
        discord.ui.LayoutView()
        .add_item(discord.ui.TextDisplay(f"sells 2 {made} in Visby for {keycap(1)}"))
        .add_item(discord.ui.ActionRow(discord.ui.Button(label="Sell", emoji=made)))
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
    for size in (DESKTOP, *PHONES, LOW):
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
            other = await box(control)
            assert other[0] >= stage[2] or other[1] >= stage[3], await control.inner_text()
            assert other[2] <= size["width"]
            assert other[3] <= size["height"]


async def whole(page: Page, part: Locator) -> bool:
    """Whether all of a part stands within the list of messages."""
    _, top, _, bottom = await box(page.locator("#scroll"))
    _, upper, _, lower = await box(part)
    return upper >= top - 1 and lower <= bottom + 1


async def test_a_panel_that_changes_out_of_sight_is_told_or_brought_into_sight(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    await anna.slash(harbour, "paint", colour="red")
    asked = bot.seen[-1]
    for number in range(40):
        await bot.place(harbour.id).send(f"turn {number}")
    await bot.place(harbour.id).send("panel", view=Panel())
    page = await open_page("anna")
    to_the_end = "(it) => it.scrollTo(0, it.scrollHeight)"
    # What was unread when the page came is read from its beginning.
    await page.locator("#scroll").evaluate(to_the_end)
    panel, told = page.locator("[data-private=true]"), page.get_by_test_id("changed")
    await expect(panel).not_to_be_in_viewport()
    # Who reads something else is only told.
    await page.evaluate("new Promise(requestAnimationFrame)")
    await page.locator("#scroll").evaluate("(it) => it.scrollBy(0, -200)")
    await asked.edit_original_response(content="another question")
    await expect(told).to_have_text("Your panel has changed ↑")
    await expect(panel).not_to_be_in_viewport()
    await told.click()
    await expect(panel).to_contain_text("another question")
    assert await whole(page, panel)
    await expect(told).to_be_hidden()
    # By what one has pressed oneself it is brought into sight and marked.
    await expect(panel).to_have_class("message lead private")
    await page.locator("#scroll").evaluate(to_the_end)
    await expect(panel).not_to_be_in_viewport()
    await page.evaluate(MARKED)
    await page.locator("[data-custom-id=silence]").click()
    await bot.until(lambda: bot.seen[-1] is not asked)
    await asked.edit_original_response(content="a third question")
    await expect(panel).to_contain_text("a third question")
    assert await page.evaluate("marked") == "message lead private changed"
    assert await whole(page, panel)
    await expect(panel).to_have_class("message lead private")


def signs() -> list[str]:
    """Every sign in the program's code, data and translations that is not drawn as text."""
    files = [
        path
        for folder in ("bot", "data")
        for path in (CHECKOUT / folder).rglob("*")
        if path.suffix in (".py", ".toml", ".po", ".js")
    ]
    found = {sign for path in files for sign in SIGN.findall(Path(path).read_text("utf-8"))}
    return sorted(sign for sign in found if not TEXT.match(sign))


async def fonts_of(page: Page, selector: str) -> list[tuple[str, int]]:
    """With which fonts of the page, and by how many drawings, a part of the page is drawn."""
    client = await page.context.new_cdp_session(page)
    await client.send("DOM.enable")
    await client.send("CSS.enable")
    root = await client.send("DOM.getDocument")
    asked = {"nodeId": root["root"]["nodeId"], "selector": selector}
    node = await client.send("DOM.querySelector", asked)
    used = await client.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})
    await client.detach()
    return [(font["familyName"], font["glyphCount"]) for font in used["fonts"]]


async def test_every_sign_that_the_program_writes_is_drawn_by_a_font_of_the_page(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    drawn = signs()
    assert len(drawn) > 60
    half = len(drawn) // 2
    for some in (drawn[:half], drawn[half:]):
        await bot.place(harbour.id).send("".join(some))
    page = await open_page("anna")
    await page.evaluate("document.fonts.ready")
    for number, some in enumerate((drawn[:half], drawn[half:])):
        # Each as one drawing, also what is joined of several; none by a font of the machine.
        used = await fonts_of(page, f"article:nth-of-type({number + 1}) [data-testid=content] p")
        assert used == [("Twemoji Mozilla", len(some))], some
