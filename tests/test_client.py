"""The client of discord.py, where ours has to cope with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.wire.conftest import on_the_wire


async def test_an_event_that_comes_after_the_end_is_told_to_nobody(tmp_path: Path) -> None:
    heard = []

    async def on_ready() -> None:
        heard.append("ready")

    async with on_the_wire(tmp_path) as wire:
        bot = wire.bot
    bot.add_listener(on_ready)
    bot.dispatch("ready")
    await asyncio.sleep(0)
    assert heard == []
