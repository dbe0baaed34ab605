"""The page in a real browser: what a newcomer does, by mouse and by keyboard."""

from __future__ import annotations

import asyncio
import re

import discord
import pytest
from playwright.async_api import Browser, Route, expect

from bot.local import Channel, Person, Standin, guilds_on_each
from bot.text.user_text import Written
from tests.chromium import IN_BROWSER, PHONE, OpenPage
from tests.local.bots import Panel, SampleBot, picture, running

pytestmark = IN_BROWSER


COLOURS = (
    "(({color, backgroundColor}) => [color, backgroundColor])(getComputedStyle(document.body))"
)
WATCH_WHILE_CUT_OFF = f"""() => {{
  const note = document.getElementById("offline");
  window.whileCutOff = new Promise((resolve) => {{
    const look = () => note.hidden || resolve({COLOURS});
    new MutationObserver(look).observe(note, {{ attributes: true }});
  }});
}}"""


async def test_a_game_is_begun_and_played_and_still_there_after_a_reload(
    open_page: OpenPage,
) -> None:
    page = await open_page("anna")
    await page.get_by_test_id("hint-new-game").click()
    await expect(page.get_by_test_id("command-line")).to_contain_text("/game new")
    await page.get_by_test_id("choice").filter(has_text="Kogge").click()
    await page.keyboard.press("Enter")
    message = page.get_by_test_id("message")
    await expect(message).to_contain_text("kogge for 4 with nobody")
    await expect(page.get_by_test_id("used")).to_contain_text("Anna used /game new")
    await expect(page.get_by_role("button", name="Closed")).to_be_disabled()
    await page.locator("[data-custom-id=later]").click()
    await expect(message).to_contain_text("changed later")
    await page.reload()
    await expect(message).to_contain_text("changed later")
    # One server needs no switch.
    await expect(page.get_by_test_id("channel-the-harbour")).to_be_visible()
    await expect(page.locator(".servers")).to_have_count(0)


@pytest.mark.slow
async def test_commands_are_sent_by_keyboard_alone(open_page: OpenPage) -> None:
    page = await open_page("anna")
    message, typed = page.get_by_test_id("message"), page.get_by_test_id("composer-input")
    await typed.focus()
    await page.keyboard.type("/new")
    await expect(page.get_by_test_id("command-item").first).to_contain_text("/game new")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("option-game")).to_be_focused()
    await page.keyboard.type("bur")
    await page.keyboard.press("Tab")
    await expect(page.get_by_test_id("option-game")).to_have_value("Burgundy")
    # A wrong value is told, and the command stays.
    await page.get_by_test_id("add-option-seats").press("Enter")
    await page.keyboard.type("9")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("toasts")).to_contain_text("within 2..4")
    await expect(page.get_by_test_id("option-seats")).to_have_value("9")
    await page.get_by_test_id("option-seats").fill("3")
    await page.get_by_test_id("add-option-friend").press("Enter")
    await page.keyboard.type("be")
    await page.keyboard.press("Enter")
    await page.get_by_test_id("add-option-open_money").press("Enter")
    await page.keyboard.type("Yes")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(message).to_contain_text("burgundy for 3 with Bert, open True")
    await expect(typed).to_be_focused()


@pytest.mark.slow
async def test_autocomplete_follows_what_is_typed_and_enter_sends_it(open_page: OpenPage) -> None:
    page = await open_page("anna")
    message, choice = page.get_by_test_id("message"), page.get_by_test_id("choice")
    first = page.get_by_test_id("command-item").first
    # A newcomer is offered a new game first, and later what was used last.
    await page.get_by_test_id("open-commands").click()
    await expect(first).to_contain_text("/game new")
    await page.get_by_test_id("composer-input").fill("/paint")
    await page.keyboard.press("Enter")
    await expect(choice).to_have_text(["Red", "Green", "Blue"])
    await page.keyboard.type("bl")
    await expect(choice).to_have_text(["Blue"])
    # It may still be the answer to "b", which Enter does not take.
    await expect(choice).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(message).to_contain_text("painted blue")
    await expect(message).to_contain_text("Only you can see this")
    await page.get_by_test_id("dismiss").click()
    await expect(message).to_have_count(0)
    await page.get_by_test_id("open-commands").click()
    await expect(first).to_contain_text("/paint")
    # What was typed is sent, and not what was offered before.
    await page.get_by_test_id("composer-input").fill("/paint")
    await page.keyboard.press("Enter")
    await expect(choice.first).to_have_text("Red")
    await page.get_by_test_id("option-colour").fill("Violet")
    await page.keyboard.press("Enter")
    await expect(message).to_contain_text("painted Violet")


