"""A SQLite database in a file: a thread that writes, and some that read.

Each job runs in its thread as a whole: with a thread switch for each statement a press took a
quarter longer. While a group of batches waits for the disk the event loop is free.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from bot.store.batch import WriteBatch, merge
from bot.store.database import Outcome
from bot.store.errors import (
    BrokenDatabase,
    DuplicateWrite,
    NotWritable,
    StoreError,
    Unavailable,
)
from bot.store.file import Presence, log_of
from bot.store.migrate import migrate
from bot.store.rows import Notification, NumberedMessageRow, OutboxItem, StoredRow, ToSend
from bot.store.sql import Statement, expanded, rows_of, select_sql
from bot.workers import in_pool, in_thread

R = TypeVar("R")
K = TypeVar("K", bound=StoredRow)

READERS = 2
"""So that a long answer delays no short one."""
SYNCHRONOUS = "FULL"
"""What is committed survives even a loss of power."""
LOG_KEPT = 16 << 20
"""Bytes of the write-ahead log that stay on the disk once it is written from its beginning."""
OF_ONE = (sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
"""What says of a batch that its values cannot be stored."""

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""The last is said where tables are not as they should be."""
FORBIDDEN = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
)
PRIMARY = 0xFF
"""The part of an error code of SQLite that names its class."""


