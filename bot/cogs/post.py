"""Sends the outboxes of tables: after a press has been answered, each table independently."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

import discord
from discord.ext import commands

from bot.cogs.posting.delivery import Delivery
from bot.cogs.posting.work_queue import FIRST_RETRY, Job, JobKind, WorkQueue
from bot.cogs.ui.channels import Home, home_of
from bot.tables import Rejected, Tables, UnknownTable
from bot.workers import TimeSlice

log = logging.getLogger(__name__)

AT_ONCE = 32
"""Tables that are posted to at once. A start may find a hundred thousand with items in their
outbox: a task for each, or the pictures of all, would be held in memory until Discord takes them.
"""
BESIDE_AT_ONCE = 128
"""Other jobs at once, which are smaller, and of which one may wait for one person's inbox."""
FAREWELL = 3.0
"""Seconds that posts in progress, and what follows them, have to finish when the bot stops."""
POLL_S = 0.005
"""Seconds between checks of an outbox, for those who wait until it is empty."""


class PostCog(commands.Cog, name="post"):
    """Keeps one delivery going for each table that has changed, and jobs of their own for all that
    follows its posts.

    Changes made during a table's delivery are sent together by the next one.
    """

    def __init__(self, tables: Tables, delivery: Delivery) -> None:
        self._tables = tables
        self._delivery = delivery
        self._posts = WorkQueue(self._post, self._home, AT_ONCE)
        self._beside = WorkQueue(delivery.work, self._home, BESIDE_AT_ONCE)
        self._queues = (self._posts, self._beside)
        self._is_reading = self._is_unread = self._is_loaded = False
        self._subscriptions: Sequence[Callable[[], None]] = ()

    async def cog_load(self) -> None:
        """Subscribe to the tables."""
        self._is_loaded = True
        for queue in self._queues:
            queue.open()
        self._delivery.connect(self._begin, self._succeeded)
        self._subscriptions = (
            self._tables.subscribe(self.changed),
            self._tables.before_commit(self._delivery.draw_ahead),
        )

    async def cog_unload(self) -> None:
        """Waits for posts in progress and what follows them; what they do not send in time stays in
        the outbox."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        self._is_loaded = False
        loop = asyncio.get_running_loop()
        latest = loop.time() + FAREWELL
        for queue in self._queues:
            await queue.close(max(0.0, latest - loop.time()))
        # What they have begun to tidy up ends after them.
        await self._delivery.close(FAREWELL)

    @commands.Cog.listener()
    @commands.Cog.listener("on_shard_ready")
    async def on_ready(self, _shard: int | None = None) -> None:
        """Sends what has waited since the bot stopped, since Discord could not be reached, or until
        a shard's servers are known; of several shards the outbox is read once."""
        self._is_unread = True
        if self._is_reading:
            return
        self._is_reading = True
        try:
            while self._is_unread and self._is_loaded:
                self._is_unread = False
                await self._read()
        finally:
            self._is_reading = False

    async def _read(self) -> None:
        try:
            items = await self._tables.outbox.items()
        except Rejected as error:
            log.debug("the outbox cannot be read: %s", type(error).__name__)
            await asyncio.sleep(FIRST_RETRY)
            self._is_unread = True
            return
        time_slice = TimeSlice()
        for item in items:
            jobs = Job(item.table, JobKind.POST), Job(item.table, JobKind.LOBBY)
            if not (self._posts.is_late(jobs[0]) or self._beside.is_late(jobs[1])):
                self.changed(item.table)
            await time_slice.take()
        await self.on_resumed()

    # What could not be sent, or was refused, may be allowed from now on

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Try again what could not be sent while the connection was broken."""
        await self._wake(lambda _home: True)

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
        for queue in self._queues:
            await queue.wake(lambda home: concerns(home) and self._delivery.may_post(home))

    def _succeeded(self) -> None:
        for queue in self._queues:
            queue.succeeded()

    def changed(self, table_id: int) -> None:
        """The table's outbox may have items; its delivery sends them soon."""
        self._posts.add(Job(table_id, JobKind.POST))

    def _begin(self, job: Job) -> None:
        (self._posts if job.kind is JobKind.POST else self._beside).add(job)

    async def quiet(self, table_id: int) -> None:
        """Waits until the table's outbox is empty, nothing of it is being sent, and no edit is
        due."""
        # A database tells nobody when it changes.
        while await self._tables.outbox.items(table_id) or self._is_busy(table_id):  # noqa: ASYNC110
            await asyncio.sleep(POLL_S)

    async def still(self) -> None:
        """Waits until nothing is being sent, though something may be tried again."""
        # What follows a post begins when that has ended.
        for queue in 2 * self._queues:
            await queue.ended()

    def _is_busy(self, table_id: int) -> bool:
        """Whether something is being sent to the table, or is to be tried again."""
        is_queued = any(queue.is_busy(table_id) for queue in self._queues)
        return is_queued or self._delivery.is_tidying(table_id)

    async def _post(self, job: Job) -> float | None:
        try:
            return await self._delivery.deliver(job.table)
        except UnknownTable:
            # It has been deleted, with its outbox.
            self._delivery.forget(job.table)
            return None

    async def _home(self, job: Job) -> Home:
        return home_of(await self._tables.reader.get(job.table))
