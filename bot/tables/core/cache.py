"""An LRU cache of tables, loaded on demand, with one lock per table.

If several processes write, a cached table may be out of date. It is dropped when another process
announces its write. If that announcement is missed, the database refuses a change made to the old
revision, and the work is done again.
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
from bot.tables.core.replay import from_snapshot, replay, with_recent

logger = logging.getLogger(__name__)

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

ATTEMPTS = 20
"""Maximum attempts at work if other processes keep writing to the table."""
MAX_REVISIONS = 4096
"""Tables whose newest announced revision is cached: enough to outlast any read in progress."""
GUILDS = 65536
"""Tables whose server is cached."""


async def from_store(work: Awaitable[T]) -> T:
    """Await the store's answer. Raise StoreUnavailable, ConflictingWrite or NotOurs."""
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
    """A table in memory. `now` is None in the lobby, or if its log has a `problem`.

    `promises` are all promises, open or not, in the order of the log. `revision` is the stored one,
    or 0 for a table that has not been stored yet.
    """

    table: Table
    key: bytes
    now: Position | None = None
    problem: errors.Rejected | None = None
    promises: tuple[Promise, ...] = ()
    revision: int = 0

    def with_table(self, table: Table) -> LoadedTable:
        return replace(self, table=table)

    def seq(self) -> int:
        """Return the number of the last log entry, or -1 if there is none."""
        return -1 if self.now is None else self.now.seq

    def row(self) -> TableRow:
        """Return the table as a row to store."""
        fields = {name: getattr(self.table, name) for name in TableFields.__struct_fields__}
        return TableRow(**fields, key=self.key)

    @property
    def needs_other_version(self) -> bool:
        """Whether only another version of the program can continue the game."""
        return isinstance(self.problem, errors.RulesUnavailable)

    def position(self) -> Position:
        """Return the position. Raise not_started, TableDamaged, rules_changed or title_gone."""
        if self.problem is not None:
            raise self.problem.with_traceback(None)
        if self.now is None:
            raise errors.NotPlaying("not_started")
        return self.now


