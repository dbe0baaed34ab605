"""The file of a SQLite database: who may use it, and whether it is still there."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import lock_descriptor

from bot.store.errors import InUse, Unavailable

NOTE = b"Tables of Kontor are kept beside this file.\n"


@contextmanager
def sole_use(database: Path) -> Iterator[Callable[[], None]]:
    """Keeps every other process from the file within the block. Raises InUse at once.

    What is locked is a file next to the database, which stays there; the lock itself is freed
    with the process, however it ends. Anybody may still make a backup at any time. Call what is
    yielded once tables are stored in the database: it notes that in the locked file, for
    `was_kept`, and raises Unavailable where it cannot.

    The descriptor alone is locked, not a path: a lock by path may remove the file, and the note
    with it.
    """
    descriptor = os.open(_lock_file(database), os.O_RDWR | os.O_CREAT, 0o600)

    def note() -> None:
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
        yield note
    finally:
        os.close(descriptor)


def was_kept(database: Path) -> bool:
    """Whether tables have ever been stored in the file, even if it is gone now."""
    try:
        return _lock_file(database).stat().st_size > 0
    except FileNotFoundError:
        return False


def _lock_file(database: Path) -> Path:
    return database.with_name(f"{database.name}.lock")


class Presence:
    """Watches that an open database stays in the file it was opened from.

    A file that is renamed or deleted stays open: what is written to it would be lost with it.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._log = log_of(database)
        self._known = _identity(database)

    def check(self) -> None:
        """To be called while a connection is open. Raises Unavailable."""
        self.check_file()
        if _identity(self._log) is None:
            raise self._lost()

    def check_file(self) -> None:
        """The same before one is opened, which would make a new file, and take what is left beside
        the old one for its own."""
        if _identity(self._database) != self._known:
            raise self._lost()

    def _lost(self) -> Unavailable:
        return Unavailable(
            f"{self._database} was moved, removed or replaced while the bot was running. Nothing is"
            " saved until you put it back. Or stop the bot, restore a backup and start again."
        )


def is_blank(database: Path) -> bool:
    """Whether there is no such file, or nothing has ever been stored in it."""
    try:
        if database.stat().st_size == 0:
            return True
        log = log_of(database)
        if log.exists() and log.stat().st_size > 0:
            return False
        # As a file that nobody changes: reading it otherwise would leave files next to it.
        uri = f"{database.absolute().as_uri()}?immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except FileNotFoundError:
        return True
    except (sqlite3.Error, OSError):
        return False  # Something is there; whoever opens it is told what is wrong with it.
    return bool(tables == 0)


def log_of(database: Path) -> Path:
    """The file next to the database that SQLite writes to first while it is in use."""
    return database.with_name(f"{database.name}-wal")


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
