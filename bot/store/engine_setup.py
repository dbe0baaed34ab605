"""How a database is opened: checks of a SQLite file, and the set-up of each connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from bot.store import schema
from bot.store.errors import BrokenDatabase
from bot.store.migrate import migrate
from bot.store.presence import log_of

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

SYNCHRONOUS = "FULL"
"""What is committed survives even a loss of power."""

LOG_KEPT = 16 << 20
"""Bytes that SQLite's write-ahead log keeps on the disk once it is written from its beginning."""

ANSWER_WAIT_S = 30
"""Seconds to wait for a server that may have vanished without a word."""
MEMBER_ANSWER_WAIT_S = 10
"""The same for a process that shares it: others go on meanwhile, so it is to find out soon."""

CONNECTIONS = 3
"""To a server: one to write, two to read."""

QUICK_CHECK = sa.text("PRAGMA quick_check(1)")
"""Reads through the whole database."""

IDLE_MS = 5000
"""How long a process that shares the database may stop in the middle of a transaction: the rows
that it has locked are others' as well."""


def new_engine(
    url: str, file: Path | None, lock_wait_ms: int, member: str | None = None
) -> AsyncEngine:
    """The engine of a SQLite `file`, or of a server where that is None. Does not connect yet.

    A `member` of those that share a database is known to the server by its name.
    """
    # Only here: it brings all of SQLAlchemy's ORM along.
    from sqlalchemy.ext.asyncio import create_async_engine

    options: dict[str, Any] = {} if file is not None else server_limits(lock_wait_ms)
    if member is not None:
        idle = str(IDLE_MS)
        settings = {"application_name": member, "idle_in_transaction_session_timeout": idle}
        options["server_settings"] |= settings
        options["timeout"] = options["command_timeout"] = MEMBER_ANSWER_WAIT_S
    engine = create_async_engine(
        url,
        pool_size=CONNECTIONS,
        max_overflow=0,
        hide_parameters=True,
        # A server may have closed a connection that was not used for long.
        pool_pre_ping=file is None,
        connect_args=options,
    )
    if file is not None:
        set_pragmas(engine, lock_wait_ms)
    return engine


def was_killed(database: Path) -> bool:
    """Whether the program that last used the file was ended without closing it."""

    # After a clean end nothing is left next to the file. What a killed machine has left, or
    # somebody has put together out of two, may be damaged where nobody looks for long.
    return log_of(database).exists()


def open_once(database: Path) -> None:
    """Opens and closes the file; raises sqlite3.Error or OSError where it cannot."""

    # Where a file cannot be opened the driver does not wait for its thread, which then meets with
    # the end of the program and says so in several lines.
    with closing(sqlite3.connect(database)):
        pass


async def check_integrity(engine: AsyncEngine) -> None:
    """Reads through the whole database. Raises BrokenDatabase."""

    async with engine.connect() as connection:
        must_be_whole(await connection.scalar(QUICK_CHECK))


def must_be_whole(said: object) -> None:
    """Raises BrokenDatabase where that is not how a QUICK_CHECK ends well."""
    if said != "ok":
        raise BrokenDatabase(f"The database is damaged: {' '.join(str(said).split())}")


def server_limits(lock_wait_ms: int) -> dict[str, Any]:
    """How long to wait for a server, as asyncpg wants it."""

    # As asyncpg wants them.
    return {
        "timeout": ANSWER_WAIT_S,
        "command_timeout": ANSWER_WAIT_S,
        "server_settings": {"lock_timeout": str(lock_wait_ms)},
    }


def bring_up_to_date(connection: sa.Connection) -> None:
    """Upgrades the database, and meets with damage where everybody would."""
    migrate(connection)
    # Better now than at somebody's first press.
    for each in (schema.tables, schema.outbox):
        connection.scalar(sa.select(sa.func.max(each.c.id)))


def pragmas(lock_wait_ms: int) -> Sequence[str]:
    """What sets up a connection to a SQLite file."""
    return (
        f"PRAGMA busy_timeout = {lock_wait_ms}",
        "PRAGMA journal_mode = WAL",
        f"PRAGMA synchronous = {SYNCHRONOUS}",
        "PRAGMA foreign_keys = ON",
        f"PRAGMA journal_size_limit = {LOG_KEPT}",
    )


def connect(file: Path, lock_wait_ms: int) -> sqlite3.Connection:
    """A connection to a SQLite file that begins no transaction by itself."""
    connection = sqlite3.connect(file, isolation_level=None)
    with ExitStack() as failing:
        failing.callback(connection.close)
        for pragma in pragmas(lock_wait_ms):
            connection.execute(pragma)
        failing.pop_all()
    return connection


def prepare(connection: sqlite3.Connection, *, is_doubtful: bool) -> None:
    """Brings a file up to date, once it has been read through where it `is_doubtful`.

    Raises BrokenDatabase.
    """
    engine = sa.create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    with engine.begin() as begun:
        if is_doubtful:
            must_be_whole(begun.scalar(QUICK_CHECK))
        bring_up_to_date(begun)


def set_pragmas(engine: AsyncEngine, lock_wait_ms: int) -> None:
    """Sets up each connection of the engine to a SQLite file."""

    @sa.event.listens_for(engine.sync_engine, "connect")
    def _on_connect(connection: Any, _: object) -> None:
        with ExitStack() as failing:
            # Nobody else closes a connection that failed before it was ready.
            failing.callback(connection.close)
            cursor = connection.cursor()
            for pragma in pragmas(lock_wait_ms):
                cursor.execute(pragma)
            cursor.close()
            failing.pop_all()
