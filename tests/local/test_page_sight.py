"""The page in a real browser: nothing is covered, and nothing that happens goes unseen."""

from __future__ import annotations

import discord
import pytest
from playwright.async_api import Locator, Page, ViewportSize, expect

from bot.local import Channel, Person
from tests.chromium import DESKTOP, IN_BROWSER, PHONES, OpenPage
from tests.local.bots import Panel, SampleBot, picture
from tests.local.test_api_emojis import sign

pytestmark = IN_BROWSER

LOW: ViewportSize = {"width": 844, "height": 390}
LONG = "\n".join(f"{number}. Of this a newcomer should know." for number in range(1, 60))


async def box(part: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is shown."""
    found = await part.bounding_box()
    assert found is not None
    right, bottom = found["x"] + found["width"], found["y"] + found["height"]
    return found["x"], found["y"], right, bottom


@pytest.mark.parametrize("size", [DESKTOP, *PHONES, LOW], ids=lambda size: str(size["width"]))
async def test_the_picture_viewer_never_covers_the_picture(
    open_page: OpenPage, bot: SampleBot, harbour: Channel, size: ViewportSize
) -> None:
    board = picture(size=(1400, 1000))
    board.description = "A board: " + "four estates, twelve depots and six dice; " * 12
    await bot.place(harbour.id).send("board", file=board)
    page = await open_page("anna")
    await page.set_viewport_size(size)
    await page.get_by_test_id("picture").click()
    viewer = page.get_by_test_id("lightbox")
    drawn = viewer.get_by_role("img")
    await expect(drawn).to_be_visible()
    await page.wait_for_function("document.querySelector('.stage img').naturalWidth === 1400")
    left, top, right, bottom = await box(drawn)
    assert (right - left) / (bottom - top) == pytest.approx(1.4, rel=0.02)
    assert right - left > min(size["width"] - 30, 1.4 * (size["height"] - 130)) * 0.75
    stage = await box(viewer.locator(".stage"))
    assert stage[0] <= left
    assert stage[1] <= top
    assert stage[2] >= right
    assert stage[3] >= bottom
    for _ in range(2):
        for control in await viewer.locator(".lightbox-foot > *, .icon-button").all():
            other = await box(control)
            assert other[0] >= stage[2] or other[1] >= stage[3], await control.inner_text()
            assert other[2] <= size["width"]
            assert other[3] <= size["height"]
        # Larger than its place it is cut off there, and does not reach under the controls.
        await viewer.get_by_role("button", name="Larger").click()
        overflow = await viewer.locator(".stage").evaluate("(it) => getComputedStyle(it).overflow")
        assert overflow == "hidden"


async def whole(page: Page, part: Locator) -> bool:
    """Whether all of a part stands within the list of messages."""
    _, top, _, bottom = await box(page.locator("#scroll"))
    _, upper, _, lower = await box(part)
    return upper >= top - 1 and lower <= bottom + 1


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


async def with_a_panel_out_of_sight(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> tuple[Page, Locator]:
    """Anna's page at its end, and a panel of hers far above it."""
    await anna.slash(harbour, "paint", colour="red")
    for number in range(30):
        await bot.place(harbour.id).send(f"turn {number}")
    await bot.place(harbour.id).send("panel", view=Panel())
    page = await open_page("anna")
    # What was unread when the page came is read from its beginning.
    await page.locator("#scroll").evaluate("(it) => it.scrollTo(0, it.scrollHeight)")
    panel = page.locator("[data-private=true]")
    await expect(panel).not_to_be_in_viewport()
    return page, panel


async def test_a_panel_that_changes_out_of_sight_is_told_with_a_way_to_it(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    page, panel = await with_a_panel_out_of_sight(open_page, bot, anna, harbour)
    await bot.seen[-1].edit_original_response(content="another question")
    told = page.get_by_test_id("changed")
    await expect(told).to_have_text("Your panel has changed ↑")
    await expect(panel).not_to_be_in_viewport()
    await told.click()
    await expect(panel).to_contain_text("another question")
    assert await whole(page, panel)
    await expect(told).to_be_hidden()


async def test_a_panel_that_changes_by_what_one_pressed_is_brought_into_sight_and_marked(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    page, panel = await with_a_panel_out_of_sight(open_page, bot, anna, harbour)
    asked = bot.seen[-1]
    await page.evaluate(MARKED)
    await page.locator("[data-custom-id=silence]").click()
    await bot.until(lambda: bot.seen[-1] is not asked)
    await asked.edit_original_response(content="another question")
    await expect(panel).to_contain_text("another question")
    assert await page.evaluate("marked") == "message lead private changed"
    assert await whole(page, panel)
    await expect(panel).to_have_class("message lead private")


async def test_a_press_is_seen_to_have_done_something(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    await bot.place(harbour.id).send("panel", view=Panel())
    page = await open_page("anna")
    await page.evaluate(MARKED)
    await page.locator("[data-custom-id=later]").click()
    message = page.get_by_test_id("message")
    await expect(message).to_contain_text("changed later")
    assert await page.evaluate("marked") == "message lead changed"


async def test_a_long_private_answer_is_read_from_its_beginning(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    await bot.place(harbour.id).send("panel", view=Panel())
    page = await open_page("anna", phone=True)
    bot.tree.remove_command("think")

    @bot.tree.command(name="think")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(LONG[:2000], ephemeral=True)

    await page.get_by_test_id("composer-input").fill("/think")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    answer = page.locator("[data-private=true]")
    await expect(answer.locator("li").first).to_be_in_viewport()
    assert not await whole(page, answer)


async def test_a_deleted_message_leaves_no_heading_over_what_answers_it(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    place = bot.place(harbour.id)
    asked = await place.send("a board")
    await asked.reply("a panel", mention_author=False)
    page = await open_page("anna")
    await expect(page.locator(".context")).to_contain_text("a board")
    await asked.delete()
    await expect(page.get_by_test_id("content")).to_have_text(["a panel"])
    await expect(page.locator(".context")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_test_id("content")).to_have_text(["a panel"])
    await expect(page.locator(".context")).to_have_count(0)


async def test_a_heading_draws_the_signs_of_what_it_answers(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    salt = await bot.create_application_emoji(name="salt", image=sign())
    place = bot.place(harbour.id)
    asked = await place.send(f"{'a long way to go ' * 7}{salt}")
    await asked.reply("a panel", mention_author=False)
    page = await open_page("anna")
    await expect(page.locator(".context img[alt*=salt]")).to_have_count(1)
    await expect(page.locator(".context")).not_to_contain_text("<:")
