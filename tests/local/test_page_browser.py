"""The page in a real browser: commands, buttons, threads, people and languages."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime

import discord
import pytest
from babel.dates import format_date
from babel.messages.pofile import read_po
from playwright.async_api import Browser, Page, Route, expect

from bot.local import Channel, Person, Standin, guilds_on_each
from bot.resources import data
from bot.text.user_text import Written
from bot.text.words import PAGE
from tests.chromium import IN_BROWSER, PHONE, OpenPage
from tests.local.bots import Panel, SampleBot, picture, running

pytestmark = IN_BROWSER


COLOURS = (
    "(({color, backgroundColor}) => [color, backgroundColor])(getComputedStyle(document.body))"
)
WATCH_OFFLINE_COLOURS = f"""() => {{
  const note = document.getElementById("offline");
  window.offlineColours = new Promise((resolve) => {{
    const check = () => note.hidden || resolve({COLOURS});
    new MutationObserver(check).observe(note, {{ attributes: true }});
  }});
}}"""


async def test_a_started_game_survives_a_reload_of_the_page(
    open_page: OpenPage,
) -> None:
    page = await open_page("anna")
    await page.get_by_test_id("hint-new-game").click()
    await expect(page.get_by_test_id("command-line")).to_contain_text("/game new")
    await page.get_by_test_id("choice").filter(has_text="Kogge").click()
    await page.keyboard.press("Enter")
    message = page.get_by_test_id("message")
    await expect(message).to_contain_text("kogge for 4 with no one")
    await expect(page.get_by_test_id("used")).to_contain_text("Anna used /game new")
    await expect(page.get_by_role("button", name="Closed")).to_be_disabled()
    await page.locator("[data-custom-id=later]").click()
    await expect(message).to_contain_text("changed later")
    await page.reload()
    await expect(message).to_contain_text("changed later")
    await expect(page.locator(".servers")).to_have_count(0)


async def test_a_command_can_be_typed_with_its_names_in_every_language(
    open_page: OpenPage,
) -> None:
    page = await open_page("anna")
    composer, newest = page.get_by_test_id("composer-input"), page.get_by_test_id("message").last
    for typed, answer in (
        ("/paint red", "painted red"),
        ("/dipingi colore:dark blue", "painted dark blue"),
        ("/game new game:kogge seats:3", "kogge for 3 with no one"),
        ("/partita new burgundy", "burgundy for 4 with no one"),
    ):
        await composer.fill(typed)
        await page.keyboard.press("Escape")
        await page.keyboard.press("Enter")
        await expect(newest).to_contain_text(answer)


@pytest.mark.slow
async def test_autocomplete_follows_the_text_and_enter_sends_it(open_page: OpenPage) -> None:
    page = await open_page("anna")
    message, choice = page.get_by_test_id("message"), page.get_by_test_id("choice")
    first = page.get_by_test_id("command-item").first
    # The first suggestion is /game new, and later the last command used.
    await page.get_by_test_id("open-commands").click()
    await expect(first).to_contain_text("/game new")
    await page.get_by_test_id("composer-input").fill("/paint")
    await page.keyboard.press("Enter")
    await expect(choice).to_have_text(["Red", "Green", "Blue"])
    await page.keyboard.type("bl")
    await expect(choice).to_have_text(["Blue"])
    # The list may still be that of "b", from which Enter does not pick.
    await expect(choice).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(message).to_contain_text("painted blue")
    await expect(message).to_contain_text("Only you can see this")
    await page.get_by_test_id("dismiss").click()
    await expect(message).to_have_count(0)
    await page.get_by_test_id("open-commands").click()
    await expect(first).to_contain_text("/paint")


@pytest.mark.slow
async def test_buttons_selects_and_modals_work(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    await anna.slash(harbour, "count")
    await bot.place(harbour.id).send("panel", view=Panel())
    page = await open_page("anna")
    # A panel that changes keeps the keyboard focus.
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
    await bot.until_ready("letter")
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
async def test_two_people_chat_live_and_private_messages_stay_private(
    open_page: OpenPage, bot: SampleBot, anna: Person, standin: Standin
) -> None:
    annas, page = await open_page("anna"), await open_page("bert")
    await annas.get_by_test_id("composer-input").fill("Ahoy @Bert, **now**")
    await annas.keyboard.press("Enter")
    await expect(page.get_by_test_id("content")).to_have_text("Ahoy @Bert, now")
    await expect(page.locator(".message.ping")).to_have_count(1)
    await expect(annas.locator(".message.ping")).to_have_count(0)
    await annas.close()
    # The page reconnects, and stays readable while it is offline.
    before = await page.evaluate(COLOURS)
    await page.evaluate(WATCH_OFFLINE_COLOURS)
    await standin.page.close()
    assert await page.evaluate("offlineColours") == before
    anna.say("the-harbour", "connected again")
    await expect(page.get_by_text("connected again")).to_be_visible()
    await expect(page.locator("#offline")).to_be_hidden()
    await (await bot.create_dm(discord.Object(anna.id))).send("your hand: 3 ore")
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


@pytest.mark.slow
async def test_threads_and_pictures_open(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    page, released = await open_page("anna"), asyncio.Event()

    async def delay(route: Route) -> None:
        await released.wait()
        await route.continue_()

    await page.route("**/attachments/**", delay)
    kind = discord.ChannelType.public_thread
    thread = await bot.place(harbour.id).create_thread(name="Kogge 7", type=kind)
    await thread.send("the board", file=picture(size=(600, 400)))
    await expect(page.get_by_test_id("channel-Kogge 7")).to_have_class(re.compile("unread"))
    await page.get_by_test_id("notice").get_by_role("button", name="Kogge 7").click()
    await expect(page.get_by_test_id("place-name")).to_have_text("Kogge 7")
    # The space of a picture is reserved before it loads.
    button = page.get_by_test_id("picture")
    await expect(button).to_be_visible()
    before = await button.bounding_box()
    released.set()
    await page.wait_for_function("() => document.querySelector('.picture img').naturalWidth > 0")
    assert before is not None
    assert before == await button.bounding_box()
    assert before["width"] / before["height"] == pytest.approx(1.5, rel=0.01)
    await page.get_by_role("button", name="Open picture: A blue board").click()
    lightbox = page.get_by_test_id("lightbox")
    await expect(lightbox.get_by_role("img", name="A blue board")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(lightbox).to_be_hidden()


@pytest.mark.slow
async def test_a_deleted_message_leaves_the_others_unchanged(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    place = bot.place(harbour.id)
    first = await place.send("first")
    second = await place.send("second", file=picture())
    await place.send("third")
    page = await open_page("anna")
    await expect(page.get_by_test_id("content")).to_have_text(["first", "second", "third"])
    await second.edit(content="second, edited")
    await first.delete()
    await expect(page.get_by_test_id("content")).to_have_text(["second, edited (edited)", "third"])
    await second.delete()
    await place.send("fourth")
    await expect(page.get_by_test_id("content")).to_have_text(["third", "fourth"])
    await expect(page.locator("#messages > :first-child + .divider + article")).to_be_visible()


@pytest.mark.slow
async def test_text_of_users_never_becomes_html(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    page, content = await open_page("bert"), "[data-testid=content]"
    anna.say(
        harbour, "<img src=x onerror=document.title='x'> [a](javascript:alert) **<b>bold</b>**"
    )
    unsafe = page.locator(content).first
    await expect(unsafe).to_contain_text("<img src=x")
    assert await unsafe.locator("img, b, a").count() == 0
    await expect(unsafe.locator("strong")).to_have_text("<b>bold</b>")
    # Escaped markdown is shown as plain text.
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
async def test_the_server_can_be_switched(browser: Browser) -> None:
    async with Standin(guilds=guilds_on_each(2)) as standin, running(SampleBot(), standin) as bot:
        second = standin.model.guild_named("Guild 1")
        await bot.place(standin.channel("the-harbour", "Guild 1").id).send("over here")
        page = await browser.new_page()
        await page.goto(f"{standin.url}/?as=anna")
        name = page.locator("#server-name")
        await expect(name).to_have_text("Guild 0")
        await page.get_by_test_id(f"server-{second.id}").click()
        await expect(name).to_have_text("Guild 1")
        await expect(page.get_by_test_id("message")).to_contain_text("over here")
        await page.get_by_test_id("person-bert").click()
        await expect(page.get_by_test_id("person-bert")).to_have_attribute("aria-pressed", "true")
        await expect(name).to_have_text("Guild 1")
        await page.context.close()


PAGE_TEXTS = """() => {
  const content = ".text, .author, .who, .name, .command, .avatar, .button:not(.primary), option, "
    + "#server-name, #place-name, #place-topic, .popup-item, .popup-hint, .file, .command-line *";
  const texts = [];
  for (const node of document.querySelectorAll("body *")) {
    if (!node.checkVisibility({visibilityProperty: true})) continue;
    for (const name of ["aria-label", "title", "placeholder"]) texts.push(node.getAttribute(name));
    if (node.closest(content)) continue;
    texts.push(...[...node.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data));
  }
  return texts.filter((text) => text?.trim());
}"""
"""Returns the page's visible texts, without the content of messages."""


