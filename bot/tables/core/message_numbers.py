"""A table's messages, numbered before they are sent.

Each kind is counted by itself, so that a number tells nobody what happened in secret. What was
begun and never noted may have been sent all the same: before it is sent again, it is looked for.
Only what was begun ahead, with the action that it tells of, is known not to have been sent as long
as nobody has asked for its number.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from bot.game.contract import Seat
from bot.store import AskingRow, NumberedMessageRow, OutboxRow, WriteBatch
from bot.tables.core.cache import from_store
from bot.tables.core.model import OutboxItem
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


class MessageNumbers:
    """Numbers the messages to be sent. Every method raises StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._unsent: OrderedDict[tuple[int, str], NumberedMessageRow] = OrderedDict()
        """Those that were begun ahead, and for which nobody has asked yet."""

    def begin_ahead(self, batch: WriteBatch, table: int, what: str, seq: int) -> None:
        """Adds to the batch of log entry `seq` that a message which tells up to it is begun, where
        it is known that the one before is not on its way: so `begin` need not wait for the disk.
        """
        last = self._unit_of_work.store.known_number(table, what)
        if last is None:
            return
        if last.noted:
            row = replace(last, number=last.number + 1, seq=seq, noted=False)
        elif (table, what) in self._unsent:
            row = replace(last, seq=seq)
        else:
            return
        batch.save(row)
        self._unsent[table, what] = row
        if len(self._unsent) > UNSENT:
            self._unsent.popitem(last=False)

    async def next(self, table: int, what: str) -> NumberedMessage:
        """The next message of a kind; the one before, where it was never noted.

        It may be sent by whoever asks, and is so taken to have been if it is never noted.
        """
        row = await from_store(self._unit_of_work.store.numbered_message(table, what))
        ahead = self._unsent.pop((table, what), None)
        if row is None:
            return NumberedMessage(table, what, 1, None, None)
        if row.noted:
            return NumberedMessage(table, what, row.number + 1, row.message, None)
        if ahead is not None and ahead.number == row.number:
            # Another one may be on its way to the disk, by which it would tell of more.
            stored = row.seq if ahead == row else None
            return NumberedMessage(table, what, row.number, row.message, None, stored)
        return NumberedMessage(table, what, row.number, row.message, row.seq)

    async def told_up_to(self, table: int, what: str) -> int | None:
        """The log entry up to which the newest message of a kind tells; None where there is none,
        or it may not have been sent."""
        row = await from_store(self._unit_of_work.store.numbered_message(table, what))
        return row.seq if row is not None and row.noted else None

    async def newest(self, table: int, what: str) -> int | None:
        """The last message of a kind that was noted; None for none."""
        row = await from_store(self._unit_of_work.store.numbered_message(table, what))
        return None if row is None else row.message

    async def begin(self, numbered: NumberedMessage, seq: int) -> None:
        """Notes that it may have been sent from now on, and tells up to log entry `seq`."""
        if numbered.ahead_seq == seq:
            return
        batch = WriteBatch()
        batch.save(
            NumberedMessageRow(
                numbered.table, numbered.what, numbered.number, seq, numbered.newest, noted=False
            )
        )
        await from_store(self._unit_of_work.store.commit(batch))

    async def asking(self, table: int) -> list[AskingRow]:
        """The messages that have buttons to answer an offer, oldest first."""
        return await from_store(self._unit_of_work.store.asking(table))

    async def answered(self, rows: Iterable[AskingRow], items: Iterable[OutboxItem]) -> None:
        """Notes that these ask nothing any more, and acknowledges those items of the outbox."""
        batch = WriteBatch()
        for item in items:
            batch.delete(OutboxRow, table=item.table, id=item.id)
        for row in rows:
            batch.delete_row(row)
        await from_store(self._unit_of_work.store.commit(batch))


def note(batch: WriteBatch, sent: SentMessage) -> None:
    """Adds to the batch that a message has been sent."""
    numbered = sent.numbered
    batch.save(
        NumberedMessageRow(
            numbered.table, numbered.what, numbered.number, sent.seq, sent.message, noted=True
        )
    )
    if sent.asks is not None:
        seat, offer = sent.asks
        batch.save(AskingRow(numbered.table, sent.message, sent.place, seat, offer))
