"""A database on a PostgreSQL server, through a pool of connections.

If several processes share it, each transaction first checks the revisions and shards of its batch,
then notifies the other processes.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import msgspec

from bot.store.batch import WriteBatch, merge
from bot.store.database import Outcome
from bot.store.errors import (
    BadAddress,
    BrokenDatabase,
    DuplicateWrite,
    LeaseLost,
    MaybeStored,
    NewerDatabase,
    StaleWrite,
    StoreError,
    Unavailable,
)
from bot.store.migrate import NEWEST, migrate, revision_of, table_names
from bot.store.sharing import Announcement
from bot.store.sql import Statement, expanded, numbered

log = logging.getLogger(__name__)

CONNECTIONS = 4
ANSWER_WAIT_S = 30
"""Seconds to wait for a server that may have gone silent."""
MEMBER_ANSWER_WAIT_S = 10
"""The same for a process that shares it: it must notice soon, so that others can take over."""
IDLE_MS = 5000
"""Milliseconds that a process may pause within a transaction, as it locks rows that others need."""
KEEPALIVE = {
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""Makes the server end the sessions of a silent machine soon."""
ATTEMPTS = 5
"""How often a transaction is tried if others conflict with it."""
CONFLICTS = ("40P01", "40001")
"""SQL states of deadlocks and serialization failures."""
TRANSIENT = ("08", "25", "40", "53", "55", "57", "58")
"""Classes of SQL states for which a retry may help: connections, resources, locks, start-up."""
DUPLICATE = "23"
BAD_VALUES = ("22", "42")
"""Classes of SQL states that mean an error of the program, not of the database."""
POLL_S = 0.1
"""Seconds between two checks whether a transaction was committed, or the last job has ended."""
CHANNEL = "kontor"
"""The NOTIFY channel for changes by processes that share the database."""
SHARD, READY, WRITING, IDENTIFY, JOINING = range(int.from_bytes(b"Kont", "big"), 1 << 31)[:5]
"""The first halves of advisory locks; the second half is a shard, or a bucket of shards."""

ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""Errors of the server, its driver and the network; TimeoutError is an OSError."""

# A process that takes a shard needs the exclusive lock of its writes. So no checked write is still
# running then, and later ones see the new holder.
IS_LEASE_HELD = f"""
    SELECT CASE WHEN pg_try_advisory_xact_lock_shared({WRITING}, $1::int) THEN EXISTS (
        SELECT FROM pg_locks, pg_stat_get_activity($2::int) AS session
        WHERE locktype = 'advisory' AND granted AND pg_locks.pid = session.pid
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid, objid, objsubid) = ({SHARD}::oid, $1::int::oid, 2)
        AND backend_start = $3
    ) ELSE false END
"""
COUNT_TABLE = """
    UPDATE tables SET revision = revision + 1 WHERE id = $1 AND revision = $2 RETURNING revision
"""
COUNT_NAME = """
    UPDATE revisions SET number = number + 1 WHERE name = $1 AND number = $2 RETURNING number
"""
COUNT_NEW_NAME = """
    INSERT INTO revisions (name, number) VALUES ($1, 1) ON CONFLICT (name)
    DO UPDATE SET number = revisions.number + 1 WHERE revisions.number = $2 RETURNING number
