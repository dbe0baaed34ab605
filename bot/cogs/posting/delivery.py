"""Sends what is in a table's outbox: its turns and its end, and with other modules all the rest.

The post comes first; what follows it are jobs of their own (`work_queue`), each of which fails
alone. An item stays in the outbox until it is acknowledged. Each message is numbered before it is
sent (`bot.tables.core.message_numbers`), so that one sent just before a crash is found after it,
and not sent a second time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence

import discord

from bot.cogs.flows.lobby_options import LobbyOptions
from bot.cogs.flows.votes import Votes
from bot.cogs.posting import alerts, lobby_posts, private_messages
from bot.cogs.posting.alerts import Alerts
from bot.cogs.posting.cosmetic import Cosmetics
from bot.cogs.posting.game_over import GameOverPosts
from bot.cogs.posting.lobby_posts import LobbyPosts
from bot.cogs.posting.next_up import NextUp
from bot.cogs.posting.notifications import Notifier
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.posting.private_messages import PrivateMessages
from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.posting.vote_posts import VotePosts
from bot.cogs.posting.work_queue import Job, JobKind
from bot.cogs.ui.channels import Home, Places
from bot.cogs.ui.servers_here import is_awaited
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import SPECTATOR, Event
from bot.tables import OutboxItem, OutboxKind, Table
from bot.tables.core.cache import LoadedTable
from bot.text.words import Words

log = logging.getLogger(__name__)

TURNS = (OutboxKind.BOARD, OutboxKind.END)


class Delivery:
    """Delivers for one table at a time; the caller ensures that no job is done twice at once."""

    def __init__(
        self,
        services: Services,
        places: Places,
        client: discord.Client,
        following: PanelFollowing,
        options: LobbyOptions,
        votes: Votes,
        pause: float,
    ) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._client = client
        self._following = following
        self._cosmetics = Cosmetics()
        self._lobby = LobbyPosts(services, places, options, self._cosmetics)
        self._private_messages = PrivateMessages(services, places, self._cosmetics)
        self._closing = GameOverPosts(services, places, self._cosmetics)
        self._notifier = Notifier(services, places, self._cosmetics)
        self._turns = TurnPosts(
            services,
            places,
            self._notifier,
            self._closing,
            self._cosmetics,
            pause,
            lambda table_id: self._begin(Job(table_id, JobKind.POST)),
        )
        self._next_up = NextUp(services, places)
        self._alerts = Alerts(services, places)
        self._votes = VotePosts(services, places, votes)
        self._begin: Callable[[Job], None] = lambda job: None
        places.on_refused = self._refused

    def connect(self, begin: Callable[[Job], None], succeeded: Callable[[], None]) -> None:
        """`begin` has a job done soon; `succeeded` is told that a message has got through."""
        self._begin = begin
        self._places.on_sent = succeeded

    async def close(self, farewell_s: float) -> None:
        """Wait at most that long for what is being tidied up."""
        await self._cosmetics.close(farewell_s)

    def is_tidying(self, table_id: int) -> bool:
        """Whether messages of the table are being tidied up."""
        return self._cosmetics.are_going(table_id)

    async def deliver(self, table_id: int) -> float | None:
        """Posts what can be posted, and begins the jobs that follow. Returns in how many seconds to
        try again, or None.

        Raises NotOurs where it is for another process to send, Closed where the table cannot be
        written to.
        """
        table = await self._tables.reader.get(table_id)
        guild, is_new = table.guild, table.panel_message is None
        if guild is not None and is_new and is_awaited(self._client, guild):
            # Where it can have a thread is not known yet; it begins to be posted once that is.
            return None
        with self._tables.on_behalf(table):
            again: float | None = 0.0
            try:
                again = await self._post(table)
            finally:
                for job in self._jobs(
                    await self._tables.reader.get(table_id),
                    await self._tables.outbox.items(table_id),
                    again,
                ):
                    self._begin(job)
        if table.is_over:
            self.forget(table_id)
        return again

    def forget(self, table_id: int) -> None:
        """Nothing more is posted there: the table is over, or deleted."""
        self._turns.forget(table_id)
        self._private_messages.forget(table_id)

    async def _refused(self, table_id: int) -> None:
        """The table's clocks stand still until another post gets through."""
        self._turns.forget(table_id)
        await self._tables.outages.begin(table_id)

    async def _post(self, table: Table) -> float | None:
        words = await self._services.house(self._client, table)
        if await self._tables.reader.seq(table.id) >= 0:
            return await self._played(*await self._unposted(table.id, words))
        if table.is_over and await self._tables.reader.problem(table.id) is not None:
            await self._closing.unread(words, table)
        return None

    def _jobs(
        self, table: Table, outbox_items: Sequence[OutboxItem], again: float | None
    ) -> Iterator[Job]:
        """What is to be sent beside the posts, which are to be tried again in so many seconds."""
        if again and table.posted_seq < 0:
            # The first post waits for computer players, and may then call whoever is on turn.
            return
        kinds = {row.kind for row in outbox_items}
        # It shows the way to the last post, which may have been queued only now.
        in_lobby = any(map(lobby_posts.is_theirs, outbox_items))
        if in_lobby and not (again is None and OutboxKind.END in kinds):
            yield Job(table.id, JobKind.LOBBY)
        seats = {row.seat for row in outbox_items if row.kind in private_messages.KINDS}
        for player in table.owners:
            if player.seat in seats:
                yield Job(table.id, JobKind.PRIVATE, player.seat)
        if OutboxKind.ANSWERED in kinds:
            yield Job(table.id, JobKind.OFFERS)
        if kinds.intersection((*TURNS, OutboxKind.NOTIFY, OutboxKind.RING)):
            yield Job(table.id, JobKind.CALLS)
        if kinds.intersection(alerts.KINDS):
            yield Job(table.id, JobKind.ALERTS)
        if OutboxKind.VOTE in kinds:
            yield Job(table.id, JobKind.VOTES)
        closing = kinds.intersection((OutboxKind.STORY, OutboxKind.FILM))
        if closing and not kinds.intersection(TURNS):
            yield Job(table.id, JobKind.STORY)

    async def work(self, job: Job) -> float | None:
        """Does one of the jobs that follow. Raises what `deliver` does."""
        table = await self._tables.reader.get(job.table)
        with self._tables.on_behalf(table):
            words = await self._services.house(self._client, table)
            if job.kind is JobKind.VOTES:
                items = await self._tables.outbox.items(table.id)
                asking = [row for row in items if row.kind is OutboxKind.VOTE]
                await self._votes.deliver(words, table, asking)
            elif job.kind is JobKind.LOBBY:
                items = await self._tables.outbox.items(table.id)
                await self._lobby.deliver(
                    words,
                    await self._tables.reader.get(table.id),
                    [row for row in items if lobby_posts.is_theirs(row)],
                )
            elif await self._tables.reader.seq(table.id) >= 0:
                snapshot, _events, rows = await self._unposted(table.id, words)
                await self._follow(job, snapshot, rows)
        return None

    async def _follow(self, job: Job, snapshot: Snapshot, rows: Sequence[OutboxItem]) -> None:
        match job.kind:
            case JobKind.PRIVATE if job.seat is not None:
                await self._private_messages.deliver(snapshot, rows, job.seat)
            case JobKind.OFFERS:
                await self._private_messages.close_offers(snapshot, rows)
                await self._following.answered(snapshot)
            case JobKind.CALLS:
                await self._notifier.deliver(snapshot, rows)
            case JobKind.NEXT:
                await self._next_up.deliver(snapshot)
            case JobKind.ALERTS:
                await self._alerts.deliver(snapshot, rows)
            case JobKind.STORY:
                await self._closing.deliver(snapshot, rows)

    def draw_ahead(self, after: LoadedTable) -> str | None:
        """Begin what a delivery will show of a table that is just being stored; returns the kind of
        the message that will be sent at once, or None."""
        return self._turns.draw_ahead(after)

    def may_post(self, home: Home) -> bool:
        """Whether the bot may write there, as far as it knows."""
        return self._places.may_post(home)

    async def _unposted(
        self, table_id: int, words: Words
    ) -> tuple[Snapshot, list[Event], list[OutboxItem]]:
        """The table as all may see it, what happened since it was last posted, and what is to be
        sent; what was queued after the snapshot is for the next delivery."""
        while True:
            snapshot = await self._services.snapshot(table_id, SPECTATOR, words)
            since = snapshot.table.posted_seq
            events = await self._tables.reader.events_since(table_id, since, SPECTATOR)
            outbox_items = await self._tables.outbox.items(table_id)
            # Not every item has a log entry: it may tell of a table that has changed meanwhile.
            is_same = await self._tables.reader.get(table_id) == snapshot.table
            if is_same and await self._tables.reader.seq(table_id) == snapshot.seq:
                rows = [row for row in outbox_items if row.seq <= snapshot.seq]
                return snapshot, events, rows

    async def _played(
        self, snapshot: Snapshot, events: Sequence[Event], rows: Sequence[OutboxItem]
    ) -> float | None:
        table_id, is_over = snapshot.table.id, snapshot.table.is_over
        turns = [row for row in rows if row.kind in TURNS]
        turns = [row for row in turns if row.kind is not OutboxKind.END or is_over]
        before = self._turns.newest(table_id)
        if turns and not await self._turns.goes_on(snapshot, events):
            again = self._turns.retry_after(snapshot)
            if again is None:
                again = await self._turns.post(snapshot, turns, events)
                # The post may have made the table's thread, or moved it elsewhere.
                snapshot = await self._services.renewed(snapshot)
        else:
            again = await self._turns.progress(snapshot, events, anew=bool(turns))
            posted = self._turns.newest(table_id)
            if turns and (not events or (posted is not None and posted.shown >= snapshot.seq)):
                notified = await self._notifier.to_notify(snapshot)
                await self._tables.outbox.acknowledge(turns, table_id=table_id, notified=notified)
        if await self._next_up.due(snapshot) is not None:
            self._begin(Job(table_id, JobKind.NEXT))
        posted = self._turns.newest(table_id)
        if posted is not None and posted is not before:
            place, message = posted.place, posted.message
            self._cosmetics.begin(
                table_id, lambda: self._following.posted(snapshot, place, message)
            )
        else:
            self._cosmetics.begin(table_id, lambda: self._following.answered(snapshot))
        if is_over:
            self._cosmetics.begin(table_id, lambda: self._private_messages.end(snapshot))
        return again