@pytest.mark.slow
async def test_buttons_selects_and_forms_work(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    await anna.slash(harbour, "count")
    await bot.place(harbour.id).send("panel", view=Panel())
    page = await open_page("anna")
    # The keyboard stays on a panel that changes.
    await page.get_by_role("button", name="Count 1").press("Enter")
    await expect(page.get_by_role("button", name="Count 2")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Count 3")).to_be_focused()
    await page.locator("[data-custom-id=goods]").click()
    await page.get_by_role("option", name="Ore").click()
    await page.get_by_role("option", name="Fish").click()
    await page.get_by_test_id("select-done").click()
    await expect(page.get_by_text("loaded Ore and Fish")).to_be_visible()
    await page.locator("[data-custom-id=letter]").click()
    form = page.get_by_test_id("modal")
    await expect(form).to_contain_text("A letter")
    await bot.answers("letter")
    await form.get_by_test_id("select").click()
    await form.get_by_role("option", name="Clara").click()
    await form.get_by_label("Words").fill("Ahoy")
    await form.get_by_test_id("modal-submit").click()
    await expect(form).to_be_hidden()
    await expect(page.get_by_text("to Clara: Ahoy")).to_be_visible()
    standin.interactions.acknowledge_s = 0.1
    await page.locator("[data-custom-id=silence]").click()
    await expect(page.get_by_text("The application did not respond")).to_be_visible()


@pytest.mark.slow
async def test_everything_is_live_between_two_people_and_secrets_are_on_one_page_only(
    open_page: OpenPage, bot: SampleBot, anna: Person
) -> None:
    annas, page = await open_page("anna"), await open_page("bert")
    await annas.get_by_test_id("composer-input").fill("Ahoy @Bert, **now**")
    await annas.keyboard.press("Enter")
    await expect(page.get_by_test_id("content")).to_have_text("Ahoy @Bert, now")
    await expect(page.locator(".message.calls")).to_have_count(1)
    await expect(annas.locator(".message.calls")).to_have_count(0)
    await annas.close()
    await (await bot.fetch_user(anna.id)).send("your hand: 3 ore")
    switch = page.get_by_test_id("person-anna")
    await expect(switch).to_have_attribute("aria-label", "Anna, player, 1 waiting")
    await page.get_by_test_id("channel-dm").click()
    await expect(page.get_by_test_id("place-name")).to_have_text("Kontor")
    await expect(page.get_by_text("3 ore")).to_have_count(0)
    await switch.click()
    await expect(page.get_by_test_id("channel-dm").get_by_test_id("badge")).to_have_text("1")
    await page.get_by_test_id("channel-dm").click()
    await expect(page.get_by_text("3 ore")).to_be_visible()
    await expect(switch).to_have_attribute("aria-label", "Anna, player")
    assert "as=anna" in page.url
    # Each person has a link to a tab of their own.
    async with page.context.expect_page() as opened:
        await page.get_by_test_id("person-vera-tab").click()
    tab = await opened.value
    await expect(tab.get_by_test_id("person-vera")).to_have_attribute("aria-pressed", "true")
    await expect(switch).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
async def test_threads_and_pictures_open(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    page, come = await open_page("anna"), asyncio.Event()

    async def late(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await page.route("**/attachments/**", late)
    kind = discord.ChannelType.public_thread
    thread = await bot.place(harbour.id).create_thread(name="Kogge 7", type=kind)
    await thread.send("the board", file=picture(size=(600, 400)))
    await expect(page.get_by_test_id("channel-Kogge 7")).to_have_class(re.compile("unread"))
    await page.get_by_test_id("notice").get_by_role("button", name="Kogge 7").click()
    await expect(page.get_by_test_id("place-name")).to_have_text("Kogge 7")
    # A picture has its place before it has come.
    place = page.get_by_test_id("picture")
    await expect(place).to_be_visible()
    before = await place.bounding_box()
    come.set()
    await page.wait_for_function("() => document.querySelector('.picture img').naturalWidth > 0")
    assert before is not None
    assert before == await place.bounding_box()
    assert before["width"] / before["height"] == pytest.approx(1.5, rel=0.01)
    await page.get_by_role("button", name="Open picture: A blue board").click()
    lightbox = page.get_by_test_id("lightbox")
    await expect(lightbox.get_by_role("img", name="A blue board")).to_be_visible()
    await lightbox.hover()
    await page.mouse.wheel(0, -300)
    await expect(lightbox.locator(".stage")).to_have_class(re.compile("zoomed"))
    await page.keyboard.press("Escape")
    await expect(lightbox).to_be_hidden()


@pytest.mark.slow
async def test_an_edit_and_a_deferral_are_shown(
    open_page: OpenPage, bot: SampleBot, harbour: Channel, anna: Person
) -> None:
    page = await open_page("anna")
    posted = await bot.place(harbour.id).send("v1")
    await posted.edit(content="v2")
    await expect(page.get_by_test_id("content")).to_have_text("v2 (edited)")
    bot.tree.remove_command("think")

    @bot.tree.command(name="think")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(thinking=True)

    await anna.slash(harbour, "think")
    await expect(page.get_by_test_id("thinking")).to_have_text("Kontor is thinking…")
    await bot.seen[-1].followup.send("thought")
    await expect(page.get_by_text("thought", exact=True)).to_be_visible()
    await expect(page.get_by_test_id("thinking")).to_have_count(0)


@pytest.mark.slow
async def test_of_a_message_that_goes_the_rest_stays_as_it_is(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    place = bot.place(harbour.id)
    first = await place.send("first")
    second = await place.send("second", file=picture())
    await place.send("third")
    page = await open_page("anna")
    names = page.locator("article header .author")
    await expect(page.get_by_test_id("content")).to_have_text(["first", "second", "third"])
    await expect(names).to_have_count(1)
    await page.evaluate("document.querySelector('.picture img').came = 'first'")
    await second.edit(content="second, edited")
    await first.delete()
    await expect(page.get_by_test_id("content")).to_have_text(["second, edited (edited)", "third"])
    # The next one leads now, under the same day; its picture has not come a second time.
    await expect(names).to_have_count(1)
    await expect(page.locator("article").first.locator(".author")).to_have_text("Kontor")
    await expect(page.locator(".divider")).to_have_count(1)
    assert await page.evaluate("document.querySelector('.picture img').came") == "first"
    await second.delete()
    await place.send("fourth")
    await expect(page.get_by_test_id("content")).to_have_text(["third", "fourth"])
    await expect(page.locator("#messages > :first-child + .divider + article")).to_be_visible()


@pytest.mark.slow
async def test_text_of_others_never_becomes_a_part_of_the_page(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    page, content = await open_page("bert"), "[data-testid=content]"
    anna.say(
        harbour, "<img src=x onerror=document.title='x'> [a](javascript:alert) **<b>bold</b>**"
    )
    nasty = page.locator(content).first
    await expect(nasty).to_contain_text("<img src=x")
    assert await nasty.locator("img, b, a").count() == 0
    await expect(nasty.locator("strong")).to_have_text("<b>bold</b>")
    # What the bot escapes is shown as it was written.
    written = Written("# _a_ __b__ *c* `d` ||e|| ~~f~~ [g](http://h.ex) <@1> @here > <t:1> 1. :i:")
    anna.say(harbour, f"{written}")
    shown = page.locator(content).nth(1)
    await expect(shown).to_contain_text("g](http://h.ex)")
    assert (await shown.inner_text()).replace("\u200b", "").strip() == written.plain
    assert await shown.locator("p *, h3, li, blockquote, a, code").count() == 0
    # Links to channels stay on the page.
    market = bot.place(standin.channel("the-market").id)
    view = discord.ui.View().add_item(discord.ui.Button(label="Over there", url=market.jump_url))
    await bot.place(harbour.id).send(f"see {market.jump_url}", view=view)
    await expect(page.locator(content).nth(2)).to_have_text("see #the-market")
    await page.get_by_test_id("link-button").click()
    await expect(page.get_by_test_id("place-name")).to_have_text("the-market")


@pytest.mark.slow
async def test_the_page_comes_back_by_itself_and_can_be_read_meanwhile(
    open_page: OpenPage, standin: Standin, anna: Person, harbour: Channel
) -> None:
    page = await open_page("bert")
    before = await page.evaluate(COLOURS)
    await page.evaluate(WATCH_WHILE_CUT_OFF)
    await standin.cut_pages()
    assert await page.evaluate("whileCutOff") == before
    anna.say(harbour, "after the cut")
    await expect(page.get_by_text("after the cut")).to_be_visible()
    await expect(page.locator("#offline")).to_be_hidden()


@pytest.mark.slow
async def test_on_a_phone_the_channels_are_a_drawer(
    open_page: OpenPage, anna: Person, harbour: Channel
) -> None:
    page = await open_page("anna", phone=True)
    sidebar = page.locator("#sidebar")
    await expect(sidebar).to_be_hidden()
    await page.get_by_test_id("menu").click()
    await expect(sidebar).to_be_visible()
    await page.get_by_test_id("drawer-person-bert").click()
    await expect(sidebar).to_be_hidden()
    anna.say(harbour, "x" * 300)
    await expect(page.get_by_test_id("message")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.slow
async def test_servers_can_be_switched_where_there_are_several(browser: Browser) -> None:
    async with Standin(guilds=guilds_on_each(2)) as standin, running(SampleBot(), standin) as bot:
        second = standin.model.guild_named("Guild 1")
        await bot.place(standin.channel("the-harbour", "Guild 1").id).send("over here")
        page = await browser.new_page()
        await page.goto(f"{standin.url}/?as=anna")
        await expect(page.locator("#server-name")).to_have_text("Guild 0")
        await page.get_by_test_id(f"server-{second.id}").click()
        await expect(page.locator("#server-name")).to_have_text("Guild 1")
        await expect(page.get_by_test_id("message")).to_contain_text("over here")
        await page.get_by_test_id("person-bert").click()
        await expect(page.get_by_test_id("person-bert")).to_have_attribute("aria-pressed", "true")
        await expect(page.locator("#server-name")).to_have_text("Guild 1")
        await page.context.close()
