"""Work in threads, processes and tasks, and what comes of it on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, ParamSpec, TypeVar

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