CONTENT = re.compile(
    r"#?(Anna|Bert|Clara|Dirk|Vera|Kontor|the-harbour|the-market)\b|Where ships .*"
    r"|Secret|A letter|Recipient|Words|A blue board|[\d:]+ [AP]M|\S+ \d+, \d+"
)
"""Names, times and texts of the sample bot."""


async def untranslated(page: Page) -> list[str]:
    """Return texts of the page that are not from its catalogue."""
    texts = await page.evaluate(PAGE_TEXTS)
    return [text for text in texts if re.search("[a-z]", CONTENT.sub("", re.sub("⟦.*⟧", "", text)))]


@pytest.mark.slow
async def test_all_texts_of_the_page_are_translated(
    open_page: OpenPage,
    bot: SampleBot,
    harbour: Channel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with data("locale", "messages.pot").open("rb") as file:
        catalogue = read_po(file)
    words = {
        str(message.id): f"⟦{message.id}⟧"
        for message in catalogue
        if any(place.startswith(PAGE) for place, _ in message.locations)
    }
    language = {"locale": "en-US", "words": words}
    monkeypatch.setattr("bot.local.page.ChatPage._language", lambda *_: language)
    await bot.place(harbour.id).send("panel", view=Panel(), file=picture())
    page = await open_page("anna", bot_state="⟦The bot is online⟧")
    await page.get_by_test_id("composer-input").fill("/paint")
    await page.keyboard.press("Enter")
    await page.keyboard.type("red")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("dismiss")).to_be_visible()
    # The answer may arrive before the command line, which has the bot's texts, is closed.
    await expect(page.get_by_test_id("command-line")).to_be_hidden()
    assert await untranslated(page) == []
    await page.locator("[data-custom-id=letter]").click()
    # The modal comes from the bot, so wait for it.
    await expect(page.get_by_test_id("modal")).to_be_visible()
    assert await untranslated(page) == []
    await page.keyboard.press("Escape")
    await expect(page.get_by_test_id("modal")).to_be_hidden()
    await page.get_by_test_id("picture").click()
    assert await untranslated(page) == []


