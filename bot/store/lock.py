"""Lets one process at a time use a database file, and notices when the file is lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
