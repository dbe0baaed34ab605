"""Helpers to run work in threads, processes and tasks from the event loop."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from functools import partial
from time import perf_counter
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class WorkerError(Exception):
    """Replaces an exception that an asyncio future cannot carry safely."""


def contained(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of the work. Raise WorkerError for StopIteration and non-Exceptions.

    asyncio futures cannot carry StopIteration: the task that awaits them would wait forever.
    SystemExit would end the event loop, and CancelledError would look like a cancellation of that
    task.
    """
    try:
        return work(*args, **kwargs)
    except StopIteration as error:
        raise WorkerError(repr(error)) from error
    except Exception:
        raise
    except BaseException as error:
        raise WorkerError(repr(error)) from error


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run the work like `asyncio.to_thread`, but contained."""
    return await asyncio.to_thread(partial(contained, work, *args, **kwargs))


def in_pool(executor: Executor, work: Callable[[], T]) -> asyncio.Future[T]:
    """Run the work like `run_in_executor`, but contained. A process pool has to pickle it."""
    return asyncio.get_running_loop().run_in_executor(executor, partial(contained, work))


@asynccontextmanager
async def in_background(work: Coroutine[Any, Any, T]) -> AsyncIterator[asyncio.Task[T]]:
    """Run a task within the block, and cancel it at the end."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


SLICE_S = 0.004
"""Seconds that a slice may delay other tasks."""


class TimeSlice:
    """Lets other tasks run between the short steps of long work."""

    def __init__(self) -> None:
        self._since = perf_counter()

    async def take(self) -> None:
        """Yield to other tasks if they have waited for `SLICE_S` seconds."""
        if perf_counter() - self._since >= SLICE_S:
            await asyncio.sleep(0)
            self._since = perf_counter()


K = TypeVar("K", bound=Hashable)


class SharedTasks(Generic[K]):
    """Run one task per key at a time; later callers wait for the one that is running."""

    def __init__(self) -> None:
        self._tasks: dict[K, asyncio.Task[None]] = {}

    def start(self, key: K, work: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
        """Start the work unless it is running. The work must report its own errors."""
        task = self._tasks.get(key)
        if task is None:
            task = asyncio.create_task(work())
            self._tasks[key] = task
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return task

    async def wait(
        self, key: K, work: Callable[[], Coroutine[Any, Any, None]], timeout_s: float
    ) -> None:
        """Start the work as `start` does, and wait for its end or the time limit."""
        await asyncio.wait([self.start(key, work)], timeout=timeout_s)

    async def finish(self) -> None:
        """Wait until no task is running."""
        while self._tasks:
            await asyncio.wait([*self._tasks.values()])

    @asynccontextmanager
    async def cancelled_at_end(self) -> AsyncIterator[None]:
        """Cancel the running tasks at the end of the block."""
        try:
            yield
        finally:
            for task in self._tasks.values():
                task.cancel()
            await self.finish()


def describe(error: BaseException) -> str:
    """Return an error's type and traceback without its message, which may reveal a secret."""
    where = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{where}"
