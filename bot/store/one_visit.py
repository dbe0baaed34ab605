"""A SQLite connection on a thread of its own, which a statement visits once.

aiosqlite visits the thread for a cursor, for the statement, for its rows and for the cursor's end,
and once more to take nothing back after a mere read. Each visit wakes two threads, which costs more
than most statements. Here a statement brings its first rows along, and what reads no file is done
where it is asked for, as long as the thread is idle.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import aiosqlite
from aiosqlite.context import contextmanager

from bot.store.slicing import AT_ONCE


class OneVisitConnection(aiosqlite.Connection):
    """As aiosqlite's; made by `connect`, one user at a time."""

    is_idle = False
    """Whether nothing is under way on the thread: an awaited visit may go on without its waiter."""

    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        """A cursor; SQLite hears of it by its first statement."""
        return OneVisitCursor(self, self._conn.cursor())

    async def rollback(self) -> None:
        """Take back what is not committed, if there is anything."""
        if not self.is_idle or self._conn.in_transaction:
            await super().rollback()

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.is_idle = False
        # Visits are made in turn: after this one, none that was given up is under way either.
        result = await super()._execute(fn, *args, **kwargs)  # type: ignore[no-untyped-call]
        self.is_idle = True
        return result


class OneVisitCursor(aiosqlite.Cursor):
    """As aiosqlite's, with the first rows at hand."""

    _conn: OneVisitConnection

    def __init__(self, connection: OneVisitConnection, cursor: sqlite3.Cursor) -> None:
        super().__init__(connection, cursor)
        self._rows: list[Any] = []
        self._is_whole = False

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> OneVisitCursor:
        """Carry out a statement, and fetch what it finds up to AT_ONCE rows."""
        await self._conn._execute(self._carry_out, sql, parameters or ())
        return self

    def _carry_out(self, sql: str, parameters: Iterable[Any]) -> None:
        self._cursor.execute(sql, parameters)  # type: ignore[arg-type]
        self._rows = self._cursor.fetchmany(AT_ONCE)
        self._is_whole = len(self._rows) < AT_ONCE

    async def fetchone(self) -> Any:
        """The next row; None after the last."""
        return next(iter(await self.fetchmany(1)), None)

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        """The next rows, at most so many, or fewer where those at hand end."""
        if not self._rows and not self._is_whole:
            return list(await super().fetchmany(size))
        size = size or self.arraysize
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    async def fetchall(self) -> list[Any]:
        """All other rows."""
        rows, self._rows = self._rows, []
        return rows if self._is_whole else [*rows, *await super().fetchall()]

    async def close(self) -> None:
        """End the statement."""
        if self._conn.is_idle:
            self._cursor.close()
        else:
            await super().close()


def connect(database: str, **kwargs: Any) -> OneVisitConnection:
    """A connection to be awaited, which opens the file as sqlite3.connect does."""
    connection = OneVisitConnection(partial(sqlite3.connect, database, **kwargs), AT_ONCE)
    # As SQLAlchemy has it: where a file cannot be opened, nobody ends the thread.
    connection._thread.daemon = True
    return connection
