"""A database on a PostgreSQL server, through a pool of connections.

Where several processes share it, each batch is checked in its own transaction against what the
others have written and which shards they hold, and they are told of it.
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
from bot.store.sharing import Notice
from bot.store.sql import Statement, expanded, numbered

log = logging.getLogger(__name__)

CONNECTIONS = 4
ANSWER_WAIT_S = 30
"""Seconds to wait for a server that may have vanished without a word."""
MEMBER_ANSWER_WAIT_S = 10
"""The same for a process that shares it: others go on meanwhile, so it is to find out soon."""
IDLE_MS = 5000
"""Milliseconds that a process which shares it may stop in the middle of a transaction: the rows
that it has locked are others' as well."""
KEEPALIVE = {
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""So that the server soon ends the sessions of a machine that has vanished without a word."""
ATTEMPTS = 5
"""How often a transaction is carried out that others are in the way of."""
IN_THE_WAY = ("40P01", "40001")
"""The SQL states of deadlocks and the like."""
PASSING = ("08", "25", "40", "53", "55", "57", "58")
"""The classes of SQL states that may pass: connections, resources, locks, a server that starts."""
DUPLICATE = "23"
OF_ONE = ("22", "42")
"""Of a batch these say that the program is wrong, not the database."""
STATUS_POLL_S = 0.1
"""Seconds between two questions whether a transaction was stored."""
CHANNEL = "kontor"
"""Where those that share a database tell one another what they have changed."""
SHARD, READY, WRITING, IDENTIFY, JOINING = range(int.from_bytes(b"Kont", "big"), 1 << 31)[:5]
"""The first halves of advisory locks; the second is a shard, or a bucket of shards."""

ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""Of the server, its driver and the network; what takes too long is an OSError as well."""

# Whoever takes a shard tries the lock of its writes alone: none is under way that was checked
# before, and those that come later find another holder.
HOLDS = f"""
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
TELL = "SELECT txid_current(), pg_notify($1, $2)"


class PostgresTransaction:
    """Several statements on a connection, within a transaction."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def run(self, sql: str, values: Sequence[Mapping[str, Any]] = ({},)) -> None:
        """Carry out a statement once for each of these values."""
        steps = [_numbered(Statement(sql, each)) for each in values]
        if len({text for text, _ in steps}) == 1:
            await self._connection.executemany(steps[0][0], [each for _, each in steps])
            return
        for text, each in steps:
            await self._connection.execute(text, *each)

    async def fetch(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Sequence[Any]]:
        """The rows that a statement finds."""
        return await _fetch(self._connection, Statement(sql, values or {}))


class PostgresDatabase:
    """An open database, for one process alone or for a `member` of those that share it.

    `check` is called with what a batch is fenced by, or with nothing, before anything is read or
    written, and may raise StoreError.
    """

    dialect = "postgresql"

    def __init__(self, pool: Any, check: Callable[..., None], member: str | None) -> None:
        self._pool = pool
        self._check = check
        self._member = member

    @classmethod
    async def open(
        cls, url: str, lock_wait_ms: int, check: Callable[..., None], member: str | None = None
    ) -> PostgresDatabase:
        """Connect, and bring the database up to date. Raises StoreError."""
        settings = {"lock_timeout": str(lock_wait_ms)}
        if member is not None:
            settings["application_name"] = member
            settings["idle_in_transaction_session_timeout"] = str(IDLE_MS)
        answer_s = ANSWER_WAIT_S if member is None else MEMBER_ANSWER_WAIT_S
        with told_apart():
            pool = await asyncpg.create_pool(
                **connecting(url, answer_s, settings),
                min_size=0,
                max_size=CONNECTIONS,
                reset=_as_it_is,
            )
        opened = cls(pool, check, member)
        try:
            async with opened._connection() as connection, connection.transaction():
                await migrate(connection.execute, connection.fetch, cls.dialect)
                # Better meet with damage now than at somebody's first press.
                await connection.fetch(
                    "SELECT (SELECT max(id) FROM tables), (SELECT max(id) FROM outbox)"
                )
        except BaseException:
            await opened.close()
            raise
        return opened

    async def read(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        """The rows that each statement finds, all of one moment."""
        async with self._connection() as connection:
            if len(statements) == 1:
                return [await _fetch(connection, statements[0])]
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return [await _fetch(connection, each) for each in statements]

    async def change(self, statement: Statement) -> list[Sequence[Any]]:
        """Carry out a statement in a transaction of its own; the rows that it returns."""
        async with self._connection() as connection:
            return await _fetch(connection, statement)

    async def write(self, batches: Sequence[WriteBatch]) -> Sequence[Outcome]:
        """Write batches to the disk, each in a transaction of its own."""
        errors = await asyncio.gather(*map(self._store, batches), return_exceptions=True)
        return [error or () for error in errors]

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[PostgresTransaction]:
        """What is done in the block is stored at its end. Raises StoreError."""
        async with self._connection() as connection, connection.transaction():
            yield PostgresTransaction(connection)

    async def close(self) -> None:
        """End what is under way, and accept no more."""
        with told_apart():
            await asyncio.wait_for(self._pool.close(), ANSWER_WAIT_S)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        with told_apart():
            async with self._borrowed() as connection:
                self._check()
                yield connection

    @asynccontextmanager
    async def _borrowed(self) -> AsyncIterator[Any]:
        connection = await self._pool.acquire(timeout=ANSWER_WAIT_S)
        try:
            yield connection
        except OSError:
            # A server that has fallen silent would not answer a farewell either.
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
                if state in IN_THE_WAY and attempt < ATTEMPTS:
                    log.info("transaction conflict, retrying state=%s", state)
                    continue
                if state.startswith(DUPLICATE):
                    raise DuplicateWrite(_said(error)) from error
                if state.startswith(OF_ONE) or isinstance(error, ValueError):
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
            if not is_committing or sql_state(error) in IN_THE_WAY:
                raise
            is_kept = await self._is_kept(transaction)
            if is_kept is None:
                raise MaybeStored(f"{failure(error)}; the write may have been saved") from error
            if not is_kept:
                raise

    async def _carry_out(self, connection: Any, batch: WriteBatch) -> int | None:
        """Returns the number of the transaction where others are told of it."""
        new = [] if self._member is None else await _guard(connection, batch)
        for sql, values in merge([batch]):
            await PostgresTransaction(connection).run(sql, values)
        for table in new:
            await connection.execute("UPDATE tables SET revision = 1 WHERE id = $1", table)
        if self._member is None or not (batch.tables or batch.names):
            return None
        tables = {table: revision + 1 for table, revision in batch.tables.items()}
        said = msgspec.json.encode(Notice(self._member, tables, (*batch.names,))).decode()
        transaction: int = await connection.fetchval(TELL, CHANNEL, said)
        return transaction

    async def _is_kept(self, transaction: int | None) -> bool | None:
        """Whether a transaction was stored whose end nobody heard of; None where it is unknown."""
        if transaction is None:
            return None
        try:
            while True:
                async with self._borrowed() as connection:
                    status = await connection.fetchval("SELECT txid_status($1)", transaction)
                if status != "in progress":
                    return bool(status == "committed")
                # Its session need not know yet that nobody is there; it waits IDLE_MS at most.
                await asyncio.sleep(STATUS_POLL_S)
        except ERRORS:
            return None


async def _guard(connection: Any, batch: WriteBatch) -> list[int]:
    """Count the revisions that a batch is written at; returns the tables that it is to make.

    Raises LeaseLost or StaleWrite. All go in the same order, so that nobody waits for one who waits
    for them.
    """
    for fence in batch.fences:
        if not await connection.fetchval(HOLDS, fence.shard, fence.pid, fence.since):
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
    """Whether a database is of the revision of this version, or of a newer one; of one that is
    empty it is not. Raises StoreError."""
    with told_apart():
        connection = await asyncpg.connect(**connecting(url, ANSWER_WAIT_S))
        try:
            names = await table_names(connection.fetch, PostgresDatabase.dialect)
            return await revision_of(connection.fetch, names) == NEWEST
        except NewerDatabase:
            return True
        finally:
            connection.terminate()


def connecting(url: str, answer_s: float, settings: Mapping[str, str] = {}) -> dict[str, Any]:
    """How asyncpg is to connect to a URL such as `check_address` accepts."""
    return {
        # As libpq has it; what follows the '?' used to be the driver's own words.
        "dsn": re.sub(r"([?&])ssl=", r"\1sslmode=", url.replace("+asyncpg:", ":", 1)),
        "timeout": answer_s,
        "command_timeout": answer_s,
        "server_settings": {**KEEPALIVE, **settings},
    }


# Errors


@contextmanager
def told_apart() -> Iterator[None]:
    """Within the block errors of the server, its driver and the network are ours."""
    try:
        yield
    except ERRORS as error:
        raise failure(error) from error


def failure(error: BaseException) -> StoreError:
    """The error as one of ours: whether it may pass, or somebody must act."""
    if isinstance(error, asyncpg.ClientConfigurationError):
        return BadAddress("the part after the '?' is invalid")
    state = sql_state(error)
    # Without one only the driver or the network says so.
    if state and not state.startswith(PASSING):
        return BrokenDatabase(f"Cannot read the database: {_said(error)}")
    return Unavailable(f"The database did not answer: {_said(error)}")


def sql_state(error: BaseException) -> str:
    """The five characters by which PostgreSQL names an error; empty where there are none."""
    return getattr(error, "sqlstate", None) or ""


def _said(error: BaseException) -> str:
    # What follows in the next lines may quote what was to be stored.
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


async def _as_it_is(_connection: object) -> None:
    """Nothing here leaves anything behind in a connection that is lent."""
