"""The file of a SQLite database: its lock, and whether it still exists."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import lock_descriptor

from bot.store.errors import InUse, Unavailable

NOTE = b"The database next to this file holds tables of Kontor.\n"


@contextmanager
def sole_use(database: Path) -> Iterator[Callable[[], None]]:
    """Lock the file against other processes within the block. Raise InUse immediately.

    The lock is on a file next to the database, which is never deleted; it ends with the process.
    Backups remain possible. Call the yielded function when tables are stored in the database: it
    marks the lock file for `was_used`, and raises Unavailable if it cannot.

    The lock is on a descriptor, not a path: a lock by path may remove the file with its mark.
    """
    descriptor = os.open(_lock_file(database), os.O_RDWR | os.O_CREAT, 0o600)

    def mark_used() -> None:
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, NOTE)
        except OSError as error:
            raise Unavailable(f"{_lock_file(database)}: {error}") from error

    try:
        try:
            is_ours = lock_descriptor(descriptor, blocking=False)
        except OSError as error:
            raise InUse(database) from error
        if not is_ours:
            raise InUse(database)
        yield mark_used
    finally:
        os.close(descriptor)


def was_used(database: Path) -> bool:
    """Return whether tables have ever been stored in the file, even if it is missing now."""
    try:
        return _lock_file(database).stat().st_size > 0
    except FileNotFoundError:
        return False


def _lock_file(database: Path) -> Path:
    return database.with_name(f"{database.name}.lock")


def presence_check(database: Path) -> Callable[[], None]:
    """Return a check that an open database is still at its path; it raises Unavailable.

    A file that is renamed or deleted stays open, and writes to it would be lost.
    """
    known, log = _identity(database), log_of(database)

    def check() -> None:
        if _identity(database) != known or _identity(log) is None:
            raise Unavailable(
                f"{database} was moved, removed or replaced while the bot was running. Nothing is"
                " saved until you put it back. Or stop the bot, restore a backup and start again."
            )

    return check


def is_blank(database: Path) -> bool:
    """Return whether the file is missing, or nothing was ever stored in it."""
    try:
        if database.stat().st_size == 0:
            return True
        log = log_of(database)
        if log.exists() and log.stat().st_size > 0:
            return False
        # Immutable, so that reading it leaves no files next to it.
        uri = f"{database.absolute().as_uri()}?immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except FileNotFoundError:
        return True
    except (sqlite3.Error, OSError):
        return False  # Opening it will report the error.
    return bool(tables == 0)


def log_of(database: Path) -> Path:
    """Return the path of the write-ahead log."""
    return database.with_name(f"{database.name}-wal")


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
