"""The page in a real browser: its own words and times in the language of who looks."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from babel.dates import format_date
from babel.messages.pofile import read_po
from playwright.async_api import Page, expect

from bot.local import Channel, Person
from bot.resources import data
from bot.text.words import PAGE
from tests.chromium import IN_BROWSER, OpenPage
from tests.local.bots import Panel, SampleBot, picture

pytestmark = [*IN_BROWSER, pytest.mark.slow]

SAID = """() => {
  const theirs = ".text, .author, .who, .name, .command, .avatar, .button:not(.primary), option, "
    + "#server-name, #place-name, #place-topic, .popup-item, .popup-hint, .file, .command-line *";
  const found = [];
  for (const node of document.querySelectorAll("body *")) {
    if (!node.checkVisibility({visibilityProperty: true})) continue;
    for (const name of ["aria-label", "title", "placeholder"]) found.push(node.getAttribute(name));
    if (node.closest(theirs)) continue;
    found.push(...[...node.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data));
  }
  return found.filter((text) => text?.trim());
}"""
"""What stands on the page in words, but for what people and the bot have written."""


THEIRS = re.compile(
    r"#?(Anna|Bert|Clara|Dirk|Vera|Kontor|the-harbour|the-market)\b|Where ships .*"
    r"|Secret|A letter|To whom|Words|A blue board|[\d:]+ [AP]M|\S+ \d+, \d+"
)
"""Names, times, and what the bot of these tests has written."""


async def strange(page: Page) -> list[str]:
    """Words of the page that do not come from its catalogue."""
    said = await page.evaluate(SAID)
    return [text for text in said if re.search("[a-z]", THEIRS.sub("", re.sub("⟦.*⟧", "", text)))]


async def test_no_word_of_the_page_is_left_untranslated(
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
    told = {"locale": "en-US", "words": words}
    monkeypatch.setattr("bot.local.page.ChatPage._language", lambda *_: told)
    await bot.place(harbour.id).send("panel", view=Panel(), file=picture())
    page = await open_page("anna", said="⟦The bot is here⟧")
    await page.get_by_test_id("composer-input").fill("/paint")
    await page.keyboard.press("Enter")
    await page.keyboard.type("red")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("dismiss")).to_be_visible()
    # The answer may be there before the line is put away, with what the bot calls its options.
    await expect(page.get_by_test_id("command-line")).to_be_hidden()
    assert await strange(page) == []
    await page.locator("[data-custom-id=letter]").click()
    # The bot sends it: before it is there, its words are not, nor anything to escape from.
    await expect(page.get_by_test_id("modal")).to_be_visible()
    assert await strange(page) == []
    await page.keyboard.press("Escape")
    await expect(page.get_by_test_id("modal")).to_be_hidden()
    await page.get_by_test_id("picture").click()
    assert await strange(page) == []


async def test_words_and_times_follow_the_language_that_is_chosen(
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
    # Also what the server will not do is said in it.
    await page.get_by_test_id("composer-input").fill("/game new")
    await page.keyboard.press("Enter")
    await page.keyboard.type("kogge")
    await page.get_by_test_id("add-option-seats").click()
    await page.keyboard.type("9")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("toasts")).to_contain_text("deve essere tra 2..4, non 9")
    # The bot is told of the language, and that somebody wants no letters.
    assert (await anna.slash(harbour, "where")).text == "it in Game night"
    await page.get_by_test_id("takes-dms").uncheck()
    await anna.wait_for(lambda: anna.user.blocks_dms)
    await page.get_by_test_id("locale").select_option("en-US")
    await expect(page.get_by_test_id("bot-state")).to_have_text("The bot is here")
