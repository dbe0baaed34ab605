"""Sends what is in a table's outbox: which job sends which kind of item, and in what order.

The post comes first; what follows it are jobs of their own (`work_queue`), each of which fails
alone. An item stays in the outbox until it is acknowledged. Each message is numbered before it is
sent (`bot.tables.core.outbox`), so that one sent just before a crash is found after it, and not
sent a second time.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial

import discord

from bot.cogs.flows.lobby_options import LobbyOptions
from bot.cogs.flows.votes import Votes, agree_id
from bot.cogs.posting.context import PostingContext
from bot.cogs.posting.game_over import end_unread, post_game
from bot.cogs.posting.lobby_posts import post_lobby
from bot.cogs.posting.notifications import Notifier, next_up, tell_next
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.posting.private_messages import PrivateMessages
from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.posting.work_queue import Job, JobKind, apart
from bot.cogs.ui import who
from bot.cogs.ui.channels import Home, NewMessage, Places
from bot.cogs.ui.layout import Layout, Text
from bot.cogs.ui.services import Services, is_awaited
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import SPECTATOR, Event
from bot.tables import OutboxItem, OutboxKind, Table
from bot.tables.core.cache import LoadedTable
from bot.tables.votes import ABOUT_SEAT, Proposal, Verdict
from bot.text import absence
from bot.text.words import Words

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
        self._client = client
        self._following = following
        posting = self._posting = PostingContext(services, places)
        self._notifier = notifier = Notifier(posting)
        self._turns = TurnPosts(
            posting, notifier, pause, lambda table_id: self._begin(Job(table_id, JobKind.POST))
        )
        self._private_messages = PrivateMessages(posting)
        self._at_table: dict[
            JobKind, Callable[[Words, Table, Sequence[OutboxItem]], Awaitable[None]]
        ] = {
            JobKind.LOBBY: partial(post_lobby, posting, options),
            JobKind.VOTES: partial(post_votes, posting, votes),
        }
        """How each job is done that needs no game."""
        self._in_game: dict[
            JobKind, Callable[[Snapshot, Sequence[OutboxItem]], Awaitable[None]]
        ] = {
            JobKind.PRIVATE: self._private_messages.deliver,
            JobKind.OFFERS: self._close_offers,
            JobKind.CALLS: notifier.deliver,
            JobKind.NEXT: partial(tell_next, posting),
            JobKind.ALERTS: partial(warn_idle, posting),
            JobKind.STORY: partial(post_game, posting),
        }
        self._begin: Callable[[Job], None] = lambda job: None
        places.on_refused = self._refused

    def connect(self, begin: Callable[[Job], None], succeeded: Callable[[], None]) -> None:
        """`begin` has a job done soon; `succeeded` is told that a message has got through."""
        self._begin = begin
        self._posting.places.on_sent = succeeded

    async def close(self, farewell_s: float) -> None:
        """Wait at most that long for what is being tidied up."""
        await self._posting.close(farewell_s)

    def is_tidying(self, table_id: int) -> bool:
        """Whether messages of the table are being tidied up."""
        return self._posting.is_tidying(table_id)

    def forget(self, table_id: int) -> None:
        """Nothing more is posted there: the table is over, or deleted."""
        self._turns.forget(table_id)
        self._private_messages.forget(table_id)

    def may_post(self, home: Home) -> bool:
        """Whether the bot may write there, as far as it knows."""
        return self._posting.places.may_post(home)

    def draw_ahead(self, after: LoadedTable) -> str | None:
        """Begin what a delivery will show of a table that is just being stored; returns the kind of
        the message that will be sent at once, or None."""
        return self._turns.draw_ahead(after)

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
        if guild is not None and is_new and is_awaited(self._client, guild):
            # Where it can have a thread is not known yet; it begins to be posted once that is.
            return None
        with self._tables.on_behalf(table):
            again: float | None = 0.0
            try:
                again = await self._post(table)
            finally:
                after = await self._tables.reader.get(table_id)
                for job in _following(after, await self._tables.outbox.items(table_id), again):
                    self._begin(job)
        if table.is_over:
            self.forget(table_id)
        return again

    async def work(self, job: Job) -> None:
        """Does one of the jobs that follow. Raises what `deliver` does."""
        table = await self._tables.reader.get(job.table)
        with self._tables.on_behalf(table):
            words = await self._services.house(self._client, table)
            if job.kind in self._at_table:
                items = await self._tables.outbox.items(table.id)
                # What they tell of may have changed the table just before.
                table = await self._tables.reader.get(table.id)
                mine = [row for row in items if job_of(row) == job]
                await self._at_table[job.kind](words, table, mine)
            elif await self._tables.reader.seq(table.id) >= 0:
                snapshot, _events, items = await self._unposted(table.id, words)
                mine = [row for row in items if job_of(row) == job]
                if job.kind is JobKind.CALLS:
                    # It goes by whether a post will ring people.
                    mine = items
                if mine or job.kind is JobKind.NEXT:
                    await self._in_game[job.kind](snapshot, mine)

    async def _post(self, table: Table) -> float | None:
        words = await self._services.house(self._client, table)
        if await self._tables.reader.seq(table.id) < 0:
            if table.is_over and await self._tables.reader.problem(table.id) is not None:
                await end_unread(self._posting, words, table)
            return None
        snapshot, events, items = await self._unposted(table.id, words)
        is_over, before = snapshot.table.is_over, self._turns.newest(table.id)
        turns = [row for row in items if JOBS[row.kind] is JobKind.POST]
        turns = [row for row in turns if row.kind is not OutboxKind.END or is_over]
        if turns and not await self._turns.goes_on(snapshot, events):
            again = self._turns.retry_after(snapshot)
            if again is None:
                again = await self._turns.post(snapshot, turns, events)
                # The post may have made the table's thread, or moved it elsewhere.
                snapshot = await self._services.renewed(snapshot)
        else:
            again = await self._turns.progress(snapshot, events, anew=bool(turns))
            posted = self._turns.newest(table.id)
            if turns and (not events or (posted is not None and posted.shown >= snapshot.seq)):
                notified = await self._notifier.to_notify(snapshot)
                await self._tables.outbox.acknowledge(turns, table_id=table.id, notified=notified)
        if await next_up(self._posting, snapshot) is not None:
            self._begin(Job(table.id, JobKind.NEXT))
        posted = self._turns.newest(table.id)
        follow = partial(self._following.answered, snapshot)
        if posted is not None and posted is not before:
            follow = partial(self._following.posted, snapshot, posted.place, posted.message)
        self._posting.tidy(table.id, follow)
        if is_over:
            self._posting.tidy(table.id, partial(self._private_messages.end, snapshot))
        return again

    async def _unposted(
        self, table_id: int, words: Words
    ) -> tuple[Snapshot, list[Event], list[OutboxItem]]:
        """The table as all may see it, what happened since it was last posted, and what is to be
        sent; what was queued after the snapshot is for the next delivery."""
        while True:
            snapshot = await self._services.snapshot(table_id, SPECTATOR, words)
            since = snapshot.table.posted_seq
            events = await self._tables.reader.heard_since(snapshot, since)
            items = await self._tables.outbox.items(table_id)
            # Not every item has a log entry: it may tell of a table that has changed meanwhile.
            is_same = await self._tables.reader.get(table_id) == snapshot.table
            if is_same and await self._tables.reader.seq(table_id) == snapshot.seq:
                return snapshot, events, [row for row in items if row.seq <= snapshot.seq]

    async def _close_offers(self, snapshot: Snapshot, items: Sequence[OutboxItem]) -> None:
        await self._private_messages.close_offers(snapshot, items)
        await self._following.answered(snapshot)


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
            case _:
                if job.seat in owners:
                    yield job


async def warn_idle(
    posting: PostingContext, snapshot: Snapshot, items: Sequence[OutboxItem]
) -> None:
    """Warn a whole table that it will be put to sleep; where it cannot be written to, each of its
    people."""
    words, table, tables = snapshot.words, snapshot.table, posting.tables
    sleeps, sent = await tables.idleness.sleeps(table.id), None
    if sleeps is not None:
        names = who.owners(words, table)
        called = words.listing([str(names[player.seat]) for player in table.owners])
        warning = words(absence.IDLE, at=discord.utils.format_dt(sleeps, "f"))
        new = NewMessage(
            table=table,
            what="alert",
            said=Layout([Text(f"{warning}\n🔔 {called}")]),
            pinged=[player.user for player in table.owners if player.user is not None],
            is_optional=True,
        )
        sent = await posting.places.send(new)
        if sent is not None:
            await tables.notifications.all_told(table)
        else:
            for player in table.owners:
                await tables.notifications.hold(table.id, player.seat, tables.notifications.now())
    await tables.outbox.acknowledge(items, sent=filter(None, [sent]))


async def post_votes(
    posting: PostingContext, votes: Votes, words: Words, table: Table, items: Sequence[OutboxItem]
) -> None:
    """Post each new proposal, edit the post of one that has ended, and acknowledge the items.

    Raises Closed where the channel cannot be written to.
    """
    stored, places = posting.tables.votes, posting.places

    async def show(proposal: Proposal) -> None:
        at, row = proposal.table, proposal.row
        # What tells the messages about one thing from those about others.
        subject = row.kind + (row.word if row.kind in ABOUT_SEAT else "")
        is_open, sent = proposal.verdict is Verdict.OPEN, None
        follows = None if is_open else votes.afterwards(words, proposal)
        if follows is not None:
            sent = await places.send(NewMessage(table=at, what=f"after.{subject}", said=follows))
        said = await votes.message(words, proposal)
        if row.place is not None and row.message is not None:
            await places.edit(at, row.place, row.message, said)
        if not is_open:
            await stored.told(proposal, sent)
        elif row.message is None:
            users = (at.players[seat].user for seat in proposal.missing)
            new = NewMessage(
                table=at,
                what=f"vote.{subject}",
                said=said,
                mark=agree_id(proposal).encoded(),
                pinged=[user for user in users if user is not None],
            )
            sent = await places.send(new)
            if sent is not None:
                await stored.told(proposal, sent)

    await apart(map(show, await stored.to_tell(table.id)))
    await posting.tables.outbox.acknowledge(items)
