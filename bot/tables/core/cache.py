"""The tables in memory: loaded on demand, evicted when least recently used, one lock each.

Where several processes write, a table in memory may be out of date. It is dropped when another
process tells of its write; and as the database refuses what was made of an older revision, one that
was missed costs no more than doing the work again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from bot.game.contract import IllegalAction
from bot.game.game import AnyGame
from bot.game.log import Entry
from bot.game.versions import Games
from bot.store import Promise, Store, StoredTable, TableFields, TableRow
from bot.store import errors as store_errors
from bot.tables.core import errors, position, seating
from bot.tables.core.model import Table, table_of
from bot.tables.core.position import Position
from bot.tables.core.replay import caught_up, from_snapshot, replay

logger = logging.getLogger(__name__)

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

ATTEMPTS = 20
"""How often work is done at a table before others are held to write to it all the time."""
HEARD = 4096
"""Tables of which the newest revision that was heard of is remembered: longer than any read takes
that was under way by then."""
GUILDS = 65536
"""Tables of which it is remembered in which server they are."""


async def from_store(work: Awaitable[T]) -> T:
    """What the store answers. Raises StoreUnavailable, ConflictingWrite or NotOurs."""
    try:
        return await work
    except store_errors.LeaseLost as error:
        raise errors.NotOurs() from error
    except store_errors.StaleWrite as error:
        raise errors.StaleCopy("conflict") from error
    except store_errors.DuplicateWrite as error:
        raise errors.ConflictingWrite("conflict") from error
    except store_errors.StoreError as error:
        raise errors.StoreUnavailable("store_unavailable") from error


class LoadedTable(msgspec.Struct, frozen=True):
    """A table in memory. `now` is None in the lobby, or where there is a `problem` with its log.

    `promises` are all that were ever made, in the order of the log. `revision` is the one that was
    read, 0 for one that is not stored yet.
    """

    table: Table
    key: bytes
    now: Position | None = None
    problem: errors.Rejected | None = None
    promises: tuple[Promise, ...] = ()
    revision: int = 0

    def with_table(self, table: Table) -> LoadedTable:
        """The same game, its table changed."""
        return replace(self, table=table)

    def seq(self) -> int:
        """The number of the last log entry, -1 where there is none."""
        return -1 if self.now is None else self.now.seq

    def row(self) -> TableRow:
        """The table as it is stored."""
        about = {name: getattr(self.table, name) for name in TableFields.__struct_fields__}
        return TableRow(**about, key=self.key)

    @property
    def is_elsewhere(self) -> bool:
        """Whether only another version of the program can go on with the game."""
        return isinstance(self.problem, errors.NotHere)

    def position(self) -> Position:
        """Where the game stands. Raises not_started, TableDamaged, rules_changed or title_gone."""
        if self.problem is not None:
            raise self.problem.with_traceback(None)
        if self.now is None:
            raise errors.NotPlaying("not_started")
        return self.now


class TableCache:
    """Keeps at most `capacity` tables in memory; a lock lives as long as somebody uses it."""

    def __init__(self, store: Store, games: Games, capacity: int) -> None:
        self._store = store
        self._games = games
        self._capacity = capacity
        self.stale_writes = 0
        """How often work was done again because another process had been faster."""
        self._loaded: OrderedDict[int, LoadedTable] = OrderedDict()
        self._older: OrderedDict[int, LoadedTable] = OrderedDict()
        """Copies that others' writes have made out of date: what happened before is still known."""
        self._heard: OrderedDict[int, int] = OrderedDict()
        self._guilds: OrderedDict[int, int | None] = OrderedDict()
        self._forgotten = 0
        self.locks = TableLocks()
        self._running: set[asyncio.Task[Any]] = set()

    async def alone(self, table_id: int, work: Callable[[], Awaitable[T]]) -> T:
        """Does the work while holding the lock of the table.

        It runs to its end even if the caller is cancelled: between a commit and the change in
        memory there is no turning back. Where another process was faster it is done again, from
        what is stored by then: it must not keep anything of the first time. Raises StoreUnavailable
        where others are faster again and again.
        """
        task = asyncio.create_task(self._locked(table_id, work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Waits for all work in progress."""
        while self._running:
            await asyncio.wait(self._running)

    async def read(self, table_id: int) -> LoadedTable:
        """A table to read from. Raises UnknownTable or StoreUnavailable."""
        loaded = self._loaded.get(table_id)
        if loaded is not None:
            self._loaded.move_to_end(table_id)
            return loaded
        return await self.alone(table_id, lambda: self.load(table_id))

    async def load(self, table_id: int) -> LoadedTable:
        """The table, for a caller that holds its lock."""
        loaded = self._loaded.get(table_id)
        if loaded is None:
            forgotten = self._forgotten
            loaded = await self._read(table_id)
            if self._store.is_shared:
                remember(self._guilds, table_id, loaded.table.guild, GUILDS)
            if forgotten == self._forgotten:
                self.put(loaded)
        return loaded

    def put(self, loaded: LoadedTable) -> None:
        """Replaces the table in memory, for a caller that holds its lock.

        Another process may have written it already, and then it is dropped.
        """
        table_id = loaded.table.id
        if loaded.revision < self._heard.get(table_id, 0):
            self.drop(table_id)
            return
        remember(self._loaded, table_id, loaded, self._capacity)

    def heard(self, table_id: int, revision: int) -> None:
        """The table has been written: a copy older than that is dropped."""
        # What is read of it may arrive after a newer notice.
        remember(self._heard, table_id, max(revision, self._heard.get(table_id, 0)), HEARD)
        loaded = self._loaded.get(table_id)
        if loaded is not None and loaded.revision < revision:
            self.drop(table_id)

    async def is_stale(self, table_id: int) -> bool:
        """Whether another process has written the table since it was read; for a caller that holds
        its lock. Raises StoreUnavailable.
        """
        if not self._store.is_shared:
            return False
        known = self._loaded.get(table_id) or self._older.get(table_id)
        now = await from_store(self._store.revision_of(table_id))
        return known is not None and known.revision != now

    def drop_all(self) -> None:
        """Drops all tables, and does not keep those being read: any may have been written."""
        self._forgotten += 1
        for table_id in list(self._loaded):
            self.drop(table_id)

    async def guild(self, table_id: int) -> int | None:
        """The server of a table, which never changes. Raises StoreUnavailable."""
        if table_id not in self._guilds:
            # Not by way of `read`: most are of no further interest here.
            guild = await from_store(self._store.guild_of(table_id))
            remember(self._guilds, table_id, guild, GUILDS)
        return self._guilds[table_id]

    def known_guilds(self, table_ids: Iterable[int]) -> dict[int, int | None]:
        """The servers of those tables of which they are in memory."""
        return {each: self._guilds[each] for each in table_ids if each in self._guilds}

    def drop(self, table_id: int) -> None:
        """Drops the table from memory; it is read again on demand."""
        dropped = self._loaded.pop(table_id, None)
        if dropped is not None and self._store.is_shared:
            remember(self._older, table_id, dropped, self._capacity)

    async def entries(self, table_id: int, first: int) -> tuple[Entry, ...]:
        """The log from entry `first` on, for a caller that holds the table's lock.

        It is replayed where memory does not go back that far. Raises like `LoadedTable.position`.
        """
        loaded = await self.load(table_id)
        now = loaded.position()
        known = now.since(first)
        if known is not None:
            return known
        rows = await from_store(self._store.entries(table_id))
        game = rules_of(self._games, loaded.table.game, loaded.table.version)
        entries = (await replay(game, loaded.table, rows, loaded.promises)).entries
        self.put(replace(loaded, now=replace(now, recent=tuple(entries[-position.RECENT :]))))
        return tuple(entries[first:])

    def table_of(self, stored: StoredTable) -> Table:
        """A table from its rows. A lobby follows the newest rules, whenever it was opened."""
        return seating.renewed(table_of(stored.table, stored.players), self._games)

    async def _locked(self, table_id: int, work: Callable[[], Awaitable[T]]) -> T:
        async with self.locks.held(table_id):
            for _ in range(ATTEMPTS):
                try:
                    return await work()
                except errors.StaleCopy:
                    self.stale_writes += 1
                    self.drop(table_id)
                except (errors.StoreUnavailable, errors.UnknownTable):
                    raise
                except (errors.Rejected, IllegalAction):
                    # What is refused may have been allowed meanwhile.
                    if not await self.is_stale(table_id):
                        raise
                    self.drop(table_id)
        raise errors.StoreUnavailable("store_unavailable")

    async def _read(self, table_id: int) -> LoadedTable:
        stored = await from_store(self._store.load(table_id))
        if stored is None:
            raise errors.UnknownTable("unknown_table", table=table_id)
        table = self.table_of(stored)
        promised = stored.promises
        head = LoadedTable(
            table, stored.table.key, promises=promised, revision=stored.table.revision
        )
        if stored.last_seq is None:
            return head
        try:
            game = rules_of(self._games, table.game, table.version)
        except errors.NotHere as problem:
            logger.warning("rules missing table=%d error=%s", table.id, problem)
            return replace(head, problem=problem)
        now = from_snapshot(game, table, stored)
        if now is None:
            logger.info("snapshot stale, replaying log table=%d", table_id)
            try:
                entries = await from_store(self._store.entries(table_id))
                now = (await replay(game, table, entries, promised)).end()
            except errors.TableDamaged as damage:
                return replace(head, problem=damage)
        # What happened before may be known of an older copy.
        older = self._older.pop(table_id, None)
        before = None if older is None else older.now
        if before and before.recent and 0 <= now.seq - before.seq <= position.RECENT:
            entries = await from_store(self._store.entries(table_id, before.seq + 1))
            now = await caught_up(game, before, now, entries, promised)
        return replace(head, now=now)


def remember(known: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    """Keeps a value in memory, and forgets the one that has been there for longest."""
    known[key] = value
    known.move_to_end(key)
    if len(known) > most:
        known.popitem(last=False)


def rules_of(games: Games, name: str, version: int) -> AnyGame:
    """The rules of exactly that version. Raises title_gone or rules_changed."""
    if name not in games:
        raise errors.NotHere("title_gone", game=name)
    try:
        return games.of(name, version)
    except KeyError:
        now = games[name].version
        raise errors.NotHere("rules_changed", game=name, version=version, now=now) from None


class _Lock(asyncio.Lock):
    def __init__(self) -> None:
        super().__init__()
        self.waiting = 0
        """How many wait for it."""
        self.wanted = asyncio.Event()
        """Set while anybody does."""


class TableLocks:
    """The locks of those tables at which somebody works."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, _Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def held(self, table_id: int) -> AsyncIterator[None]:
        """Holds the table's lock; those who wait for it get it in the order in which they came."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = _Lock()
        lock.waiting += 1
        if lock.locked():
            lock.wanted.set()
        try:
            await lock.acquire()
        finally:
            lock.waiting -= 1
            if not lock.waiting:
                lock.wanted.clear()
        try:
            yield
        finally:
            lock.release()

    def is_busy(self, table_id: int) -> bool:
        """Whether anybody holds the table's lock, or waits for it."""
        return table_id in self._locks

    def is_wanted(self, table_id: int) -> bool:
        """Whether anybody waits for the table's lock."""
        lock = self._locks.get(table_id)
        return lock is not None and lock.waiting > 0

    async def wanted(self, table_id: int) -> None:
        """Waits until somebody waits for the table's lock, which is held meanwhile."""
        await self._locks[table_id].wanted.wait()
