"""Move all data from a SQLite file to a PostgreSQL database, or back."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bot.store.address import check_address, sqlite_file
from bot.store.backup import SIDE_FILES, UNFINISHED, sync_file
from bot.store.database import Database, Transaction
from bot.store.errors import CannotMove, InUse
from bot.store.file import is_blank, log_of, sole_use
from bot.store.rows import KINDS, StoredRow, TableIdRow
from bot.store.sql import SLICE_ROWS, Statement, columns, insert_sql, rows_of, values_of

log = logging.getLogger(__name__)

LOCK_WAIT_MS = 2000
"""How long a statement waits for another program's lock."""
SOURCE, TARGET = "Source", "Target"
DIGEST_BYTES = 16
LAST_ITEM = {
    "sqlite": "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'outbox'",
    "postgresql": "SELECT coalesce(pg_sequence_last_value("
    "pg_get_serial_sequence('outbox', 'id')::regclass), 0)",
}
"""The last id given to an outbox item."""
SET_LAST_ITEM = {
    "sqlite": "INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', :last)",
    "postgresql": "SELECT setval(pg_get_serial_sequence('outbox', 'id'), :last)",
}

Fetch = Callable[[str, Mapping[str, Any]], Awaitable[Sequence[Sequence[Any]]]]


async def move(source: str, target: str) -> Mapping[str, int]:
    """Copy all data to an empty target and compare; return the number of rows by table.

    Both are URLs, and no other process may use them. An older source is upgraded, as when a bot
    starts, but otherwise unchanged. Raise CannotMove or InUse without changing the target.
    """
    for url, which in ((source, SOURCE), (target, TARGET)):
        with _errors_about(which):
            check_address(url)
    if (sqlite_file(source) is None) == (sqlite_file(target) is None):
        raise CannotMove(
            "Name one SQLite file and one PostgreSQL database. To copy within one kind, use"
            " `python -m bot backup` or pg_dump."
        )
    async with AsyncExitStack() as stack:
        origin, check = await stack.enter_async_context(_opened_source(source))
        destination = await stack.enter_async_context(_opened_target(target))
        async with _writing(destination) as transaction:
            for kind in KINDS:
                await _copy(origin, transaction, kind)
                log.info("copied name=%s", kind.TABLE)
            await _copy_sequence(origin, transaction, destination.dialect)
            rows = {kind.TABLE: await _compare(origin, transaction, kind) for kind in KINDS}
            with _errors_about(SOURCE):
                check()
    return rows


async def _copy(origin: Database, transaction: Transaction, kind: type[StoredRow]) -> None:
    with _errors_about(f"Cannot write {kind.TABLE}"):
        # A new database has a row in table_ids.
        await transaction.run(f"DELETE FROM {kind.TABLE}")
    async for rows in _slices(_fetch_from(origin), kind):
        with _errors_about(f"Cannot write {kind.TABLE}"):
            await transaction.run(insert_sql(kind), [values_of(row) for row in rows])


async def _copy_sequence(origin: Database, transaction: Transaction, dialect: str) -> None:
    ((last,),) = await _fetch_from(origin)(LAST_ITEM[origin.dialect], {})
    if last:
        if dialect == "sqlite":
            await transaction.run("DELETE FROM sqlite_sequence WHERE name = 'outbox'")
        await transaction.fetch(SET_LAST_ITEM[dialect], {"last": last})


async def _compare(origin: Database, transaction: Transaction, kind: type[StoredRow]) -> int:
    read = await _digest(_fetch_from(origin), kind)
    if read != await _digest(transaction.fetch, kind):
        raise CannotMove(f"The copy of {kind.TABLE} differs from the original. Nothing was moved.")
    log.info("compared name=%s rows=%d", kind.TABLE, read[0])
    return read[0]


async def _digest(fetch: Fetch, kind: type[StoredRow]) -> tuple[int, str]:
    """Return the number of rows of a table and a digest of them."""
    count, digest = 0, blake2b(digest_size=DIGEST_BYTES)
    async for rows in _slices(fetch, kind):
        count += len(rows)
        for row in rows:
            # Values have the same repr from both databases.
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return count, digest.hexdigest()


