"""Opens the database for one process alone or for one of several, and waits for its answer."""

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
LET_GO_S = 5.0
"""Seconds that it may take to let others have the database after that."""
AGAIN_S = 0.5
"""Seconds until it is looked again whether it has."""


class CannotOpen(Exception):
    """The database cannot be opened; the message says why in one line."""


@asynccontextmanager
async def open_store(database_url: str, *, member: Leases | None = None) -> AsyncIterator[Store]:
    """The database, for this process alone, or as a `member` of those that share it, which it is
    within the block; one that does not answer is waited for.

    Raises CannotOpen, also later, where another process has taken over.
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


async def reached(attempt: Callable[[], Awaitable[T]]) -> T:
    """What the database answers, which is waited for where that may help. Raises CannotOpen, and
    what is no error of a database."""
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
    with ExitStack() as alone:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            note = alone.enter_context(sole_use(file))
        except InUse as error:
            raise CannotOpen(f"{error}{SHARED_ELSEWHERE}") from error
        except (OSError, StoreError) as error:
            raise CannotOpen(str(error)) from error
        store = await reached(lambda: Store.open(url))
        await reached(partial(in_thread, note))
        yield store


@asynccontextmanager
async def _on_server(url: str, member: Leases | None) -> AsyncIterator[Store]:
    async def taken() -> ServerLock:
        # Only here: it brings the driver along.
        from bot.store.server_lock import ServerLock

        lock = member or ServerLock(url)
        # Whoever has just upgraded the database for all members lets go of it in a moment.
        await _patiently(lock.take, 0.0 if member is None else LET_GO_S)
        return lock

    work = asyncio.current_task()
    assert work is not None
    if member is not None:
        await reached(partial(_migrated_alone, url))
    name, lock = None if member is None else member.name, await reached(taken)
    try:
        async with in_background(lock.maintain()) as keeping:
            keeping.add_done_callback(lambda _: keeping.cancelled() or work.cancel())
            try:
                yield await reached(lambda: Store.open(url, check=lock.check, member=name))
            except asyncio.CancelledError:
                if not keeping.done() or keeping.cancelled():
                    raise
                work.uncancel()
                try:
                    await keeping
                except StoreError as error:
                    raise CannotOpen(str(error)) from error
    finally:
        await lock.close()


async def _migrated_alone(url: str) -> None:
    """Upgrade the database where nobody works on it, or wait for another process that does.

    Raises CannotOpen where somebody works on it, and StoreError.
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
        await _patiently(attempt, MIGRATION_S)
    except InUse as error:
        raise CannotOpen(OLDER) from error


async def _patiently(attempt: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Try again for so many seconds while another process is in the way. Raises InUse then."""
    give_up_at = monotonic() + seconds
    while True:
        try:
            return await attempt()
        except InUse:
            if monotonic() >= give_up_at:
                raise
        await asyncio.sleep(AGAIN_S)
