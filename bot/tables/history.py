"""Steps through a game, turn by turn, as one observer saw it then, and the reviews of finished
games. What a review says is the business of whoever works it out: here it is bytes.

The log is replayed once. The states are kept in memory for the tables last viewed, so that the next
step back or forward costs little.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.game.contract import Event, Observer, Seat
from bot.game.log import Entry
from bot.store import ReviewRow, WriteBatch
from bot.tables.core import LoadedTable, Replayed, UnitOfWork, errors, from_store
from bot.tables.core.log import entries_in_effect
from bot.tables.core.replay import replay
from bot.workers import in_thread

CACHED = 8
"""Tables whose states are held in memory; a long game's take about a megabyte."""


class PastTurn(msgspec.Struct, frozen=True, gc=False):
    """Consecutive log entries of one seat, up to number `last`; of them those that an observer
    `heard` of, the first whatever they heard.

    `round` is the one in which the turn began. A turn that no longer `stands` has been taken back
    or, where it `takes_back`, took others back.
    """

    entries: tuple[Entry, ...]
    last: int
    round: int
    in_effect: bool

    @property
    def first(self) -> int:
        """The number of the first entry."""
        return self.entries[0].seq

    @property
    def seat(self) -> Seat:
        """Whose turn it was, -1 for the set-up."""
        return self.entries[0].seat

    @property
    def began(self) -> datetime:
        """When it began."""
        return self.entries[0].at

    @property
    def ended(self) -> datetime:
        """When it ended so far, as far as the observer heard."""
        return self.entries[-1].at

    @property
    def events(self) -> tuple[Event, ...]:
        """What the observer heard."""
        return tuple(event for each in self.entries for event in each.events)

    @property
    def is_undo(self) -> bool:
        """Whether it took others back."""
        return self.entries[0].back_to is not None


class History:
    """The past of the tables. All methods raise UnknownTable, StoreUnavailable, TableDamaged and
    what `TableReader.seen` raises."""

    def __init__(self, unit_of_work: UnitOfWork, capacity: int = CACHED) -> None:
        self._unit_of_work = unit_of_work
        self._capacity = capacity
        self._cached: OrderedDict[int, Replayed] = OrderedDict()
        self._folding = asyncio.Lock()
        # One at a time as well: many threads at long logs would leave the event loop no time.
        self._listing = asyncio.Lock()

    async def turns(self, table_id: int, observer: Observer) -> list[PastTurn]:
        """All that the observer heard of since the set-up, including what was taken back."""
        entries = (await self._replayed(table_id)).entries
        async with self._listing:
            return await in_thread(turns_of, entries, observer)

    async def view(self, table_id: int, observer: Observer, seq: int) -> Any:
        """What the observer saw after log entry `seq`. Raises IndexError where there is none."""
        past = await self._replayed(table_id)
        return past.game.view(past.game.decode(past.blobs[seq]), observer)

    async def finished(self, table_id: int) -> Replayed:
        """The whole of a game that is over, secrets and all. Raises not_over."""
        if not (await self._unit_of_work.cache.read(table_id)).table.is_over:
            raise errors.Rejected("not_over")
        return await self._replayed(table_id)

    async def review(self, table_id: int) -> bytes | None:
        """The review that is kept, if there is one."""
        return await from_store(self._unit_of_work.store.review(table_id))

    async def save_review(self, table_id: int, blob: bytes) -> None:
        """Keeps a review, in the place of an older one."""
        batch = WriteBatch()
        batch.save(ReviewRow(table_id, blob))
        await from_store(self._unit_of_work.store.commit(batch))

    async def _replayed(self, table_id: int) -> Replayed:
        loaded = await self._unit_of_work.cache.read(table_id)
        known = self._known(loaded)
        if known is not None:
            return known
        # One at a time: each takes all the time that the event loop has to spare.
        async with self._folding:
            known = self._known(loaded)
            if known is None:
                # By now there may be more.
                loaded = await self._unit_of_work.cache.read(table_id)
                rows = await from_store(self._unit_of_work.store.entries(table_id))
                game = self._unit_of_work.rules(loaded.table)
                known = await replay(game, loaded.table, rows, loaded.promises)
                self._cached[table_id] = known
                if len(self._cached) > self._capacity:
                    self._cached.popitem(last=False)
            return known

    def _known(self, loaded: LoadedTable) -> Replayed | None:
        known, now = self._cached.get(loaded.table.id), loaded.position()
        if known is None or len(known.blobs) <= now.seq:
            return None
        self._cached.move_to_end(loaded.table.id)
        return known


def turns_of(entries: Sequence[Entry], observer: Observer) -> list[PastTurn]:
    """The log as turns. An entry of which the observer heard nothing begins no turn."""
    stand = set(entries_in_effect(each.back_to for each in entries))
    turns: list[PastTurn] = []
    newest = 0  # the last of the turns that stand
    began_in = 0
    for entry in entries:
        each, stands = entry.seen_by(observer), entry.seq in stand
        of_turn = (each.seat, began_in, stands, each.back_to is not None)
        last = turns[-1] if turns else None
        if last and not each.events:
            if stands:
                turns[newest] = replace(turns[newest], last=each.seq)
        elif last and (last.seat, last.round, last.in_effect, last.is_undo) == of_turn:
            turns[-1] = replace(last, last=each.seq, entries=(*last.entries, each))
        else:
            newest = len(turns) if stands else newest
            turns.append(PastTurn((each,), each.seq, began_in, stands))
        began_in = each.round
    return turns
