"""Read-only access to tables, as each observer may see them."""

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
from bot.tables.core.log import has_acted
from bot.workers import in_thread

BATCH = 64
"""Log entries that are filtered on the event loop; more are filtered in a thread."""


@dataclass(frozen=True, kw_only=True)
class ObservedTable:
    """A table as one observer sees it after log entry `seq`."""

    table: Table
    observer: Observer
    seq: int
    view: Any
    pending: tuple[Decision, ...]
    """The pending decisions; none once the game is finished or abandoned."""
    legal: Callable[[Seat, Action], Choices]
    """A seat's choices for the next word of an action, as in `Game.legal`."""
    promises: tuple[Promise, ...] = ()
    """All promises, open or not, that the observer may know."""
    acted: Seat | None = None
    """The seat of the last public action that has not been undone, if known."""
    acted_before: Seat | None = None
    """The seat of the public action before that, if known."""
    outcome: Outcome | None = None
    fingerprint: bytes = b""
    """A hash of the position; empty for a past one."""
    recent: tuple[Entry, ...] = ()
    """The last log entries in memory, with the events that the observer may see. Never show their
    number: some of them are secret."""

    def events_since(self, seq: int) -> list[Event] | None:
        """Return the observer's events after entry `seq`, without undone ones.

        Return None if memory does not reach back that far; then use
        `TableReader.visible_events_since`.
        """
        if seq >= self.seq:
            return []
        if not self.recent or self.recent[0].seq > seq + 1:
            return None
        return events_in_effect(each for each in self.recent if each.seq > seq)


