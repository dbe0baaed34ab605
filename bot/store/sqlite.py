"""A SQLite database in a file: one connection that writes, and some that read."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import aiosqlite

from bot.store.batch import WriteBatch, merge
from bot.store.database import Outcomes
from bot.store.errors import BrokenDatabase, DuplicateWrite, StoreError, Unavailable
from bot.store.failures import failure
from bot.store.file import Presence, log_of
from bot.store.migrate import migrate
from bot.store.sql import Statement, expanded

READERS = 2
"""So that a long answer delays no short one."""
SYNCHRONOUS = "FULL"
"""What is committed survives even a loss of power."""
LOG_KEPT = 16 << 20
"""Bytes of the write-ahead log that stay on the disk once it is written from its beginning."""
OF_ONE = (sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
"""What says of a batch that its values cannot be stored."""


class SqliteDatabase:
    """An open SQLite file. `check` is called before anything is read or written, and may raise
    StoreError."""

    dialect = "sqlite"

    def __init__(
        self,
        writer: aiosqlite.Connection,
        readers: Sequence[aiosqlite.Connection],
        check: Callable[[], None],
    ) -> None:
        self._writer = writer
        self._check = check
        self._readers = len(readers)
        self._free = asyncio.LifoQueue[aiosqlite.Connection]()
        for reader in readers:
            self._free.put_nowait(reader)
        self._changing = asyncio.Lock()
        self._is_closed = False

    @classmethod
    async def open(cls, file: Path, lock_wait_ms: int) -> SqliteDatabase:
        """Open a file and bring it up to date. Raises StoreError."""
        # After a clean end nothing is left next to the file. What a killed machine has left, or
        # somebody has put together out of two, may be damaged where nobody looks for long.
        is_doubtful = log_of(file).exists()
        async with AsyncExitStack() as failing:
            failing.enter_context(_told_apart())
            writer = await _connect(file, lock_wait_ms, failing)
            if is_doubtful:
                ((said,),) = await writer.execute_fetchall("PRAGMA quick_check(1)")
                if said != "ok":
                    raise BrokenDatabase(f"The database is damaged: {' '.join(said.split())}")
            async with _transaction(writer, "BEGIN IMMEDIATE"):
                await migrate(writer.execute, writer.execute_fetchall, cls.dialect)
                # Better meet with damage now than at somebody's first press.
                await writer.execute_fetchall("SELECT max(id) FROM tables")
            readers = [await _connect(file, lock_wait_ms, failing) for _ in range(READERS)]
            opened = cls(writer, readers, Presence(file).check)
            failing.pop_all()
        return opened

    async def read(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        """The rows that each statement finds, all of one moment."""
        with _told_apart():
            async with self._reader() as reader, AsyncExitStack() as moment:
                if len(statements) > 1:
                    await moment.enter_async_context(_transaction(reader, "BEGIN"))
                return [[*await reader.execute_fetchall(*expanded(*each))] for each in statements]

    async def change(self, statement: Statement) -> list[Sequence[Any]]:
        """Carry out a statement in a transaction of its own; the rows that it returns."""
        with _told_apart():
            async with self.transaction() as transaction:
                return await transaction.rows(statement)

    async def write(self, batches: Sequence[WriteBatch]) -> Outcomes:
        """Write batches in one transaction, or one by one where one of them cannot be stored."""
        error = await self._attempt(batches)
        is_of_one = isinstance(error, DuplicateWrite) or not isinstance(error, StoreError)
        if error is None or len(batches) == 1 or not is_of_one:
            return [error] * len(batches)
        return [await self._attempt([batch]) for batch in batches]

    async def close(self) -> None:
        """End what is under way, and accept no more."""
        self._is_closed = True
        for _ in range(self._readers):
            await (await self._free.get()).close()
        # The last one takes the log back into the file.
        async with self._changing:
            await self._writer.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[SqliteTransaction]:
        """What is done in the block is stored at its end. Raises sqlite3.Error or StoreError."""
        self._must_be_open()
        async with self._changing:
            self._check()
            async with _transaction(self._writer, "BEGIN IMMEDIATE"):
                yield SqliteTransaction(self._writer)
                # Others may have had it locked for seconds.
                self._check()

    async def _attempt(self, batches: Sequence[WriteBatch]) -> Exception | None:
        try:
            async with self.transaction() as transaction:
                for sql, values in merge(batches):
                    await transaction.run(sql, values)
        except sqlite3.IntegrityError as error:
            return _caused(DuplicateWrite(str(error)), error)
        except OF_ONE as error:
            return error
        except (sqlite3.Error, OSError) as error:
            return _caused(failure(error), error)
        # It belongs to whoever waits for the batch.
        except Exception as error:  # noqa: BLE001
            return error
        return None

    @asynccontextmanager
    async def _reader(self) -> AsyncIterator[aiosqlite.Connection]:
        self._must_be_open()
        reader = await self._free.get()
        try:
            self._check()
            yield reader
        finally:
            self._free.put_nowait(reader)

    def _must_be_open(self) -> None:
        if self._is_closed:
            raise Unavailable("The database is closed.")
        self._check()


class SqliteTransaction:
    """A transaction that writes."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def run(self, sql: str, values: Sequence[Mapping[str, Any]] = ({},)) -> None:
        """Carry out a statement once for each of these values."""
        if len(values) > 1 and not any(isinstance(each, list) for each in values[0].values()):
            await self._connection.executemany(sql, values)
            return
        for each in values:
            await self._connection.execute_fetchall(*expanded(sql, each))

    async def rows(self, statement: Statement) -> list[Sequence[Any]]:
        """The rows that a statement finds."""
        return [*await self._connection.execute_fetchall(*expanded(*statement))]


@contextmanager
def _told_apart() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise failure(error) from error


def _caused(error: StoreError, cause: Exception) -> StoreError:
    error.__cause__ = cause
    return error


async def _connect(file: Path, lock_wait_ms: int, failing: AsyncExitStack) -> aiosqlite.Connection:
    connection = await aiosqlite.connect(file, isolation_level=None)
    failing.push_async_callback(connection.close)
    for pragma in (
        f"busy_timeout = {lock_wait_ms}",
        "journal_mode = WAL",
        f"synchronous = {SYNCHRONOUS}",
        "foreign_keys = ON",
        f"journal_size_limit = {LOG_KEPT}",
    ):
        await connection.execute_fetchall(f"PRAGMA {pragma}")
    return connection


@asynccontextmanager
async def _transaction(connection: aiosqlite.Connection, begin: str) -> AsyncIterator[None]:
    try:
        await connection.execute_fetchall(begin)
        yield
        await connection.execute_fetchall("COMMIT")
    except BaseException:
        # Its turn comes after whatever was begun before, also where the caller is cancelled.
        await connection.rollback()
        raise
