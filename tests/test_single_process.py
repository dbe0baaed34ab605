"""A start loads what it needs: a single process on SQLite loads nothing of what lets many share a
database, and no start what is for rare occasions."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.config import Settings
from bot.local import Standin
from tests.store.database import empty

ROOT = Path(__file__).parents[1]
STARTS_S = 120.0
"""Seconds in which it starts, and in which it ends: many processes start on a busy machine."""
Loading = Callable[[Path], Awaitable[list[str]]]
SHARED_ALONE = (
    *("asyncpg", "sqlalchemy.dialects.postgresql", "sqlalchemy.ext.asyncio", "sqlalchemy.orm"),
    *("bot.cluster", "bot.store.guards", "bot.store.leases"),
    *("bot.store.notices", "bot.store.move", "bot.store.copying", "bot.tools.measures.scale"),
)
"""Packages and modules that only processes which share a database need, or the way there."""
FOR_OCCASIONS = (
    # Where the database is to be upgraded.
    *("alembic", "mako"),
    # Where a game has ended.
    "openskill",
    # Where somebody looks on.
    *("prometheus_client", "bot.host.metrics", "bot.host.page"),
    # Where somebody translates.
    "babel",
    # Where somebody runs them.
    *("bot.tools", "bot.commands.backup", "bot.commands.move"),
)
"""Packages and modules that a start on a database of this version does without."""
OF_THE_STANDIN = ("bot.local", "aiohttp.web_app")
"""What the bot on Discord does without."""
OWN_MODULES = 591
"""Modules of `bot` that each start loaded before processes could share a database."""
SEAM = 16
"""Modules that sharing may add to them: data, protocols, and what was divided for it. What else
each start needs may be added to `OWN_MODULES`."""
NOTED = "modules.json"
PROGRAM = f"""
import atexit, json, sys
from pathlib import Path

def note():
    Path("{NOTED}").write_text(json.dumps(sorted(sys.modules)), encoding="utf-8")

atexit.register(note)
from bot.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@asynccontextmanager
async def running(
    folder: Path, *args: str, **env: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program in that folder; it is stopped as by Ctrl+C, and notes what it has loaded."""
    clean = {k: v for k, v in os.environ.items() if k.lower() not in Settings.__struct_fields__}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", PROGRAM, *args),
        cwd=folder,
        env={**clean, "PYTHONPATH": str(ROOT), **env},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield process
        process.send_signal(signal.SIGINT)
        # To the end of what it says as well: a pipe that outlives the loop is a warning.
        await asyncio.wait_for(process.communicate(), STARTS_S)
        assert process.returncode == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def noted(folder: Path) -> list[str]:
    names: list[str] = json.loads((folder / NOTED).read_text(encoding="utf-8"))
    return names


async def loaded_by_play(folder: Path) -> list[str]:
    """The modules that are loaded once `make play` can be played on."""
    (folder / "games").mkdir()
    empty(folder / "games" / "tables.sqlite")
    command = ("play", "--no-browser", "--port", "0", "--data", str(folder / "games"))
    async with running(folder, *command) as process:
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), STARTS_S)
    return noted(folder)


async def loaded_by_bot(folder: Path) -> list[str]:
    """The modules that are loaded once the bot is online."""
    async with Standin() as standin:
        url = empty(folder / "tables.sqlite")
        env = {"DISCORD_TOKEN": standin.token, "DISCORD_API": standin.url, "DATABASE_URL": url}
        async with running(folder, **env):
            await asyncio.wait_for(standin.bot_online(), STARTS_S)
    return noted(folder)


@pytest.mark.parametrize("program", [loaded_by_play, loaded_by_bot])
async def test_only_what_is_needed_is_loaded(program: Loading, tmp_path: Path) -> None:
    found = await program(tmp_path)
    without: tuple[str, ...] = SHARED_ALONE + FOR_OCCASIONS
    if program is loaded_by_bot:
        without += OF_THE_STANDIN
    assert [name for name in found if name.startswith(without)] == []
    assert len([name for name in found if name.split(".")[0] == "bot"]) <= OWN_MODULES + SEAM


@pytest.mark.parametrize("name", SHARED_ALONE + FOR_OCCASIONS + OF_THE_STANDIN)
def test_what_a_start_does_without_is_still_called_so(name: str) -> None:
    assert find_spec(name) is not None