"""
NOTIFY = "SELECT txid_current(), pg_notify($1, $2)"


class PostgresTransaction:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def run(self, sql: str, values: Sequence[Mapping[str, Any]] = ({},)) -> None:
        steps = [_numbered(Statement(sql, each)) for each in values]
        if len({text for text, _ in steps}) == 1:
            await self._connection.executemany(steps[0][0], [each for _, each in steps])
            return
        for text, each in steps:
            await self._connection.execute(text, *each)

    async def fetch(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Sequence[Any]]:
        return await _fetch(self._connection, Statement(sql, values or {}))


class PostgresDatabase:
    """An open database, for a single process or for one `member` of several.

    `check` is called with the fences of a batch, or nothing, before each read and write; it may
    raise StoreError.
    """

    dialect = "postgresql"

    def __init__(self, pool: Any, check: Callable[..., None], member: str | None) -> None:
        self._pool = pool
        self._check = check
        self._member = member
        self._jobs = 0
        """Jobs in progress, also those that wait for a connection."""

    @classmethod
    async def open(
        cls, url: str, lock_wait_ms: int, check: Callable[..., None], member: str | None = None
    ) -> PostgresDatabase:
        """Connect, and upgrade the database. Raise StoreError."""
        settings = {"lock_timeout": str(lock_wait_ms)}
        if member is not None:
            settings["application_name"] = member
            settings["idle_in_transaction_session_timeout"] = str(IDLE_MS)
        answer_s = ANSWER_WAIT_S if member is None else MEMBER_ANSWER_WAIT_S
        with as_store_errors():
            pool = await asyncpg.create_pool(
                **connect_args(url, answer_s, settings),
                min_size=0,
                max_size=CONNECTIONS,
                reset=_keep_unchanged,
            )
        opened = cls(pool, check, member)
        try:
            async with opened._connection() as connection, connection.transaction():
                await migrate(connection.execute, connection.fetch, cls.dialect)
                # Find damage now rather than at the first interaction.
                await connection.fetch(
                    "SELECT (SELECT max(id) FROM tables), (SELECT max(id) FROM outbox)"
                )
        except BaseException:
            await opened.close()
            raise
        return opened

    async def read(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        async with self._connection() as connection:
            if len(statements) == 1:
                return [await _fetch(connection, statements[0])]
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return [await _fetch(connection, each) for each in statements]

    async def change(self, statement: Statement) -> list[Sequence[Any]]:
        async with self._connection() as connection:
            return await _fetch(connection, statement)

    async def write(self, batches: Sequence[WriteBatch]) -> Sequence[Outcome]:
        """Write batches to the disk, each in its own transaction."""
        errors = await asyncio.gather(*map(self._store, batches), return_exceptions=True)
        return [error or () for error in errors]

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[PostgresTransaction]:
        """Commit at the end of the block. Raise StoreError."""
        async with self._connection() as connection, connection.transaction():
            yield PostgresTransaction(connection)

    async def close(self) -> None:
        with as_store_errors():
            async with asyncio.timeout(ANSWER_WAIT_S):
                # The pool would refuse a connection to jobs that wait for one.
                while self._jobs:  # noqa: ASYNC110
                    await asyncio.sleep(POLL_S)
                await self._pool.close()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        self._jobs += 1
        try:
            with as_store_errors():
                async with self._borrowed() as connection:
                    self._check()
                    yield connection
        finally:
            self._jobs -= 1

    @asynccontextmanager
    async def _borrowed(self) -> AsyncIterator[Any]:
        connection = await self._pool.acquire(timeout=ANSWER_WAIT_S)
        try:
            yield connection
        except OSError:
            # A silent server would not answer a proper close.
            connection.terminate()
            raise
        finally:
            await self._pool.release(connection)

    async def _store(self, batch: WriteBatch) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._attempt(batch)
            except ERRORS as error:
                state = sql_state(error)
                if state in CONFLICTS and attempt < ATTEMPTS:
                    log.info("transaction conflict, retrying state=%s", state)
                    continue
                if state.startswith(DUPLICATE):
                    raise DuplicateWrite(_first_line(error)) from error
                if state.startswith(BAD_VALUES) or isinstance(error, ValueError):
                    raise
                raise failure(error) from error
        return None

    async def _attempt(self, batch: WriteBatch) -> None:
        transaction, is_committing = None, False
        try:
            async with self._borrowed() as connection, connection.transaction():
                self._check(batch.fences)
                transaction = await self._carry_out(connection, batch)
                is_committing = True
        except ERRORS as error:
            if not is_committing or sql_state(error) in CONFLICTS:
                raise
            was_committed = await self._was_committed(transaction)
            if was_committed is None:
                raise MaybeStored(f"{failure(error)}; the write may have been saved") from error
            if not was_committed:
                raise

    async def _carry_out(self, connection: Any, batch: WriteBatch) -> int | None:
        """Execute a batch; return the transaction id if other processes are notified."""
        new = [] if self._member is None else await _guard(connection, batch)
        for sql, values in merge([batch]):
            await PostgresTransaction(connection).run(sql, values)
        for table in new:
            await connection.execute("UPDATE tables SET revision = 1 WHERE id = $1", table)
        if self._member is None or not (batch.tables or batch.names):
            return None
        tables = {table: revision + 1 for table, revision in batch.tables.items()}
        announcement = Announcement(self._member, tables, (*batch.names,))
        payload = msgspec.json.encode(announcement).decode()
        transaction: int = await connection.fetchval(NOTIFY, CHANNEL, payload)
        return transaction

    async def _was_committed(self, transaction: int | None) -> bool | None:
        """Ask the server whether a transaction was committed; None if that is unknown."""
        if transaction is None:
            return None
        try:
            while True:
                async with self._borrowed() as connection:
                    status = await connection.fetchval("SELECT txid_status($1)", transaction)
                if status != "in progress":
                    return bool(status == "committed")
                # Its session may not have noticed the lost connection; that takes IDLE_MS at most.
                await asyncio.sleep(POLL_S)
        except ERRORS:
            return None


async def _guard(connection: Any, batch: WriteBatch) -> list[int]:
    """Increase the revisions that a batch guards; return the tables that it creates.

    Raise LeaseLost or StaleWrite. The order is fixed, which avoids deadlocks.
    """
    for fence in batch.fences:
        if not await connection.fetchval(IS_LEASE_HELD, fence.shard, fence.pid, fence.since):
            raise LeaseLost(f"Shard {fence.shard} belongs to another process.")
    new = []
    for table, revision in sorted(batch.tables.items()):
        if await connection.fetchval(COUNT_TABLE, table, revision) is None:
            if revision or await connection.fetchval("SELECT id FROM tables WHERE id = $1", table):
                raise StaleWrite("Another process wrote first.")
            new.append(table)
    for name, number in sorted(batch.names.items()):
        count = COUNT_NAME if number else COUNT_NEW_NAME
        if await connection.fetchval(count, name, number) is None:
            raise StaleWrite("Another process wrote first.")
    return new


async def is_migrated(url: str) -> bool:
    """Return whether a database has the newest revision or a later one; False if it is empty.

    Raise StoreError.
    """
    with as_store_errors():
        connection = await asyncpg.connect(**connect_args(url, ANSWER_WAIT_S))
        try:
            names = await table_names(connection.fetch, PostgresDatabase.dialect)
            return await revision_of(connection.fetch, names) == NEWEST
        except NewerDatabase:
            return True
        finally:
            connection.terminate()


def connect_args(url: str, answer_s: float, settings: Mapping[str, str] = {}) -> dict[str, Any]:
    """Return asyncpg's arguments for a URL that `check_address` accepts."""
    return {
        # Older versions used the driver's name for this parameter, this one uses libpq's.
        "dsn": re.sub(r"([?&])ssl=", r"\1sslmode=", url.replace("+asyncpg:", ":", 1)),
        "timeout": answer_s,
        "command_timeout": answer_s,
        "server_settings": {**KEEPALIVE, **settings},
    }


