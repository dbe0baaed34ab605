"""Back up a SQLite database while it is in use, check backups and restore them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.store.errors import BackupFailed
from bot.store.file import sole_use
from bot.store.migrate import REVISION_TABLE, check_revision

UNFINISHED = ".unfinished"
"""Suffix of a copy in progress."""
MAGIC = b"SQLite format 3\0"
"""The first bytes of every SQLite database."""
SIDE_FILES = ("-wal", "-shm")
"""Suffixes of the files that SQLite writes next to a database."""


def back_up(database: Path, target: Path) -> None:
    """Copy a consistent snapshot of the database, which may be in use.

    The copy gets its name only when it is complete and checked. Raise BackupFailed, also if
    `target` exists, and leaves no files behind.
    """
    unfinished = target.with_name(target.name + UNFINISHED)
    try:
        _must_not_exist(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        with _open_read_only(database) as source:
            source.execute("VACUUM INTO ?", (str(unfinished),))
        check(unfinished)
        sync_file(unfinished)
        _must_not_exist(target)
        unfinished.rename(target)
    except (sqlite3.Error, OSError) as error:
        raise BackupFailed(f"Cannot back up {database} to {target}: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def restore(backup: Path, database: Path, aside: Path) -> None:
    """Replace the database by a backup, and keep the old one as `aside`.

    Raise InUse while a bot uses the database, NewerDatabase, or BackupFailed if the backup is
    damaged or there is no room for it. The database is then unchanged.
    """
    incoming = database.with_name(f"{database.name}.incoming")
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        with sole_use(database):
            _must_not_exist(aside)
            check(backup)
            shutil.copyfile(backup, incoming)
            sync_file(incoming)
            # The last writes may still be in the side files. SQLite would apply them to the
            # restored database.
            for suffix in ("", *SIDE_FILES):
                old = database.with_name(database.name + suffix)
                if old.exists():
                    old.rename(aside.with_name(aside.name + suffix))
            incoming.rename(database)
    except OSError as error:
        raise BackupFailed(f"Cannot restore {backup}: {error}") from error
    finally:
        incoming.unlink(missing_ok=True)


def check(copy: Path) -> None:
    """Raise BackupFailed if a copy is damaged or not ours, or NewerDatabase or OlderDatabase."""
    try:
        with _open_read_only(copy) as connection:
            (result,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if result != "ok":
                raise BackupFailed(f"{copy} is damaged: {result}")
            (revision,) = connection.execute(f"SELECT version_num FROM {REVISION_TABLE}").fetchone()
    except sqlite3.OperationalError as error:
        raise BackupFailed(f"{copy} is not a database of this program: {error}") from error
    except sqlite3.Error as error:
        raise BackupFailed(f"{copy} is damaged: {error}") from error
    check_revision(revision)


def is_sqlite(path: Path) -> bool:
    """Return whether this is a SQLite database; an empty file or a folder is not."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def _open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    # Read-only: a wrong name must not create a database.
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        yield connection


def _must_not_exist(path: Path) -> None:
    if path.exists():
        raise BackupFailed(f"{path} already exists. Choose another name.")


def sync_file(path: Path) -> None:
    """Flush a file to the disk, so that it survives a loss of power."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
