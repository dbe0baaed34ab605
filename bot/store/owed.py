"""What is owed at the tables, in memory: for the one process that writes to a file.

The outbox items of a table, its notifications and its numbered messages are read again and again
while its turns are posted, and nobody else writes them. So once read they are kept, and every batch
that is on the disk is carried out on them too. Where it is not certain what was stored they are
read anew; where a batch may still be on its way, nothing is kept of what it concerns.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Set
from contextlib import ExitStack
from functools import partial
from typing import Any, TypeVar

import sqlalchemy as sa
from msgspec.structs import replace

from bot.store import writes
from bot.store.batch import Parameters, WriteBatch
from bot.store.rows import NotificationRow, NumberedMessageRow, OutboxRow

KEPT = 1024
"""Tables of which it is kept, about 1 KB each; those used least recently go first."""

T = TypeVar("T")


class _Table:
    """What is known of one table; None, or nothing under a kind of message, for what is not."""

    __slots__ = ("items", "notifications", "numbered", "writes")

    def __init__(self) -> None:
        self.writes = 0
        """How many batches that concern it have begun to be stored."""
        self.items: tuple[OutboxRow, ...] | None = None
        self.notifications: tuple[NotificationRow, ...] | None = None
        self.numbered: dict[str, NumberedMessageRow | None] = {}


class Owed:
    """Keeps what is owed. `last_item` is the greatest id that an outbox item ever had."""

    def __init__(self, last_item: int) -> None:
        self._last_item = last_item
        self._tables: OrderedDict[int, _Table] = OrderedDict()
        self._on_their_way: Counter[int] = Counter()
        self._all_arrived: dict[int, asyncio.Event] = {}
        """For whoever waits until nothing of a table is on its way."""

    async def written(
        self, batch: WriteBatch, write: Callable[[WriteBatch], asyncio.Future[None]]
    ) -> None:
        """Has the batch stored by `write`, which may raise, as may what it returns. Outbox items
        get their ids before.
        """
        self._number(batch)
        done = write(batch)
        touched = _touched(batch)
        self._on_their_way.update(touched)
        for table in touched & self._tables.keys():
            self._tables[table].writes += 1
        try:
            await asyncio.shield(done)
        finally:
            if done.done():
                # In the very step in which whoever stores it goes on, and keeps the table as it is
                # now: nobody may find an item before the table that it tells of.
                self._arrived(batch, touched, done)
            else:
                # Who is cancelled waits no longer; the batch arrives nevertheless.
                done.add_done_callback(partial(self._arrived, batch, touched))

    async def items(
        self, table: int, read: Callable[[int], Awaitable[list[OutboxRow]]]
    ) -> list[OutboxRow]:
        """The outbox items of a table, oldest first; `read` finds them in the database."""
        known = self._known(table)
        if known.items is not None:
            return list(known.items)
        found, is_sure = await self._read(table, known, read(table))
        if is_sure:
            known.items = tuple(found)
        return found

    async def notifications(
        self, table: int, read: Callable[[int], Awaitable[list[NotificationRow]]]
    ) -> list[NotificationRow]:
        """The notifications of a table, oldest first, in the same way."""
        known = self._known(table)
        if known.notifications is not None:
            return list(known.notifications)
        found, is_sure = await self._read(table, known, read(table))
        if is_sure:
            known.notifications = tuple(found)
        return found

    async def numbered_message(
        self,
        table: int,
        what: str,
        read: Callable[[int, str], Awaitable[NumberedMessageRow | None]],
    ) -> NumberedMessageRow | None:
        """The newest message of a kind at a table, in the same way."""
        known = self._known(table)
        if what in known.numbered:
            return known.numbered[what]
        found, is_sure = await self._read(table, known, read(table, what))
        if is_sure:
            known.numbered[what] = found
        return found

    def known_number(self, table: int, what: str) -> NumberedMessageRow | None:
        """The same as far as it is known without reading; None also where it is not."""
        known = self._tables.get(table)
        return None if known is None else known.numbered.get(what)

    def _number(self, batch: WriteBatch) -> None:
        for place, (statement, parameters) in enumerate(batch.steps):
            if statement is writes.INSERT_OUTBOX_ITEM:
                self._last_item += 1
                numbered = {"id": self._last_item, **parameters}
                batch.steps[place] = writes.INSERT_NUMBERED_OUTBOX_ITEM, numbered

    def _known(self, table: int) -> _Table:
        known = self._tables.get(table)
        if known is None:
            known = self._tables[table] = _Table()
            if len(self._tables) > KEPT:
                self._tables.popitem(last=False)
        self._tables.move_to_end(table)
        return known

    async def _read(self, table: int, known: _Table, read: Awaitable[T]) -> tuple[T, bool]:
        """What is read, and whether nothing of the table was being written meanwhile."""
        before = None if table in self._on_their_way else known.writes
        found = await read
        is_sure = known.writes == before and self._tables.get(table) is known
        if table in self._on_their_way:
            # What was found may be on the disk already, and the table it tells of not in memory.
            await self._all_arrived.setdefault(table, asyncio.Event()).wait()
        return found, is_sure

    def _forget(self, tables: Iterable[int]) -> None:
        for table in tables:
            self._tables.pop(table, None)

    def _arrived(self, batch: WriteBatch, touched: Set[int], done: asyncio.Future[None]) -> None:
        """The batch was stored, or was not."""
        with ExitStack() as doubtful:
            doubtful.callback(self._forget, touched)
            for table in touched:
                self._on_their_way[table] -= 1
                if not self._on_their_way[table]:
                    del self._on_their_way[table]
                    if (waiting := self._all_arrived.pop(table, None)) is not None:
                        waiting.set()
            if not done.cancelled() and done.exception() is None:
                self._carry_out(batch)
                doubtful.pop_all()
            # Else it is not certain whether it was stored: the database knows.

    def _carry_out(self, batch: WriteBatch) -> None:
        self._forget(batch.forgotten)
        for statement, parameters in batch.steps:
            change = _CHANGES.get(statement)
            known = None if change is None else self._tables.get(_table_of(parameters))
            if change is not None and known is not None:
                change(known, parameters)


def _touched(batch: WriteBatch) -> Set[int]:
    """The tables of which the batch changes something that may be kept."""
    steps = batch.steps
    touched = {_table_of(parameters) for statement, parameters in steps if statement in _CHANGES}
    return touched.union(batch.forgotten)


def _table_of(parameters: Parameters) -> int:
    table: int = parameters["of_table" if "of_table" in parameters else "table"]
    return table


def _add_item(known: _Table, new: Parameters) -> None:
    if known.items is not None:
        known.items = (*known.items, OutboxRow(**new))


def _drop_kind(known: _Table, of: Parameters) -> None:
    if known.items is not None:
        known.items = tuple(row for row in known.items if row.kind != of["of_kind"])


def _drop_seat(known: _Table, of: Parameters) -> None:
    if known.items is not None:
        known.items = tuple(row for row in known.items if row.seat != of["of_seat"])


def _drop_item(known: _Table, of: Parameters) -> None:
    if known.items is not None:
        known.items = tuple(row for row in known.items if row.id != of["of_id"])


def _add_notification(known: _Table, new: Parameters) -> None:
    if known.notifications is not None:
        rows = (*known.notifications, NotificationRow(**new))
        known.notifications = tuple(sorted(rows, key=lambda row: (row.seq, row.seat)))


def _end_notification(known: _Table, of: Parameters) -> None:
    _change(known, lambda row: row.seat == of["of_seat"], over=True)


def _end_notifications(known: _Table, _of: Parameters) -> None:
    _change(known, lambda _row: True, over=True)


def _update_notification(known: _Table, of: Parameters) -> None:
    changes = {name: value for name, value in of.items() if not name.startswith("of_")}
    _change(known, lambda row: _is_that(row, of), **changes)


def _drop_notification(known: _Table, of: Parameters) -> None:
    if known.notifications is not None:
        known.notifications = tuple(row for row in known.notifications if not _is_that(row, of))


def _save_numbered_message(known: _Table, new: Parameters) -> None:
    row = NumberedMessageRow(**new)
    known.numbered[row.what] = row


def _change(known: _Table, concerns: Callable[[NotificationRow], bool], **changes: Any) -> None:
    if known.notifications is not None:
        known.notifications = tuple(
            replace(row, **changes) if concerns(row) else row for row in known.notifications
        )


def _is_that(row: NotificationRow, of: Parameters) -> bool:
    return (row.seat, row.seq) == (of["of_seat"], of["of_seq"])


_CHANGES: Mapping[sa.Executable, Callable[[_Table, Parameters], None]] = {
    writes.INSERT_NUMBERED_OUTBOX_ITEM: _add_item,
    writes.DELETE_OUTBOX_KIND: _drop_kind,
    writes.DELETE_OUTBOX_SEAT: _drop_seat,
    writes.DELETE_OUTBOX_ITEM: _drop_item,
    writes.INSERT_NOTIFICATION: _add_notification,
    writes.END_NOTIFICATION: _end_notification,
    writes.END_NOTIFICATIONS: _end_notifications,
    writes.UPDATE_NOTIFICATION: _update_notification,
    writes.DELETE_NOTIFICATION: _drop_notification,
    writes.SAVE_NUMBERED_MESSAGE: _save_numbered_message,
}
"""What each statement changes of what is known."""
