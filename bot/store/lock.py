"""Sees to it that one process alone works on a database file, and that its loss is noticed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.store.errors import InUse, Unavailable

NOTE = b"Tables of Kontor are kept beside this file.\n"


@contextmanager
def sole_use(database: Path) -> Iterator[Callable[[], None]]:
    """Within the block no other process gets the file. Raises InUse.

    What is locked is a file beside the database, which stays there; the lock itself goes with
    the process, however that ends. A backup may still be made by anybody at any time. What is
    yielded notes in the locked file that tables are kept in the database, for `was_kept`;
    it raises Unavailable.
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
            _lock(descriptor)
        except OSError as error:
            raise InUse(database) from error
        yield note
    finally:
        os.close(descriptor)


def was_kept(database: Path) -> bool:
    """Whether tables have ever been kept in the file, be it there or not."""
    try:
        return _lock_file(database).stat().st_size > 0
    except FileNotFoundError:
        return False


def _lock_file(database: Path) -> Path:
    return database.with_name(f"{database.name}.lock")


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
