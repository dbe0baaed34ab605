"""The database behind the tables: opened, read, and the one way to write."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import engine_setup, queries, rows, schema
from bot.store.address import sqlite_file
from bot.store.batch import WriteBatch
from bot.store.failures import failure
from bot.store.migrate import migrate
from bot.store.owed import Owed
from bot.store.presence import Presence
from bot.store.reading import Reads
from bot.store.sharing import FENCE, Shards
from bot.store.writer import Transaction, Writer

LOCK_WAIT_MS = 2000
"""How long a statement waits for another program that has locked the database."""


class Store(Reads):
    """An open database.

    Only one process may have it open, unless each names itself as a `member` of those that share
    it. Reads and writes raise StoreError where the database does not answer: Unavailable, or worse.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        check: Callable[[], None],
        transaction: Transaction | None = None,
        owed: Owed | None = None,
    ) -> None:
        super().__init__(engine, check, is_shared=transaction is not None)
        self._writer = Writer(engine, check, transaction)
        self._owed = owed

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
        owed: Owed | None = None
        is_doubtful = file is not None and engine_setup.was_killed(file)
        engine = engine_setup.new_engine(url, file, lock_wait_ms, member)
        try:
            if file is not None:
                await asyncio.to_thread(engine_setup.open_once, file)
            if is_doubtful:
                await engine_setup.check_integrity(engine)
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
                # Damage there is better met now than at somebody's first press.
                for each in (schema.tables, schema.outbox):
                    await connection.scalar(sa.select(sa.func.max(each.c.id)))
                if file is not None:
                    owed = Owed(await connection.scalar(queries.LAST_OUTBOX_ITEM) or 0)
        except (DBAPIError, sqlite3.Error, OSError) as error:
            await engine.dispose()
            raise failure(error) from error
        except BaseException:
            await engine.dispose()
            raise
        if file is not None:
            check = Presence(file).check
        guarded = None if member is None else _guarded(engine, check, member)
        return cls(engine, check, guarded, owed)

    async def close(self) -> None:
        """Writes what is waiting, lets running reads end, accepts no more, closes the database."""
        try:
            self._is_closed = True
            await self._writer.close()
            # A connection that comes back to an engine that is gone would stay open.
            await self._unused.wait()
        finally:
            await self._engine.dispose()

    async def new_table_id(self) -> int:
        """The id of a table to be added; an id that is not used is lost."""
        (found,) = await self.new_table_ids(1)
        return found

    async def new_table_ids(self, count: int) -> range:
        """The ids of so many tables to be added."""
        last = (await self._at_once(queries.NEW_TABLE_IDS, {"of_count": count})).scalar_one()
        return range(last - count + 1, last + 1)

    async def commit(self, batch: WriteBatch) -> None:
        """Writes the whole batch to the disk.

        Raises DuplicateWrite, StaleWrite, LeaseLost or another StoreError, and then nothing is
        stored. Where several processes share the database, the batch is also fenced by the lease
        on behalf of which the caller works.
        """
        if self.is_shared and (fence := FENCE.get()) is not None:
            batch.fence(fence)
        if self._owed is None:
            await self._writer.commit(batch)
            return
        with self._owed.written(batch):
            await self._writer.commit(batch)

    async def outbox(
        self, table: int | None = None, shards: Shards | None = None
    ) -> list[rows.OutboxRow]:
        if table is None or self._owed is None:
            return await super().outbox(table, shards)
        with self._in_use():
            return await self._owed.items(table, super().outbox)

    async def notifications(self, table: int) -> list[rows.NotificationRow]:
        if self._owed is None:
            return await super().notifications(table)
        with self._in_use():
            return await self._owed.notifications(table, super().notifications)

    async def numbered_message(self, table: int, what: str) -> rows.NumberedMessageRow | None:
        if self._owed is None:
            return await super().numbered_message(table, what)
        with self._in_use():
            return await self._owed.numbered_message(table, what, super().numbered_message)

    async def postpone(self, row: rows.ScheduledRow, until: datetime) -> bool:
        """Postpones a task; False where somebody else has done so, or has done the task.

        So of two processes that find a task one carries it out; if that one dies, it is found
        again.
        """
        parameters = {
            "of_table": row.table, "of_seat": row.seat, "of_kind": row.kind,
            "was": row.at, "until": until,
        }  # fmt: skip
        return (await self._at_once(queries.POSTPONE, parameters)).rowcount == 1

    async def _at_once(
        self, statement: sa.Executable, parameters: dict[str, Any]
    ) -> sa.CursorResult[Any]:
        """Carries out what belongs to no batch, in a transaction of its own."""
        with self._in_use():
            try:
                async with self._engine.begin() as connection:
                    self._check()
                    return await connection.execute(statement, parameters)
            except (SQLAlchemyError, OSError) as error:
                raise failure(error) from error


def _guarded(engine: AsyncEngine, check: Callable[[], None], member: str) -> Transaction:
    # A process that is alone needs nothing of it.
    from bot.store.guards import GuardedWrites

    return GuardedWrites(engine, check, member).write
