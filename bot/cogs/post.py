"""Sends the outboxes of tables: after a press has been answered, each table independently.

The post comes first; what follows it are jobs of their own (`work_queue`), each of which fails
alone. An item stays in the outbox until it is acknowledged. Each message is numbered before it is
sent (`bot.tables.core.outbox`), so that one sent just before a crash is found after it, and not
sent a second time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial

import discord
from discord.ext import commands

from bot.cogs.dialogues.lobby import LobbyDialogue
from bot.cogs.dialogues.votes import VoteDialogue
from bot.cogs.posting.context import PostingContext
from bot.cogs.posting.game_over import end_unread, post_game
from bot.cogs.posting.notifications import Notifier, next_up, tell_next
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.posting.private_messages import PrivateMessages
from bot.cogs.posting.table_posts import post_lobby, post_votes, warn_idle
from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.posting.work_queue import Job, JobKind, WorkQueue
from bot.cogs.ui import Home, Places, Services, TableView, home_of
from bot.cogs.ui.services import is_expected
from bot.game.contract import SPECTATOR
from bot.tables import OutboxItem, OutboxKind, Rejected, Table, UnknownTable
from bot.text import Words
from bot.workers import TimeSlice

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

WHOLE_OUTBOX = Job(0, JobKind.OUTBOX)
"""Looks which tables have anything to be sent."""

JOBS: Mapping[OutboxKind, JobKind] = {
    OutboxKind.LOBBY: JobKind.LOBBY,
    OutboxKind.EXPIRED: JobKind.LOBBY,
    OutboxKind.BOARD: JobKind.POST,
    OutboxKind.END: JobKind.POST,
    OutboxKind.HAND: JobKind.PRIVATE,
    OutboxKind.PRIVATE: JobKind.PRIVATE,
    OutboxKind.ORDER: JobKind.PRIVATE,
    OutboxKind.PLAN: JobKind.PRIVATE,
    OutboxKind.ANSWERED: JobKind.OFFERS,
    OutboxKind.NOTIFY: JobKind.CALLS,
    OutboxKind.RING: JobKind.CALLS,
    OutboxKind.IDLE: JobKind.ALERTS,
    OutboxKind.VOTE: JobKind.VOTES,
    OutboxKind.STORY: JobKind.STORY,
    OutboxKind.FILM: JobKind.STORY,
}
"""The job that sends each kind of item."""


def job_of(item: OutboxItem) -> Job:
    """The job that sends an item; what rings people in a lobby is its message."""
    kind = JOBS[item.kind]
    if item.kind is OutboxKind.RING and item.seq < 0:
        kind = JobKind.LOBBY
    return Job(item.table, kind, item.seat if kind is JobKind.PRIVATE else None)


class PostCog(commands.Cog, name="post"):
    """Keeps one delivery going for each table that has changed, and jobs of their own for all that
    follows its posts.

    Changes made during a table's delivery are sent together by the next one.
    """

    def __init__(
        self,
        services: Services,
        places: Places,
        client: discord.Client,
        following: PanelFollowing,
        options: LobbyDialogue,
        votes: VoteDialogue,
        pause: float,
    ) -> None:
        self._services = services
        self._tables = services.tables
        self._client = client
        self._following = following
        self._posts = WorkQueue(self._post, self._home, AT_ONCE)
        self._beside = WorkQueue(self.work, self._home, BESIDE_AT_ONCE)
        self._queues = (self._posts, self._beside)
        posting = self._posting = PostingContext(services, places)
        self._notifier = Notifier(posting)
        self._turns = TurnPosts(posting, self._notifier, pause, self.changed)
        self._private_messages = PrivateMessages(posting)
        self._at_table: dict[
            JobKind, Callable[[Words, Table, Sequence[OutboxItem]], Awaitable[None]]
        ] = {
            JobKind.LOBBY: partial(post_lobby, posting, options),
            JobKind.VOTES: partial(post_votes, posting, votes),
        }
        """How each job is done that needs no game."""
        self._in_game: dict[
            JobKind, Callable[[TableView, Sequence[OutboxItem]], Awaitable[None]]
        ] = {
            JobKind.PRIVATE: self._private_messages.deliver,
            JobKind.OFFERS: self._close_offers,
            JobKind.CALLS: self._notifier.deliver,
            JobKind.NEXT: partial(tell_next, posting),
            JobKind.ALERTS: partial(warn_idle, posting),
            JobKind.STORY: partial(post_game, posting),
        }
        places.on_sent, places.on_refused = self._succeeded, self._refused
        self._subscriptions: Sequence[Callable[[], None]] = ()

    async def cog_load(self) -> None:
        """Subscribe to the tables."""
        for queue in self._queues:
            queue.open()
        self._subscriptions = (
            self._tables.subscribe(self.changed),
            self._tables.before_commit(self._turns.draw_ahead),
        )

    async def cog_unload(self) -> None:
        """Waits for posts in progress and what follows them; what they do not send in time stays in
        the outbox."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        loop = asyncio.get_running_loop()
        latest = loop.time() + FAREWELL
        for queue in self._queues:
            await queue.close(max(0.0, latest - loop.time()))
        # What they have begun to tidy up ends after them.
        await self._posting.close(FAREWELL)

    @commands.Cog.listener()
    @commands.Cog.listener("on_shard_ready")
    async def on_ready(self, _shard: int | None = None) -> None:
        """Sends what has waited since the bot stopped, since Discord could not be reached, or until
        a shard's servers are known; of several shards the outbox is read once."""
        self._beside.add(WHOLE_OUTBOX)

    async def _read(self) -> None:
        time_slice = TimeSlice()
        for item in await self._tables.outbox.items():
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
            await queue.wake(lambda home: concerns(home) and self._posting.places.may_post(home))

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
        return is_queued or self._posting.is_tidying(table_id)

    def _forget(self, table_id: int) -> None:
        """Nothing more is posted there: the table is over, or deleted."""
        self._turns.forget(table_id)
        self._private_messages.forget(table_id)

    async def _home(self, job: Job) -> Home:
        return home_of(await self._tables.reader.get(job.table))

    async def _post(self, job: Job) -> float | None:
        try:
            return await self.deliver(job.table)
        except UnknownTable:
            # It has been deleted, with its outbox.
            self._forget(job.table)
            return None

    async def _refused(self, table_id: int) -> None:
        """The table's clocks stand still until another post gets through."""
        self._turns.forget(table_id)
        await self._tables.outages.begin(table_id)

    async def deliver(self, table_id: int) -> float | None:
        """Posts what can be posted, and begins the jobs that follow. Returns in how many seconds to
        try again, or None.

        Raises NotOurs where it is for another process to send, Closed where the table cannot be
        written to.
        """
        table = await self._tables.reader.get(table_id)
        guild, is_new = table.guild, table.panel_message is None
        if guild is not None and is_new and is_expected(self._client, guild):
            # Where it can have a thread is not known yet; it begins to be posted once that is.
            return None
        again: float | None = 0.0
        with self._tables.on_behalf(table):
            try:
                again = await self._work(table, Job(table_id, JobKind.POST))
            finally:
                after = await self._tables.reader.get(table_id)
                for job in _following(after, await self._tables.outbox.items(table_id), again):
                    self._begin(job)
        if table.is_over:
            self._forget(table_id)
        return again

    async def work(self, job: Job) -> None:
        """Does one of the jobs that follow. Raises what `deliver` does."""
        if job == WHOLE_OUTBOX:
            await self._read()
        else:
            await self._work(await self._tables.reader.get(job.table), job)

    async def _work(self, table: Table, job: Job) -> float | None:
        with self._tables.on_behalf(table):
            words = await self._services.server_words(self._client, table)
            if job.kind in self._at_table:
                items = await self._tables.outbox.items(table.id)
                # What they tell of may have changed the table just before.
                table = await self._tables.reader.get(table.id)
                mine = [row for row in items if job_of(row) == job]
                await self._at_table[job.kind](words, table, mine)
                return None
            found = await self._found(table.id, words)
            if found is None:
                is_post = job.kind is JobKind.POST and table.is_over
                if is_post and await self._tables.reader.problem(table.id) is not None:
                    await end_unread(self._posting, words, table)
                return None
            table_view, items = found
            if job.kind is JobKind.POST:
                return await self._post_turns(table_view, items)
            # Whoever calls people goes by whether a post will ring them.
            mine = [row for row in items if job_of(row) == job or job.kind is JobKind.CALLS]
            if mine or job.kind is JobKind.NEXT:
                await self._in_game[job.kind](table_view, mine)
            return None

    async def _found(
        self, table_id: int, words: Words
    ) -> tuple[TableView, list[OutboxItem]] | None:
        """The table as all may see it, and what is to be sent; None where there is no game that can
        be read. What was queued after the snapshot is for the next delivery."""
        while True:
            try:
                table_view = await self._services.table_view(table_id, SPECTATOR, words)
            except Rejected:
                if await self._tables.reader.seq(table_id) < 0:
                    return None
                raise
            items = await self._tables.outbox.items(table_id)
            # Not every item has a log entry: it may tell of a table that has changed meanwhile.
            if await self._tables.reader.is_current(table_view):
                return table_view, [row for row in items if row.seq <= table_view.seq]

    async def _post_turns(self, table_view: TableView, items: Sequence[OutboxItem]) -> float | None:
        """Posts a turn, or the end, or edits the newest post; panels follow it."""
        table, before = table_view.table, self._turns.newest(table_view.table.id)
        events = await self._tables.reader.visible_events_since(table_view, table.posted_seq)
        turns = [row for row in items if JOBS[row.kind] is JobKind.POST]
        turns = [row for row in turns if row.kind is not OutboxKind.END or table.is_over]
        if turns and not await self._turns.goes_on(table_view, events):
            again = self._turns.retry_after(table_view)
            if again is None:
                again = await self._turns.post(table_view, turns, events)
                # The post may have made the table's thread, or moved it elsewhere.
                table_view = await self._services.refreshed(table_view)
        else:
            again = await self._turns.progress(table_view, events, anew=bool(turns))
            posted = self._turns.newest(table.id)
            if turns and (not events or (posted is not None and posted.shown >= table_view.seq)):
                notified = await self._notifier.to_notify(table_view)
                await self._tables.outbox.acknowledge(turns, table_id=table.id, notified=notified)
        if await next_up(self._posting, table_view) is not None:
            self._begin(Job(table.id, JobKind.NEXT))
        posted = self._turns.newest(table.id)
        post = None if posted is None or posted is before else (posted.place, posted.message)
        self._posting.tidy(table.id, self._following.follow, table_view, post)
        if table.is_over:
            self._posting.tidy(table.id, self._private_messages.end, table_view)
        return again

    async def _close_offers(self, table_view: TableView, items: Sequence[OutboxItem]) -> None:
        await self._private_messages.close_offers(table_view, items)
        # Private messages have waited, as each removes the buttons of the one before it.
        for job in _following(
            table_view.table, await self._tables.outbox.items(table_view.table.id), None
        ):
            if job.kind is JobKind.PRIVATE:
                self._begin(job)


def _following(table: Table, items: Sequence[OutboxItem], again: float | None) -> Iterator[Job]:
    """What is to be sent beside the posts, which are to be tried again in so many seconds."""
    if again and table.posted_seq < 0:
        # The first post waits for computer players, and may then call whoever is on turn.
        return
    kinds = {row.kind for row in items}
    is_posted = kinds.isdisjoint((OutboxKind.BOARD, OutboxKind.END))
    owners = {None, *(player.seat for player in table.owners)}
    for job in dict.fromkeys(map(job_of, items)):
        match job.kind:
            case JobKind.POST:
                # A post rings people too; those who want direct messages need not wait for it.
                yield Job(table.id, JobKind.CALLS)
            case JobKind.LOBBY if again is None and OutboxKind.END in kinds:
                # It shows the way to the last post, which may have been queued only now.
                pass
            case JobKind.STORY if not is_posted:
                pass
            case JobKind.PRIVATE if OutboxKind.ANSWERED in kinds:
                # They begin once the offers are closed.
                pass
            case _:
                if job.seat in owners:
                    yield job
