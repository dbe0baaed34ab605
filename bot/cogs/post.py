"""Sends the outboxes of tables: after a press has been answered, each table independently."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import aiohttp
import discord
from discord.ext import commands

from bot.cogs.posting.delivery import Delivery
from bot.cogs.ui.channels import UNKNOWN, Home, home_of
from bot.tables import NotOurs, StoreUnavailable, TableError, Tables, UnknownTable
from bot.tables.core.time_slice import TimeSlice

log = logging.getLogger(__name__)

FIRST_RETRY = 1.0
LAST_RETRY = 600.0
AT_ONCE = 32
"""Tables that are posted to at once. A start may find a hundred thousand with items in their
outbox: a task for each, or the pictures of all, would be held in memory until Discord takes them.
"""
FAREWELL = 3.0
"""Seconds that posts in progress have to finish when the bot stops."""
POLL_S = 0.005
"""Seconds between checks of an outbox, for those who wait until it is empty."""


class _Later(NamedTuple):
    """A table to be tried again when its time has come, or its channel has changed."""

    timer: asyncio.TimerHandle
    home: Home


class PostCog(commands.Cog, name="post"):
    """Keeps one delivery going for each table that has changed.

    Changes made during a table's delivery are sent together by the next one.
    """

    def __init__(self, tables: Tables, delivery: Delivery) -> None:
        self._tables = tables
        self._delivery = delivery
        self._changed: set[int] = set()
        self._going: dict[int, asyncio.Task[None]] = {}
        self._later: dict[int, _Later] = {}
        self._failures: dict[int, int] = {}
        self._wakes = 0
        """How often something may have been allowed: what was refused meanwhile is out of date."""
        self._waiting: OrderedDict[int, None] = OrderedDict()
        self._context: contextvars.Context | None = None
        self._is_reading = self._is_unread = False
        self._subscriptions: Sequence[Callable[[], None]] = ()

    async def cog_load(self) -> None:
        """Subscribe to the tables."""
        # A post belongs to no request: it must not run in the context of whoever acted.
        self._context = contextvars.copy_context()
        self._subscriptions = (
            self._tables.subscribe(self.changed),
            self._tables.foresee(self._delivery.draw_ahead),
        )

    async def cog_unload(self) -> None:
        """Waits for posts in progress; what they do not send in time stays in the outbox."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        self._context = None
        self._changed.clear()
        self._waiting.clear()
        for later in self._later.values():
            later.timer.cancel()
        self._later.clear()
        going = list(self._going.values())
        if going:
            await asyncio.wait(going, timeout=FAREWELL)
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Try again what could not be sent while the connection was broken."""
        await self._wake(lambda _home: True)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Sends what has waited since the bot stopped, or since Discord could not be reached."""
        self._is_unread = True
        if self._is_reading:
            return
        self._is_reading = True
        try:
            while self._is_unread and self._context is not None:
                self._is_unread = False
                await self._read()
        finally:
            self._is_reading = False

    @commands.Cog.listener()
    async def on_shard_ready(self, _shard: int) -> None:
        """The same for what has waited until a shard's servers are known; of several shards the
        outbox is read once."""
        await self.on_ready()

    async def _read(self) -> None:
        try:
            outbox_items = await self._tables.outbox.items()
        except TableError as error:
            log.debug("the outbox cannot be read: %s", type(error).__name__)
            await asyncio.sleep(FIRST_RETRY)
            self._is_unread = True
            return
        time_slice = TimeSlice()
        for row in outbox_items:
            if row.table not in self._later:
                self.changed(row.table)
            await time_slice.take()
        await self.on_resumed()

    # What has been refused may be allowed from now on

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def server_is_there(self, guild: discord.Guild) -> None:
        """Try again what waits for this server."""
        await self._wake(lambda home: home.guild == guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Try again what a server has refused: the bot may have that role."""
        await self.server_is_there(after.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """The same where the bot is given a role, or its timeout ends."""
        if after.id == after.guild.me.id:
            await self.server_is_there(after.guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Try again what waits for this channel."""
        await self._wake(lambda home: after.id in home.places)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Try again what waits for this thread, which may be unlocked or out of the archive."""
        await self._wake(lambda home: payload.thread_id in home.places)

    async def _wake(self, concerns: Callable[[Home], bool]) -> None:
        """Try again those that wait there, unless the bot knows that it still may not post."""
        self._wakes += 1
        time_slice = TimeSlice()
        for table_id, later in list(self._later.items()):
            if concerns(later.home) and self._delivery.may_post(later.home):
                self.changed(table_id)
            await time_slice.take()

    def changed(self, table_id: int) -> None:
        """The table's outbox may have items; its delivery sends them soon."""
        if self._context is None:
            return
        self._changed.add(table_id)
        later = self._later.pop(table_id, None)
        if later is not None:
            later.timer.cancel()
        if table_id not in self._going:
            self._waiting[table_id] = None
            self._begin()

    def _begin(self) -> None:
        """Begins with those that wait, the first first, as far as there is room."""
        while self._waiting and len(self._going) < AT_ONCE and self._context is not None:
            table_id, _ = self._waiting.popitem(last=False)
            self._going[table_id] = self._context.copy().run(
                asyncio.create_task, self._deliver(table_id)
            )

    async def quiet(self, table_id: int) -> None:
        """Waits until the table's outbox is empty, nothing of it is being sent, and no edit is
        due."""
        # A database tells nobody when it changes.
        while await self._tables.outbox.items(table_id) or self._is_busy(table_id):  # noqa: ASYNC110
            await asyncio.sleep(POLL_S)

    def _is_busy(self, table_id: int) -> bool:
        """Whether something is being sent to the table, or is to be tried again."""
        return any(table_id in some for some in (self._waiting, self._going, self._later))

    async def _deliver(self, table_id: int) -> None:
        again: float | None = None
        home = UNKNOWN
        try:
            while table_id in self._changed:
                self._changed.discard(table_id)
                wakes = self._wakes
                again = await self._try(table_id)
                if again is not None and wakes != self._wakes:
                    self._changed.add(table_id)
                elif again is not None:
                    with suppress(TableError):
                        home = home_of(await self._tables.reader.get(table_id))
        finally:
            del self._going[table_id]
            self._begin()
        if again is not None and self._context is not None:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(again, self.changed, table_id, context=self._context)
            self._later[table_id] = _Later(timer, home)

    async def _try(self, table_id: int) -> float | None:
        try:
            if self._context is None:
                return None
            again = await self._delivery.deliver(table_id)
        except NotOurs:
            # Its items stay in the outbox, for whoever it belongs to now.
            again = None
        except UnknownTable:
            # It has been deleted, with its outbox.
            self._delivery.forget(table_id)
            again = None
        except (discord.HTTPException, aiohttp.ClientError, OSError, TableError) as error:
            return self._wait(table_id, error)
        except Exception as error:
            # A fault in a table's picture or words must not silence the table for ever.
            log.exception("table=%s not posted", table_id)
            return self._wait(table_id, error)
        self._failures.pop(table_id, None)
        return again

    def _wait(self, table_id: int, error: Exception) -> float:
        failures = self._failures[table_id] = self._failures.get(table_id, 0) + 1
        wait: float = min(FIRST_RETRY * 2.0 ** (failures - 1), LAST_RETRY)
        # That the database is away has been logged once for all tables.
        level = logging.DEBUG if isinstance(error, StoreUnavailable) else logging.WARNING
        name = type(error).__name__
        log.log(level, "table=%s not posted, again in %.0f s: %s", table_id, wait, name)
        return wait
