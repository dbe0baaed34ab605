"""A bot whose games were moved to another database: people on Discord notice nothing."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random

import pytest

from bot.local import Standin
from tests.store.database import SERVER_ALONE, Database
from tests.wire.hands import Hands, play_on, sit_down
from tests.wire.process import ROOT, BotProcess

pytestmark = [SERVER_ALONE, pytest.mark.slow]

POSTS = 2
"""How many boards are posted before the next move."""


async def moved(source: str, target: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "move", source, target),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def play_a_while(players: list[Hands]) -> None:
    enough = len(players[0].posts) + POSTS
    await play_on(players, until=lambda: len(players[0].posts) >= enough)


async def test_a_game_goes_on_by_the_buttons_it_had_wherever_it_is_moved(
    standin: Standin, process: BotProcess, database: Database, tmp_path: Path
) -> None:
    here, there, back = process.kept.url, database.url, f"sqlite+aiosqlite:///{tmp_path}/back"
    players = [Hands(standin, standin.person(name), Random(name)) for name in ("Anna", "Bert")]
    await process.start()
    await sit_down(standin, *(player.person for player in players))
    for before, after in ((here, there), (there, back)):
        await play_a_while(players)
        status, said = await moved(before, after)
        assert status == 2
        assert "A bot is running on" in said
        assert said.count("\n") == 1

        assert await process.stop() == 0
        board, posts = await players[0].shown_board(), len(players[0].posts)
        status, said = await moved(before, after)
        assert status == 0, said
        assert "tables: 1, log entries: " in said
        await process.start(DATABASE_URL=after)
        assert await players[0].shown_board() is board
        assert len(players[0].posts) == posts
    await play_a_while(players)
    assert await process.stop() == 0
    assert "Traceback" not in process.log.read_text()
