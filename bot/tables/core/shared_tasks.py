"""Work for which callers wait only so long, and which goes on when they no longer wait.

Cutting off what the database is doing would cost its connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class SharedTasks(Generic[K]):
    """Runs one task per key at a time; anybody who asks again waits for that one."""

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
