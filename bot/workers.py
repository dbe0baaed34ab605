"""Work in threads, processes and tasks, and what comes of it on the event loop."""

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
    """Work ended by raising what a future of asyncio cannot hold, or what would end its reader."""


def contained(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do the work and return its result. It raises nothing but Exceptions, and no StopIteration.

    StopIteration never reaches a future of asyncio, whose reader then waits for ever; SystemExit
    would end the event loop, and CancelledError would look like a cancellation of the reader.
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
    """`asyncio.to_thread`, with the work contained."""
    return await asyncio.to_thread(partial(contained, work, *args, **kwargs))


def in_pool(executor: Executor, work: Callable[[], T]) -> asyncio.Future[T]:
    """`run_in_executor`, with the work contained. For a pool of processes it must pickle."""
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


HELD_S = 0.004
"""Seconds that a slice may hold up other tasks."""


class TimeSlice:
    """Awaited between the short steps of long work."""

    def __init__(self) -> None:
        self._since = perf_counter()

    async def take(self) -> None:
        """Yields to other tasks once they have waited for `HELD_S` seconds."""
        if perf_counter() - self._since >= HELD_S:
            await asyncio.sleep(0)
            self._since = perf_counter()


K = TypeVar("K", bound=Hashable)


class SharedTasks(Generic[K]):
    """Run one task per key at a time; later callers wait for the one that is running."""

    def __init__(self) -> None:
        self._tasks: dict[K, asyncio.Task[None]] = {}

    async def wait(
        self, key: K, work: Callable[[], Coroutine[Any, Any, None]], at_most_s: float
    ) -> None:
        """Starts the work unless it is running, and waits for its end, at most so long.

        The work itself must report its errors.
        """
        task = self._tasks.get(key)
        if task is None:
            task = asyncio.create_task(work())
            self._tasks[key] = task
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        await asyncio.wait([task], timeout=at_most_s)

    async def finish(self) -> None:
        """Waits until nothing is running."""
        while self._tasks:
            await asyncio.wait([*self._tasks.values()])


def describe(error: BaseException) -> str:
    """Where an error came from, without its message: that may show somebody's hand."""
    where = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{where}"
