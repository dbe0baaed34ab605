"""Bots in processes of their own, as an operator runs them, over a stand-in in this process."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bot.config import environment_without_settings
from bot.local import Standin
from bot.tools.measures.scale.workers import resident_mib_of

LOG = "bot.log"
STARTS_S = 120.0
"""No start takes that long, though Discord wants 5 s between two shards."""
POLL_S = 0.05
ROOT = Path(__file__).parents[4]


class Bot:
    """A running `python -m bot`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    def resident_mib(self) -> float:
        """Its memory that is in use."""
        return resident_mib_of(self._process.pid)

    async def kill(self) -> None:
        """Ends it without a warning."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Asks it to stop, and waits until it has."""
        await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            self._process.send_signal(number)
        await self._process.wait()


async def start(standin: Standin, folder: Path, database_url: str, **settings: str) -> Bot:
    """A bot over the stand-in, in a folder of its own, where it logs."""
    ours = {
        "PYTHONPATH": str(ROOT),
        "DISCORD_TOKEN": standin.token,
        "DISCORD_API": standin.url,
        "DATABASE_URL": database_url,
        "BACKUP_KEEP": "0",
    }
    log = await asyncio.to_thread(_log_in, folder)
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot"),
            cwd=folder,
            env={**environment_without_settings(), **ours, **settings},
            stdout=log,
            stderr=log,
        )
    finally:
        os.close(log)
    return Bot(process)


def _log_in(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    return os.open(folder / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


@asynccontextmanager
async def cluster(
    standin: Standin, folder: Path, database_url: str, processes: int, shards: int
) -> AsyncIterator[list[Bot]]:
    """So many bots that share the database, each with its part of the shards; all are online, and
    their commands known.

    With `processes` 0 it is one that shares nothing.
    """
    settings: list[dict[str, str]] = [
        {"SHARDS": str(shards), "SHARD_IDS": f"{part + 1}/{processes}", "MEMBER": f"bench-{part}"}
        for part in range(processes)
    ] or [{}]
    online = range(shards if processes else 1)
    async with AsyncExitStack() as stack:
        bots = []
        for number, its in enumerate(settings):
            bot = await start(standin, folder / str(number), database_url, **its)
            stack.push_async_callback(bot.kill)
            bots.append(bot)
        await standin.shards_online(online, timeout=STARTS_S)
        async with asyncio.timeout(STARTS_S):
            # That the commands are known is told to nobody.
            while not standin.model.commands:  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)
        yield bots
