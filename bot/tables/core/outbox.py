"""What is still to be sent: written with the change that causes it, sent, then acknowledged.

Messages are numbered before they are sent, each kind by itself, so that a number tells nobody what
happened in secret. What was begun and never noted may have been sent all the same: before it is
sent again, it is looked for. Only what was begun ahead, with the action that it tells of, is known
not to have been sent as long as nobody has asked for its number.
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
from bot.tables.core.cache import from_store
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.unit_of_work import UnitOfWork

UNSENT = 4096
"""Messages remembered as not sent yet; of older ones it is taken that they may have been."""


class NumberedMessage(msgspec.Struct, frozen=True):
    """The next message of a kind at a table, the `number`th of it.

    Where `begun_seq` is a number it may have been sent already, and then told up to that log entry.
    Where `ahead_seq` is one, it was not, but is noted as one that tells up to that entry.
    `newest` is the last message of the kind that was noted, None for none.
    """

    table: int
    what: str
    number: int
    newest: int | None
    begun_seq: int | None
    ahead_seq: int | None = None

    @property
    def nonce(self) -> str:
        """The nonce by which Discord recognises it, for some minutes."""
        return f"{self.table}.{self.what}.{self.number}"


class SentMessage(msgspec.Struct, frozen=True):
    """A message that stands at a place; it tells up to log entry `seq`.

    `asks` names the seat and the offer that its buttons answer, if it has such; `attached` is the
    id of its picture, None where it has none.
    """

    numbered: NumberedMessage
    place: int
    message: int
    seq: int
    asks: tuple[Seat, str] | None = None
    attached: int | None = None


class Outbox:
    """The items that wait to be sent, and the numbers of messages. Every method raises
    StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._store = unit_of_work.store
        self._unsent: OrderedDict[tuple[int, str], NumberedMessageRow] = OrderedDict()
        """The messages begun ahead for whose number nobody has asked yet."""
        unit_of_work.begin_ahead = self._begin_ahead

    async def items(self, table_id: int | None = None) -> list[OutboxItem]:
        """What is still to be sent, of one table or of all that are ours; oldest first.

        Whoever reads one table after its items sees what they tell of, whichever process wrote it.
        """
        if table_id is None:
            shards = self._unit_of_work.ownership.shards()
            return await from_store(self._store.outbox(shards=shards))
        if self._store.is_shared:
            items, revision = await from_store(self._store.outbox_with_revision(table_id))
            # They may be here before the notice of what they tell of.
            self._unit_of_work.cache.heard(table_id, revision)
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
        """These items have been sent, as the messages in `sent`; those `answered` ask nothing any
        more. With a table, the numbers given are stored along with it.

        `notified` are those whom a post of the table has pinged; a new item is queued for the
        others.
        """
        items, sent, answered = list(items), list(sent), list(answered)
        notified = None if notified is None else list(notified)

        def acknowledging() -> WriteBatch:
            batch = WriteBatch()
            for item in items:
                batch.delete(OutboxItem, table=item.table, id=item.id)
            for each in sent:
                note(batch, each)
            for row in answered:
                batch.delete_row(row)
            return batch

        if table_id is None:
            await from_store(self._store.commit(acknowledging()))
            return
        given = {
            "posted_seq": posted_seq,
            "thread": thread,
            "lobby_message": lobby_message,
            "panel_message": panel_message,
        }
        numbers = {name: number for name, number in given.items() if number is not None}

        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            after = loaded.with_table(replace(loaded.table, **numbers))
            batch = acknowledging()
            batch.save_table(after.row())
            if panel_message is not None:
                batch.end_outage(table_id, self._unit_of_work.clock.now())
            if notified is not None:
                for notification in notified:
                    batch.save_notification(replace(notification, notified=True))
                outbox_drafts.write(batch, table_id, loaded.seq(), [OutboxDraft(OutboxKind.NOTIFY)])
            await self._unit_of_work.commit(batch, after)

        await self._unit_of_work.cache.alone(table_id, work)

    async def number(self, table: int, what: str, seq: int) -> NumberedMessage:
        """The next message of a kind, which may have been sent from now on; the one before, where
        it was never noted.

        A new one is noted to tell up to log entry `seq`; it is so taken to have been sent if it is
        never noted.
        """
        row = await from_store(self._store.numbered_message(table, what))
        ahead = self._unsent.pop((table, what), None)
        if row is None:
            numbered = NumberedMessage(table, what, 1, None, None)
        elif row.noted:
            numbered = NumberedMessage(table, what, row.number + 1, row.message, None)
        elif ahead is not None and ahead.number == row.number:
            # Another one may be on its way to the disk, by which it would tell of more.
            stored = row.seq if ahead == row else None
            numbered = NumberedMessage(table, what, row.number, row.message, None, stored)
        else:
            return NumberedMessage(table, what, row.number, row.message, row.seq)
        if numbered.ahead_seq != seq:
            await self.begin(numbered, seq)
        return numbered

    async def begin(self, numbered: NumberedMessage, seq: int) -> None:
        """Notes that it may have been sent from now on, and tells up to log entry `seq`."""
        batch = WriteBatch()
        table, what, number = numbered.table, numbered.what, numbered.number
        batch.save(NumberedMessageRow(table, what, number, seq, numbered.newest, noted=False))
        await from_store(self._store.commit(batch))

    def _begin_ahead(self, batch: WriteBatch, table: int, what: str, seq: int) -> None:
        """Adds to the batch of log entry `seq` that a message which tells up to it is begun, where
        it is known that the one before is not on its way: so `number` need not wait for the disk.
        """
        last = self._store.cached_numbered(table, what)
        if last is None or not (last.noted or (table, what) in self._unsent):
            return
        row = replace(last, number=last.number + last.noted, seq=seq, noted=False)
        batch.save(row)
        self._unsent[table, what] = row
        if len(self._unsent) > UNSENT:
            self._unsent.popitem(last=False)

    async def newest(self, table: int, what: str) -> NumberedMessageRow | None:
        """The newest message of a kind, which may not have been sent unless it is `noted`; its
        `message` is the last that was noted."""
        return await from_store(self._store.numbered_message(table, what))

    async def asking(self, table: int) -> list[AskingRow]:
        """The messages that have buttons to answer an offer, oldest first."""
        return await from_store(self._store.asking(table))


def note(batch: WriteBatch, sent: SentMessage) -> None:
    """Adds to the batch that a message has been sent."""
    table, what, number = sent.numbered.table, sent.numbered.what, sent.numbered.number
    batch.save(NumberedMessageRow(table, what, number, sent.seq, sent.message, noted=True))
    if sent.asks is not None:
        batch.save(AskingRow(table, sent.message, sent.place, *sent.asks))