class SqliteDatabase:
    """An open SQLite file."""

    dialect = "sqlite"

    def __init__(self, file: Path, lock_wait_ms: int) -> None:
        self._writing = ThreadPoolExecutor(1, "store writer")
        self._reading = ThreadPoolExecutor(READERS, "store reader")
        self._connections: list[sqlite3.Connection] = []
        self._readers = SimpleQueue[sqlite3.Connection]()
        self._is_closed = False
        self._check: Callable[[], None] = lambda: None
        """Raises StoreError where the file is not there any more."""
        self._connect = partial(_connect, file, lock_wait_ms)

    @classmethod
    async def open(cls, file: Path, lock_wait_ms: int) -> SqliteDatabase:
        """Open a file and bring it up to date. Raises StoreError."""
        database = cls(file, lock_wait_ms)
        try:
            await database._open(file)
        except BaseException:
            await database.close()
            raise
        return database

    async def _open(self, file: Path) -> None:
        # After a clean end nothing is left next to the file. What a killed machine has left, or
        # somebody has put together out of two, may be damaged where nobody looks for long.
        is_doubtful = log_of(file).exists()

        def connect() -> None:
            for _ in range(1 + READERS):
                self._connections.append(self._connect())
            if is_doubtful:
                (said,) = self._writer.execute("PRAGMA quick_check(1)").fetchone()
                if said != "ok":
                    raise BrokenDatabase(f"The database is damaged: {' '.join(said.split())}")

        await self._job(self._writing, connect)
        async with self.transaction() as transaction:
            await migrate(transaction.run, transaction.fetch, self.dialect)
            # Better meet with damage now than at somebody's first press.
            await transaction.fetch(
                "SELECT (SELECT max(id) FROM tables), (SELECT max(id) FROM outbox)"
            )
        for reader in self._connections[1:]:
            self._readers.put(reader)
        self._check = Presence(file).check

    @property
    def _writer(self) -> sqlite3.Connection:
        return self._connections[0]

    async def read(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        """The rows that each statement finds, all of one moment."""

        def job() -> list[list[Sequence[Any]]]:
            reader = self._readers.get()
            try:
                self._check()
                with _transaction(reader, "BEGIN") if len(statements) > 1 else reader:
                    return [reader.execute(*expanded(*each)).fetchall() for each in statements]
            finally:
                self._readers.put(reader)

        return await self._job(self._reading, job)

    async def change(self, statement: Statement) -> list[Sequence[Any]]:
        """Carry out a statement in a transaction of its own; the rows that it returns."""

        def job() -> list[Sequence[Any]]:
            self._check()
            with _transaction(self._writer, "BEGIN IMMEDIATE"):
                return self._writer.execute(*expanded(*statement)).fetchall()

        return await self._job(self._writing, job)

    async def write(self, batches: Sequence[WriteBatch]) -> Sequence[Outcome]:
        """Write batches in one transaction, or one by one where one of them cannot be stored."""
        return await self._job(self._writing, partial(self._write, batches))

    async def close(self) -> None:
        """End what is under way, and accept no more."""
        self._is_closed = True
        await in_thread(self._reading.shutdown)
        await in_thread(self._writing.shutdown)
        # The last one takes the log back into the file.
        for connection in reversed(self._connections):
            connection.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[SqliteTransaction]:
        """What is done in the block is stored at its end. Nobody else may write meanwhile."""
        writer = self._writer
        await self._job(self._writing, partial(writer.execute, "BEGIN IMMEDIATE"))
        try:
            yield SqliteTransaction(partial(self._job, self._writing), writer)
            await self._job(self._writing, writer.commit)
        finally:
            await self._job(self._writing, writer.rollback)

    def _write(self, batches: Sequence[WriteBatch]) -> Sequence[Outcome]:
        error = self._attempt(batches)
        if error is None:
            return [self._to_send(batch) for batch in batches]
        is_of_one = isinstance(error, DuplicateWrite) or not isinstance(error, StoreError)
        if len(batches) == 1 or not is_of_one:
            return [error] * len(batches)
        return [outcome for batch in batches for outcome in self._write([batch])]

    def _to_send(self, batch: WriteBatch) -> Sequence[ToSend]:
        """Read what a stored batch leaves to be sent; nothing where that fails."""
        # Here, because it is asked for next, and a thread switch would delay the post. There may
        # be messages of a kind that only another version of the program knows.
        with suppress(sqlite3.Error, ValueError):
            return [self._to_send_at(table) for table in batch.sends_at()]
        return ()

    def _to_send_at(self, table: int) -> ToSend:
        def found(kind: type[K], order: str) -> list[K]:
            sql = select_sql(kind, ("table",), order)
            return rows_of(kind, self._writer.execute(sql, {"table": table}))

        items, notifications = found(OutboxItem, "id"), found(Notification, "seq, seat")
        numbered = {row.what: row for row in found(NumberedMessageRow, "what")}
        return ToSend(table, tuple(items), tuple(notifications), numbered)

    def _attempt(self, batches: Sequence[WriteBatch]) -> Exception | None:
        try:
            self._check()
            with _transaction(self._writer, "BEGIN IMMEDIATE"):
                for sql, values in merge(batches):
                    _run(self._writer, sql, values)
                # Others may have had it locked for seconds.
                self._check()
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

    async def _job(self, threads: ThreadPoolExecutor, job: Callable[[], R]) -> R:
        if self._is_closed:
            raise Unavailable("The database is closed.")
        try:
            return await in_pool(threads, job)
        except (sqlite3.Error, OSError) as error:
            raise failure(error) from error


class SqliteTransaction:
    """A transaction that writes; each `job` goes to the thread of the connection."""

    def __init__(self, job: Callable[[Callable[[], Any]], Any], writer: sqlite3.Connection) -> None:
        self._job = job
        self._writer = writer

    async def run(self, sql: str, values: Sequence[Mapping[str, Any]] = ({},)) -> None:
        """Carry out a statement once for each of these values."""
        await self._job(partial(_run, self._writer, sql, values))

    async def fetch(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Sequence[Any]]:
        """The rows that a statement finds."""
        found: list[Sequence[Any]] = await self._job(
            lambda: self._writer.execute(*expanded(sql, values or {})).fetchall()
        )
        return found


def _connect(file: Path, lock_wait_ms: int) -> sqlite3.Connection:
    # Threads hand it on to one another.
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        for pragma in (
            f"busy_timeout = {lock_wait_ms}",
            "journal_mode = WAL",
            f"synchronous = {SYNCHRONOUS}",
            "foreign_keys = ON",
            f"journal_size_limit = {LOG_KEPT}",
        ):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _run(connection: sqlite3.Connection, sql: str, values: Sequence[Mapping[str, Any]]) -> None:
    for each in values:
        connection.execute(*expanded(sql, each))


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    finally:
        # After some errors SQLite has done so by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _caused(error: StoreError, cause: Exception) -> StoreError:
    error.__cause__ = cause
    return error


def failure(error: sqlite3.Error | OSError) -> StoreError:
    """The error as one of ours."""
    said = str(error) or type(error).__name__
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY
    if code in FORBIDDEN:
        return NotWritable(f"Cannot open the database for writing: {said}")
    is_for_good = isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error, sqlite3.OperationalError
    )
    if code in DAMAGED or is_for_good:
        return BrokenDatabase(f"Cannot read the database: {said}")
    return Unavailable(f"The database did not answer: {said}")
