"""Changes that only tidy up: nobody waits for them, and each fails alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import aiohttp
import discord

from bot.cogs.posting.work_queue import ended_or_cancelled
from bot.cogs.ui.reply import reason
from bot.cogs.ui.user_errors import UNSENT
from bot.tables import NotOurs, Rejected

log = logging.getLogger(__name__)

DEADLINE_S = 30.0
"""Seconds for such a change, all tries together."""
PAUSES_S = (1.0, 5.0)
"""Seconds before it is tried again where Discord could not be reached."""


class Cosmetics:
    """Makes such changes: live edits, buttons of old posts, panels that follow.

    What Discord refuses, or does not do in time, is dropped.
    """

    def __init__(self) -> None:
        self._going: dict[asyncio.Task[Any], int] = {}

    def begin(self, table: int, change: Callable[[], Awaitable[object]]) -> None:
        """Make a change in the background."""
        self.run(table, self.attempt(table, change))

    def run(self, table: int, changing: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run in the background what makes several changes."""
        task = asyncio.create_task(changing)
        self._going[task] = table
        task.add_done_callback(self._going.pop)
        return task

    async def attempt(self, table: int, change: Callable[[], Awaitable[object]]) -> bool:
        """Make a change; whether it was made."""
        try:
            async with asyncio.timeout(DEADLINE_S):
                await _insist(change)
        except (*UNSENT, Rejected, NotOurs) as error:
            log.info("table=%s a change to a message is dropped: %s", table, reason(error))
            return False
        except Exception:
            log.exception("table=%s a change to a message is dropped", table)
            return False
        return True

    def are_going(self, table: int) -> bool:
        """Whether any are being made for the table."""
        return table in self._going.values()

    async def close(self, farewell_s: float) -> None:
        """Wait at most that long for those in progress."""
        await ended_or_cancelled(list(self._going), farewell_s)


async def _insist(change: Callable[[], Awaitable[object]]) -> None:
    for pause in PAUSES_S:
        try:
            await change()
        except (discord.DiscordServerError, aiohttp.ClientError, OSError):
            await asyncio.sleep(pause)
        else:
            return
    await change()
