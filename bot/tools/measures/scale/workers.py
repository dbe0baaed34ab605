"""Work in processes of its own, begun at the same moment."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Any, TypeVar

T = TypeVar("T")

WAITS_S = 600.0
"""Seconds after which a worker that has not begun is taken to be lost."""
MIB = 1 << 20

Ready = Callable[[], Awaitable[None]]
"""Returns once all workers are as far."""
Work = Callable[..., Awaitable[T]]
"""Called with `Ready`, then the worker's own arguments. A function of a module: it is sent by
name."""


async def in_workers(work: Work[T], arguments: Sequence[Sequence[object]]) -> list[T]:
    """What the work returns in a process for each of those arguments.

    Raises RuntimeError where one of them has failed; it has said on stderr why.
    """
    # Begun afresh, as a bot is: what this process has loaded and opened is not theirs.
    context = get_context("spawn")
    barrier = context.Barrier(len(arguments))
    pipes = [context.Pipe(duplex=False) for _ in arguments]
    processes = [
        context.Process(target=_work, args=(sending, barrier, work, given), daemon=True)
        for (_, sending), given in zip(pipes, arguments, strict=True)
    ]
    for process in processes:
        process.start()
    for _, sending in pipes:
        # Theirs alone from here on: where a worker dies, receiving ends.
        sending.close()
    try:
        return [await asyncio.to_thread(_received, receiving) for receiving, _ in pipes]
    finally:
        for process in processes:
            process.kill()
            process.join()


def resident_mib() -> float:
    """The memory of this process that is in use, on Linux."""
    return resident_mib_of(os.getpid())


def resident_mib_of(pid: int) -> float:
    """The same of another process."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as status:
        return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB


def _received(receiving: Connection) -> Any:
    try:
        return receiving.recv()
    except EOFError as error:
        raise RuntimeError("a worker of the bench has failed") from error


def _work(sending: Connection, barrier: Barrier, work: Work[T], given: Sequence[object]) -> None:
    async def ready() -> None:
        await asyncio.to_thread(barrier.wait, WAITS_S)

    async def carry_out() -> T:
        return await work(ready, *given)

    try:
        sending.send(asyncio.run(carry_out()))
    except BaseException:
        barrier.abort()
        raise
