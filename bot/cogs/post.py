"""Delivery of the tables' outboxes, independent of each other and of replies to users.

The table's post comes first. Separate jobs (`work_queue`) send the rest, and a failing job does not
affect others. An item stays in the outbox until it is acknowledged. Each message gets a number
before it is sent (`bot.tables.core.outbox`), so a message sent just before a crash is found again
instead of being sent twice.
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
from bot.cogs.posting.notifications import Notifier, next_up, notify_next
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.posting.private_messages import PrivateMessages
from bot.cogs.posting.table_posts import post_lobby, post_votes, warn_idle
from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.posting.webhooks import send_webhook
from bot.cogs.posting.whispers import post_whispers
from bot.cogs.posting.work_queue import Job, JobKind, WorkQueue
from bot.cogs.ui import Home, MessageSender, Services, TableView, home_of
from bot.cogs.ui.services import is_expected
from bot.game.contract import SPECTATOR
from bot.tables import OutboxItem, OutboxKind, Rejected, Table, UnknownTable
from bot.text import Words
from bot.workers import TimeSlice

MAX_POSTS = 32
"""Maximum concurrent posts. At startup a hundred thousand tables may have outbox items; tasks and
pictures for all of them would not fit into memory."""
MAX_OTHER_JOBS = 128
"""Maximum concurrent other jobs. They are smaller, and some wait for one user's rate limit."""
MAX_WEBHOOKS = 2
"""Maximum concurrent requests to other addresses than Discord's. Their slow name servers may hold
threads that others need, for longer than a request."""
SHUTDOWN_S = 3.0
"""Seconds that jobs in progress have to finish when the bot stops."""
POLL_S = 0.005
"""Seconds between checks for an empty outbox."""

READ_OUTBOX = Job(0, JobKind.OUTBOX)
"""Finds the tables with items to send."""

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
    OutboxKind.NOTIFY: JobKind.NOTIFY,
    OutboxKind.PING: JobKind.NOTIFY,
    OutboxKind.IDLE: JobKind.ALERTS,
    OutboxKind.VOTE: JobKind.VOTES,
    OutboxKind.STORY: JobKind.STORY,
    OutboxKind.FILM: JobKind.STORY,
    OutboxKind.WHISPER: JobKind.WHISPERS,
    OutboxKind.TALK: JobKind.WHISPERS,
    OutboxKind.WEBHOOK: JobKind.WEBHOOK,
}
"""The job that sends each kind of item."""


def job_of(item: OutboxItem) -> Job:
    """Return the job that sends an item; pings in a lobby are sent with the lobby's message."""
    kind = JOBS[item.kind]
    if item.kind is OutboxKind.PING and item.seq < 0:
        kind = JobKind.LOBBY
    return Job(item.table, kind, item.seat if kind is JobKind.PRIVATE else None)


