"""The database behind the tables: opened, read, and the one way to write."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import datetime
from math import inf
from time import monotonic
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from bot.store import engine_setup, queries, rows
from bot.store.address import sqlite_file
from bot.store.batch import WriteBatch
from bot.store.commits import COMMITS, Commits
from bot.store.database import Database
from bot.store.errors import DuplicateWrite, StaleWrite, StoreError, Unavailable
from bot.store.failures import failure
from bot.store.file import FileDatabase
from bot.store.owed import Owed
from bot.store.reading import Reads
from bot.store.server import ServerDatabase
from bot.store.sharing import FENCE, Shards
from bot.store.writer import Writer

LOCK_WAIT_MS = 2000
"""How long a statement waits for another program that has locked the database."""
WRITE_CHECK_S = 5.0
"""For how many seconds a successful write check counts, unless a write fails meanwhile."""


class Store(Reads):
    """An open database.

    Only one process may have it open, unless each names itself as a `member` of those that share
    it. Reads and writes raise StoreError where the database does not answer: Unavailable, or worse.
    """

    def __init__(
        self, database: Database, owed: Owed | None = None, *, is_shared: bool = False
    ) -> None:
        super().__init__(database, is_shared=is_shared)
        self._writer = Writer(self._logged.write)
        self._owed = owed
        self._checked_at = -inf
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        lock_wait_ms: int = LOCK_WAIT_MS,
        check: Callable[[], None] = lambda: None,
        member: str | None = None,
    ) -> Store:
        """Opens and migrates the database of a SQLAlchemy URL with an async driver.

        One of SQLite must be a file, in a folder that exists. Raises NewerDatabase, BrokenDatabase,
        NotWritable, or Unavailable where trying again may help. `check` is called before anything
        is read or written on a server; it may raise StoreError. With the name of a `member` writes
        are guarded, and told to the other members; only a server can be shared.
        """
        file = sqlite_file(url)
        if file is not None and member is not None:
            raise ValueError("a file cannot be shared")
        try:
            if file is None:
                database = await _server(url, lock_wait_ms, check, member)
                return cls(database, is_shared=member is not None)
            return await cls._of_file(await FileDatabase.open(file, lock_wait_ms))
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise failure(error) from error

    @classmethod
    async def _of_file(cls, database: Database) -> Store:
        try:
            last = await database.read(int, queries.LAST_OUTBOX_ITEM, {})
        except BaseException:
            await database.close()
            raise
        return cls(database, Owed(max(last, default=0)))

    async def close(self) -> None:
        """Writes what is waiting, lets running reads end, accepts no more, closes the database.

        That is done once, and to its end also where who began it, or waits for it, is cancelled.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        try:
            await self._writer.close()
        finally:
            await self._database.close()

    async def new_table_id(self) -> int:
        """The id of a table to be added; an id that is not used is lost."""
        (found,) = await self.new_table_ids(1)
        return found

    async def new_table_ids(self, count: int) -> range:
        """The ids of so many tables to be added."""
        ((last,),) = await self._logged.change(queries.NEW_TABLE_IDS, {"of_count": count})
        return range(last - count + 1, last + 1)

    async def commit(self, batch: WriteBatch) -> None:
        """Writes the whole batch to the disk.

        Raises DuplicateWrite, StaleWrite, LeaseLost or another StoreError, and then nothing is
        stored. A caller that is cancelled cannot tell whether its batch was stored. Where several
        processes share the database, the batch is also fenced by the lease on behalf of which the
        caller works.
        """
        if self.is_shared and (fence := FENCE.get()) is not None:
            batch.fence(fence)
        commits = COMMITS.get() or Commits()
        commits.begin()
        try:
            if self._owed is None:
                await self._writer.submit(batch)
            else:
                await self._owed.written(batch, self._writer.submit)
        except BaseException as error:
            commits.end(error)
            if isinstance(error, StoreError) and not isinstance(error, DuplicateWrite | StaleWrite):
                self._checked_at = -inf
            raise
        commits.end(None)

    async def ping(self) -> None:
        """Returns if the database can be written and read."""
        if monotonic() - self._checked_at >= WRITE_CHECK_S:
            batch = WriteBatch()
            # A name of its own: processes that share the database must not wait for each other.
            batch.check_write(f"write check {uuid4().hex}")
            await self.commit(batch)
            self._checked_at = monotonic()
        # After a write: SQLite would answer from its cache as long as nothing has changed.
        await super().ping()

    async def outbox(
        self, table: int | None = None, shards: Shards | None = None
    ) -> list[rows.OutboxRow]:
        if table is None or self._owed is None:
            return await super().outbox(table, shards)
        self._must_be_open()
        return await self._owed.items(table, super().outbox)

    async def notifications(self, table: int) -> list[rows.NotificationRow]:
        if self._owed is None:
            return await super().notifications(table)
        self._must_be_open()
        return await self._owed.notifications(table, super().notifications)

    async def numbered_message(self, table: int, what: str) -> rows.NumberedMessageRow | None:
        if self._owed is None:
            return await super().numbered_message(table, what)
        self._must_be_open()
        return await self._owed.numbered_message(table, what, super().numbered_message)

    def known_number(self, table: int, what: str) -> rows.NumberedMessageRow | None:
        """The same from memory; None where it is not known, or there is none."""
        return None if self._owed is None else self._owed.known_number(table, what)

    def _must_be_open(self) -> None:
        if self._writer.is_closed:
            raise Unavailable("The database is closed.")

    async def postpone(self, row: rows.ScheduledRow, until: datetime) -> bool:
        """Postpones a task; False where somebody else has done so, or has done the task.

        So of two processes that find a task one carries it out; if that one dies, it is found
        again.
        """
        parameters = {
            "of_table": row.table, "of_seat": row.seat, "of_kind": row.kind,
            "was": row.at, "until": until,
        }  # fmt: skip
        return bool(await self._logged.change(queries.POSTPONE, parameters))


async def _server(
    url: str, lock_wait_ms: int, check: Callable[[], None], member: str | None
) -> Database:
    engine = engine_setup.new_engine(url, None, lock_wait_ms, member)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(engine_setup.bring_up_to_date)
    except BaseException:
        await engine.dispose()
        raise
    if member is None:
        return ServerDatabase(engine, check)
    # A process that is alone needs nothing of it.
    from bot.store.guards import GuardedWrites

    return ServerDatabase(engine, check, GuardedWrites(engine, check, member).write)
