"""Opens the database for one process alone, and waits for one that does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from bot.host.retry import retry
from bot.store import ServerLock, Store, StoreError, Unavailable, sole_use, sqlite_file

T = TypeVar("T")


class CannotOpen(Exception):
    """The database cannot be opened; the message says why in one line."""


@asynccontextmanager
async def open_store(database_url: str) -> AsyncIterator[Store]:
    """The database, for this process alone; one that does not answer is waited for.

    Raises CannotOpen, also later, where another process has taken over.
    """
    file = sqlite_file(database_url)
    opening = _on_server(database_url) if file is None else _in_file(file, database_url)
    async with opening as store:
        yield store


async def reached(attempt: Callable[[], Awaitable[T]]) -> T:
    """What the database answers, which is waited for where that may help. Raises CannotOpen."""
    try:
        return await retry("The database", attempt, lambda error: isinstance(error, Unavailable))
    except ModuleNotFoundError as error:
        raise CannotOpen(
            f"its driver {error.name} is not installed: python -m pip install -e '.[postgres]'"
        ) from error
    except (OSError, StoreError, SQLAlchemyError) as error:
        raise CannotOpen(str(error).partition("\n")[0]) from error


@asynccontextmanager
async def _in_file(file: Path, url: str) -> AsyncIterator[Store]:
    async with AsyncExitStack() as alone:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            note = alone.enter_context(sole_use(file))
        except (OSError, StoreError) as error:
            raise CannotOpen(str(error)) from error
        store = await reached(lambda: Store.open(url))
        alone.push_async_callback(store.close)
        await reached(partial(asyncio.to_thread, note))
        yield store


@asynccontextmanager
async def _on_server(url: str) -> AsyncIterator[Store]:
    work = asyncio.current_task()
    assert work is not None

    async def take() -> ServerLock:
        lock = ServerLock(url)
        await lock.take()
        return lock

    def end(keeping: asyncio.Task[None]) -> None:
        if not keeping.cancelled():
            work.cancel()

    lock = await reached(take)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(lock.close)
        keeping = asyncio.create_task(lock.keep())
        keeping.add_done_callback(end)
        stack.push_async_callback(_ended, keeping)
        try:
            store = await reached(lambda: Store.open(url, check=lock.check))
            stack.push_async_callback(store.close)
            yield store
        except asyncio.CancelledError:
            if not keeping.done() or keeping.cancelled():
                raise
            work.uncancel()
            raise CannotOpen(str(keeping.exception())) from keeping.exception()


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
