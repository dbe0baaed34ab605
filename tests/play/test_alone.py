"""One person with three computer players, by buttons and by commands, over a stop and a start."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import expect

from tests.chromium import IN_BROWSER
from tests.play.conftest import SitDown
from tests.play.program import playing, port_of
from tests.play.screen import OVER, Screen
from tests.ports import free_port
from tests.robot import MOST_STEPS

pytestmark = IN_BROWSER

TABLE = "Kogge · table 1"
MOST_TURNS = 80


async def begin(anna: Screen) -> None:
    """Anna opens a table, fills it with computer players, begins, and founds her office."""
    await anna.open_table("Kogge")
    lobby = anna.newest
    add = lobby.get_by_role("button", name="Add a computer player")
    for number in (1, 2, 3):
        await add.click()
        await expect(lobby).to_contain_text(f"Computer {number}")
    await expect(add).to_be_disabled()
    await expect(lobby.get_by_role("button", name="Join")).to_be_disabled()
    await lobby.get_by_role("button", name="Start").click()
    await lobby.get_by_test_id("thread-link").click()
    # Where too many choose one city, these choose again.
    await play_until(anna, in_round(1))


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


async def test_a_game_goes_on_where_it_was_after_the_program_was_stopped(
    tmp_path: Path, sit_down: SitDown
) -> None:
    async with playing(tmp_path, port=free_port()) as address:
        anna = await sit_down(address, "Anna", phone=True)
        await begin(anna)
        await anna.photograph("founded")
        await play_until(anna, in_round(2))
        await anna.awaits("Anna")
        await anna.photograph("round-2")
        await anna.told_at_rest()
        told = await anna.newest.get_by_test_id("content").all_inner_texts()
        place = anna.page.url
    await expect(anna.page.locator("#offline")).to_be_visible()
    async with playing(tmp_path, port=port_of(address)):
        await expect(anna.page.locator("#offline")).to_be_hidden(timeout=60_000)
        await expect(anna.page.get_by_test_id("bot-state")).to_have_text("The bot is here")
        assert anna.page.url == place
        await expect(anna.page.get_by_test_id("place-name")).to_have_text(TABLE)
        newest = anna.newest.get_by_test_id("content")
        await expect(newest).to_have_text(told, use_inner_text=True)
        await anna.ask()
        await anna.photograph("after-the-start")
        assert await anna.act()
        await play_until(anna, in_round(3))


async def test_a_turn_can_be_played_by_commands(tmp_path: Path, sit_down: SitDown) -> None:
    async with playing(tmp_path) as address:
        anna = await sit_down(address, "Anna")
        await begin(anna)
        await play_until(anna, AT_SEA)
        ways = await ways_to_sail(anna)
        # The post follows later than the panel.
        await expect(anna.newest).to_contain_text("set sail")
        before = await anna.told_at_rest()

        await type_command(anna, "kogge sail")
        route = anna.page.get_by_test_id("option-route")
        choices = anna.page.get_by_test_id("choice")
        await expect(choices).to_have_count(len(ways))
        # The panel has the best of them first.
        assert sorted(await choices.all_inner_texts()) == sorted(ways)
        await anna.photograph("sail")
        await route.fill("Atlantis")
        await anna.page.keyboard.press("Enter")
        await expect(anna.panel).to_contain_text("Atlantis")
        await anna.photograph("refused")

        await type_command(anna, "kogge bid")
        await anna.page.keyboard.type("8")
        await anna.page.keyboard.press("Enter")
        await expect(anna.panel).to_contain_text(re.compile("bid", re.IGNORECASE))
        await anna.photograph("refused-bid")
        assert await anna.told() == before

        await type_command(anna, "kogge sail")
        city = (await choices.first.inner_text()).removeprefix("Sail to ")
        await choices.first.click()
        await anna.page.keyboard.press("Enter")
        # What she did before in the same round stands on the same line.
        sailed = re.compile(r"Anna .*sails to " + re.escape(city))
        await expect(anna.panel).to_contain_text(sailed)
        await expect(anna.newest).to_contain_text(sailed)


async def play_whole_game(anna: Screen, game: str, computers: int = 1) -> None:
    """Anna plays one against computer players, to its end."""
    await anna.open_table(game)
    for number in range(1, computers + 1):
        await anna.newest.get_by_role("button", name="Add a computer player").click()
        await expect(anna.newest).to_contain_text(f"Computer {number}")
    await anna.newest.get_by_role("button", name="Start").click()
    await anna.newest.get_by_test_id("thread-link").click()
    await play_until(anna, OVER)


async def test_a_whole_game_of_burgundy_is_played_by_pressing_what_the_panel_offers(
    tmp_path: Path, sit_down: SitDown
) -> None:
    async with playing(tmp_path) as address:
        anna = await sit_down(address, "Anna", phone=True)
        told = anna.page.get_by_test_id("content")
        await play_whole_game(anna, "The Castles of Burgundy")
        await anna.photograph("the-end")
        await expect(told.filter(has_text="Round E5")).to_have_count(1)
        result = anna.page.get_by_test_id("message").filter(has_text="Fairness check (key)")
        await expect(result).to_contain_text("Knowledge")
        await anna.press("Board", on=result)
        await anna.press(re.compile("Estate of Computer 1"))
        await expect(anna.panel).to_contain_text("Estate of Computer 1")
        await anna.photograph("estate")


async def test_a_whole_game_of_guatemala_is_played_by_pressing_what_the_panel_offers(
    tmp_path: Path, sit_down: SitDown
) -> None:
    async with playing(tmp_path) as address:
        anna = await sit_down(address, "Anna", phone=True)
        await play_whole_game(anna, "Guatemala Café")
        await anna.photograph("the-end")
        result = anna.page.get_by_test_id("message").filter(has_text="Fairness check (key)")
        await expect(result).to_contain_text("Beige")
        await anna.press("Board", on=result)
        await anna.press(re.compile("Production board"))
        await expect(anna.panel).to_contain_text("Production board")
        await anna.photograph("production")


async def test_a_whole_game_of_flandern_is_played_by_pressing_what_the_panel_offers(
    tmp_path: Path, sit_down: SitDown
) -> None:
    async with playing(tmp_path) as address:
        anna = await sit_down(address, "Anna", phone=True)
        await play_whole_game(anna, "Flandern 1302", computers=2)
        await anna.photograph("the-end")
        result = anna.page.get_by_test_id("message").filter(has_text="Fairness check (key)")
        await expect(result).to_contain_text("Utrecht")
        await anna.press("Board", on=result)
        await anna.press(re.compile("Utrecht"))
        await expect(anna.panel).to_contain_text("Utrecht")
        await anna.photograph("utrecht")


async def type_command(screen: Screen, name: str) -> None:
    """Begin a command by typing its name."""
    await screen.page.get_by_test_id("composer-input").fill(f"/{name}")
    await expect(screen.page.get_by_test_id("command-item").first).to_contain_text(f"/{name}")
    await screen.page.keyboard.press("Enter")
    await expect(screen.page.get_by_test_id("command-line")).to_contain_text(f"/{name}")
