"""Moves all that is stored from a SQLite file to a PostgreSQL database, or back again."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bot.store.address import check_address, sqlite_file
from bot.store.backup import BESIDE, UNFINISHED, to_the_disk
from bot.store.database import Database, Transaction
from bot.store.errors import CannotMove, InUse
from bot.store.file import is_blank, log_of, sole_use
from bot.store.rows import KINDS, StoredRow, TableIdRow
from bot.store.slicing import AT_ONCE
from bot.store.sql import Statement, columns, insert_sql, rows_of, values_of

log = logging.getLogger(__name__)

LOCK_WAIT_MS = 2000
"""How long to wait for another program that has locked something in a database."""
SOURCE, TARGET = "Source", "Target"
DIGEST_BYTES = 16
LAST_ITEM = {
    "sqlite": "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'outbox'",
    "postgresql": "SELECT coalesce(pg_sequence_last_value("
    "pg_get_serial_sequence('outbox', 'id')::regclass), 0)",
}
"""The greatest id that an outbox item ever had."""
COUNT_ON = {
    "sqlite": "INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', :last)",
    "postgresql": "SELECT setval(pg_get_serial_sequence('outbox', 'id'), :last)",
}

Fetch = Callable[[str, Mapping[str, Any]], Awaitable[Sequence[Sequence[Any]]]]


async def move(source: str, target: str) -> Mapping[str, int]:
    """Copy everything to a target in which nothing is kept, both by their URLs, and compare; how
    many rows there are, by the names of the database's tables.

    Nobody else may work on either. The source is brought up to date where it is older, as when a
    bot starts, and else left as it is. Raises CannotMove or InUse, and then the target is as it
    was.
    """
    for url, which in ((source, SOURCE), (target, TARGET)):
        with _concerning(which):
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
            await _count_on(origin, transaction, destination.dialect)
            rows = {kind.TABLE: await _compared(origin, transaction, kind) for kind in KINDS}
            with _concerning(SOURCE):
                check()
    return rows


async def _copy(origin: Database, transaction: Transaction, kind: type[StoredRow]) -> None:
    with _concerning(f"Cannot write {kind.TABLE}"):
        # The last id that was given to a table stands there from the beginning.
        await transaction.run(f"DELETE FROM {kind.TABLE}")
    async for rows in _slices(_reading(origin), kind):
        with _concerning(f"Cannot write {kind.TABLE}"):
            await transaction.run(insert_sql(kind), [values_of(row) for row in rows])


async def _count_on(origin: Database, transaction: Transaction, dialect: str) -> None:
    ((last,),) = await _reading(origin)(LAST_ITEM[origin.dialect], {})
    if last:
        if dialect == "sqlite":
            await transaction.run("DELETE FROM sqlite_sequence WHERE name = 'outbox'")
        await transaction.fetch(COUNT_ON[dialect], {"last": last})


async def _compared(origin: Database, transaction: Transaction, kind: type[StoredRow]) -> int:
    read = await _contents(_reading(origin), kind)
    if read != await _contents(transaction.fetch, kind):
        raise CannotMove(f"The copy of {kind.TABLE} differs from the original. Nothing was moved.")
    log.info("compared name=%s rows=%d", kind.TABLE, read[0])
    return read[0]


async def _contents(fetch: Fetch, kind: type[StoredRow]) -> tuple[int, str]:
    """How many rows a table has, and a digest of them all."""
    count, digest = 0, blake2b(digest_size=DIGEST_BYTES)
    async for rows in _slices(fetch, kind):
        count += len(rows)
        for row in rows:
            # The same value prints the same, whichever database it comes from.
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return count, digest.hexdigest()


async def _slices(fetch: Fetch, kind: type[StoredRow]) -> AsyncIterator[list[StoredRow]]:
    """All rows of a table in the order of their keys."""
    key = ", ".join(f'"{name}"' for name in kind.KEY)
    after = ", ".join(f":{name}" for name in kind.KEY)
    condition, values = "", dict[str, Any]()
    while True:
        sql = f"SELECT {columns(kind)} FROM {kind.TABLE}{condition} ORDER BY {key} LIMIT {AT_ONCE}"
        with _concerning(f"Cannot read {kind.TABLE}"):
            rows = rows_of(kind, await fetch(sql, values))
        if not rows:
            return
        yield rows
        condition = f" WHERE ({key}) > ({after})"
        last = values_of(rows[-1])
        values = {name: last[name] for name in kind.KEY}


def _reading(database: Database) -> Fetch:
    async def fetch(sql: str, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        (found,) = await database.read(Statement(sql, values))
        return found

    return fetch


async def _is_empty(database: Database) -> bool:
    for kind in KINDS:
        if kind is not TableIdRow:
            found = await _reading(database)(f"SELECT 1 FROM {kind.TABLE} LIMIT 1", {})
            if found:
                return False
    return True


@asynccontextmanager
async def _opened_source(url: str) -> AsyncIterator[tuple[Database, Callable[[], None]]]:
    """The database, and what raises Unavailable where another process may work on it by now."""
    async with AsyncExitStack() as stack:
        with _concerning(SOURCE):
            file = sqlite_file(url)
            database: Database
            if file is None:
                database, check = await _server(url, stack)
            elif is_blank(file):
                raise CannotMove(f"The source {file} is missing or empty.")
            else:
                stack.enter_context(sole_use(file))
                database, check = await _file(file, stack), _nothing
            if await _is_empty(database):
                raise CannotMove("The source is empty.")
        yield database, check


@asynccontextmanager
async def _opened_target(url: str) -> AsyncIterator[Database]:
    file = sqlite_file(url)
    async with AsyncExitStack() as stack:
        with _concerning(TARGET):
            if file is None:
                database, check = await _server(url, stack)
                if not await _is_empty(database):
                    name = url.rpartition("/")[2].partition("?")[0]
                    raise CannotMove(f"The target database {name} is not empty.")
                yield database
                check()
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            note = stack.enter_context(sole_use(file))
            if not is_blank(file):
                raise CannotMove(f"{file} already exists. Choose another name.")
            # It has its name only once it is whole.
            unfinished = file.with_name(file.name + UNFINISHED)
            _remove(unfinished)
            stack.callback(_remove, unfinished)
            copy = await _file(unfinished, stack)
        yield copy
        with _concerning(TARGET):
            await copy.close()
            if log_of(unfinished).exists():
                raise CannotMove(f"Cannot close {unfinished}.")
            to_the_disk(unfinished)
            unfinished.replace(file)
            note()


@asynccontextmanager
async def _writing(database: Database) -> AsyncIterator[Transaction]:
    with _concerning(TARGET):
        async with database.transaction() as transaction:
            yield transaction
            if database.dialect == "postgresql":
                # Until the server knows what it has, it reads whole tables.
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


def _nothing() -> None:
    pass


def _remove(unfinished: Path) -> None:
    for suffix in ("", *BESIDE):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)


@contextmanager
def _concerning(what: str) -> Iterator[None]:
    """Raise any error as CannotMove, which says what it is about."""
    try:
        yield
    except (CannotMove, InUse):
        raise
    except ModuleNotFoundError as error:
        raise CannotMove(
            f"The driver {error.name} is missing: run python -m pip install -e '.[postgres]'"
        ) from error
    # The drivers' errors, and what a value of the wrong type raises, are of many classes.
    except Exception as error:
        said, *_ = str(error).splitlines() or [""]
        raise CannotMove(f"{what}: {said}") from error