# Errors


@contextmanager
def as_store_errors() -> Iterator[None]:
    """Convert errors of the server, its driver and the network to StoreError."""
    try:
        yield
    except ERRORS as error:
        raise failure(error) from error


def failure(error: BaseException) -> StoreError:
    """Return the StoreError for an error: Unavailable if a retry may help."""
    if isinstance(error, asyncpg.ClientConfigurationError):
        return BadAddress("the part after the '?' is invalid")
    state = sql_state(error)
    # Errors without a state come from the driver or the network.
    if state and not state.startswith(TRANSIENT):
        return BrokenDatabase(f"Cannot read the database: {_first_line(error)}")
    return Unavailable(f"The database did not answer: {_first_line(error)}")


def sql_state(error: BaseException) -> str:
    """Return the five-character SQLSTATE of an error; empty if it has none."""
    return getattr(error, "sqlstate", None) or ""


def _first_line(error: BaseException) -> str:
    # The next lines may quote stored values.
    return str(error).partition("\n")[0] or type(error).__name__


# Statements


async def _fetch(connection: Any, statement: Statement) -> list[Sequence[Any]]:
    text, values = _numbered(statement)
    found: list[Sequence[Any]] = await connection.fetch(text, *values)
    return found


def _numbered(statement: Statement) -> tuple[str, list[Any]]:
    single = expanded(*statement)
    text, names = numbered(single.sql)
    return text, [single.values[name] for name in names]


async def _keep_unchanged(_connection: object) -> None:
    """Skip the reset of connections: nothing here changes their settings."""
