"""A start loads only the modules it needs: on SQLite none for a shared database, and none for rare
occasions."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

from bot.config import Settings
from bot.local import Standin
from tests.store.database import empty

ROOT = Path(__file__).parents[1]
STARTS_S = 120.0
"""Timeout for a start and for a stop, on a busy machine."""
SHARED_ONLY = (
    *("asyncpg", "bot.cluster", "bot.store.postgres", "bot.store.server_lock", "bot.store.move"),
)
"""Packages and modules that only PostgreSQL, or a move to it, needs."""
FOR_OCCASIONS = (
    # For the end of a game.
    "openskill",
    # For the status page.
    *("prometheus_client", "bot.host.metrics", "bot.host.page"),
    # For translators.
    "babel.messages.extract",
    # For commands.
    "bot.tools",
)
"""Packages and modules that a start must not load."""
OF_THE_STANDIN = ("bot.local", "aiohttp.web_app")
"""Packages and modules that the bot on Discord must not load."""
OWN_MODULES = 592
"""Modules of `bot` that each start loaded before processes could share a database. Add to this what
else each start needs."""
SHARING_MODULES = 16
"""Modules that sharing may add to each start, such as data and protocols."""
MODULES_FILE = "modules.json"
PROGRAM = f"""
import atexit, json, sys
from pathlib import Path

def note():
    Path("{MODULES_FILE}").write_text(json.dumps(sorted(sys.modules)), encoding="utf-8")

atexit.register(note)
from bot.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@asynccontextmanager
async def running(
    folder: Path, stop: signal.Signals, *args: str, **env: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the program in a folder; it saves its loaded modules and must stop without errors."""
    clean = {k: v for k, v in os.environ.items() if k.lower() not in Settings.__struct_fields__}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", PROGRAM, *args),
        cwd=folder,
        env={**clean, "PYTHONPATH": str(ROOT), **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
        process.send_signal(stop)
        # Read all of its output: a pipe that outlives the loop is a warning.
        _out, log = await asyncio.wait_for(process.communicate(), STARTS_S)
        assert process.returncode == 0
        assert "Traceback" not in log.decode()
        assert env.get("DISCORD_TOKEN", "Traceback") not in log.decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def check_loaded(folder: Path, *without: str) -> None:
    """Check that a process has loaded none of these modules, and few of ours."""
    found: list[str] = json.loads((folder / MODULES_FILE).read_text(encoding="utf-8"))
    assert [name for name in found if name.startswith(without)] == []
    assert (
        len([name for name in found if name.split(".")[0] == "bot"])
        <= OWN_MODULES + SHARING_MODULES
    )


async def test_play_serves_its_page_and_stops_cleanly_and_loads_only_what_it_needs(
    tmp_path: Path,
) -> None:
    (tmp_path / "var" / "play").mkdir(parents=True)
    empty(tmp_path / "var" / "play" / "tables.sqlite")
    command = ("play", "--no-browser", "--port", "0")
    async with running(tmp_path, signal.SIGINT, *command) as process:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), STARTS_S)
        (address,) = re.findall(r"http://127\.0\.0\.1:\d+/", line.decode())
        with await asyncio.to_thread(urlopen, address) as page:
            assert b"page/static/app.js" in page.read()
    check_loaded(tmp_path, *SHARED_ONLY, *FOR_OCCASIONS)


async def test_the_bot_comes_online_and_stops_cleanly_and_loads_only_what_it_needs(
    tmp_path: Path,
) -> None:
    async with Standin() as standin:
        url = empty(tmp_path / "tables.sqlite")
        env = {"DISCORD_TOKEN": standin.token, "DISCORD_API": standin.url, "DATABASE_URL": url}
        async with running(tmp_path, signal.SIGTERM, **env):
            await asyncio.wait_for(standin.gateway.online.wait(), STARTS_S)
    check_loaded(tmp_path, *SHARED_ONLY, *FOR_OCCASIONS, *OF_THE_STANDIN)


def test_the_modules_that_a_start_must_not_load_still_exist() -> None:
    names = SHARED_ONLY + FOR_OCCASIONS + OF_THE_STANDIN
    assert [name for name in names if find_spec(name) is None] == []