class TableReader:
    """Reads tables. Every method raises UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def get(self, table_id: int) -> Table:
        return (await self._unit_of_work.cache.read(table_id)).table

    async def by_ids(self, ids: Sequence[int]) -> dict[int, Table]:
        """Return those of the tables that exist, by id."""
        stored = await from_store(self._unit_of_work.store.heads(ids))
        return {each.table.id: self._unit_of_work.cache.table_of(each) for each in stored}

    async def find(self, place: int, among: Collection[Status] = OPEN) -> list[Table]:
        """Return the tables of a channel or thread with one of these statuses, newest first."""
        stored = await from_store(self._unit_of_work.store.in_channel(place, among))
        return [self._unit_of_work.cache.table_of(each) for each in stored]

    async def seats_of(self, user: int) -> list[tuple[Table, Seat]]:
        """Return the user's tables that are not over, with their seats, oldest first."""
        stored = await from_store(self._unit_of_work.store.of_user(user, NOT_OVER))
        tables = map(self._unit_of_work.cache.table_of, stored)
        return [(table, seating.seated(table, user)) for table in tables]

    async def seat_of(self, table_id: int, user: int) -> Seat:
        """Return the user's seat. Raise not_seated."""
        return seating.seated(await self.get(table_id), user)

    async def problem(self, table_id: int) -> Rejected | None:
        """Return why the game cannot be read here, if so."""
        return (await self._unit_of_work.cache.read(table_id)).problem

    async def seen(self, table_id: int, observer: Observer) -> ObservedTable:
        """Return the observer's current view.

        Raise not_started, TableDamaged or RulesUnavailable.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        return seen(self._unit_of_work.rules(loaded.table), loaded, observer)

    async def seen_by(self, table_id: int, user: int) -> ObservedTable:
        """Return the current view from the user's seat. Raise not_seated and errors of `seen`."""
        loaded = await self._unit_of_work.cache.read(table_id)
        seat = seating.seated(loaded.table, user)
        return seen(self._unit_of_work.rules(loaded.table), loaded, seat)

    async def seq(self, table_id: int) -> int:
        """Return the number of the last log entry, or -1 in the lobby."""
        return (await self._unit_of_work.cache.read(table_id)).seq()

    async def pending(self, table_id: int) -> tuple[Decision, ...]:
        """Return the pending decisions. Raise not_started."""
        return (await self._unit_of_work.cache.read(table_id)).position().pending

    async def entries(self, seen: ObservedTable, first: int) -> Sequence[Entry]:
        """Return the log entries from `first` up to the view, as its observer may know them."""
        if seen.recent and seen.recent[0].seq <= first:
            return [each for each in seen.recent if each.seq >= first]
        cache, table_id = self._unit_of_work.cache, seen.table.id
        entries = (await cache.read(table_id)).position().since(first)
        if entries is None:
            entries = await cache.run_locked(table_id, lambda: cache.entries(table_id, first))

        def visible() -> list[Entry]:
            return [each.seen_by(seen.observer) for each in entries if each.seq <= seen.seq]

        return visible() if len(entries) <= BATCH else await in_thread(visible)

    async def has_acted(self, seen: ObservedTable, seat: Seat, seq: int) -> bool:
        """Return whether the seat acted after log entry `seq` and up to the view.

        This needs no replay.
        """
        entries: Sequence[Entry | EntryRow] = seen.recent
        if not (entries and entries[0].seq <= seq + 1):
            entries = await from_store(self._unit_of_work.store.entries(seen.table.id, seq + 1))
        return any(each.seat == seat and seq < each.seq <= seen.seq for each in entries)

    async def visible_events_since(self, seen: ObservedTable, seq: int) -> list[Event]:
        """Return `ObservedTable.events_since`, reading the log if memory does not reach back."""
        events = seen.events_since(seq)
        return events_in_effect(await self.entries(seen, seq + 1)) if events is None else events

    async def others_events(self, seen: ObservedTable) -> list[Event]:
        """Return what has happened since the last action of the observer's seat, if others acted.

        That is nothing before its first action. This reads the log if memory does not reach back
        far enough.
        """
        acted = partial(has_acted, self._unit_of_work.rules(seen.table), seen.observer)
        entries: Sequence[Entry] = seen.recent
        if not any(map(acted, entries)):
            entries = await self.entries(seen, 0)
        last = max((each.seq for each in entries if acted(each)), default=seen.seq)
        later = [each for each in entries if each.seq > last]
        has_news = any(each.events and each.seat != seen.observer for each in later)
        return events_in_effect(later) if has_news else []

    async def newest(self, seen: ObservedTable, seq: int) -> tuple[int, list[Event]]:
        """Return the observer's events since entry `seq` or, if there are none, their last ones.

        The number is the entry after which these events happened. Secret actions of other players
        change neither.
        """
        events = await self.visible_events_since(seen, seq)
        for last in () if events else await self.log(seen, 1):
            return min(seq, last.seq - 1), list(last.events)
        return seq, events

    async def log(self, seen: ObservedTable, last: int = 20) -> list[Entry]:
        """Return the last entries with events for the observer up to the view, oldest first."""
        visible = [each for each in seen.recent if each.events]
        if len(visible) < last and not (seen.recent and seen.recent[0].seq == 0):
            # Expensive: it replays the whole game.
            visible = [each for each in await self.entries(seen, 0) if each.events]
        return visible[-last:]

    async def is_current(self, seen: ObservedTable) -> bool:
        """Return whether the table has not changed since the view."""
        loaded = await self._unit_of_work.cache.read(seen.table.id)
        return loaded.table == seen.table and loaded.seq() == seen.seq

    async def key(self, table_id: int) -> bytes:
        """Return the key of a finished game's draws, which is public then, or else b""."""
        loaded = await self._unit_of_work.cache.read(table_id)
        return loaded.key if loaded.table.reveals_secrets_to(SPECTATOR) else b""

    async def ping(self) -> None:
        """Check that the database can be written and read. Raise StoreUnavailable."""
        await from_store(self._unit_of_work.store.ping())

    async def census(self) -> Census:
        """Return counts over all tables."""
        return await from_store(self._unit_of_work.store.census())


def seen(game: AnyGame, loaded: LoadedTable, observer: Observer) -> ObservedTable:
    """Return the observer's view of a loaded table. Raise as `TableReader.seen`."""
    table, now = loaded.table, loaded.position()
    return ObservedTable(
        table=table,
        observer=observer,
        seq=now.seq,
        view=game.view(now.state, observer),
        pending=() if table.is_over else now.pending,
        # Safe to share: actions change only copies of the state.
        legal=partial(game.legal, now.state),
        promises=tuple(each for each in loaded.promises if each.visible_to(observer)),
        acted=None if now.acted == NO_SEAT else now.acted,
        acted_before=None if now.acted_before == NO_SEAT else now.acted_before,
        outcome=now.outcome,
        fingerprint=position.fingerprint(table, now),
        recent=tuple(each.seen_by(observer) for each in now.recent),
    )


def events_in_effect(entries: Iterable[Entry]) -> list[Event]:
    """Return the events of these entries, without those that are undone among them."""
    in_effect: list[Entry] = []
    for each in entries:
        while each.back_to is not None and in_effect and in_effect[-1].seq > each.back_to:
            in_effect.pop()
        in_effect.append(each)
    return [event for each in in_effect for event in each.events]
