"""What can be seen of the tables, and by whom. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.game.choices import Choices
from bot.game.contract import SPECTATOR, Action, Decision, Event, Observer, Outcome, Seat
from bot.game.game import AnyGame
from bot.game.log import Entry
from bot.store import Census, EntryRow, Promise, Status
from bot.tables.core import (
    NO_SEAT,
    NOT_OVER,
    OPEN,
    LoadedTable,
    Rejected,
    Table,
    UnitOfWork,
    from_store,
    position,
    seating,
)
from bot.workers import in_thread

BATCH = 64
"""Log entries that are looked through without leaving the event loop."""


@dataclass(frozen=True, kw_only=True)
class ObservedTable:
    """A table as one observer sees it at one moment: after log entry `seq`."""

    table: Table
    observer: Observer
    seq: int
    view: Any
    pending: tuple[Decision, ...]
    """What is asked of whom; nothing in a game that is over or was given up."""
    legal: Callable[[Seat, Action], Choices]
    """What a seat may say after the words of an action so far, as `Game.legal`."""
    promises: tuple[Promise, ...] = ()
    """All that were ever made, as far as the observer may know of them."""
    acted: Seat | None = None
    """Who took the last action that still stands and that all noticed, if that is known."""
    acted_before: Seat | None = None
    """Who took the one before that, if that is known."""
    outcome: Outcome | None = None
    fingerprint: bytes = b""
    """A hash of how the game stands; empty for a moment of the past."""
    recent: tuple[Entry, ...] = ()
    """The last log entries, as far as memory reaches, with what the observer heard of them: for
    the program alone, as some of them the observer did not notice."""

    def events_since(self, seq: int) -> list[Event] | None:
        """What the observer heard of the entries after `seq`, without those taken back; None where
        memory does not reach back that far (then ask `TableReader.visible_events_since`)."""
        if seq >= self.seq:
            return []
        if not self.recent or self.recent[0].seq > seq + 1:
            return None
        return told(each for each in self.recent if each.seq > seq)


class TableReader:
    """Reads tables. Every method raises UnknownTable and StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def get(self, table_id: int) -> Table:
        """The table."""
        return (await self._unit_of_work.cache.read(table_id)).table

    async def find(self, place: int, among: Collection[Status] = OPEN) -> list[Table]:
        """The tables of a channel or thread in one of those states, newest first."""
        found = await from_store(self._unit_of_work.store.in_channel(place, among))
        return [self._unit_of_work.cache.table_of(each) for each in found]

    async def seats_of(self, user: int) -> list[tuple[Table, Seat]]:
        """The tables that are not over at which the user sits, and where; oldest first."""
        found = await from_store(self._unit_of_work.store.of_user(user, NOT_OVER))
        tables = map(self._unit_of_work.cache.table_of, found)
        return [(table, seating.seated(table, user)) for table in tables]

    async def seat_of(self, table_id: int, user: int) -> Seat:
        """Where the user sits. Raises not_seated."""
        return seating.seated(await self.get(table_id), user)

    async def problem(self, table_id: int) -> Rejected | None:
        """Why the game cannot be read here, if it cannot."""
        return (await self._unit_of_work.cache.read(table_id)).problem

    async def seen(self, table_id: int, observer: Observer) -> ObservedTable:
        """The table as the observer sees it now. Raises not_started, TableDamaged or NotHere."""
        loaded = await self._unit_of_work.cache.read(table_id)
        return seen(self._unit_of_work.rules(loaded.table), loaded, observer)

    async def seen_by(self, table_id: int, user: int) -> ObservedTable:
        """The table as the user sees it from their seat now. Raises not_seated and what `seen`
        raises."""
        loaded = await self._unit_of_work.cache.read(table_id)
        seat = seating.seated(loaded.table, user)
        return seen(self._unit_of_work.rules(loaded.table), loaded, seat)

    async def seq(self, table_id: int) -> int:
        """The number of the last log entry; -1 in the lobby."""
        return (await self._unit_of_work.cache.read(table_id)).seq()

    async def pending(self, table_id: int) -> tuple[Decision, ...]:
        """What is asked of whom. Raises not_started."""
        return (await self._unit_of_work.cache.read(table_id)).position().pending

    async def entries(self, seen: ObservedTable, first: int) -> Sequence[Entry]:
        """The log entries from `first` on, as far as the moment that was seen, as its observer may
        know them."""
        if seen.recent and seen.recent[0].seq <= first:
            return [each for each in seen.recent if each.seq >= first]
        cache, table_id = self._unit_of_work.cache, seen.table.id
        found = (await cache.read(table_id)).position().since(first)
        if found is None:
            found = await cache.run_locked(table_id, lambda: cache.entries(table_id, first))

        def known() -> list[Entry]:
            return [each.seen_by(seen.observer) for each in found if each.seq <= seen.seq]

        return known() if len(found) <= BATCH else await in_thread(known)

    async def has_acted(self, seen: ObservedTable, seat: Seat, seq: int) -> bool:
        """Whether the seat had done anything after log entry `seq` by then; for that no game is
        replayed."""
        done: Sequence[Entry | EntryRow] = seen.recent
        if not (done and done[0].seq <= seq + 1):
            done = await from_store(self._unit_of_work.store.entries(seen.table.id, seq + 1))
        return any(each.seat == seat and seq < each.seq <= seen.seq for each in done)

    async def visible_events_since(self, seen: ObservedTable, seq: int) -> list[Event]:
        """`ObservedTable.events_since`, however far back it goes."""
        known = seen.events_since(seq)
        return told(await self.entries(seen, seq + 1)) if known is None else known

    async def newest(self, seen: ObservedTable, seq: int) -> tuple[int, list[Event]]:
        """The events since that entry or, where there are none, the last that the observer heard.

        They come with the entry after which they happened. What others do in secret changes
        neither.
        """
        events = await self.visible_events_since(seen, seq)
        for last in () if events else await self.log(seen, 1):
            return min(seq, last.seq - 1), list(last.events)
        return seq, events

    async def log(self, seen: ObservedTable, last: int = 20) -> list[Entry]:
        """The last entries of which the observer had heard anything by then, oldest first."""
        heard = [each for each in seen.recent if each.events]
        if len(heard) < last and not (seen.recent and seen.recent[0].seq == 0):
            # Only then: it takes a replay of the whole game.
            heard = [each for each in await self.entries(seen, 0) if each.events]
        return heard[-last:]

    async def is_current(self, seen: ObservedTable) -> bool:
        """Whether nothing has happened at the table since it was seen."""
        loaded = await self._unit_of_work.cache.read(seen.table.id)
        return loaded.table == seen.table and loaded.seq() == seen.seq

    async def key(self, table_id: int) -> bytes:
        """The key of the draws of a finished game, which all may know; empty for any other."""
        loaded = await self._unit_of_work.cache.read(table_id)
        return loaded.key if loaded.table.reveals_secrets_to(SPECTATOR) else b""

    async def ping(self) -> None:
        """Returns if the database can be written and read. Raises StoreUnavailable."""
        await from_store(self._unit_of_work.store.ping())

    async def census(self) -> Census:
        """Counts over all tables."""
        return await from_store(self._unit_of_work.store.census())


def seen(game: AnyGame, loaded: LoadedTable, observer: Observer) -> ObservedTable:
    """A table in memory as the observer sees it. Raises not_started, TableDamaged or NotHere."""
    table, now = loaded.table, loaded.position()
    return ObservedTable(
        table=table,
        observer=observer,
        seq=now.seq,
        view=game.view(now.state, observer),
        pending=() if table.is_over else now.pending,
        # No action changes a state that others hold.
        legal=partial(game.legal, now.state),
        promises=tuple(each for each in loaded.promises if each.visible_to(observer)),
        acted=None if now.acted == NO_SEAT else now.acted,
        acted_before=None if now.acted_before == NO_SEAT else now.acted_before,
        outcome=now.outcome,
        fingerprint=position.fingerprint(table, now),
        recent=tuple(each.seen_by(observer) for each in now.recent),
    )


def told(entries: Iterable[Entry]) -> list[Event]:
    """The events of those entries, without those taken back by their end."""
    stand: list[Entry] = []
    for each in entries:
        while each.back_to is not None and stand and stand[-1].seq > each.back_to:
            stand.pop()
        stand.append(each)
    return [event for each in stand for event in each.events]
