"""Sends what is in a table's outbox: its turns and its end, and with other modules all the rest.

An item stays there until it is acknowledged. Each message is numbered before it is sent
(`bot.tables.core.message_numbers`), so that one sent just before a crash is found after it, and not
sent a second time. What all can see changes only with what all may know.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.cogs.flows.votes import Votes
from bot.cogs.panel.panel import Panels
from bot.cogs.posting.alerts import Alerts
from bot.cogs.posting.game_over import GameOverPosts
from bot.cogs.posting.lobby_posts import LobbyPosts
from bot.cogs.posting.messages import Messages, PostText
from bot.cogs.posting.notifications import Notifier
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.posting.private_messages import PrivateMessages
from bot.cogs.ui.channels import Closed, Home, Nowhere, Places
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.cogs.ui.status_lines import status_lines
from bot.game.contract import END, SPECTATOR, Event, Seat
from bot.tables import OutboxItem, OutboxKind, Player, Status, Table
from bot.tables.core.table_lines import MATTERS
from bot.tables.people.notifications import Notification
from bot.text import general
from bot.text.words import Words

log = logging.getLogger(__name__)

COMPUTERS_TIME = 2.0
"""Seconds that a post waits for computer players who are about to act."""
CLOSED_TIME = 300.0
"""Seconds until a place that refused is tried again, unless it is known to be open sooner; doubled
each time that it refuses again."""
LONGEST_CLOSED = 3_600.0
REMEMBERED = 1024
"""Posts that are remembered, to be edited during their turn; of older ones another is posted."""
SPREAD = 64
"""Tables refused at one moment are tried again at this many different moments."""


@dataclass
class Posted:
    """The newest public panel of a table, as this process posted it."""

    place: int
    message: int
    text: PostText
    awaited: frozenset[Seat]
    shown: int
    """The log entry up to which the message tells."""
    stands: tuple[str, list[dict[str, Any]]]
    """The text and the components that it shows."""
    edited_at: float = 0.0
    is_edited: bool = False


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
        self._messages = Messages(services)
        self._lobby = LobbyPosts(services, places)
        self._panels = Panels(services)
        self._pause = pause
        self._posted: OrderedDict[int, Posted] = OrderedDict()
        self._held: dict[int, float] = {}
        self._refused: dict[int, float] = {}
        self._private_messages = PrivateMessages(services, places)
        self._closing = GameOverPosts(services, places)
        self._notifier = Notifier(services, places)
        self._alerts = Alerts(services, places, self._notifier, votes)

    async def deliver(self, table_id: int) -> float | None:
        """Sends what can be sent. Returns in how many seconds to try again, or None."""
        table = await self._tables.reader.get(table_id)
        words = await self._services.house(self._client, table)
        again: float | None = None
        if await self._tables.reader.seq(table_id) >= 0:
            snapshot, events = await self._unposted(table_id, words)
            again = await self._played(snapshot, events, await self._tables.outbox.items(table_id))
        elif table.is_over and await self._tables.reader.problem(table_id) is not None:
            try:
                await self._closing.unread(words, table)
            except Closed:
                again = self._closed(table_id)
        outbox_items = await self._tables.outbox.items(table_id)
        lobby = [row.id for row in outbox_items if row.kind is OutboxKind.LOBBY]
        # It shows the way to the last post, which may have been queued only now.
        if lobby and (
            again is not None or all(row.kind is not OutboxKind.END for row in outbox_items)
        ):
            try:
                await self._lobby.deliver(words, await self._tables.reader.get(table_id), lobby)
            except Closed:
                again = _sooner(again, self._closed(table_id))
        if table.is_over:
            self._posted.pop(table_id, None)
            self._held.pop(table_id, None)
        if again is None:
            self._refused.pop(table_id, None)
        return again

    def may_post(self, home: Home) -> bool:
        """Whether the bot may write there, as far as it knows."""
        return self._places.may_post(home)

    def _closed(self, table_id: int) -> float:
        """How long to wait before a place that has refused is tried again."""
        wait = min(2 * self._refused.get(table_id, CLOSED_TIME / 2), LONGEST_CLOSED)
        self._refused[table_id] = wait
        # Thousands may have been refused at once.
        return wait * (1 - table_id % SPREAD / (4 * SPREAD))

    async def _unposted(self, table_id: int, words: Words) -> tuple[Snapshot, list[Event]]:
        """The table as all may see it, and what happened since it was last posted."""
        while True:
            snapshot = await self._services.snapshot(table_id, SPECTATOR, words)
            since = snapshot.table.posted_seq
            events = await self._tables.reader.events_since(table_id, since, SPECTATOR)
            if await self._tables.reader.seq(table_id) == snapshot.seq:
                return snapshot, events

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
        before = self._posted.get(snapshot.table.id)
        if turns and not await self._goes_on(snapshot, events):
            again = self._retry_after(snapshot)
            if again is None:
                try:
                    again = await self._post(snapshot, turns, events)
                except Closed:
                    # Private messages still get through, and the post stays in the outbox.
                    again = self._closed(snapshot.table.id)
                # The post may have made the table's thread, or moved it elsewhere.
                snapshot = await self._services.snapshot(
                    snapshot.table.id, SPECTATOR, snapshot.words
                )
        else:
            again = await self._progress(snapshot, events, anew=bool(turns))
            posted = self._posted.get(snapshot.table.id)
            if turns and (not events or (posted is not None and posted.shown >= snapshot.seq)):
                notified = await self._notifier.to_notify(snapshot)
                ids = [row.id for row in turns]
                await self._tables.outbox.acknowledge(
                    ids, table_id=snapshot.table.id, notified=notified
                )
        await self._private_messages.deliver(snapshot, rows)
        await self._notifier.deliver(snapshot)
        await self._alerts.deliver(snapshot, rows)
        posted = self._posted.get(snapshot.table.id)
        if posted is not None and posted is not before:
            await self._following.posted(snapshot, posted.place, posted.message)
        if any(row.kind is OutboxKind.ANSWERED for row in rows):
            await self._following.answered(snapshot)
        if snapshot.table.is_over and again is None:
            try:
                await self._closing.deliver(snapshot, rows)
            except Closed:
                again = self._closed(snapshot.table.id)
        return again

    # Turns

    def _retry_after(self, snapshot: Snapshot) -> float | None:
        """How long to wait for computer players, so that their moves come in one post."""
        playing = snapshot.table.status is Status.PLAYING
        if not playing or not _only_computers(snapshot) or snapshot.table.posted_seq < 0:
            self._held.pop(snapshot.table.id, None)
            return None
        now = asyncio.get_running_loop().time()
        since = self._held.setdefault(snapshot.table.id, now)
        left = since + COMPUTERS_TIME - now
        if left > 0:
            return left
        del self._held[snapshot.table.id]
        return None

    async def _post(
        self, snapshot: Snapshot, rows: Sequence[OutboxItem], events: Sequence[Event]
    ) -> float | None:
        """Posts the table as it is. Returns in how many seconds to try again, or None."""
        table = await self._with_thread(snapshot)
        since = table.posted_seq
        # The words are found while the picture is drawn.
        picture, (text, view, notifications, pinged) = await asyncio.gather(
            self._services.picture(snapshot, since, events), self._to_say(snapshot, table, events)
        )
        if picture is None:
            text = text._replace(story=f"{snapshot.words(general.NO_PICTURE)}\n{text.story}")
        try:
            sent = await self._places.send(
                table,
                "post",
                picture,
                seq=snapshot.seq,
                mark=CustomId("board", table.id).encoded(),
                content=str(text),
                view=view,
                pinged=pinged,
            )
        except Nowhere:
            # There is nowhere to post it; the game goes on for those who play by direct message.
            log.warning("table=%s has neither thread nor channel; it stays silent", table.id)
            ids = [row.id for row in rows]
            await self._tables.outbox.acknowledge(
                ids, table_id=table.id, posted_seq=snapshot.seq, notified=()
            )
            return None
        seq, place = sent.seq, sent.place
        old = self._posted.pop(table.id, None)
        if table.panel_message is not None and table.panel_message != sent.message:
            await self._retire(table, table.panel_message, old)
        log.info("posted table=%s after=%s to=%s message=%s", table.id, since, seq, sent.message)
        await self._tables.outbox.acknowledge(
            [row.id for row in rows if row.seq <= seq],
            table_id=table.id,
            posted_seq=seq,
            panel_message=sent.message,
            thread=None if place == (table.thread or table.channel) else place,
            sent=[sent],
            notified=[notification for notification in notifications if notification.seq <= seq],
        )
        if seq < snapshot.seq:
            # An earlier attempt had sent it without noting that; what happened since comes next.
            return 0.0
        awaited = frozenset(_seats(snapshot))
        stands = str(text), view.to_components()
        self._posted[table.id] = Posted(place, sent.message, text, awaited, snapshot.seq, stands)
        if len(self._posted) > REMEMBERED:
            self._posted.popitem(last=False)
        return None

    async def _with_thread(self, snapshot: Snapshot) -> Table:
        """The table; before its first post it gets a thread of its own, where that is allowed."""
        table = snapshot.table
        if table.panel_message is not None or table.thread is not None or table.is_over:
            return table
        game = snapshot.words(snapshot.text.title)
        name = snapshot.words(general.THREAD_NAME, game=game, table=table.id)
        thread = await self._places.make_thread(table, name)
        if thread is None:
            return table
        await self._tables.outbox.acknowledge((), table_id=table.id, thread=thread)
        return await self._tables.reader.get(table.id)

    async def _to_say(
        self, snapshot: Snapshot, table: Table, events: Sequence[Event]
    ) -> tuple[PostText, discord.ui.View, Sequence[Notification], list[int]]:
        """What a post says, its buttons, its notifications, and whom it pings."""
        if table.is_over:
            text = PostText(
                self._messages.end(snapshot, events, *await self._closing.result(snapshot)), ""
            )
            view, notifications = self._messages.game_over_buttons(snapshot), []
        else:
            lines = await status_lines(self._services, snapshot)
            text = self._messages.turn(snapshot, events, thread=table.thread, status_lines=lines)
            view = self._messages.buttons(snapshot, deals=await self._deals(snapshot))
            notifications = await self._notifier.to_notify(snapshot)
        view.stop()
        pinged = [notification.user for notification in notifications]
        if table.posted_seq < 0 or table.is_over:
            pinged = [p.user for p in table.owners if p.user is not None]
            pinged = [user for user in pinged if await self._notifier.may_notify(table, user)]
        return text, view, notifications, pinged

    async def _retire(self, table: Table, message: int, old: Posted | None) -> None:
        """The previous panel loses its buttons, and what held only while it was the newest."""
        place = old.place if old is not None else table.thread or table.channel
        if old is not None and (old.text.story or old.is_edited):
            content = old.text.story or str(old.text)
            await self._places.edit(table, place, message, view=None, content=content)
        else:
            await self._places.edit(table, place, message, view=None)

    async def _progress(
        self, snapshot: Snapshot, events: Sequence[Event], *, anew: bool
    ) -> float | None:
        """Within a turn: the newest panel says what has been done, with its picture as it was.

        It is edited `anew` though nothing was done where its status lines have changed.
        """
        posted = self._posted.get(snapshot.table.id)
        if posted is None or snapshot.table.is_over or (posted.shown >= snapshot.seq and not anew):
            return None
        if _only_computers(snapshot):
            return None
        now = asyncio.get_running_loop().time()
        left = posted.edited_at + self._pause - now
        if left > 0:
            return left
        view = self._messages.buttons(snapshot, deals=await self._deals(snapshot))
        view.stop()
        text = self._messages.progress(
            snapshot, posted.text, events, await status_lines(self._services, snapshot)
        )
        stands = str(text), view.to_components()
        if stands == posted.stands:
            # What was done is nobody else's business, and an edit would tell when it was.
            posted.shown = snapshot.seq
            return None
        shown = await self._places.edit(
            snapshot.table, posted.place, posted.message, content=stands[0], view=view
        )
        if not shown:
            # Somebody took the panel away: the outbox is sent at once, to wherever it can be.
            del self._posted[snapshot.table.id]
            return 0.0
        posted.shown, posted.stands = snapshot.seq, stands
        posted.edited_at, posted.is_edited = now, True
        return None

    async def _goes_on(self, snapshot: Snapshot, events: Sequence[Event]) -> bool:
        """Whether the newest panel still holds, but for a line or two.

        It does where only some of those asked in secret have answered, and where the one who is to
        move still is and nobody else has decided anything: their turn gets its picture when it
        ends.
        """
        posted, now = self._posted.get(snapshot.table.id), set(_seats(snapshot))
        if posted is None or snapshot.table.is_over or not now or not now <= posted.awaited:
            return False
        if not events:
            return True
        if len(posted.awaited) != 1:
            return False
        moves = self._services.rules(snapshot.table).moves
        first = snapshot.table.posted_seq + 1
        done = await self._tables.reader.done(snapshot.table.id, first)
        noticed = await self._tables.reader.noticed(snapshot.table.id, first)
        for seq, (seat, kind) in done.items():
            if seq > snapshot.seq or seq not in noticed or (kind in moves and moves[kind].free):
                # Neither an offer beside the turn interrupts it, nor a secret choice made anew: a
                # post of its own would tell all of it.
                continue
            if seat not in posted.awaited or kind == END or kind in MATTERS:
                return False
        return True

    async def _deals(self, snapshot: Snapshot) -> bool:
        for player in snapshot.table.humans:
            _asked, free = await self._panels.kinds(snapshot, player.seat)
            if free:
                return True
        return False


def _sooner(one: float | None, other: float) -> float:
    return other if one is None else min(one, other)


def _seats(snapshot: Snapshot) -> list[Seat]:
    return [decision.seat for decision in snapshot.pending if not decision.optional]


def _awaited(snapshot: Snapshot) -> list[Player]:
    seats = _seats(snapshot)
    return [player for player in snapshot.table.humans if player.seat in seats]


def _only_computers(snapshot: Snapshot) -> bool:
    return not _awaited(snapshot) and bool(snapshot.table.owners)
