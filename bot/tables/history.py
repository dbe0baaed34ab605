"""The reviews of finished games, and what one is worked out of. What a review says is the business
of whoever works it out: here it is bytes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.game.contract import Event, Observer, Seat
from bot.store import ReviewRow, WriteBatch
from bot.tables.core import errors
from bot.tables.core.cache import Replayed, from_store, replay
from bot.tables.core.model import Happened
from bot.tables.core.table_lines import standing
from bot.tables.core.unit_of_work import UnitOfWork
from bot.workers import in_thread

CACHED = 8
"""Tables whose states are held in memory; a long game's take about a megabyte."""


class PastTurn(msgspec.Struct, frozen=True, gc=False):
    """Consecutive log entries of one seat, `first` to `last`, as an observer heard of them.

    `seat` is -1 for the set-up, `round` the one in which the turn began, `at` when it ended so far.
    A turn that no longer `stands` has been taken back or, where it `takes_back`, took others back.
    """

    first: int
    last: int
    seat: Seat
    round: int
    began: datetime
    at: datetime
    events: tuple[Event, ...]
    stands: bool
    takes_back: bool


class History:
    """The past of the tables. All methods raise TableDamaged and what `TableReader.view` raises."""

    def __init__(self, unit_of_work: UnitOfWork, capacity: int = CACHED) -> None:
        self._unit_of_work = unit_of_work
        self._capacity = capacity
        self._cached: OrderedDict[int, Replayed] = OrderedDict()
        self._folding = asyncio.Lock()
        # One at a time as well: many threads at long logs would leave the event loop no time.
        self._listing = asyncio.Lock()

    async def turns(self, table_id: int, observer: Observer) -> list[PastTurn]:
        """All that the observer heard of since the set-up, including what was taken back."""
        happened = (await self.whole(table_id)).happened
        async with self._listing:
            return await in_thread(turns_of, happened, observer)

    async def view(self, table_id: int, observer: Observer, seq: int) -> Any:
        """What the observer saw after log entry `seq`. Raises IndexError where there is none."""
        past = await self.whole(table_id)
        return past.game.view(past.game.decode(past.blobs[seq]), observer)

    async def whole(self, table_id: int) -> Replayed:
        """The whole game, secrets and all: for after its end."""
        seq = await self._seq(table_id)
        known = self._known(table_id, seq)
        if known is not None:
            return known
        # One at a time: each takes all the time that the event loop has to spare.
        async with self._folding:
            known = self._known(table_id, seq)
            if known is None:
                known = self._cached[table_id] = await self._fold(table_id)
                if len(self._cached) > self._capacity:
                    self._cached.popitem(last=False)
            return known

    async def _seq(self, table_id: int) -> int:
        return (await self._unit_of_work.cache.read(table_id)).position().seq

    def _known(self, table_id: int, seq: int) -> Replayed | None:
        known = self._cached.get(table_id)
        if known is None or len(known.blobs) <= seq:
            return None
        self._cached.move_to_end(table_id)
        return known

    async def _fold(self, table_id: int) -> Replayed:
        loaded = await self._unit_of_work.cache.read(table_id)
        game = self._unit_of_work.rules(loaded.table)
        entries = await from_store(self._unit_of_work.store.entries(table_id))
        return await replay(game, loaded.table, entries, loaded.promises)


def turns_of(happened: Sequence[Happened], observer: Observer) -> list[PastTurn]:
    """The log as turns. An entry of which the observer heard nothing begins no turn."""
    stand = set(standing(each.back_to for each in happened))
    turns: list[PastTurn] = []
    newest = 0  # the last of the turns that stand
    began_in = 0
    for each in happened:
        heard, stands = each.heard_by(observer), each.seq in stand
        if turns and not heard:
            if stands:
                turns[newest] = replace(turns[newest], last=each.seq)
        elif turns and _goes_on(turns[-1], each, stands, began_in):
            events = (*turns[-1].events, *heard)
            turns[-1] = replace(turns[-1], last=each.seq, at=each.at, events=events)
        else:
            takes_back = each.back_to is not None
            newest = len(turns) if stands else newest
            turns.append(
                PastTurn(
                    first=each.seq,
                    last=each.seq,
                    seat=each.seat,
                    round=began_in,
                    began=each.at,
                    at=each.at,
                    events=heard,
                    stands=stands,
                    takes_back=takes_back,
                )
            )
        began_in = each.round
    return turns


def _goes_on(turn: PastTurn, then: Happened, stands: bool, began_in: int) -> bool:
    return (turn.seat, turn.round, turn.stands, turn.takes_back) == (
        then.seat,
        began_in,
        stands,
        then.back_to is not None,
    )


class Reviews:
    """Keeps them. All methods raise UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork, history: History) -> None:
        self._unit_of_work = unit_of_work
        self._history = history

    async def whole(self, table_id: int) -> Replayed:
        """The whole game, secrets and all, as nobody may see it before its end.

        Raises not_over, and what `TableReader.view` raises.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        if not loaded.table.is_over:
            raise errors.Rejected("not_over")
        return await self._history.whole(table_id)

    async def get(self, table_id: int) -> bytes | None:
        """The review that is kept, if there is one."""
        return await from_store(self._unit_of_work.store.review(table_id))

    async def put(self, table_id: int, blob: bytes) -> None:
        """Keeps a review, in the place of an older one."""
        batch = WriteBatch()
        batch.save(ReviewRow(table_id, blob))
        await from_store(self._unit_of_work.store.commit(batch))
