"""Two people and a spectator, each in a tab, play a game of Kogge to its end by the screen only."""

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
from tests.play.conftest import SitDown
from tests.play.screen import CALL, Screen
from tests.test_main import TIMEOUT_S, start

pytestmark = [*IN_BROWSER, pytest.mark.slow]

TABLE = "Kogge · table 1"
MAX_TURNS = 120
PRESSES = 12
"""In games of other titles: the rest of them shows nothing new on the page."""


LATE = "interaction not acknowledged"
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[str]:
    """`python -m bot play` as a process of its own, its games kept in `folder`; the address that
    it prints, without the last slash.

    It is stopped by Ctrl+C in the end, and must then have nothing to complain of.
    """
    command = ("play", "--no-browser", "--port", "0", "--data", str(folder / "games"))
    process = await start(folder, *command)
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT_S)).decode()
        found = _ADDRESS.search(line)
        assert found is not None, line
        yield found[0].rstrip("/")
        process.send_signal(signal.SIGINT)
        _out, said = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
        # On a busy machine an answer may come later than Discord wants; then one presses again.
        lines = [line for line in said.decode().splitlines() if LATE not in line]
        assert (process.returncode, lines) == (0, []), said.decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_two_people_play_a_game_to_its_end_and_a_spectator_sees_all_that_is_public(
    tmp_path: Path, sit_down: SitDown
) -> None:
    async with playing(tmp_path) as address:
        anna = await sit_down(address, "Anna")
        bert = await sit_down(address, "Bert", phone=True)
        vera = await sit_down(address, "Vera")
        await gather(anna, bert, vera)
        await found(anna, bert)
        turns = await play_to_the_end(anna, bert)
        assert turns > 10
        for screen in (anna, bert, vera):
            await screen.awaits()
        await everybody_sees_the_same_end(anna, bert, vera)
        nothing_private_reached(vera)
        assert any(message.get("private") for message in anna.seen)
        width = await bert.page.evaluate("document.documentElement.scrollWidth")
        assert width == PHONE["width"]


async def gather(anna: Screen, bert: Screen, vera: Screen) -> None:
    """Anna opens a table, Bert sits down, Anna starts; all go to the table's thread."""
    await anna.open_table("Kogge")
    await expect(anna.newest).to_contain_text("You need 1 more player to start")
    await expect(bert.newest).to_contain_text("Anna (host)")
    await bert.newest.get_by_role("button", name="Join").click()
    await expect(anna.newest).to_contain_text("Bert")
    # Who sits there needs no seat.
    for screen, buttons in ((anna, 0), (bert, 0), (vera, 1)):
        await expect(screen.newest.get_by_role("button", name="Join")).to_have_count(buttons)
    await anna.newest.get_by_role("button", name="Start").click()
    # Who starts it is led there.
    await expect(anna.page.get_by_test_id("place-name")).to_have_text(TABLE)
    await bert.newest.get_by_role("button", name="Go to table").click()
    await vera.go_to(TABLE)
    await anna.awaits("Anna")


async def found(anna: Screen, bert: Screen) -> None:
    """Both choose their first city, in secret and at the same time."""
    await anna.ask()
    await bert.ask()
    await robot.step(anna, itemgetter(0))
    await expect(anna.panel).to_contain_text("You can change it")
    await robot.step(bert, itemgetter(0))
    await anna.awaits("Anna", "Bert")
    await expect(anna.newest).to_contain_text("Round 1")


async def play_to_the_end(anna: Screen, bert: Screen) -> int:
    """Whoever is awaited takes a turn, until the game is over. The number of those turns."""
    for turns in range(MAX_TURNS):
        await anna.awaits("Anna", "Bert")
        await bert.catch_up(anna)
        if await anna.is_over():
            return turns
        mover = bert if await is_to_act(bert) else anna
        other = anna if mover is bert else bert
        await mover.play_on()
        # Somebody who cannot bid is passed over: the same person may be called again.
        await anna.awaits(other.name, mover.name)
        await bert.awaits(other.name, mover.name)
    raise AssertionError(f"the game is not over after {MAX_TURNS} turns")


async def is_to_act(screen: Screen) -> bool:
    return re.search(CALL.format(name=screen.name), await screen.told(), re.MULTILINE) is not None


async def everybody_sees_the_same_end(*screens: Screen) -> None:
    """The closing post has the same words and the same picture in every tab, the film follows."""
    for screen in screens:
        await expect(screen.newest).to_contain_text("The whole game, turn by turn", timeout=30_000)
    ends = [screen.posts.filter(has_text="Fairness check (key)") for screen in screens]
    told = {tuple(await end.get_by_test_id("content").all_inner_texts()) for end in ends}
    assert len(told) == 1
    pictures = [await picture(end) for end in ends]
    assert len(set(pictures)) == 1
    assert pictures[0].startswith(b"\x89PNG")


async def picture(message: Locator) -> bytes:
    address = await message.get_by_test_id("picture").locator("img").evaluate("image => image.src")
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return await answer.read()


def nothing_private_reached(screen: Screen) -> None:
    """Nothing came to the tab but what stands in the channel and the thread for all."""
    assert screen.seen
    assert not any(message.get("private") for message in screen.seen)
    assert len({message["channel_id"] for message in screen.seen}) == 2


# One person with computer players


async def start_with_computers(anna: Screen, game: str, computers: int) -> None:
    """Anna opens a table, adds computer players, begins, and goes to the table's thread."""
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
async def test_turns_are_played_by_pressing_what_the_panel_offers(
    tmp_path: Path, sit_down: SitDown, game: str, computers: int, part: str
) -> None:
    async with playing(tmp_path) as address:
        anna = await sit_down(address, "Anna", phone=True)
        await start_with_computers(anna, game, computers)
        await anna.ask()
        await expect(anna.panel.get_by_test_id("picture").first).to_be_in_viewport(ratio=1)
        for _ in range(PRESSES):
            if not await anna.act():
                await anna.awaits("Anna")
                await anna.ask()
        await anna.press("Board", on=anna.newest)
        # The panel of the turn may come below it.
        board = anna.private.filter(has_text=part).last
        await anna.press(re.compile(part), on=board)
        await expect(board).to_be_visible()
