"""What the errors of SQLite mean: whether they may pass, or somebody must act."""

from __future__ import annotations

import sqlite3

from bot.store.errors import BrokenDatabase, NotWritable, StoreError, Unavailable

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


def failure(error: sqlite3.Error | OSError) -> StoreError:
    """The error as one of ours."""
    said = str(error) or type(error).__name__
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY
    if code in FORBIDDEN:
        return NotWritable(f"The database cannot be opened and written: {said}")
    is_for_good = isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error, sqlite3.OperationalError
    )
    if code in DAMAGED or is_for_good:
        return BrokenDatabase(f"The database cannot be read: {said}")
    return Unavailable(f"The database did not answer: {said}")
