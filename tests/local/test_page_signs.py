"""The page in a real browser: every sign that the program writes is drawn, by the page itself."""

from __future__ import annotations

import re
from pathlib import Path

import discord
from playwright.async_api import Page, expect

from bot.local import Channel
from bot.resources import CHECKOUT
from bot.text.speech import keycap
from tests.chromium import IN_BROWSER, OpenPage
from tests.local.bots import SampleBot

pytestmark = IN_BROWSER

ONE = "[\u2190-\u21ff\u2300-\u23ff\u2500-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?"
SIGN = re.compile(f"{ONE}(?:\u200d{ONE})*")
"""A sign, with what is joined to it."""
TEXT = re.compile("[\u2190-\u21a8\u2500-\u257f\u25a0-\u25b5\u25cf\u2680-\u2685\u2713]")
"""Arrows, lines and pips, which every font for text has."""


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


async def test_every_sign_is_drawn_by_a_font_of_the_page(
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


async def test_a_keycap_is_drawn_in_words_and_on_a_button(
    open_page: OpenPage, bot: SampleBot, harbour: Channel
) -> None:
    view = discord.ui.View().add_item(discord.ui.Button(label="Bid", emoji=keycap(3)))
    await bot.place(harbour.id).send(f"{keycap(1)} or {keycap(2)} of 45", view=view)
    page = await open_page("anna")
    await expect(page.locator(".keycap")).to_have_text(["1", "2", "3"])
    await expect(page.get_by_test_id("content")).to_have_text("1 or 2 of 45")
    await expect(page.get_by_role("button", name="Bid")).to_have_text("3Bid")
