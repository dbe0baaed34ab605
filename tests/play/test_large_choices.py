"""Hundreds of spaces on a phone: groups, pages, a form and steps, as the page shows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.chromium import IN_BROWSER
from tests.games import archipelago
from tests.play.conftest import SitDown
from tests.play.screen import Screen
from tests.tables.world import whole_record
from tests.wire import hands
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.hands import HARBOUR, ids

pytestmark = [*IN_BROWSER, pytest.mark.slow]


async def test_a_space_an_edge_and_an_amount_are_chosen_on_a_phone(
    tmp_path: Path, sit_down: SitDown
) -> None:
    async with on_the_wire(tmp_path, archipelago.WITH_IT) as wire:
        first = await begin(wire)
        player = await sit_down(wire.standin.url, first, phone=True)
        await player.go_to("Archipelago · table 1")
        await player.ask()
        await player.press("Settle")
        await player.photograph("zones")
        await player.press("The south (40)")
        await player.press("Row 3 (8)")
        await expect(player.panel).to_contain_text("The south (40) › Row 3 (8)")
        await player.photograph("spaces")
        await player.press(re.compile("^Back$"))
        await player.press("Row 5 (8)")
        await player.press("Space S5H")

        await player.press("Pave")
        await player.press("The river path (100)")
        await player.photograph("page")
        await player.press(re.compile("Stretch river 76 – Stretch river 100"))
        await pick(player, "Stretch river 100")

        await player.photograph("steps")
        await player.press("+5")
        await type_it(player, "sixty-one, no: 61")
        await expect(player.panel).to_contain_text("“61” must be 1 to 60.")
        await player.photograph("refused")
        await type_it(player, "60 cubes")
        await expect(player.panel).to_contain_text("Waiting for")
        said = [entry.action for entry in (await whole_record(wire.services.tables, 1)).entries]
        assert said[1:] == ["settle s5h", "pave river-100", "stock 60"]


async def begin(wire: Wire) -> str:
    """Anna and Bert begin a game; who of them is asked first."""
    await wire.anna.slash(HARBOUR, "game new", game=archipelago.GAME.name)
    lobby = await wire.anna.wait_for_message(HARBOUR, lambda message: "join:1" in ids(message))
    await wire.bert.press(lobby, custom_id="join:1")
    await hands.begin(wire.anna, lobby)
    table = await wire.services.tables.reader.get(1)
    return next(each.name for each in (wire.anna, wire.bert) if each.id == table.players[0].user)


async def pick(player: Screen, line: str) -> None:
    """Open the list of the panel and choose a line."""
    chooser = player.panel.get_by_test_id("select").first
    await chooser.dispatch_event("click")
    await player.photograph("list")
    await player.panel.locator("[role=option]:visible").filter(has_text=line).click()


async def type_it(player: Screen, text: str) -> None:
    """Type into the form of the panel."""
    await player.panel.get_by_role("button", name="Type it").dispatch_event("click")
    form = player.page.get_by_test_id("modal")
    await form.get_by_test_id("modal-field").fill(text)
    await player.photograph("form")
    await form.get_by_test_id("modal-submit").click()
    await expect(form).to_be_hidden()