async def _slices(fetch: Fetch, kind: type[StoredRow]) -> AsyncIterator[list[StoredRow]]:
    """Yield all rows of a table in slices, ordered by key."""
    key = ", ".join(f'"{name}"' for name in kind.KEY)
    after = ", ".join(f":{name}" for name in kind.KEY)
    condition, values = "", dict[str, Any]()
    while True:
        sql = (
            f"SELECT {columns(kind)} FROM {kind.TABLE}{condition} ORDER BY {key} LIMIT {SLICE_ROWS}"
        )
        with _errors_about(f"Cannot read {kind.TABLE}"):
            rows = rows_of(kind, await fetch(sql, values))
        if not rows:
            return
        yield rows
        condition = f" WHERE ({key}) > ({after})"
        last = values_of(rows[-1])
        values = {name: last[name] for name in kind.KEY}


def _fetch_from(database: Database) -> Fetch:
    async def fetch(sql: str, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        (found,) = await database.read(Statement(sql, values))
        return found

    return fetch


async def _is_empty(database: Database) -> bool:
    for kind in KINDS:
        sql = f"SELECT 1 FROM {kind.TABLE} LIMIT 1"
        if kind is not TableIdRow and await _fetch_from(database)(sql, {}):
            return False
    return True


@asynccontextmanager
async def _opened_source(url: str) -> AsyncIterator[tuple[Database, Callable[[], None]]]:
    """Yield the database, and a check that raises Unavailable if its lock was lost."""
    async with AsyncExitStack() as stack:
        with _errors_about(SOURCE):
            file = sqlite_file(url)
            database: Database
            if file is None:
                database, check = await _server(url, stack)
            elif is_blank(file):
                raise CannotMove(f"The source {file} is missing or empty.")
            else:
                stack.enter_context(sole_use(file))
                database, check = await _file(file, stack), lambda: None
            if await _is_empty(database):
                raise CannotMove("The source is empty.")
        yield database, check


@asynccontextmanager
async def _opened_target(url: str) -> AsyncIterator[Database]:
    file = sqlite_file(url)
    async with AsyncExitStack() as stack:
        with _errors_about(TARGET):
            if file is None:
                database, check = await _server(url, stack)
                if not await _is_empty(database):
                    name = url.rpartition("/")[2].partition("?")[0]
                    raise CannotMove(f"The target database {name} is not empty.")
                yield database
                check()
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            mark_used = stack.enter_context(sole_use(file))
            if not is_blank(file):
                raise CannotMove(f"{file} already exists. Choose another name.")
            # The file gets its name only when it is complete.
            unfinished = file.with_name(file.name + UNFINISHED)
            _remove(unfinished)
            stack.callback(_remove, unfinished)
            copy = await _file(unfinished, stack)
        yield copy
        with _errors_about(TARGET):
            await copy.close()
            if log_of(unfinished).exists():
                raise CannotMove(f"Cannot close {unfinished}.")
            sync_file(unfinished)
            unfinished.replace(file)
            mark_used()


@asynccontextmanager
async def _writing(database: Database) -> AsyncIterator[Transaction]:
    with _errors_about(TARGET):
        async with database.transaction() as transaction:
            yield transaction
            if database.dialect == "postgresql":
                # Without statistics the server would scan whole tables.
                for kind in KINDS:
                    await transaction.run(f"ANALYZE {kind.TABLE}")


async def _file(file: Path, stack: AsyncExitStack) -> Database:
    from bot.store.sqlite import SqliteDatabase

    database = await SqliteDatabase.open(file, LOCK_WAIT_MS)
    stack.push_async_callback(database.close)
    return database


async def _server(url: str, stack: AsyncExitStack) -> tuple[Database, Callable[[], None]]:
    from bot.store.postgres import PostgresDatabase
    from bot.store.server_lock import ServerLock

    lock = ServerLock(url)
    stack.push_async_callback(lock.close)
    await lock.take()
    database = await PostgresDatabase.open(url, LOCK_WAIT_MS, lock.check)
    stack.push_async_callback(database.close)
    return database, lambda: lock.check()


def _remove(unfinished: Path) -> None:
    for suffix in ("", *SIDE_FILES):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)


@contextmanager
def _errors_about(subject: str) -> Iterator[None]:
    """Raise all errors as CannotMove with the subject."""
    try:
        yield
    except (CannotMove, InUse):
        raise
    except ModuleNotFoundError as error:
        raise CannotMove(
            f"The driver {error.name} is missing: run python -m pip install -e '.[postgres]'"
        ) from error
    # The drivers raise errors of many classes, and others for values of a wrong type.
    except Exception as error:
        message, *_ = str(error).splitlines() or [""]
        raise CannotMove(f"{subject}: {message}") from error
