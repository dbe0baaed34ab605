"""Moves all that is stored from a SQLite file to a PostgreSQL database, or back again."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import copying, engine_setup
from bot.store.address import check_address, sqlite_file
from bot.store.backup import BESIDE, UNFINISHED, to_the_disk
from bot.store.errors import CannotMove, InUse, StoreError
from bot.store.failures import failure
from bot.store.lock import sole_use
from bot.store.migrate import migrate
from bot.store.presence import is_blank, log_of
from bot.store.revisions import revision_of
from bot.store.server_lock import ServerLock
from bot.workers import in_thread

log = logging.getLogger(__name__)

LOCK_WAIT_MS = 2000
"""How long to wait for another program that has locked something in a database."""
SOURCE, TARGET = "the source", "the target"

Check = Callable[[], None]
"""Raises Unavailable where another process may work on the database by now."""


async def move(source: str, target: str) -> Mapping[str, int]:
    """Copies everything to a target in which nothing is kept, both by their URLs, and compares;
    how many rows there are, by the names of the database's tables.

    Nobody else may work on either. The source is brought up to date where it is older, as when a
    bot starts, and else left as it is. Raises CannotMove or InUse, and then the target is as it
    was.
    """
    async with _both(source, target) as (origin, check, destination):
        for table in copying.KEPT:
            await copying.copy(origin, destination, table)
            log.info("copied %s", table.name)
        rows = {table.name: await _compared(origin, destination, table) for table in copying.KEPT}
        with _concerning(SOURCE):
            check()
    return rows


async def _compared(origin: AsyncConnection, destination: AsyncConnection, table: sa.Table) -> int:
    read = await copying.contents(origin, table)
    if read != await copying.contents(destination, table):
        raise CannotMove(f"{table.name} is not the same after it was copied: nothing is moved.")
    log.info("compared %s, rows=%d", table.name, read.rows)
    return read.rows


@asynccontextmanager
async def _both(
    source: str, target: str
) -> AsyncIterator[tuple[AsyncConnection, Check, AsyncConnection]]:
    """Connections to both; what is written to the target is kept at the end of the block."""
    for url, which in ((source, SOURCE), (target, TARGET)):
        with _concerning(which):
            check_address(url)
    into: AbstractAsyncContextManager[AsyncConnection]
    match sqlite_file(source), sqlite_file(target):
        case Path() as file, None:
            reading, into = _from_file(file, source), _into_server(target)
        case None, Path() as file:
            reading, into = _from_server(source), _into_file(file, target)
        case _:
            raise CannotMove(
                "One of the two must be a SQLite file, the other PostgreSQL. For a copy of the same"
                " kind see `python -m bot backup`, or pg_dump."
            )
    async with reading as (origin, check), into as destination:
        yield origin, check, destination


@asynccontextmanager
async def _from_file(file: Path, url: str) -> AsyncIterator[tuple[AsyncConnection, Check]]:
    async with AsyncExitStack() as stack:
        with _concerning(SOURCE):
            if is_blank(file):
                raise CannotMove(f"{file} is not there, or nothing is kept in it.")
            stack.enter_context(sole_use(file))
            was_killed = engine_setup.was_killed(file)
            await in_thread(engine_setup.open_once, file)
            engine = _engine(url, file, stack)
            if was_killed:
                await engine_setup.check_integrity(engine)
            await _bring_up_to_date(engine)
            connection = await stack.enter_async_context(engine.connect())
            # One moment of it, whoever writes; the driver begins no transaction for a mere read.
            await connection.exec_driver_sql("BEGIN")
        yield connection, lambda: None


@asynccontextmanager
async def _from_server(url: str) -> AsyncIterator[tuple[AsyncConnection, Check]]:
    async with AsyncExitStack() as stack:
        with _concerning(SOURCE):
            lock = await _locked(url, stack)
            engine = _engine(url, None, stack)
            await _bring_up_to_date(engine)
            connection = await stack.enter_async_context(engine.connect())
            await connection.execution_options(isolation_level="REPEATABLE READ")
            await _may_take_long(connection)
        yield connection, lock.check


@asynccontextmanager
async def _into_server(url: str) -> AsyncIterator[AsyncConnection]:
    async with AsyncExitStack() as stack:
        with _concerning(TARGET):
            lock = await _locked(url, stack)
            engine = _engine(url, None, stack)
            connection = await stack.enter_async_context(engine.connect())
            transaction = await connection.begin()
            if not await copying.is_empty(connection):
                name = engine.url.database
                raise CannotMove(f"Something is kept in the database {name} already.")
            await connection.run_sync(migrate)
            await _may_take_long(connection)
        yield connection
        with _concerning(TARGET):
            lock.check()
            # Until the server knows what it has, it reads whole tables.
            for table in copying.KEPT:
                await connection.execute(sa.text(f"ANALYZE {table.name}"))
            await transaction.commit()


@asynccontextmanager
async def _into_file(file: Path, url: str) -> AsyncIterator[AsyncConnection]:
    """It has its name only once it is whole."""
    unfinished = file.with_name(file.name + UNFINISHED)
    async with AsyncExitStack() as stack:
        with _concerning(TARGET):
            file.parent.mkdir(parents=True, exist_ok=True)
            note = stack.enter_context(sole_use(file))
            if not is_blank(file):
                raise CannotMove(f"{file} is there already, and is not overwritten.")
            _remove(unfinished)
            stack.callback(_remove, unfinished)
            engine = _engine(url + UNFINISHED, unfinished, stack)
            connection = await stack.enter_async_context(engine.connect())
            transaction = await connection.begin()
            await connection.run_sync(migrate)
        yield connection
        with _concerning(TARGET):
            await transaction.commit()
            await connection.close()
            await engine.dispose()
            if log_of(unfinished).exists():
                raise CannotMove(f"{unfinished} could not be closed.")
            to_the_disk(unfinished)
            unfinished.replace(file)
            note()


async def _locked(url: str, stack: AsyncExitStack) -> ServerLock:
    lock = ServerLock(url)
    stack.push_async_callback(lock.close)
    await lock.take()
    return lock


def _engine(url: str, file: Path | None, stack: AsyncExitStack) -> AsyncEngine:
    engine = engine_setup.new_engine(url, file, LOCK_WAIT_MS)
    stack.push_async_callback(engine.dispose)
    return engine


async def _bring_up_to_date(engine: AsyncEngine) -> None:
    def upgrade(connection: sa.Connection) -> None:
        if revision_of(connection) is None:
            raise CannotMove(f"Nothing is kept in {engine.url.database}.")
        migrate(connection)

    async with engine.begin() as connection:
        await connection.run_sync(upgrade)


async def _may_take_long(connection: AsyncConnection) -> None:
    # Each of the two waits while rows are read from, or written to, the other.
    await connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")


def _remove(unfinished: Path) -> None:
    for suffix in ("", *BESIDE):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)


@contextmanager
def _concerning(which: str) -> Iterator[None]:
    """Says of an error which database it is about."""
    try:
        yield
    except (CannotMove, InUse):
        raise
    except StoreError as error:
        raise CannotMove(f"{which}: {error}") from error
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise CannotMove(f"{which}: {failure(error)}") from error
    except ModuleNotFoundError as error:
        raise CannotMove(
            f"The driver {error.name} is not installed: python -m pip install -e '.[postgres]'"
        ) from error
