"""Whole games in browser tabs: two players and a spectator, or one player with computer players."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from operator import itemgetter
from pathlib import Path

import aiohttp
import pytest
from playwright.async_api import Locator, expect

from tests import robot
from tests.chromium import IN_BROWSER, PHONE
from tests.play.conftest import OpenScreen
from tests.play.screen import PING, Screen
from tests.test_main import TIMEOUT_S, start

pytestmark = [*IN_BROWSER, pytest.mark.slow]

TABLE = "Kogge · table 1"
MAX_TURNS = 120
PRESSES = 12
"""Choices in games against computer players; more of them would show nothing new."""


LATE = "interaction not acknowledged"
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[str]:
    """Run `python -m bot play` with its data in `folder`; yield the address that it prints.

    At the end, it is stopped by Ctrl+C, and must exit without errors.
    """
    command = ("play", "--no-browser", "--port", "0", "--data", str(folder / "games"))
    process = await start(folder, *command)
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT_S)).decode()
        address = _ADDRESS.search(line)
        assert address is not None, line
        yield address[0].rstrip("/")
        process.send_signal(signal.SIGINT)
        _out, errors = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
        # On a busy machine an answer may be too late, and the player presses again.
        lines = [line for line in errors.decode().splitlines() if LATE not in line]
        assert (process.returncode, lines) == (0, []), errors.decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_two_people_finish_a_game_and_a_spectator_sees_only_public_messages(
    tmp_path: Path, open_screen: OpenScreen
) -> None:
    async with playing(tmp_path) as address:
        anna = await open_screen(address, "Anna")
        bert = await open_screen(address, "Bert", phone=True)
        vera = await open_screen(address, "Vera")
        await start_game(anna, bert, vera)
        await choose_cities(anna, bert)
        turns = await play_to_the_end(anna, bert)
        assert turns > 10
        for screen in (anna, bert, vera):
            await screen.until_pinged()
        await check_same_end(anna, bert, vera)
        check_only_public(vera)
        assert any(message.get("private") for message in anna.seen)
        width = await bert.page.evaluate("document.documentElement.scrollWidth")
        assert width == PHONE["width"]


async def start_game(anna: Screen, bert: Screen, vera: Screen) -> None:
    """Let Anna open a table, Bert join, Anna start it, and all go to its thread."""
    await anna.open_table("Kogge")
    await expect(anna.newest).to_contain_text("You need 1 more player to start")
    await expect(bert.newest).to_contain_text("Anna (host)")
    await bert.newest.get_by_role("button", name="Join").click()
    await expect(anna.newest).to_contain_text("Bert")
    # Only Vera, who has no seat, can join.
    for screen, buttons in ((anna, 0), (bert, 0), (vera, 1)):
        await expect(screen.newest.get_by_role("button", name="Join")).to_have_count(buttons)
    await anna.newest.get_by_role("button", name="Start").click()
    # The page opens the thread of a game that its user starts.
    await expect(anna.page.get_by_test_id("place-name")).to_have_text(TABLE)
    await bert.newest.get_by_role("button", name="Go to table").click()
    await vera.go_to(TABLE)
    await anna.until_pinged("Anna")


async def choose_cities(anna: Screen, bert: Screen) -> None:
    """Let both choose their first cities, secretly and simultaneously."""
    await anna.open_panel()
    await bert.open_panel()
    await robot.step(anna, itemgetter(0))
    await expect(anna.panel).to_contain_text("You can change it")
    await robot.step(bert, itemgetter(0))
    await anna.until_pinged("Anna", "Bert")
    await expect(anna.newest).to_contain_text("Round 1")


async def play_to_the_end(anna: Screen, bert: Screen) -> int:
    """Play until the game is over; return the number of turns."""
    for turns in range(MAX_TURNS):
        await anna.until_pinged("Anna", "Bert")
        await bert.catch_up(anna)
        if await anna.is_over():
            return turns
        mover = bert if await is_to_act(bert) else anna
        other = anna if mover is bert else bert
        await mover.play_on()
        # A player who cannot bid is skipped, so the same player may be pinged again.
        await anna.until_pinged(other.name, mover.name)
        await bert.until_pinged(other.name, mover.name)
    raise AssertionError(f"the game is not over after {MAX_TURNS} turns")


async def is_to_act(screen: Screen) -> bool:
    text = await screen.post_text()
    return re.search(PING.format(name=screen.name), text, re.MULTILINE) is not None


async def check_same_end(*screens: Screen) -> None:
    """Check that the last post has one text and picture in all tabs, and the replay follows."""
    for screen in screens:
        await expect(screen.newest).to_contain_text("The whole game, turn by turn", timeout=30_000)
    ends = [screen.posts.filter(has_text="Fairness check (key)") for screen in screens]
    texts = {tuple(await end.get_by_test_id("content").all_inner_texts()) for end in ends}
    assert len(texts) == 1
    pictures = [await picture(end) for end in ends]
    assert len(set(pictures)) == 1
    assert pictures[0].startswith(b"\x89PNG")


async def picture(message: Locator) -> bytes:
    address = await message.get_by_test_id("picture").locator("img").evaluate("image => image.src")
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return await answer.read()


def check_only_public(screen: Screen) -> None:
    """Check that the tab received only public messages of the channel and the thread."""
    assert screen.seen
    assert not any(message.get("private") for message in screen.seen)
    assert len({message["channel_id"] for message in screen.seen}) == 2


# One person with computer players


async def start_with_computers(anna: Screen, game: str, computers: int) -> None:
    """Let Anna open a table, add computer players, start it, and go to its thread."""
    await anna.open_table(game)
    lobby = anna.newest
    for number in range(1, computers + 1):
        await lobby.get_by_role("button", name="Add a computer player").click()
        await expect(lobby).to_contain_text(f"Normal {number}")
    await lobby.get_by_role("button", name="Start").click()
    await expect(anna.page.get_by_test_id("place-name")).to_have_text(f"{game} · table 1")


@pytest.mark.parametrize(
    ("game", "computers", "part"),
    [
        ("The Castles of Burgundy", 1, "Estate of Normal 1"),
        ("Guatemala Café", 1, "Production board"),
        ("Flandern 1302", 2, "Utrecht"),
    ],
)
async def test_turns_can_be_played_by_the_buttons_and_selects_of_the_panel(
    tmp_path: Path, open_screen: OpenScreen, game: str, computers: int, part: str
) -> None:
    async with playing(tmp_path) as address:
        anna = await open_screen(address, "Anna", phone=True)
        await start_with_computers(anna, game, computers)
        await anna.open_panel()
        await expect(anna.panel.get_by_test_id("picture").first).to_be_in_viewport(ratio=1)
        for _ in range(PRESSES):
            if not await anna.act():
                await anna.until_pinged("Anna")
                await anna.open_panel()
        # The computer's turn would replace the post while the button is pressed.
        await anna.until_pinged("Anna")
        await anna.press("Board", on=anna.newest)
        # The turn's panel may be below the board.
        board = anna.private.filter(has_text=part).last
        await anna.press(re.compile(part), on=board)
        await expect(board).to_be_visible()
