"""Opens the database, for a single process or one of several, and waits until it answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from bot.host.retry import retry
from bot.store import InUse, Store, StoreError, Unavailable, sole_use, sqlite_file
from bot.workers import in_background, in_thread

if TYPE_CHECKING:
    from bot.cluster.leases import Leases
    from bot.store.server_lock import ServerLock

T = TypeVar("T")

NOT_SHARED = (
    "a SQLite file serves only one process, but SHARDS is set: move the games to PostgreSQL with"
    " `python -m bot move` (see docs/hosting.md)"
)
SHARED_ELSEWHERE = (
    " To run several, move to PostgreSQL: `python -m bot move` (see docs/hosting.md)."
)

OLDER = (
    "an older version wrote it and a process is still using it: stop all processes, then start"
    " this one first"
)
MIGRATION_S = 60.0
"""Seconds that another process may take to upgrade the database."""
RELEASE_S = 5.0
"""Seconds that it may then take to release its lock."""
RETRY_S = 0.5
"""Seconds between two attempts."""


class CannotOpen(Exception):
    """The database cannot be opened. The message says why, in one line."""


@asynccontextmanager
async def open_store(database_url: str, *, member: Leases | None = None) -> AsyncIterator[Store]:
    """Open the database for this process alone, or as a `member` of those that share it.

    Wait until the database answers. Raise CannotOpen, also within the block if another process has
    taken the lock.
    """
    file = sqlite_file(database_url)
    if file is None:
        opening = _on_server(database_url, member)
    elif member is None:
        opening = _in_file(file, database_url)
    else:
        raise CannotOpen(NOT_SHARED)
    async with opening as store:
        try:
            yield store
        finally:
            await store.close()


async def reach_database(attempt: Callable[[], Awaitable[T]]) -> T:
    """Retry while the database does not answer.

    Raise CannotOpen for other errors of the database, and all other exceptions unchanged.
    """
    try:
        return await retry("database", attempt, lambda error: isinstance(error, Unavailable))
    except ModuleNotFoundError as error:
        raise CannotOpen(
            f"its driver {error.name} is missing: run python -m pip install -e '.[postgres]'"
        ) from error
    except (OSError, StoreError) as error:
        raise CannotOpen(str(error).partition("\n")[0]) from error


@asynccontextmanager
async def _in_file(file: Path, url: str) -> AsyncIterator[Store]:
    with ExitStack() as stack:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            mark_used = stack.enter_context(sole_use(file))
        except InUse as error:
            raise CannotOpen(f"{error}{SHARED_ELSEWHERE}") from error
        except (OSError, StoreError) as error:
            raise CannotOpen(str(error)) from error
        store = await reach_database(lambda: Store.open(url))
        await reach_database(partial(in_thread, mark_used))
        yield store


@asynccontextmanager
async def _on_server(url: str, member: Leases | None) -> AsyncIterator[Store]:
    async def take_lock() -> ServerLock:
        # Imported only here, as it needs the driver.
        from bot.store.server_lock import ServerLock

        lock = member or ServerLock(url)
        # A process that has just upgraded the database for all members releases its lock soon.
        await _retry_in_use(lock.take, 0.0 if member is None else RELEASE_S)
        return lock

    work = asyncio.current_task()
    assert work is not None
    if member is not None:
        await reach_database(partial(_upgrade_alone, url))
    name, lock = None if member is None else member.name, await reach_database(take_lock)
    try:
        async with in_background(lock.maintain()) as maintaining:
            maintaining.add_done_callback(lambda _: maintaining.cancelled() or work.cancel())
            try:
                yield await reach_database(lambda: Store.open(url, check=lock.check, member=name))
            except asyncio.CancelledError:
                if not maintaining.done() or maintaining.cancelled():
                    raise
                work.uncancel()
                try:
                    await maintaining
                except StoreError as error:
                    raise CannotOpen(str(error)) from error
    finally:
        await lock.close()


async def _upgrade_alone(url: str) -> None:
    """Upgrade the database if it is not in use, or wait for another process that upgrades it.

    Raise CannotOpen if it is in use, and StoreError.
    """
    from bot.store.postgres import is_migrated
    from bot.store.server_lock import ServerLock

    async def attempt() -> None:
        if await is_migrated(url):
            return
        lock = ServerLock(url)
        try:
            await lock.take()
            await (await Store.open(url, check=lock.check)).close()
        finally:
            await lock.close()

    try:
        await _retry_in_use(attempt, MIGRATION_S)
    except InUse as error:
        raise CannotOpen(OLDER) from error


async def _retry_in_use(attempt: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Retry for some seconds while the database is in use; then raise InUse."""
    deadline = monotonic() + seconds
    while True:
        try:
            return await attempt()
        except InUse:
            if monotonic() >= deadline:
                raise
        await asyncio.sleep(RETRY_S)