class TableCache:
    """A cache of at most `capacity` tables, and their locks."""

    def __init__(self, store: Store, games: Games, capacity: int) -> None:
        self._store = store
        self._games = games
        self._capacity = capacity
        self.stale_writes = 0
        """How often work was repeated because another process had written first."""
        self._loaded: OrderedDict[int, LoadedTable] = OrderedDict()
        self._outdated: OrderedDict[int, LoadedTable] = OrderedDict()
        """Dropped copies: their log entries are still valid."""
        self._revisions: OrderedDict[int, int] = OrderedDict()
        self._guilds: OrderedDict[int, int | None] = OrderedDict()
        self._drops = 0
        self.locks = TableLocks()
        self._running: set[asyncio.Task[Any]] = set()

    async def run_locked(self, table_id: int, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work while holding the table's lock.

        It runs to its end even if the caller is cancelled, so that a commit always reaches the
        cache. If another process writes first, the work is repeated on the new data, so it must not
        keep results of an earlier attempt. Raise StoreUnavailable after too many attempts.
        """
        task = asyncio.create_task(self._locked(table_id, work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait for all work in progress."""
        while self._running:
            await asyncio.wait(self._running)

    async def read(self, table_id: int) -> LoadedTable:
        """Return the table. Raise UnknownTable or StoreUnavailable."""
        loaded = self._loaded.get(table_id)
        if loaded is not None:
            self._loaded.move_to_end(table_id)
            return loaded
        return await self.run_locked(table_id, lambda: self.load(table_id))

    async def load(self, table_id: int) -> LoadedTable:
        """Return the table. The caller must hold its lock."""
        loaded = self._loaded.get(table_id)
        if loaded is None:
            drops = self._drops
            loaded = await self._read(table_id)
            if self._store.is_shared:
                remember(self._guilds, table_id, loaded.table.guild, GUILDS)
            if drops == self._drops:
                self.put(loaded)
        return loaded

    def put(self, loaded: LoadedTable) -> None:
        """Cache the table, unless another process has written a newer revision.

        The caller must hold its lock.
        """
        table_id = loaded.table.id
        if loaded.revision < self._revisions.get(table_id, 0):
            self.drop(table_id)
            return
        remember(self._loaded, table_id, loaded, self._capacity)

    def drop_older(self, table_id: int, revision: int) -> None:
        """Drop a copy older than this revision, which another process has written."""
        # Announcements may arrive out of order.
        newest = max(revision, self._revisions.get(table_id, 0))
        remember(self._revisions, table_id, newest, MAX_REVISIONS)
        loaded = self._loaded.get(table_id)
        if loaded is not None and loaded.revision < revision:
            self.drop(table_id)

    async def is_stale(self, table_id: int) -> bool:
        """Return whether another process has written the table since it was read.

        The caller must hold its lock. Raise StoreUnavailable.
        """
        if not self._store.is_shared:
            return False
        cached = self._loaded.get(table_id) or self._outdated.get(table_id)
        now = await from_store(self._store.revision_of(table_id))
        return cached is not None and cached.revision != now

    def drop_all(self) -> None:
        """Drop all tables, including those being read, as any may have been written."""
        self._drops += 1
        for table_id in list(self._loaded):
            self.drop(table_id)

    async def guild(self, table_id: int) -> int | None:
        """Return the server of a table, which never changes. Raise StoreUnavailable."""
        if table_id not in self._guilds:
            # Not with `read`: most of these tables are not needed in the cache.
            guild = await from_store(self._store.guild_of(table_id))
            remember(self._guilds, table_id, guild, GUILDS)
        return self._guilds[table_id]

    def cached_guilds(self, table_ids: Iterable[int]) -> dict[int, int | None]:
        """Return the cached servers of these tables."""
        return {each: self._guilds[each] for each in table_ids if each in self._guilds}

    def drop(self, table_id: int) -> None:
        """Drop the table; it is read again on demand."""
        dropped = self._loaded.pop(table_id, None)
        if dropped is not None and self._store.is_shared:
            remember(self._outdated, table_id, dropped, self._capacity)

    async def entries(self, table_id: int, first: int) -> tuple[Entry, ...]:
        """Return the log from entry `first` on, replaying it if the cache does not reach back.

        The caller must hold the table's lock. Raise like `LoadedTable.position`.
        """
        loaded = await self.load(table_id)
        now = loaded.position()
        cached = now.since(first)
        if cached is not None:
            return cached
        rows = await from_store(self._store.entries(table_id))
        game = rules_of(self._games, loaded.table.game, loaded.table.version)
        entries = (await replay(game, loaded.table, rows, loaded.promises)).entries
        self.put(replace(loaded, now=replace(now, recent=tuple(entries[-position.RECENT :]))))
        return tuple(entries[first:])

    def table_of(self, stored: StoredTable) -> Table:
        """Return a table from its rows. A lobby always uses the newest rules."""
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
                    # Another process may have made it legal in the meantime.
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
        except errors.RulesUnavailable as problem:
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
        # A snapshot has no recent entries; an outdated copy may have them.
        outdated = self._outdated.pop(table_id, None)
        before = None if outdated is None else outdated.now
        if before and before.recent and 0 <= now.seq - before.seq <= position.RECENT:
            entries = await from_store(self._store.entries(table_id, before.seq + 1))
            now = await with_recent(game, before, now, entries, promised)
        return replace(head, now=now)


def remember(cache: OrderedDict[K, V], key: K, value: V, capacity: int) -> None:
    """Cache a value as the newest, and evict the oldest if there are too many."""
    cache[key] = value
    cache.move_to_end(key)
    if len(cache) > capacity:
        cache.popitem(last=False)


def rules_of(games: Games, name: str, version: int) -> AnyGame:
    """Return the rules of exactly this version. Raise title_gone or rules_changed."""
    if name not in games:
        raise errors.RulesUnavailable("title_gone", game=name)
    try:
        return games.of(name, version)
    except KeyError:
        now = games[name].version
        raise errors.RulesUnavailable(
            "rules_changed", game=name, version=version, now=now
        ) from None


class _Lock(asyncio.Lock):
    def __init__(self) -> None:
        super().__init__()
        self.waiting = 0
        """Number of waiting tasks."""
        self.contended = asyncio.Event()
        """Set while a task waits."""


class TableLocks:
    """The locks of tables, each of which exists only while it is in use."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, _Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def held(self, table_id: int) -> AsyncIterator[None]:
        """Hold the table's lock. Waiting tasks get it in order of arrival."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = _Lock()
        lock.waiting += 1
        if lock.locked():
            lock.contended.set()
        try:
            await lock.acquire()
        finally:
            lock.waiting -= 1
            if not lock.waiting:
                lock.contended.clear()
        try:
            yield
        finally:
            lock.release()

    def is_busy(self, table_id: int) -> bool:
        """Return whether a task holds the table's lock or waits for it."""
        return table_id in self._locks

    def is_contended(self, table_id: int) -> bool:
        """Return whether a task waits for the table's lock."""
        lock = self._locks.get(table_id)
        return lock is not None and lock.waiting > 0

    async def until_contended(self, table_id: int) -> None:
        """Wait until a task waits for the table's lock, which must be held."""
        await self._locks[table_id].contended.wait()
