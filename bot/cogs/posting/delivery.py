"""Sends what is in a table's outbox: its turns and its end, and with other modules all the rest.

An item stays there until it is acknowledged. Each message is numbered before it is sent
(`bot.tables.core.message_numbers`), so that one sent just before a crash is found after it, and not
sent a second time.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.cogs.flows.votes import Votes
from bot.cogs.posting.alerts import Alerts
from bot.cogs.posting.game_over import GameOverPosts
from bot.cogs.posting.lobby_posts import LobbyPosts
from bot.cogs.posting.next_up import NextUp
from bot.cogs.posting.notifications import Notifier
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.posting.private_messages import PrivateMessages
from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.ui.channels import Closed, Home, Places
from bot.cogs.ui.servers_here import is_awaited
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import SPECTATOR, Event
from bot.tables import OutboxItem, OutboxKind, Table
from bot.tables.core.cache import LoadedTable
from bot.text.words import Words

log = logging.getLogger(__name__)

CLOSED_TIME = 300.0
"""Seconds until a place that refused is tried again, unless it is known to be open sooner; doubled
each time that it refuses again."""
LONGEST_CLOSED = 3_600.0
SPREAD = 64
"""Tables refused at one moment are tried again at this many different moments."""


class Delivery:
    """Delivers for one table at a time; the caller ensures that a table has one delivery."""

    def __init__(
        self,
        services: Services,
        places: Places,
        client: discord.Client,
        following: PanelFollowing,
        votes: Votes,
        pause: float,
    ) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._client = client
        self._following = following
        self._lobby = LobbyPosts(services, places)
        self._refused: dict[int, float] = {}
        self._private_messages = PrivateMessages(services, places)
        self._closing = GameOverPosts(services, places)
        self._notifier = Notifier(services, places)
        self._turns = TurnPosts(services, places, self._notifier, self._closing, pause)
        self._next_up = NextUp(services, places)
        self._alerts = Alerts(services, places, self._notifier, votes)

    async def deliver(self, table_id: int) -> float | None:
        """Sends what can be sent. Returns in how many seconds to try again, or None.

        Raises NotOurs where it is for another process to send.
        """
        table = await self._tables.reader.get(table_id)
        guild, is_new = table.guild, table.panel_message is None
        if guild is not None and is_new and is_awaited(self._client, guild):
            # Where it can have a thread is not known yet; it begins to be posted once that is.
            return None
        with self._tables.on_behalf(table):
            return await self._deliver(table)

    async def _deliver(self, table: Table) -> float | None:
        table_id = table.id
        words = await self._services.house(self._client, table)
        again: float | None = None
        if await self._tables.reader.seq(table_id) >= 0:
            again = await self._played(*await self._unposted(table_id, words))
        elif table.is_over and await self._tables.reader.problem(table_id) is not None:
            try:
                await self._closing.unread(words, table)
            except Closed:
                again = self._closed(table_id)
        outbox_items = await self._tables.outbox.items(table_id)
        lobby = [row for row in outbox_items if row.kind is OutboxKind.LOBBY]
        # It shows the way to the last post, which may have been queued only now.
        if lobby and (
            again is not None or all(row.kind is not OutboxKind.END for row in outbox_items)
        ):
            try:
                await self._lobby.deliver(words, await self._tables.reader.get(table_id), lobby)
            except Closed:
                again = _sooner(again, self._closed(table_id))
        if table.is_over:
            self._turns.forget(table_id)
        if again is None:
            self._refused.pop(table_id, None)
        return again

    def forget(self, table_id: int) -> None:
        """The table has been deleted: nothing more is posted there."""
        self._turns.forget(table_id)
        self._refused.pop(table_id, None)

    def draw_ahead(self, after: LoadedTable) -> str | None:
        """Begins what a delivery will show of a table that is just being stored; returns the kind
        of the message that will be sent at once, or None."""
        return self._turns.draw_ahead(after)

    def may_post(self, home: Home) -> bool:
        """Whether the bot may write there, as far as it knows."""
        return self._places.may_post(home)

    def _closed(self, table_id: int) -> float:
        """How long to wait before a place that has refused is tried again."""
        wait = min(2 * self._refused.get(table_id, CLOSED_TIME / 2), LONGEST_CLOSED)
        self._refused[table_id] = wait
        # Thousands may have been refused at once.
        return wait * (1 - table_id % SPREAD / (4 * SPREAD))

    async def _unposted(
        self, table_id: int, words: Words
    ) -> tuple[Snapshot, list[Event], list[OutboxItem]]:
        """The table as all may see it, what happened since it was last posted, and what is to be
        sent."""
        while True:
            snapshot = await self._services.snapshot(table_id, SPECTATOR, words)
            since = snapshot.table.posted_seq
            events = await self._tables.reader.events_since(table_id, since, SPECTATOR)
            outbox_items = await self._tables.outbox.items(table_id)
            # Not every item has a log entry: it may tell of a table that has changed meanwhile.
            is_same = await self._tables.reader.get(table_id) == snapshot.table
            if is_same and await self._tables.reader.seq(table_id) == snapshot.seq:
                return snapshot, events, outbox_items

    async def _played(
        self, snapshot: Snapshot, events: Sequence[Event], outbox_items: Sequence[OutboxItem]
    ) -> float | None:
        # What was queued after the snapshot was taken is for the next one.
        rows = [
            row
            for row in outbox_items
            if row.seq <= snapshot.seq
            and (row.kind is not OutboxKind.END or snapshot.table.is_over)
        ]
        again: float | None = None
        turns = [row for row in rows if row.kind in (OutboxKind.BOARD, OutboxKind.END)]
        before = self._turns.newest(snapshot.table.id)
        if turns and not await self._turns.goes_on(snapshot, events):
            again = self._turns.retry_after(snapshot)
            if again is None:
                try:
                    again = await self._turns.post(snapshot, turns, events)
                except Closed:
                    # Private messages still get through, and the post stays in the outbox.
                    again = self._closed(snapshot.table.id)
                # The post may have made the table's thread, or moved it elsewhere.
                snapshot = await self._services.renewed(snapshot)
        else:
            again = await self._turns.progress(snapshot, events, anew=bool(turns))
            posted = self._turns.newest(snapshot.table.id)
            if turns and (not events or (posted is not None and posted.shown >= snapshot.seq)):
                notified = await self._notifier.to_notify(snapshot)
                await self._tables.outbox.acknowledge(
                    turns, table_id=snapshot.table.id, notified=notified
                )
        await self._private_messages.deliver(snapshot, rows)
        await self._notifier.deliver(snapshot)
        await self._next_up.deliver(snapshot)
        await self._alerts.deliver(snapshot, rows)
        posted = self._turns.newest(snapshot.table.id)
        if posted is not None and posted is not before:
            await self._following.posted(snapshot, posted.place, posted.message)
        if snapshot.table.is_over or any(row.kind is OutboxKind.ANSWERED for row in rows):
            await self._following.answered(snapshot)
        if snapshot.table.is_over and again is None:
            try:
                await self._closing.deliver(snapshot, rows)
            except Closed:
                again = self._closed(snapshot.table.id)
        return again


def _sooner(one: float | None, other: float) -> float:
    return other if one is None else min(one, other)
