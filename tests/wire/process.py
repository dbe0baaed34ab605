"""The bot in a separate process, which can be killed.

Imports take a second, so every bot is a fork of one process that has done them. It gets its own
environment, folder and log. `tests/test_main.py` and `tests/play` run `python -m bot` instead.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from bot.__main__ import main
from bot.config import Settings
from bot.local import Standin
from tests.wire.stored import LOG, StoredTable

ROOT = Path(__file__).parents[2]
ENDS_S = 120.0
"""Timeout of a start or an exit of the process."""

_forks = get_context("forkserver")
_forks.set_forkserver_preload(
    # The last two are only used in a cluster.
    [__name__, "bot.app", "bot.cluster.hosting", "asyncpg"]
)


class BotProcess:
    """A process of the bot on the stand-in, which can be started and stopped repeatedly.

    - `log` is the file with the output of all runs.
    - `ended` is done when the current run ends.
    - `prefix` is a command that runs `python -m bot`, instead of a fork.
    - `constants` override values by names such as `bot.host.retry.MAX_PAUSE_S`, to shorten waits.
    - `max_file_size` in bytes limits all files that it writes, like a full disk.
    """

    ended: asyncio.Task[int]

    def __init__(self, standin: Standin, folder: Path) -> None:
        self.stored = StoredTable(folder)
        self.log = folder / LOG
        self.prefix: Sequence[str] = ()
        self.constants: dict[str, Any] = {}
        self.max_file_size = resource.RLIM_INFINITY
        self._standin = standin
        self._folder = folder
        self._process: ForkServerProcess | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None

    async def start(self, **env: str) -> None:
        await self.launch(**env)
        online = asyncio.create_task(self._standin.gateway.online.wait())
        await asyncio.wait({online, self.ended}, timeout=ENDS_S, return_when=FIRST_COMPLETED)
        online.cancel()

    async def launch(self, **env: str) -> None:
        clean = {k: v for k, v in os.environ.items() if k.lower() not in Settings.__struct_fields__}
        settings = {
            "PYTHONPATH": str(ROOT),
            "DISCORD_TOKEN": self._standin.token,
            "DISCORD_API": self._standin.url,
            "DATABASE_URL": self.stored.url,
        }
        self.log.touch()
        env = {**clean, **settings, **env}
        args = (self._folder, self.log, env, self.prefix, self.constants, self.max_file_size)
        self._process = _forks.Process(target=_run, args=args)
        await asyncio.to_thread(self._process.start)
        self.ended = asyncio.create_task(_end_of(self._process))

    def limit_file_size(self, max_file_size: int = resource.RLIM_INFINITY) -> None:
        """Change the limit of the running process."""
        assert self._process is not None
        assert self._process.pid is not None
        resource.prlimit(
            self._process.pid, resource.RLIMIT_FSIZE, (max_file_size, resource.RLIM_INFINITY)
        )

    async def kill(self) -> None:
        assert await self._end(signal.SIGKILL) == -signal.SIGKILL
        await self.until_disconnected()

    async def stop(self) -> int:
        return await self._end(signal.SIGTERM)

    async def exit_status(self) -> int:
        return await asyncio.wait_for(asyncio.shield(self.ended), ENDS_S)

    async def until_disconnected(self) -> None:
        someone = self._standin.person("Vera")
        await someone.wait_for(lambda: not self._standin.gateway.online.is_set(), timeout=ENDS_S)

    async def _end(self, number: signal.Signals) -> int:
        process, self._process = self._process, None
        assert process is not None
        _signal(process, number)
        return await self.exit_status()

    def stall(self) -> None:
        assert self._process is not None
        _signal(self._process, signal.SIGSTOP)

    def wake(self) -> None:
        assert self._process is not None
        _signal(self._process, signal.SIGCONT)

    def ask_to_stop(self) -> None:
        if self._process is not None:
            _signal(self._process, signal.SIGTERM)

    def send_kill(self) -> None:
        """Kill the process without waiting for its exit."""
        if self._process is not None:
            _signal(self._process, signal.SIGKILL)

    async def clear(self) -> None:
        if self._process is not None:
            await self._end(signal.SIGKILL)


def _run(
    folder: Path,
    log: Path,
    env: dict[str, str],
    prefix: Sequence[str],
    constants: Mapping[str, Any],
    max_file_size: int,
) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_size, resource.RLIM_INFINITY))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    output = os.open(log, os.O_WRONLY | os.O_APPEND)
    os.dup2(output, sys.stdout.fileno())
    os.dup2(output, sys.stderr.fileno())
    if prefix:
        os.execvp(prefix[0], (*prefix, sys.executable, "-m", "bot"))
    for name, value in constants.items():
        module, _, constant = name.rpartition(".")
        assert hasattr(import_module(module), constant), name
        setattr(import_module(module), constant, value)
    sys.exit(main([]))


async def _end_of(process: ForkServerProcess) -> int:
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    loop.add_reader(process.sentinel, ended.set_result, None)
    try:
        await ended
    finally:
        loop.remove_reader(process.sentinel)
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def _signal(process: ForkServerProcess, number: signal.Signals) -> None:
    if process.exitcode is None and process.pid is not None:
        os.kill(process.pid, number)


@asynccontextmanager
async def process_on(standin: Standin, folder: Path) -> AsyncIterator[BotProcess]:
    process = BotProcess(standin, folder)
    # Otherwise each start draws all emoji, which takes longer than the rest.
    standin.faults.fail("GET", "/applications/*/emojis", status=403, times=None)
    try:
        yield process
    finally:
        await process.clear()
