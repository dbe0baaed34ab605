"""Keeps open panels up to date at tables for which another process posts.

A panel can be reached only by whoever answered with it, which need not be who posts: presses in
direct messages all arrive at one process.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable

from discord.ext import commands

from bot.cogs.panel.open_panels import OpenPanels
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.ui.services import Services
from bot.game.contract import SPECTATOR
from bot.tables import NotOurs, Rejected

log = logging.getLogger(__name__)


class PanelsCog(commands.Cog, name="panels"):
    """After each change of such a table the panels that are here ask anew."""

    def __init__(self, services: Services, shown: OpenPanels, following: PanelFollowing) -> None:
        self._services = services
        self._tables = services.tables
        self._shown = shown
        self._following = following
        self._changed: set[int] = set()
        self._going: dict[int, asyncio.Task[None]] = {}
        self._context = contextvars.copy_context()
        self._unsubscribe: list[Callable[[], None]] = []

    async def cog_load(self) -> None:
        """Subscribe to the tables, where others post for some of them."""
        if self._tables.is_shared:
            self._context = contextvars.copy_context()
            subscribe = (self._tables.subscribe, self._tables.listen)
            self._unsubscribe = [each(self._on_change) for each in subscribe]

    async def cog_unload(self) -> None:
        """What is not up to date by now will be at the next press."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        going = list(self._going.values())
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)

    def _on_change(self, table_id: int) -> None:
        if not self._shown.are_at(table_id):
            return
        self._changed.add(table_id)
        if table_id not in self._going:
            # It belongs to no request: it must not run in the context of whoever acted.
            self._going[table_id] = self._context.copy().run(
                asyncio.create_task, self._follow(table_id)
            )

    async def _follow(self, table_id: int) -> None:
        try:
            while table_id in self._changed:
                self._changed.discard(table_id)
                await self._ask_anew(table_id)
        except (Rejected, NotOurs) as error:
            log.info("table=%s panels do not follow: %s", table_id, type(error).__name__)
        finally:
            del self._going[table_id]

    async def _ask_anew(self, table_id: int) -> None:
        table = await self._tables.reader.get(table_id)
        # Where it is ours, that is a part of delivering what has happened.
        if self._tables.ownership.owns(table.guild) or await self._tables.reader.seq(table_id) < 0:
            return
        words = self._services.words_for(None)
        await self._following.answered(await self._services.snapshot(table_id, SPECTATOR, words))
