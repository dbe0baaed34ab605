"""Copies of a SQLite database: made while it is in use, checked, restored."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.store.errors import BackupFailed
from bot.store.file import sole_use
from bot.store.migrate import NOTED_IN, check_revision

UNFINISHED = ".unfinished"
"""Ends the name of a copy in progress."""
MAGIC = b"SQLite format 3\0"
"""What every SQLite database file begins with."""
BESIDE = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps next to a database that is or was in use."""


def back_up(database: Path, target: Path) -> None:
    """Copies the database as it is at one moment, while others write to it.

    The copy has its name only once it is whole and has been checked. Raises BackupFailed, also
    where `target` exists already, and leaves nothing behind.
    """
    unfinished = target.with_name(target.name + UNFINISHED)
    try:
        _must_not_exist(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        with _reading(database) as source:
            source.execute("VACUUM INTO ?", (str(unfinished),))
        check(unfinished)
        to_the_disk(unfinished)
        _must_not_exist(target)
        unfinished.rename(target)
    except (sqlite3.Error, OSError) as error:
        raise BackupFailed(f"Cannot back up {database} to {target}: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def restore(backup: Path, database: Path, aside: Path) -> None:
    """Puts a backup in the place of the database, which is kept as `aside`.

    Raises InUse while a bot works on the database, NewerDatabase, or BackupFailed where the backup
    is damaged or there is no room for it; the database is then as it was.
    """
    incoming = database.with_name(f"{database.name}.incoming")
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        with sole_use(database):
            _must_not_exist(aside)
            check(backup)
            shutil.copyfile(backup, incoming)
            to_the_disk(incoming)
            # The last writes may still stand next to the database: they belong to it, and would be
            # taken for writes to the new one.
            for suffix in ("", *BESIDE):
                old = database.with_name(database.name + suffix)
                if old.exists():
                    old.rename(aside.with_name(aside.name + suffix))
            incoming.rename(database)
    except OSError as error:
        raise BackupFailed(f"Cannot restore {backup}: {error}") from error
    finally:
        incoming.unlink(missing_ok=True)


def check(copy: Path) -> None:
    """Check a copy. Raises BackupFailed if it is damaged or not ours, NewerDatabase or
    OlderDatabase."""
    try:
        with _reading(copy) as connection:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if said != "ok":
                raise BackupFailed(f"{copy} is damaged: {said}")
            (revision,) = connection.execute(f"SELECT version_num FROM {NOTED_IN}").fetchone()
    except sqlite3.OperationalError as error:
        raise BackupFailed(f"{copy} is not a database of this program: {error}") from error
    except sqlite3.Error as error:
        raise BackupFailed(f"{copy} is damaged: {error}") from error
    check_revision(revision)


def is_sqlite(path: Path) -> bool:
    """Whether a file begins like a SQLite database; an empty file or a folder does not."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    # Opened to be read, so that a wrong name makes no new database.
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        yield connection


def _must_not_exist(path: Path) -> None:
    if path.exists():
        raise BackupFailed(f"{path} already exists. Choose another name.")


def to_the_disk(path: Path) -> None:
    """Waits until what was written to a file survives a loss of power."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
