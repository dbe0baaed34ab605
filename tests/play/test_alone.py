"""One person with three computer players, by buttons and by commands, over a stop and a start."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.chromium import IN_BROWSER
from tests.play.conftest import SitDown
from tests.play.program import playing, port_of
from tests.play.screen import Screen
from tests.ports import free_port
from tests.robot import MOST_STEPS

pytestmark = [*IN_BROWSER, pytest.mark.slow]

MOST_TURNS = 80
TURNS = 4
"""Whole games are played to their end in `test_two_tabs`, and without a page by other tests."""


async def start_with_computers(anna: Screen, game: str, computers: int) -> None:
    """Anna opens a table, adds computer players, begins, and goes to the table's thread."""
    await anna.open_table(game)
    lobby = anna.newest
    for number in range(1, computers + 1):
        await lobby.get_by_role("button", name="Add a computer player").click()
        await expect(lobby).to_contain_text(f"Computer {number}")
    await lobby.get_by_role("button", name="Start").click()
    await lobby.get_by_test_id("thread-link").click()


async def play_until(anna: Screen, wanted: re.Pattern[str]) -> None:
    """Play on until a message says that."""
    for _turn in range(MOST_TURNS):
        await anna.awaits("Anna")
        await anna.ask()
        while not await anna.reads(wanted):
            before = await anna.told()
            if not await anna.act():
                await anna.changed_since(before)
                break
        else:
            return
    raise AssertionError(f"{wanted} is not seen after {MOST_TURNS} turns")


def in_round(number: int) -> re.Pattern[str]:
    """What tells that a round has begun."""
    return re.compile(rf"Round {number}\.")


AT_SEA = re.compile("Your ship is in")
"""The question by which a ship is moved."""


async def ways_to_sail(anna: Screen) -> list[str]:
    """What the panel offers once sailing is chosen, without the emblems."""
    # A whole voyage, of several actions, is offered by buttons alone.
    one = ":enabled[data-custom-id*=':sail,']:not([data-custom-id*=',+,'])"
    ways = anna.panel.locator(f"button.button{one}")
    for _ in range(MOST_STEPS):
        if labels := await ways.all_inner_texts():
            return [re.sub(r"^[\W\d]+", "", " ".join(label.split())) for label in labels]
        # A press is lost where the panel moves below a new post, or the answer is slow.
        await anna.press(re.compile(r"Sail(?! to )"))
    raise AssertionError("no way to sail is offered")


async def test_a_game_goes_on_where_it_was_after_a_stop_and_is_played_by_commands_too(
    tmp_path: Path, sit_down: SitDown
) -> None:
    async with playing(tmp_path, port=free_port()) as address:
        anna = await sit_down(address, "Anna", phone=True)
        await start_with_computers(anna, "Kogge", 3)
        # Where too many choose one city, these choose again.
        await play_until(anna, in_round(1))
        await anna.awaits("Anna")
        await anna.told_at_rest()
        told = await anna.newest.get_by_test_id("content").all_inner_texts()
        place = anna.page.url
    await expect(anna.page.locator("#offline")).to_be_visible()
    async with playing(tmp_path, port=port_of(address)):
        await expect(anna.page.locator("#offline")).to_be_hidden(timeout=60_000)
        await expect(anna.page.get_by_test_id("bot-state")).to_have_text("The bot is here")
        assert anna.page.url == place
        await expect(anna.page.get_by_test_id("place-name")).to_have_text("Kogge · table 1")
        newest = anna.newest.get_by_test_id("content")
        await expect(newest).to_have_text(told, use_inner_text=True)
        await anna.photograph("after-the-start")
        await play_until(anna, AT_SEA)
        await a_turn_by_commands(anna)


async def a_turn_by_commands(anna: Screen) -> None:
    """What cannot be done is refused, and what is offered while one types is done."""
    ways = await ways_to_sail(anna)
    # The post follows later than the panel.
    await expect(anna.newest).to_contain_text("set sail")
    before = await anna.told_at_rest()

    await type_command(anna, "kogge sail")
    choices = anna.page.get_by_test_id("choice")
    await expect(choices).to_have_count(len(ways))
    # The panel has the best of them first.
    assert sorted(await choices.all_inner_texts()) == sorted(ways)
    await anna.photograph("sail")
    await anna.page.get_by_test_id("option-route").fill("Atlantis")
    await anna.page.keyboard.press("Enter")
    await expect(anna.panel).to_contain_text("Atlantis")
    assert await anna.told() == before

    await type_command(anna, "kogge sail")
    city = (await choices.first.inner_text()).removeprefix("Sail to ")
    await choices.first.click()
    await anna.page.keyboard.press("Enter")
    # What she did before in the same round stands on the same line.
    sailed = re.compile(r"Anna .*sails to " + re.escape(city))
    await expect(anna.panel).to_contain_text(sailed)
    await expect(anna.newest).to_contain_text(sailed)


@pytest.mark.parametrize(
    ("game", "computers", "part"),
    [
        ("The Castles of Burgundy", 1, "Estate of Computer 1"),
        ("Guatemala Café", 1, "Production board"),
        ("Flandern 1302", 2, "Utrecht"),
    ],
)
async def test_turns_are_played_by_pressing_what_the_panel_offers(
    tmp_path: Path, sit_down: SitDown, game: str, computers: int, part: str
) -> None:
    async with playing(tmp_path) as address:
        anna = await sit_down(address, "Anna", phone=True)
        await start_with_computers(anna, game, computers)
        for _ in range(TURNS):
            await anna.awaits("Anna")
            await anna.play_on()
        await anna.awaits("Anna")
        await anna.press("Board", on=anna.newest)
        await anna.press(re.compile(part))
        await expect(anna.panel).to_contain_text(part)
        await anna.photograph("part")


async def type_command(screen: Screen, name: str) -> None:
    """Begin a command by typing its name."""
    await screen.page.get_by_test_id("composer-input").fill(f"/{name}")
    await expect(screen.page.get_by_test_id("command-item").first).to_contain_text(f"/{name}")
    await screen.page.keyboard.press("Enter")
    await expect(screen.page.get_by_test_id("command-line")).to_contain_text(f"/{name}")
