"""Sees to it that one process alone works on a database file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.store.errors import InUse


@contextmanager
def sole_use(database: Path) -> Iterator[None]:
    """Within the block no other process gets the file. Raises InUse.

    What is locked is a file beside the database, which stays there; the lock itself goes with
    the process, however that ends. A backup may still be made by anybody at any time.
    """
    descriptor = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _lock(descriptor)
        except OSError as error:
            raise InUse(database) from error
        yield
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
