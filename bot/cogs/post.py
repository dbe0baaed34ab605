"""Posts what tables owe: off the path of a press, one table never waiting for another."""

from __future__ import annotations

import asyncio
import contextvars
import logging

import aiohttp
import discord
from discord.ext import commands

from bot.cogs.common.delivery import Delivery
from bot.tables import Tables

log = logging.getLogger(__name__)

FIRST_RETRY = 15.0
LAST_RETRY = 600.0


class PostCog(commands.Cog, name="post"):
    """Keeps one delivery going for each table that has changed.

    Changes that come while a table's delivery is under way are told together by the next one.
    """

    def __init__(self, tables: Tables, delivery: Delivery) -> None:
        self._tables = tables
        self._delivery = delivery
        self._changed: set[int] = set()
        self._going: dict[int, asyncio.Task[None]] = {}
        self._later: dict[int, asyncio.TimerHandle] = {}
        self._failures: dict[int, int] = {}
        self._context: contextvars.Context | None = None

    async def cog_load(self) -> None:
        """Listen to the tables."""
        # A post is nobody's request: it must not run in the context of whoever acted.
        self._context = contextvars.copy_context()
        self._tables.subscribe(self.changed)

    async def cog_unload(self) -> None:
        """Stop posting; what is under way is cut short, and still owed."""
        self._context = None
        for timer in self._later.values():
            timer.cancel()
        going = list(self._going.values())
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Pay what was owed when the bot stopped, or while Discord could not be reached."""
        for table in dict.fromkeys([row.table for row in await self._tables.owed()]):
            self.changed(table)

    def changed(self, table_id: int) -> None:
        """The table may owe something; its delivery looks after it soon."""
        if self._context is None:
            return
        self._changed.add(table_id)
        timer = self._later.pop(table_id, None)
        if timer is not None:
            timer.cancel()
        if table_id not in self._going:
            self._going[table_id] = self._context.copy().run(
                asyncio.create_task, self._deliver(table_id)
            )

    async def _deliver(self, table_id: int) -> None:
        again: float | None = None
        try:
            while table_id in self._changed:
                self._changed.discard(table_id)
                again = await self._try(table_id)
        finally:
            del self._going[table_id]
        if again is not None and self._context is not None:
            loop = asyncio.get_running_loop()
            self._later[table_id] = loop.call_later(
                again, self.changed, table_id, context=self._context
            )

    async def _try(self, table_id: int) -> float | None:
        try:
            again = await self._delivery.deliver(table_id)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            return self._wait(table_id, error)
        except Exception as error:
            # A fault in one table's picture or words must not silence it for ever.
            log.exception("table=%s not posted", table_id)
            return self._wait(table_id, error)
        self._failures.pop(table_id, None)
        return again

    def _wait(self, table_id: int, error: Exception) -> float:
        failures = self._failures[table_id] = self._failures.get(table_id, 0) + 1
        wait: float = min(FIRST_RETRY * 2.0 ** (failures - 1), LAST_RETRY)
        log.warning(
            "table=%s not posted, again in %.0f s: %s", table_id, wait, type(error).__name__
        )
        return wait