@pytest.mark.slow
async def test_texts_and_times_are_in_the_chosen_language(
    open_page: OpenPage, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    await bot.place(harbour.id).send("Ended <t:1600000000:D>", view=Panel())
    page = await open_page("anna")
    await expect(page.get_by_test_id("content")).to_have_text("Ended September 13, 2020")
    await page.get_by_test_id("composer-input").fill("half a sen")
    await page.get_by_test_id("locale").select_option("it")
    await expect(page.get_by_test_id("bot-state")).to_have_text("Il bot è in linea")
    await expect(page.get_by_test_id("channels")).to_contain_text("Messaggi diretti")
    await expect(page.get_by_test_id("content")).to_have_text("Ended 13 settembre 2020")
    today = format_date(datetime.now(UTC).astimezone(), "d MMMM yyyy", locale="it")
    await expect(page.locator(".divider").first).to_have_text(today)
    await expect(page.get_by_test_id("composer-input")).to_have_value("half a sen")
    await expect(page.locator("html")).to_have_attribute("lang", "it")
    # Refusals by the server are translated too.
    await page.get_by_test_id("composer-input").fill("/game new")
    await page.keyboard.press("Enter")
    await page.keyboard.type("kogge")
    await page.get_by_test_id("add-option-seats").click()
    await page.keyboard.type("9")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("toasts")).to_contain_text(
        "deve essere nell'intervallo 2..4, non 9"
    )
    # The bot gets the language, and DMs can be blocked.
    assert (await anna.slash(harbour, "where")).text == "it in Game night"
    await page.get_by_test_id("takes-dms").uncheck()
    await anna.wait_for(lambda: anna.user.blocks_dms)
    await page.get_by_test_id("locale").select_option("en-US")
    await expect(page.get_by_test_id("bot-state")).to_have_text("The bot is online")