class PostCog(commands.Cog, name="post"):
    """Deliveries, one for each changed table, and separate jobs for all but its posts.

    Changes during a delivery are sent together by the next one.
    """

    def __init__(
        self,
        services: Services,
        sender: MessageSender,
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
        self._posts = WorkQueue(self._post, self._home, MAX_POSTS)
        self._others = WorkQueue(self.work, self._home, MAX_OTHER_JOBS)
        # A press may be secret: a receiver that refuses its posts must not notice it by a retry.
        self._webhooks = WorkQueue(self.work, self._home, MAX_WEBHOOKS, is_patient=True)
        self._queues = (self._posts, self._others)
        self._all_queues = (*self._queues, self._webhooks)
        posting = self._posting = PostingContext(services, sender)
        self._notifier = Notifier(posting)
        self._turns = TurnPosts(posting, self._notifier, pause, self.changed)
        self._private_messages = PrivateMessages(posting)
        self._at_table: dict[
            JobKind, Callable[[Words, Table, Sequence[OutboxItem]], Awaitable[None]]
        ] = {
            JobKind.LOBBY: partial(post_lobby, posting, options),
            JobKind.VOTES: partial(post_votes, posting, votes),
            JobKind.WHISPERS: partial(post_whispers, posting),
        }
        """Handlers of the jobs that need no game."""
        self._in_game: dict[
            JobKind, Callable[[TableView, Sequence[OutboxItem]], Awaitable[None]]
        ] = {
            JobKind.PRIVATE: self._private_messages.deliver,
            JobKind.OFFERS: self._close_offers,
            JobKind.NOTIFY: self._notifier.deliver,
            JobKind.NEXT: partial(notify_next, posting),
            JobKind.ALERTS: partial(warn_idle, posting),
            JobKind.STORY: partial(post_game, posting),
            JobKind.WEBHOOK: partial(send_webhook, posting),
        }
        sender.on_sent, sender.on_refused = self._succeeded, self._refused
        self._subscriptions: Sequence[Callable[[], None]] = ()

    async def cog_load(self) -> None:
        """Subscribe to changes of tables."""
        for queue in self._all_queues:
            queue.open()
        self._tables.whispers.on_queued = self._queue_whispers
        self._subscriptions = (
            self._tables.subscribe(self.changed),
            self._tables.before_commit(self._turns.draw_ahead),
        )

    async def cog_unload(self) -> None:
        """Wait for jobs in progress; items that they do not send in time stay in the outbox."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        loop = asyncio.get_running_loop()
        latest = loop.time() + SHUTDOWN_S
        for queue in self._all_queues:
            await queue.close(max(0.0, latest - loop.time()))
        # Their clean-up tasks end after the jobs.
        await self._posting.close(SHUTDOWN_S)

    @commands.Cog.listener()
    @commands.Cog.listener("on_shard_ready")
    async def on_ready(self, _shard: int | None = None) -> None:
        """Send the items that waited for a start, a connection or a shard's servers.

        The outbox is read once, even if several shards are ready.
        """
        self._others.add(READ_OUTBOX)

    async def _queue_all(self) -> None:
        time_slice = TimeSlice()
        for item in await self._tables.outbox.items():
            jobs = Job(item.table, JobKind.POST), Job(item.table, JobKind.LOBBY)
            if not (self._posts.is_delayed(jobs[0]) or self._others.is_delayed(jobs[1])):
                self.changed(item.table)
            await time_slice.take()
        await self.on_resumed()

    # Retry items that could not be sent, or were refused, when that may have changed

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Retry what could not be sent while the connection was lost."""
        await self._wake(lambda _home: True)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def retry_server(self, guild: discord.Guild) -> None:
        """Retry the items of this server."""
        await self._wake(lambda home: home.guild == guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Retry the items of a server, as the bot may have that role."""
        await self.retry_server(after.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """Retry the items of a server in which the bot gets a role, or its timeout ends."""
        if after.id == after.guild.me.id:
            await self.retry_server(after.guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Retry the items of this channel."""
        await self._wake(lambda home: after.id in home.places)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry the items of this thread, as it may have been unlocked or unarchived."""
        await self._wake(lambda home: payload.thread_id in home.places)

    async def _wake(self, matches: Callable[[Home], bool]) -> None:
        """Retry the jobs of these places, unless the bot is known to lack permission there."""
        for queue in self._queues:
            await queue.wake(lambda home: matches(home) and self._posting.sender.may_post(home))

    def _succeeded(self) -> None:
        for queue in self._queues:
            queue.succeeded()

    def changed(self, table_id: int) -> None:
        """Queue a delivery for a table whose outbox may have items."""
        self._posts.add(Job(table_id, JobKind.POST))

    def _queue_job(self, job: Job) -> None:
        queues = {JobKind.POST: self._posts, JobKind.WEBHOOK: self._webhooks}
        queues.get(job.kind, self._others).add(job)

    def _queue_whispers(self, table_id: int) -> None:
        self._others.add(Job(table_id, JobKind.WHISPERS))

    async def quiet(self, table_id: int) -> None:
        """Wait until the table's outbox is empty, and no job or edit of it is pending."""
        # Poll, as nothing announces an empty outbox.
        while await self._tables.outbox.items(table_id) or self._is_busy(table_id):  # noqa: ASYNC110
            await asyncio.sleep(POLL_S)

    async def still(self) -> None:
        """Wait until no job is running; retries may still be scheduled."""
        # The jobs that follow a post start when it ends.
        for queue in 2 * self._all_queues:
            await queue.ended()

    def _is_busy(self, table_id: int) -> bool:
        is_queued = any(queue.is_busy(table_id) for queue in self._all_queues)
        return is_queued or self._posting.is_tidying(table_id)

    def _forget(self, table_id: int) -> None:
        """Forget the posts of a table that is over or deleted."""
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
        """Stop the table's clocks until a post is sent."""
        self._turns.forget(table_id)
        await self._tables.outages.begin(table_id)

    async def deliver(self, table_id: int) -> float | None:
        """Send the table's post and queue the jobs that follow it.

        Return the seconds until a retry, or None. Raise NotOurs if another process must send it,
        Closed if the bot may not write to the table.
        """
        table = await self._tables.reader.get(table_id)
        guild, is_new = table.guild, table.panel_message is None
        if guild is not None and is_new and is_expected(self._client, guild):
            # The first post needs to know the server's channels: wait until they are loaded.
            return None
        retry_s: float | None = 0.0
        with self._tables.on_behalf(table):
            try:
                retry_s = await self._work(table, Job(table_id, JobKind.POST))
            finally:
                after = await self._tables.reader.get(table_id)
                for job in _following(after, await self._tables.outbox.items(table_id), retry_s):
                    self._queue_job(job)
        if table.is_over:
            self._forget(table_id)
        return retry_s

    async def work(self, job: Job) -> None:
        """Run one of the other jobs. Raise the errors of `deliver`."""
        if job == READ_OUTBOX:
            await self._queue_all()
        else:
            await self._work(await self._tables.reader.get(job.table), job)

    async def _work(self, table: Table, job: Job) -> float | None:
        with self._tables.on_behalf(table):
            words = await self._services.server_words(self._client, table.guild)
            if job.kind in self._at_table:
                items = await self._tables.outbox.items(table.id)
                # Read the table again, as the changes behind the items may be newer.
                table = await self._tables.reader.get(table.id)
                job_items = [row for row in items if job_of(row) == job]
                await self._at_table[job.kind](words, table, job_items)
                return None
            delivery = await self._view_and_items(table.id, words)
            if delivery is None:
                is_post = job.kind is JobKind.POST and table.is_over
                if is_post and await self._tables.reader.problem(table.id) is not None:
                    await end_unread(self._posting, words, table)
                return None
            table_view, items = delivery
            if job.kind is JobKind.POST:
                return await self._post_turns(table_view, items)
            # Notifications get all items, as they depend on whether a post will ping.
            job_items = [row for row in items if job_of(row) == job or job.kind is JobKind.NOTIFY]
            if job_items or job.kind is JobKind.NEXT:
                await self._in_game[job.kind](table_view, job_items)
            return None

    async def _view_and_items(
        self, table_id: int, words: Words
    ) -> tuple[TableView, list[OutboxItem]] | None:
        """Return the table's public view and the items up to it; None without a readable game.

        Items queued after the view are left for the next delivery.
        """
        while True:
            try:
                table_view = await self._services.table_view(table_id, SPECTATOR, words)
            except Rejected:
                if await self._tables.reader.seq(table_id) < 0:
                    return None
                raise
            items = await self._tables.outbox.items(table_id)
            # Items without a log entry may already belong to a newer view.
            if await self._tables.reader.is_current(table_view):
                return table_view, [row for row in items if row.seq <= table_view.seq]

    async def _post_turns(self, table_view: TableView, items: Sequence[OutboxItem]) -> float | None:
        """Post a turn or the end, or edit the newest post; then update open panels."""
        table, before = table_view.table, self._turns.newest(table_view.table.id)
        events = await self._tables.reader.visible_events_since(table_view, table.posted_seq)
        turns = [row for row in items if JOBS[row.kind] is JobKind.POST]
        turns = [row for row in turns if row.kind is not OutboxKind.END or table.is_over]
        if turns and not await self._turns.is_current(table_view, events):
            retry_s = self._turns.retry_after(table_view)
            if retry_s is None:
                retry_s = await self._turns.post(table_view, turns, events)
                # The post may have changed the table's thread or channel.
                table_view = await self._services.refreshed(table_view)
        else:
            retry_s = await self._turns.progress(table_view, events, refresh=bool(turns))
            posted = self._turns.newest(table.id)
            if turns and (not events or (posted is not None and posted.shown >= table_view.seq)):
                notified = await self._notifier.to_notify(table_view)
                await self._tables.outbox.acknowledge(turns, table_id=table.id, notified=notified)
        if await next_up(self._posting, table_view) is not None:
            self._queue_job(Job(table.id, JobKind.NEXT))
        posted = self._turns.newest(table.id)
        post = None if posted is None or posted is before else (posted.place, posted.message)
        self._posting.tidy(table.id, self._following.follow, table_view, post)
        if table.is_over:
            self._posting.tidy(table.id, self._private_messages.end, table_view)
        return retry_s

    async def _close_offers(self, table_view: TableView, items: Sequence[OutboxItem]) -> None:
        await self._private_messages.close_offers(table_view, items)
        # Private messages waited for this, as each removes the previous one's buttons.
        for job in _following(
            table_view.table, await self._tables.outbox.items(table_view.table.id), None
        ):
            if job.kind is JobKind.PRIVATE:
                self._queue_job(job)


def _following(table: Table, items: Sequence[OutboxItem], retry_s: float | None) -> Iterator[Job]:
    """Yield the jobs to queue after a delivery that will be retried in `retry_s` seconds."""
    if retry_s and table.posted_seq < 0:
        # The first post waits for computer players, and then may ping the player to act.
        return
    kinds = {row.kind for row in items}
    is_posted = kinds.isdisjoint((OutboxKind.BOARD, OutboxKind.END))
    owners = {None, *(player.seat for player in table.owners)}
    for job in dict.fromkeys(map(job_of, items)):
        match job.kind:
            case JobKind.POST:
                # The post pings too, but direct messages need not wait for it.
                yield Job(table.id, JobKind.NOTIFY)
            case JobKind.LOBBY if retry_s is None and OutboxKind.END in kinds:
                # The lobby links to the last post, which may have been queued just now.
                pass
            case JobKind.STORY | JobKind.WEBHOOK if not is_posted:
                pass
            case JobKind.PRIVATE if OutboxKind.ANSWERED in kinds:
                # They start once the offers are closed.
                pass
            case _:
                if job.seat in owners:
                    yield job
