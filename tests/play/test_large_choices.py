"""Choices among hundreds of spaces on a phone: groups, pages, a modal and steps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.chromium import IN_BROWSER
from tests.games import archipelago
from tests.play.conftest import OpenScreen
from tests.play.screen import Screen
from tests.tables.world import whole_record
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.players import HARBOUR, ids

pytestmark = [*IN_BROWSER, pytest.mark.slow]

TABLE = "Archipelago · table 1"


async def test_a_turn_with_hundreds_of_spaces_can_be_played_on_a_phone(
    tmp_path: Path, open_screen: OpenScreen
) -> None:
    async with on_the_wire(tmp_path, archipelago.WITH_IT) as wire:
        anna = await open_screen(wire.standin.url, "Anna", phone=True)
        first, other = await begin(wire, anna)
        player = anna
        if first != anna.name:
            player = await open_screen(wire.standin.url, first, phone=True)
        await player.go_to(TABLE)
        await player.open_panel()
        await player.press("Settle")
        await player.press("The south (40)")
        await player.press("Row 3 (8)")
        await expect(player.panel).to_contain_text("The south (40) › Row 3 (8)")
        await player.press(re.compile("^Back$"))
        await player.press("Row 5 (8)")
        await player.press("Space S5H")

        await player.press("Pave")
        await player.press("The river path (100)")
        await player.press(re.compile("Stretch river 76 – Stretch river 100"))
        await pick(player, "Stretch river 100")

        await player.press("+5")
        await type_it(player, "sixty-one, no: 61")
        await expect(player.panel).to_contain_text("“61” must be 1 to 60.")
        await type_it(player, "60 cubes")
        await expect(player.panel).to_contain_text("Waiting for")
        actions = [entry.action for entry in (await whole_record(wire.services.tables, 1)).entries]
        assert actions[1:] == ["settle s5h", "pave river-100", "stock 60"]

        await player.until_pinged(other)
        await player.page.reload()
        await expect(player.page.get_by_test_id("place-name")).to_have_text(TABLE)
        await player.until_pinged(other)


async def begin(wire: Wire, anna: Screen) -> tuple[str, str]:
    """Start Anna's table with Bert; return the names of the first and second player."""
    await anna.open_table("Archipelago")
    lobby = await wire.anna.wait_for_message(HARBOUR, lambda message: "join:1" in ids(message))
    await wire.bert.press(lobby, custom_id="join:1")
    await expect(anna.newest).to_contain_text("Bert")
    await anna.newest.get_by_role("button", name="Start").click()
    await expect(anna.page.get_by_test_id("place-name")).to_have_text(TABLE)
    players = (await wire.services.tables.reader.get(1)).players
    return players[0].name, players[1].name


async def pick(player: Screen, line: str) -> None:
    select = player.panel.get_by_test_id("select").first
    await select.dispatch_event("click")
    await player.panel.locator("[role=option]:visible").filter(has_text=line).click()


async def type_it(player: Screen, text: str) -> None:
    await player.panel.get_by_role("button", name="Type it").dispatch_event("click")
    form = player.page.get_by_test_id("modal")
    await form.get_by_test_id("modal-field").fill(text)
    await form.get_by_test_id("modal-submit").click()
    await expect(form).to_be_hidden()
