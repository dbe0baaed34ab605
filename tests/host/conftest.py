"""Fixtures: the bot as an operator runs it, in this process or another, on a stand-in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot.app import host
from bot.config import Settings
from bot.host import retry
from bot.local import Standin
from tests.ports import free_port
from tests.store.conftest import bare as database
from tests.wire.process import BotProcess, process_on

__all__ = ["database"]

TIMEOUT_S = 60.0
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass
class SetClock:
    """A clock that is set by hand."""

    at: datetime = NOON

    def now(self) -> datetime:
        return self.at


@dataclass
class Hosted:
    """The bot, with its settings and status page."""

    settings: Settings
    clock: SetClock = field(default_factory=SetClock)

    async def ask(self, path: str) -> tuple[int, str]:
        address = f"http://127.0.0.1:{self.settings.health_port}{path}"
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            return answer.status, await answer.text()

    async def metric(self, name: str) -> float:
        _, text = await self.ask("/metrics")
        (line,) = [each for each in text.splitlines() if each.startswith(f"{name} ")]
        return float(line.rpartition(" ")[2])

    @asynccontextmanager
    async def running(self, token: str) -> AsyncIterator[asyncio.Task[None]]:
        task = asyncio.create_task(host(self.settings, token, self.clock))
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def settings_in(folder: Path, discord_api: str, **more: Any) -> Settings:
    """Return settings for a bot with all files in a folder, whatever the environment says."""
    # No watchdog: the bot shares its loop with the stand-in, and often a busy machine.
    defaults: dict[str, Any] = {
        "watchdog_ms": 0,
        "database_url": f"sqlite:///{folder / 'tables.sqlite'}",
        "backup_folder": folder / "backups",
        "health_port": free_port(),
    }
    return Settings(discord_api=discord_api, **{**defaults, **more})


@pytest.fixture(autouse=True)
def _no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.__struct_fields__:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


async def no_wait(*_: object, **__: object) -> None: ...


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "MIN_PAUSE_S", 0.01)
    monkeypatch.setattr(retry, "MAX_PAUSE_S", 0.05)
    # Discord wants five seconds before a client identifies again, the stand-in does not.
    monkeypatch.setattr(discord.Client, "before_identify_hook", no_wait)


@pytest.fixture
async def process(standin: Standin, tmp_path: Path) -> AsyncIterator[BotProcess]:
    async with process_on(standin, tmp_path) as process:
        yield process


@pytest.fixture
async def standin() -> AsyncIterator[Standin]:
    async with Standin(acknowledge_s=TIMEOUT_S) as standin:
        # No test here needs signs, so do not draw them.
        standin.faults.fail("GET", "/applications/*/emojis", status=403, times=None)
        yield standin
