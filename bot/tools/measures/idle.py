"""How much memory the bot takes while nothing is played: the program itself, in a process of its
own.

It runs over the stand-in on a database of this version in which nothing is kept, as after every
start but the first. What is counted is what is resident, once it has stopped changing.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.config import environment_without_settings
from bot.local.standin import Standin
from bot.opening import open_store
from bot.tools.measures.scale.workers import MIB, resident_mib_of

MB = 1_000_000
SETTLED_S = 5.0
"""Seconds in which it may not have changed by `SAME_MB`: signs are drawn after the start."""
SAME_MB = 0.1
ONLINE_S = 120.0


async def idle_mb() -> float:
    """Resident memory, in MB."""
    with TemporaryDirectory() as name:
        url = f"sqlite+aiosqlite:///{Path(name) / 'bench.db'}"
        async with open_store(url):
            pass
        async with Standin() as standin:
            ours = {
                "DISCORD_TOKEN": standin.token,
                "DISCORD_API": standin.url,
                "DATABASE_URL": url,
                "PYTHONPATH": os.pathsep.join(sys.path),
            }
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot"),
                cwd=name,
                env={**environment_without_settings(), **ours},
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                async with asyncio.timeout(ONLINE_S):
                    await standin.bot_online()
                return await _settled(process.pid)
            finally:
                process.terminate()
                await process.wait()


async def _settled(pid: int) -> float:
    before = 0.0
    while abs((now := resident_mib_of(pid) * MIB / MB) - before) >= SAME_MB:
        before = now
        await asyncio.sleep(SETTLED_S)
    return now
