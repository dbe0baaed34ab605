"""Turn-by-turn histories of games as an observer saw them, and stored reviews of finished games.

Each log is replayed once. The states of recently viewed tables are cached, so that another step
back or forward is cheap. This module treats reviews as bytes.
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
from bot.tables.core import LoadedTable, Replayed, UnitOfWork, errors, from_store, remember
from bot.tables.core.log import entries_in_effect
from bot.tables.core.record import until
from bot.tables.core.replay import record_of, replay
from bot.tables.importing import CheckedImport
from bot.workers import in_thread

MAX_CACHED = 8
"""Tables whose states are cached. The states of a long game take about a megabyte."""


class PastTurn(msgspec.Struct, frozen=True, gc=False):
    """Consecutive log entries of one seat, up to number `last`.

    `entries` are those with events for the observer, and always the first one. `round` is the round
    in which the turn began. A turn that is not `in_effect` is an undo or has been undone.
    """

    entries: tuple[Entry, ...]
    last: int
    round: int
    in_effect: bool

    @property
    def first(self) -> int:
        """The number of the first log entry."""
        return self.entries[0].seq

    @property
    def seat(self) -> Seat:
        """The seat that acted, or -1 for the set-up."""
        return self.entries[0].seat

    @property
    def began(self) -> datetime:
        return self.entries[0].at

    @property
    def ended(self) -> datetime:
        """The time of the last entry that the observer may know."""
        return self.entries[-1].at

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that the observer saw."""
        return tuple(event for each in self.entries for event in each.events)

    @property
    def is_undo(self) -> bool:
        """Whether the turn went back to an earlier position."""
        return self.entries[0].back_to is not None


class History:
    """The past of the tables.

    All methods raise UnknownTable, StoreUnavailable, TableDamaged and the errors of
    `TableReader.seen`.
    """

    def __init__(self, unit_of_work: UnitOfWork, capacity: int = MAX_CACHED) -> None:
        self._unit_of_work = unit_of_work
        self._capacity = capacity
        self._cached: OrderedDict[int, Replayed] = OrderedDict()
        self._replaying = asyncio.Lock()
        # One at a time as well: many threads on long logs would starve the event loop.
        self._listing = asyncio.Lock()

    async def turns(self, table_id: int, observer: Observer) -> list[PastTurn]:
        """Return all turns that the observer may know, including undone ones."""
        entries = (await self._replayed(table_id)).entries
        async with self._listing:
            return await in_thread(turns_of, entries, observer)

    async def view(self, table_id: int, observer: Observer, seq: int) -> Any:
        """Return the observer's view after log entry `seq`. Raise IndexError if there is none."""
        past = await self._replayed(table_id)
        return past.game.view(past.game.decode(past.blobs[seq]), observer)

    async def finished(self, table_id: int) -> Replayed:
        """Return a whole game with all secrets. Raise not_over unless it is over."""
        if not (await self._unit_of_work.cache.read(table_id)).table.is_over:
            raise errors.Rejected("not_over")
        return await self._replayed(table_id)

    async def position(self, table_id: int, observer: Observer, seq: int) -> CheckedImport:
        """Return a game that is over up to log entry `seq`, with all secrets.

        Raise no_position if the observer may not know them, or if the game ended there.
        """
        loaded, past = await self._unit_of_work.cache.read(table_id), await self._replayed(table_id)
        table, game = loaded.table, past.game
        is_end = game.outcome(game.decode(past.blobs[seq])) is not None
        if is_end or not table.reveals_secrets_to(observer):
            raise errors.Rejected("no_position")
        whole = await in_thread(record_of, table, past.entries, loaded.key)
        part = await in_thread(until, whole, seq)
        return CheckedImport(part, game, table.options, is_over=False)

    async def review(self, table_id: int) -> bytes | None:
        """Return the stored review, if there is one."""
        return await from_store(self._unit_of_work.store.review(table_id))

    async def save_review(self, table_id: int, blob: bytes) -> None:
        """Store a review and replace an older one."""
        batch = WriteBatch()
        batch.save(ReviewRow(table_id, blob))
        await from_store(self._unit_of_work.store.commit(batch))

    async def _replayed(self, table_id: int) -> Replayed:
        loaded = await self._unit_of_work.cache.read(table_id)
        replayed = self._from_cache(loaded)
        if replayed is not None:
            return replayed
        # One at a time: each uses all the spare time of the event loop.
        async with self._replaying:
            replayed = self._from_cache(loaded)
            if replayed is None:
                # The log may have grown in the meantime.
                loaded = await self._unit_of_work.cache.read(table_id)
                rows = await from_store(self._unit_of_work.store.entries(table_id))
                game = self._unit_of_work.rules(loaded.table)
                replayed = await replay(game, loaded.table, rows, loaded.promises)
                remember(self._cached, table_id, replayed, self._capacity)
            return replayed

    def _from_cache(self, loaded: LoadedTable) -> Replayed | None:
        cached, now = self._cached.get(loaded.table.id), loaded.position()
        if cached is None or len(cached.blobs) <= now.seq:
            return None
        self._cached.move_to_end(loaded.table.id)
        return cached


def turns_of(entries: Sequence[Entry], observer: Observer) -> list[PastTurn]:
    """Return the log as turns. An entry without events for the observer begins no turn."""
    seqs_in_effect = set(entries_in_effect(each.back_to for each in entries))
    turns: list[PastTurn] = []
    newest = 0  # index of the last turn in effect
    began_in = 0
    for entry in entries:
        each, in_effect = entry.seen_by(observer), entry.seq in seqs_in_effect
        of_turn = (each.seat, began_in, in_effect, each.back_to is not None)
        last = turns[-1] if turns else None
        if last and not each.events:
            if in_effect:
                turns[newest] = replace(turns[newest], last=each.seq)
        elif last and (last.seat, last.round, last.in_effect, last.is_undo) == of_turn:
            turns[-1] = replace(last, last=each.seq, entries=(*last.entries, each))
        else:
            newest = len(turns) if in_effect else newest
            turns.append(PastTurn((each,), each.seq, began_in, in_effect))
        began_in = each.round
    return turns
