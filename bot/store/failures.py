"""What the errors of SQLite and PostgreSQL mean: whether they may pass, or somebody must act."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from bot.store.errors import BrokenDatabase, NotWritable, StoreError, Unavailable

PASSING = ("08", "25", "40", "53", "55", "57", "58")
"""The classes of SQL states that may pass: connections, resources, locks, a server that starts."""
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


def failure(error: SQLAlchemyError | sqlite3.Error | OSError) -> StoreError:
    """The error as one of ours, without the statement that caused it."""
    cause = _cause(error)
    said = str(cause) or type(cause).__name__
    code = getattr(cause, "sqlite_errorcode", 0) & PRIMARY
    if code in FORBIDDEN:
        return NotWritable(f"The database cannot be opened and written: {said}")
    if code in DAMAGED or _is_for_good(error):
        return BrokenDatabase(f"The database cannot be read: {said}")
    return Unavailable(f"The database did not answer: {said}")


def sql_state(error: BaseException) -> str:
    """The five characters by which PostgreSQL names an error; empty where there are none.

    They matter because with asyncpg most errors are of no class but DBAPIError.
    """
    return getattr(_cause(error), "sqlstate", None) or ""


def _is_for_good(error: BaseException) -> bool:
    if isinstance(error, OperationalError | InterfaceError) or not isinstance(error, DBAPIError):
        return False
    state = sql_state(error)
    # Without one nobody but the driver says so: it stumbles where a connection is lost.
    return not state.startswith(PASSING) if state else isinstance(error.orig, sqlite3.Error)


def _cause(error: BaseException) -> BaseException:
    return error.orig or error if isinstance(error, DBAPIError) else error
