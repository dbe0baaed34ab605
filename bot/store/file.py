"""A SQLite database in a file: a thread that writes, and threads that read.

Each job makes one visit to its thread, and all that it takes is done there, down to the making of
rows. While a group of batches waits for the disk the event loop is free, and the next one gathers.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import sqlalchemy as sa

from bot.store import engine_setup
from bot.store.batch import WriteBatch
from bot.store.database import Outcomes, Question
from bot.store.errors import DuplicateWrite, StoreError, Unavailable
from bot.store.failures import failure
from bot.store.prepared import execute, fetch
from bot.store.presence import Presence, log_of
from bot.store.threads import Job, Threads

log = logging.getLogger(__name__)

R = TypeVar("R")

READERS = 2
"""So that a long answer delays no short one; more threads would only switch more often."""
LOG_MOST = 64 << 20
"""Bytes of the write-ahead log from which the bot empties it: while other programs read all the
time, SQLite itself never does."""
SHORTEN_EVERY_S = 60.0
SHORTEN_WAIT_MS = 500
"""How long writing waits for other programs' reads to end."""
OF_ONE = (sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
"""What says of a batch that its values cannot be stored."""


class FileDatabase:
    """An open SQLite file. `check` is called before anything is read or written, and may raise
    StoreError."""

    dialect = "sqlite"

    def __init__(
        self,
        writing: Threads,
        reading: Threads,
        check: Callable[[], None],
        file: Path,
    ) -> None:
        self._writing = writing
        self._reading = reading
        self._check = check
        self._log = log_of(file)
        self._shorten_at = 0.0
        self._is_log_kept = False
        """Whether another program keeps the log from being emptied."""

    @classmethod
    async def open(cls, file: Path, lock_wait_ms: int) -> FileDatabase:
        """Opens a file and brings it up to date. Raises what SQLite does, or StoreError."""
        connect = partial(engine_setup.connect, file, lock_wait_ms)
        is_doubtful = engine_setup.was_killed(file)
        writing = Threads("store writer", 1, connect)
        try:
            await writing.visit(partial(engine_setup.prepare, is_doubtful=is_doubtful))
            presence = Presence(file)
        except BaseException:
            await writing.close()
            raise
        writing.connect = partial(_connect_again, connect, presence)
        return cls(writing, Threads("store reader", READERS, writing.connect), presence.check, file)

    async def read(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        """The answer to one question."""

        def job(connection: sqlite3.Connection) -> list[R]:
            self._check()
            return fetch(connection, kind, statement, parameters)

        return await _visit(self._reading, job)

    # The event loop has no part in the making of rows.
    read_long = read

    async def read_together(self, *questions: Question) -> list[list[Any]]:
        """The answers to several questions, all of one moment."""

        def job(connection: sqlite3.Connection) -> list[list[Any]]:
            self._check()
            with _transaction(connection, "BEGIN"):
                return [
                    fetch(connection, each.kind, each.statement, each.parameters)
                    for each in questions
                ]

        return await _visit(self._reading, job)

    async def change(
        self, statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Carries out what belongs to no batch; returns what it returns."""

        def job(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
            self._check()
            with _transaction(connection, "BEGIN IMMEDIATE"):
                return fetch(connection, lambda *row: row, statement, parameters)

        return await _visit(self._writing, job)

    async def write(self, batches: Sequence[WriteBatch]) -> Outcomes:
        """Writes batches in one transaction, or one by one where one of them cannot be stored."""
        outcomes = await _visit(self._writing, partial(carry_out, batches, self._check))
        if monotonic() >= self._shorten_at and self._log_size() > LOG_MOST:
            self._shorten_at = monotonic() + SHORTEN_EVERY_S
            with suppress(Unavailable):  # It is just being closed.
                self._writing.visit(self._shorten_log)
        return outcomes

    def _log_size(self) -> int:
        with suppress(OSError):
            return self._log.stat().st_size
        return 0

    def _shorten_log(self, connection: sqlite3.Connection) -> None:
        (usual_ms,) = connection.execute("PRAGMA busy_timeout").fetchone()
        connection.execute(f"PRAGMA busy_timeout = {SHORTEN_WAIT_MS}")
        is_busy = False
        # Where it fails, so does what is written next, and somebody is told.
        with suppress(sqlite3.Error):
            is_busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        connection.execute(f"PRAGMA busy_timeout = {usual_ms}")
        if is_busy and not self._is_log_kept:
            size = self._log_size() >> 20
            log.warning("%s has grown to %d MB: another program keeps reading it", self._log, size)
        self._is_log_kept = bool(is_busy)

    async def close(self) -> None:
        """Ends what is under way, and accepts no more."""
        # Both now: who is cancelled does not wait for it, but leaves none running.
        self._writing.end()
        self._reading.end()
        await self._writing.close()
        await self._reading.close()


def carry_out(
    batches: Sequence[WriteBatch], check: Callable[[], None], connection: sqlite3.Connection
) -> Outcomes:
    """Writes batches in one transaction, or one by one where one of them cannot be stored."""
    error = _attempt(batches, check, connection)
    if error is None or len(batches) == 1 or not _is_of_one(error):
        return [error] * len(batches)
    return [_attempt([batch], check, connection) for batch in batches]


def _attempt(
    batches: Sequence[WriteBatch], check: Callable[[], None], connection: sqlite3.Connection
) -> Exception | None:
    attempt = _Attempt()
    with attempt:
        check()
        with _transaction(connection, "BEGIN IMMEDIATE"):
            for batch in batches:
                for statement, parameters in batch.steps:
                    execute(connection, statement, parameters)
            # Others may have had it locked for seconds.
            check()
    return attempt.error


class _Attempt:
    """What its block raises belongs to whoever waits for the batches."""

    error: Exception | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        if not isinstance(error, Exception):
            return False
        self.error = error
        if isinstance(error, sqlite3.IntegrityError):
            self.error = DuplicateWrite(str(error))
        elif isinstance(error, sqlite3.Error | OSError) and not isinstance(error, OF_ONE):
            self.error = failure(error)
        if self.error is not error:
            self.error.__cause__ = error
        return True


def _is_of_one(error: Exception) -> bool:
    return isinstance(error, DuplicateWrite) or not isinstance(error, StoreError)


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some errors SQLite has done so by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _connect_again(
    connect: Callable[[], sqlite3.Connection], presence: Presence
) -> sqlite3.Connection:
    """A connection to the file that was opened first; a thread keeps it for good."""
    presence.check_file()
    connection = connect()
    try:
        presence.check()
    except BaseException:
        connection.close()
        raise
    return connection


async def _visit(threads: Threads, job: Job[R]) -> R:
    try:
        return await threads.visit(job)
    except (sqlite3.Error, OSError) as error:
        raise failure(error) from error
