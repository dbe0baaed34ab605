"""The outbox: items are stored with the change that causes them, sent, then acknowledged.

Each message gets a number before it is sent. Each kind of message has its own numbers, so that a
number reveals nothing about secret actions. The bot notes a message after sending it. A message
that was begun but never noted may have been sent, so the bot searches Discord for it before sending
it again. There is one exception: the change itself may reserve a number for its message, and such a
message has not been sent until its number is requested.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from bot.game.contract import Seat
from bot.store import (
    AskingRow,
    Notification,
    NumberedMessageRow,
    OutboxItem,
    OutboxKind,
    WriteBatch,
)
from bot.tables.core import outbox_drafts
from bot.tables.core.cache import from_store, remember
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.unit_of_work import UnitOfWork

MAX_RESERVED = 4096
"""Reserved numbers in memory. Messages with older ones count as possibly sent."""


class NumberedMessage(msgspec.Struct, frozen=True):
    """The next message of a kind at a table, with its number.

    If `begun_seq` is set, it may have been sent already, and then covers the log up to that entry.
    If `reserved_seq` is set, its number was reserved by that log entry and it has not been sent.
    `newest` is the last message of the kind that was noted, or None.
    """

    table: int
    kind: str
    number: int
    newest: int | None
    begun_seq: int | None
    reserved_seq: int | None = None

    @property
    def nonce(self) -> str:
        """The nonce by which Discord recognises a duplicate for a few minutes."""
        return f"{self.table}.{self.kind}.{self.number}"


class SentMessage(msgspec.Struct, frozen=True):
    """A message in a channel, `place`, that covers the log up to entry `seq`.

    `asks` are the seat and the offer that its buttons answer, if any. `attached` is the id of its
    picture, if any.
    """

    numbered: NumberedMessage
    place: int
    message: int
    seq: int
    asks: tuple[Seat, str] | None = None
    attached: int | None = None


class Outbox:
    """The outbox items, and the numbers of messages.

    Every method raises StoreUnavailable.
    """

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._store = unit_of_work.store
        self._reserved: OrderedDict[tuple[int, str], NumberedMessageRow] = OrderedDict()
        """Reserved numbers that have not been requested yet."""
        unit_of_work.reserve_number = self._reserve_number

    async def items(self, table_id: int | None = None) -> list[OutboxItem]:
        """Return the items to be sent for one table, or for all that are ours, oldest first.

        A later read of that one table includes the changes its items are about, even if another
        process made them.
        """
        if table_id is None:
            shards = self._unit_of_work.ownership.shards()
            return await from_store(self._store.outbox(shards=shards))
        if self._store.is_shared:
            items, revision = await from_store(self._store.outbox_with_revision(table_id))
            # The items may arrive before the other process's announcement.
            self._unit_of_work.cache.drop_older(table_id, revision)
            return items
        return await from_store(self._store.outbox(table_id))

    async def acknowledge(
        self,
        items: Iterable[OutboxItem],
        *,
        table_id: int | None = None,
        posted_seq: int | None = None,
        thread: int | None = None,
        lobby_message: int | None = None,
        panel_message: int | None = None,
        sent: Iterable[SentMessage] = (),
        answered: Iterable[AskingRow] = (),
        notified: Iterable[Notification] | None = None,
    ) -> None:
        """Delete sent items, and note their messages in `sent`.

        `answered` are messages whose buttons no longer answer an offer. With a table, its given
        fields are stored too. `notified` are the notifications whose players a post of the table
        has pinged; a new item is queued for the others.
        """
        items, sent, answered = list(items), list(sent), list(answered)
        notified = None if notified is None else list(notified)

        def new_batch() -> WriteBatch:
            batch = WriteBatch()
            write_sent(batch, items, sent)
            for row in answered:
                batch.delete_row(row)
            return batch

        if table_id is None:
            await from_store(self._store.commit(new_batch()))
            return
        fields = {
            "posted_seq": posted_seq,
            "thread": thread,
            "lobby_message": lobby_message,
            "panel_message": panel_message,
        }
        changed = {name: value for name, value in fields.items() if value is not None}

        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            after = loaded.with_table(replace(loaded.table, **changed))
            batch = new_batch()
            batch.save_table(after.row())
            if panel_message is not None:
                batch.end_outage(table_id, self._unit_of_work.clock.now())
            if notified is not None:
                for notification in notified:
                    batch.save_notification(replace(notification, notified=True))
                outbox_drafts.write(batch, table_id, loaded.seq(), [OutboxDraft(OutboxKind.NOTIFY)])
            await self._unit_of_work.commit(batch, after)

        await self._unit_of_work.cache.run_locked(table_id, work)

    async def number(self, table: int, kind: str, seq: int) -> NumberedMessage:
        """Return the next message of a kind, or the last one if it was never noted.

        A new message is stored as begun, covering the log up to entry `seq`. From now on it may
        have been sent.
        """
        row = await from_store(self._store.numbered_message(table, kind))
        reserved = self._reserved.pop((table, kind), None)
        if row is None:
            numbered = NumberedMessage(table, kind, 1, None, None)
        elif row.noted:
            numbered = NumberedMessage(table, kind, row.number + 1, row.message, None)
        elif reserved is not None and reserved.number == row.number:
            # A newer reservation, for a later entry, may still be on its way to the disk.
            stored = row.seq if reserved == row else None
            numbered = NumberedMessage(table, kind, row.number, row.message, None, stored)
        else:
            return NumberedMessage(table, kind, row.number, row.message, row.seq)
        if numbered.reserved_seq != seq:
            await self.begin(numbered, seq)
        return numbered

    async def begin(self, numbered: NumberedMessage, seq: int) -> None:
        """Store that the message may have been sent from now on, with the log up to `seq`."""
        batch = WriteBatch()
        table, kind, number = numbered.table, numbered.kind, numbered.number
        batch.save(NumberedMessageRow(table, kind, number, seq, numbered.newest, noted=False))
        await from_store(self._store.commit(batch))

    def _reserve_number(self, batch: WriteBatch, table: int, kind: str, seq: int) -> None:
        """Reserve a message's number in the batch of log entry `seq`, unless one is being sent.

        `number` then need not wait for the disk.
        """
        last = self._store.cached_numbered(table, kind)
        if last is None or not (last.noted or (table, kind) in self._reserved):
            return
        row = replace(last, number=last.number + last.noted, seq=seq, noted=False)
        batch.save(row)
        remember(self._reserved, (table, kind), row, MAX_RESERVED)

    async def newest(self, table: int, kind: str) -> NumberedMessageRow | None:
        """Return the newest message of a kind. It may not have been sent unless it is `noted`.

        Its `message` is the last one that was noted.
        """
        return await from_store(self._store.numbered_message(table, kind))

    async def asking(self, table: int) -> list[AskingRow]:
        """Return the messages with buttons to answer an offer, oldest first."""
        return await from_store(self._store.asking(table))


def write_sent(batch: WriteBatch, items: Iterable[OutboxItem], sent: Iterable[SentMessage]) -> None:
    """Add to the batch the deletion of sent items, and their messages."""
    for item in items:
        batch.delete(OutboxItem, table=item.table, id=item.id)
    for each in sent:
        note(batch, each)


def note(batch: WriteBatch, sent: SentMessage) -> None:
    """Add to the batch that a message has been sent."""
    table, kind, number = sent.numbered.table, sent.numbered.kind, sent.numbered.number
    batch.save(NumberedMessageRow(table, kind, number, sent.seq, sent.message, noted=True))
    if sent.asks is not None:
        batch.save(AskingRow(table, sent.message, sent.place, *sent.asks))
