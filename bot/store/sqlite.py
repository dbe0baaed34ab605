"""A SQLite file, with one thread that writes and some that read.

A job runs completely in one thread: a thread switch per statement made interactions a quarter
slower. The event loop is free while batches wait for the disk.
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
from bot.store.file import log_of, presence_check
from bot.store.migrate import migrate
from bot.store.rows import Notification, NumberedMessageRow, OutboxItem, StoredRow, ToSend
from bot.store.sql import Statement, expanded, rows_of, select_sql
from bot.workers import in_pool, in_thread

R = TypeVar("R")
K = TypeVar("K", bound=StoredRow)

READERS = 2
"""More than one, so that a long query does not delay a short one."""
SYNCHRONOUS = "FULL"
"""Commits survive even a loss of power."""
MAX_WAL_BYTES = 16 << 20
"""Bytes to which the write-ahead log is truncated after a checkpoint."""
BAD_VALUES = (sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
"""Errors about the values of one batch."""

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""The last is the error for tables or columns that do not exist."""
FORBIDDEN = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
)
PRIMARY = 0xFF
"""The bits of SQLite's error codes for the class of an error."""


class SqliteDatabase:
    """An open SQLite file."""

    dialect = "sqlite"

    def __init__(self, file: Path, lock_wait_ms: int) -> None:
        self._write_pool = ThreadPoolExecutor(1, "store writer")
        self._read_pool = ThreadPoolExecutor(READERS, "store reader")
        self._connections: list[sqlite3.Connection] = []
        self._readers = SimpleQueue[sqlite3.Connection]()
        self._is_closed = False
        self._check: Callable[[], None] = lambda: None
        """Raises StoreError if the file is missing."""
        self._connect = partial(_connect, file, lock_wait_ms)

    @classmethod
    async def open(cls, file: Path, lock_wait_ms: int) -> SqliteDatabase:
        """Open a file and upgrade it. Raise StoreError."""
        database = cls(file, lock_wait_ms)
        try:
            await database._open(file)
        except BaseException:
            await database.close()
            raise
        return database

    async def _open(self, file: Path) -> None:
        # A clean stop leaves no log. After a crash, or if someone has mixed the files of two
        # databases, there may be damage that is not noticed for long.
        needs_check = log_of(file).exists()

        def connect() -> None:
            for _ in range(1 + READERS):
                self._connections.append(self._connect())
            if needs_check:
                (result,) = self._writer.execute("PRAGMA quick_check(1)").fetchone()
                if result != "ok":
                    raise BrokenDatabase(f"The database is damaged: {' '.join(result.split())}")

        await self._job(self._write_pool, connect)
        async with self.transaction() as transaction:
            await migrate(transaction.run, transaction.fetch, self.dialect)
            # Find damage now rather than at the first interaction.
            await transaction.fetch(
                "SELECT (SELECT max(id) FROM tables), (SELECT max(id) FROM outbox)"
            )
        for reader in self._connections[1:]:
            self._readers.put(reader)
        self._check = presence_check(file)

    @property
    def _writer(self) -> sqlite3.Connection:
        return self._connections[0]

    async def read(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        def job() -> list[list[Sequence[Any]]]:
            reader = self._readers.get()
            try:
                self._check()
                with _transaction(reader, "BEGIN") if len(statements) > 1 else reader:
                    return [reader.execute(*expanded(*each)).fetchall() for each in statements]
            finally:
                self._readers.put(reader)

        return await self._job(self._read_pool, job)

    async def change(self, statement: Statement) -> list[Sequence[Any]]:
        def job() -> list[Sequence[Any]]:
            self._check()
            with _transaction(self._writer, "BEGIN IMMEDIATE"):
                return self._writer.execute(*expanded(*statement)).fetchall()

        return await self._job(self._write_pool, job)

    async def write(self, batches: Sequence[WriteBatch]) -> Sequence[Outcome]:
        """Write batches in one transaction, or one by one if one of them cannot be stored."""
        return await self._job(self._write_pool, partial(self._write, batches))

    async def close(self) -> None:
        self._is_closed = True
        await in_thread(self._read_pool.shutdown)
        await in_thread(self._write_pool.shutdown)
        # Closing the last connection writes the log into the file.
        for connection in reversed(self._connections):
            connection.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[SqliteTransaction]:
        """Commit at the end of the block. No one else may write until then."""
        writer = self._writer
        await self._job(self._write_pool, partial(writer.execute, "BEGIN IMMEDIATE"))
        try:
            yield SqliteTransaction(partial(self._job, self._write_pool), writer)
            await self._job(self._write_pool, writer.commit)
        finally:
            await self._job(self._write_pool, writer.rollback)

    def _write(self, batches: Sequence[WriteBatch]) -> Sequence[Outcome]:
        error = self._attempt(batches)
        if error is None:
            return [self._to_send(batch) for batch in batches]
        is_bad_batch = isinstance(error, DuplicateWrite) or not isinstance(error, StoreError)
        if len(batches) == 1 or not is_bad_batch:
            return [error] * len(batches)
        return [outcome for batch in batches for outcome in self._write([batch])]

    def _to_send(self, batch: WriteBatch) -> Sequence[ToSend]:
        """Read the messages to send after a stored batch; nothing if that fails."""
        # The post needs them next, and another thread switch would delay it. A newer version of
        # the program may have added messages of an unknown kind.
        with suppress(sqlite3.Error, ValueError):
            return [self._read_to_send(table) for table in batch.outbox_tables()]
        return ()

    def _read_to_send(self, table: int) -> ToSend:
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
                # The lock may have taken seconds.
                self._check()
        except sqlite3.IntegrityError as error:
            return _caused(DuplicateWrite(str(error)), error)
        except BAD_VALUES as error:
            return error
        except (sqlite3.Error, OSError) as error:
            return _caused(failure(error), error)
        # The caller of the batch gets it.
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
    """A write transaction; each `job` runs in the thread of the connection."""

    def __init__(self, job: Callable[[Callable[[], Any]], Any], writer: sqlite3.Connection) -> None:
        self._job = job
        self._writer = writer

    async def run(self, sql: str, values: Sequence[Mapping[str, Any]] = ({},)) -> None:
        await self._job(partial(_run, self._writer, sql, values))

    async def fetch(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Sequence[Any]]:
        found: list[Sequence[Any]] = await self._job(
            lambda: self._writer.execute(*expanded(sql, values or {})).fetchall()
        )
        return found


def _connect(file: Path, lock_wait_ms: int) -> sqlite3.Connection:
    # Several threads use a connection, one after the other.
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        for pragma in (
            f"busy_timeout = {lock_wait_ms}",
            "journal_mode = WAL",
            f"synchronous = {SYNCHRONOUS}",
            "foreign_keys = ON",
            f"journal_size_limit = {MAX_WAL_BYTES}",
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
        # After some errors SQLite has already rolled back.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _caused(error: StoreError, cause: Exception) -> StoreError:
    error.__cause__ = cause
    return error


def failure(error: sqlite3.Error | OSError) -> StoreError:
    message = str(error) or type(error).__name__
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY
    if code in FORBIDDEN:
        return NotWritable(f"Cannot open the database for writing: {message}")
    is_permanent = isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error, sqlite3.OperationalError
    )
    if code in DAMAGED or is_permanent:
        return BrokenDatabase(f"Cannot read the database: {message}")
    return Unavailable(f"The database did not answer: {message}")
