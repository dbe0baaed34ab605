"""The page in a real browser: how it draws messages made of layout components."""

from __future__ import annotations

import discord
import pytest
from playwright.async_api import ViewportSize, expect

from bot.local import Channel, Person
from tests.chromium import DESKTOP, IN_BROWSER, PHONES, OpenPage
from tests.local.bots import SampleBot, picture
from tests.local.panels import Go, board, whole_panel
from tests.local.test_api_emojis import sign
from tests.local.test_page_accessible import FAINT, NAMELESS

pytestmark = IN_BROWSER

WIDER = """() => [...document.querySelectorAll("body *")].filter((node) => node.checkVisibility())
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
    || node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX === "auto")
  .map((node) => node.outerHTML.slice(0, 120))"""
"""What reaches beyond the window, or has to be scrolled sideways."""


@pytest.mark.parametrize("size", [DESKTOP, *PHONES], ids=lambda size: str(size["width"]))
async def test_a_layout_is_read_from_top_to_bottom(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel, size: ViewportSize
) -> None:
    view = whole_panel("board.png", anna.mention)
    await bot.place(harbour.id).send(view=view, file=picture(size=(1400, 1000)))
    page = await open_page("anna", phone=size is not DESKTOP)
    await page.set_viewport_size(size)
    container = page.get_by_test_id("container")
    shown = container.get_by_role("button", name="Open picture: The estate of Anna")
    below = [
        shown,
        container.get_by_role("heading", name="Round 3"),
        container.get_by_text("The six newest of eleven"),
        container.get_by_text("what do you do with die 4?"),
        container.get_by_role("button", name="Ship from depot 1"),
        container.get_by_test_id("select"),
        container.get_by_role("button", name="My hand"),
    ]
    boxes = [await each.bounding_box() for each in below]
    tops = [box["y"] for box in boxes if box is not None]
    assert tops == sorted(tops)
    assert len(tops) == len(below)
    # The picture fills the column of a phone, and the button of a section stands beside its line.
    column, wide = await container.bounding_box(), boxes[0]
    assert column is not None
    assert wide is not None
    assert wide["width"] >= min(550, column["width"] - 6)
    assert wide["width"] / wide["height"] == pytest.approx(1.4, rel=0.02)
    beside = await container.get_by_role("button", name="Go 0").bounding_box()
    line = boxes[3]
    assert beside is not None
    assert line is not None
    assert beside["x"] >= line["x"] + line["width"]
    bar = "getComputedStyle(document.querySelector('.container')).borderLeftColor"
    assert await page.evaluate(bar) == "rgb(229, 181, 103)"
    assert await page.evaluate(WIDER) == []


async def test_a_layout_can_be_read_and_all_its_controls_have_names(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    view = whole_panel("board.png", anna.mention)
    await bot.place(harbour.id).send(view=view, file=picture(size=(1400, 1000)))
    page = await open_page("anna")
    await expect(page.get_by_test_id("container")).to_be_visible()
    assert await page.evaluate(FAINT) == []
    assert await page.evaluate(NAMELESS) == []


async def test_the_button_of_a_section_is_pressed_by_key_and_keeps_the_keyboard(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    await bot.place(harbour.id).send(view=board("ready", beside=Go()))
    page = await open_page("anna")
    await page.get_by_role("button", name="Go 0").press("Enter")
    await expect(page.get_by_test_id("content").first).to_have_text("pressed 0")
    await expect(page.get_by_role("button", name="Go 1")).to_be_focused()
    await expect(page.get_by_test_id("message")).to_contain_text("(edited)")


async def test_own_emoji_are_drawn_in_texts_buttons_and_selects(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    made = await bot.create_application_emoji(name="kogge_salt_0a1b2c3d", image=sign())
    option = discord.SelectOption(label="All of it", emoji=made)
    view = (
        discord.ui.LayoutView()
        .add_item(discord.ui.TextDisplay(f"sells 2 {made} in Visby"))
        .add_item(discord.ui.ActionRow(discord.ui.Button(label="Sell", emoji=made)))
        .add_item(discord.ui.ActionRow(discord.ui.Select(options=[option])))
    )
    await bot.place(harbour.id).send(view=view)
    page = await open_page("anna")
    await expect(page.get_by_role("img", name="kogge salt")).to_be_visible()
    await page.get_by_test_id("select").click()
    drawn = page.locator("img.sign:visible")
    await expect(drawn).to_have_count(3)
    came = "(signs) => signs.every((each) => each.naturalWidth === 8)"
    assert await drawn.evaluate_all(came)


async def test_a_classic_message_turns_into_a_layout_on_the_page(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    posted = await bot.place(harbour.id).send("Round 1", file=picture("one.png"))
    page = await open_page("anna")
    await expect(page.get_by_test_id("content")).to_have_text("Round 1")
    view = board("Round 2", shown="two.png")
    await posted.edit(content=None, view=view, attachments=[picture("two.png")])
    await expect(page.get_by_test_id("content")).to_have_text(["Round 2", "small"])
    await expect(page.get_by_test_id("picture")).to_have_count(1)
    await expect(page.get_by_role("button", name="Open picture: A board")).to_be_visible()
